package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	// wordPart matches what a word of a shell is made of: a text in quotes of three kinds, a
	// character after a backslash, a variable, and anything that means itself.
	wordPart = pattern(`(?s)^(?:'([^']*)'|"((?:[^"\\` + "`" + `]|\\.)*)"|\$'((?:[^'\\]|\\.)*)'|\\(.)|\$(\w+|\{\w+\})|([^\s'"\\$|&;<>()` + "`" + `]+|\$))`)
	escaped  = pattern(`(?s)\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)`)
	inDouble = pattern(`(?s)\\.|\$(?:\w+|\{\w+\})`)
)

// pattern compiles a pattern when it is used for the first time: only init needs those of curl
// commands, and each start of the program would pay for them.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var errNoCommand = errors.New("this is not one command of a shell: is a quote missing, or does a pipe follow?")

// words splits one command line as a shell does. getenv gives the values of variables.
func words(text string, getenv func(string) string) (all []string, err error) {
	variable := func(name string) string {
		name = strings.Trim(name, "${}")
		value := getenv(name)
		if value == "" {
			err = fmt.Errorf("the environment has no %.40s: set it, or write its value", name)
		}
		return value
	}
	for text = strings.TrimSpace(strings.ReplaceAll(text, "\\\n", " ")); text != "" && err == nil; text = strings.TrimSpace(text) {
		var word strings.Builder
		for text != "" && !strings.ContainsAny(text[:1], " \t\r\n") {
			m := wordPart().FindStringSubmatch(text)
			if m == nil || strings.Contains(m[2], "$(") {
				return nil, errNoCommand
			}
			text = text[len(m[0]):]
			word.WriteString(m[1] + m[4] + m[6])
			word.WriteString(inDouble().ReplaceAllStringFunc(m[2], func(part string) string {
				if part[0] == '$' {
					return variable(part)
				}
				if strings.ContainsAny(part[1:], "\"\\$`") {
					return part[1:]
				}
				return part
			}))
			word.WriteString(escaped().ReplaceAllStringFunc(m[3], unescaped))
			if m[5] != "" {
				word.WriteString(variable(m[5]))
			}
		}
		all = append(all, word.String())
	}
	return all, err
}

// unescaped is what an escape between $' and ' means.
func unescaped(escape string) string {
	if code, err := strconv.ParseUint(escape[2:], 16, 32); err == nil {
		return string(rune(code))
	}
	if at := strings.Index(`abefnrtv`, escape[1:]); at >= 0 {
		return "\a\b\x1b\f\n\r\t\v"[at : at+1]
	}
	return escape[1:]
}
