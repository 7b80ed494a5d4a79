package run

import (
	"context"
	"fmt"
	"strings"

	"sluice/pipeline/pattern"
)

// envVariables are what attributes are looked up in: the environment of the process, and below it that of a file.
type envVariables struct {
	world *World
	file  map[string]string
}

// readEnvVariables reads the file of --env-file; empty: there is none.
func readEnvVariables(ctx context.Context, w *World, file string) (*envVariables, error) {
	e := &envVariables{world: w}
	if file == "" {
		return e, nil
	}
	text, err := w.Read(ctx, file)
	if err != nil {
		return nil, Usagef("--env-file: %w", err)
	}
	e.file, err = parseEnvironment(string(text))
	if err != nil {
		return nil, Usagef("--env-file %s: %w", file, err)
	}
	return e, nil
}

// lookup returns the value of a variable; empty: it is not set.
func (e *envVariables) lookup(variable string) string {
	if value := e.world.Getenv(variable); value != "" {
		return value
	}
	return e.file[variable]
}

// assignment is a line of a file of variables: NAME=VALUE, as a shell takes it too.
var assignment = pattern.Lazy(`^(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$`)

// parseEnvironment reads NAME=VALUE, one a line. Errors name the line only, which may hold a secret.
func parseEnvironment(text string) (map[string]string, error) {
	all := map[string]string{}
	text = strings.TrimPrefix(text, "\ufeff")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		parts := assignment().FindStringSubmatch(line)
		if parts == nil {
			return nil, fmt.Errorf("line %d is no NAME=VALUE", i+1)
		}
		value, err := unquoteVariable(parts[2])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		all[parts[1]] = value
	}
	return all, nil
}

// unquoteVariable is what a value stands for: 'as it is', "with \n, \t, \", \$ and \\", or without quotes up to a
// comment.
func unquoteVariable(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	switch quote := text[0]; quote {
	case '\'', '"':
		value, rest, err := quoted(text[1:], quote)
		if err != nil {
			return "", err
		}
		rest = strings.TrimSpace(rest)
		if rest != "" && rest[0] != '#' {
			return "", fmt.Errorf("there is text behind the quoted value")
		}
		return value, nil
	case '#':
		return "", nil
	}
	if at := strings.Index(text, " #"); at >= 0 {
		text = text[:at]
	}
	return strings.TrimSpace(text), nil
}

// escapes are what a backslash makes of the next character between double quotes.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '"': '"', '$': '$', '\\': '\\', '`': '`'}

// quoted reads up to the quote that ends a value, and returns what stands behind it.
func quoted(text string, quote byte) (value, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == quote {
			return b.String(), text[i+1:], nil
		}
		if c == '\\' && quote == '"' && i+1 < len(text) {
			if escaped, ok := escapes[text[i+1]]; ok {
				c = escaped
				i++
			}
		}
		b.WriteByte(c)
	}
	return "", "", fmt.Errorf("the quote %c has no end in its line", quote)
}
