package plan

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sluice/pipeline"
	"sluice/source/request"
)

// curl enters the request as a command that sends it, once the variables are set.
func (p *planner) curl(
	planned *PlannedRequest, h *http.Request, method request.Method,
) error {
	words := []string{"curl -sS"}
	for _, name := range slices.Sorted(maps.Keys(h.Header)) {
		for _, value := range h.Header[name] {
			header := name + ": " + value
			if value == "" {
				// With a colon curl would leave it out.
				header = name + ";"
			}
			parts := p.split(header, name, "the header "+name, "")
			words = append(words, "-H "+word(parts))
		}
	}
	if h.Host != h.URL.Host {
		parts := p.split("Host: "+h.Host, "Host", "the header Host", "")
		words = append(words, "-H "+word(parts))
	}
	if h.Body != nil {
		body, err := io.ReadAll(h.Body)
		if err != nil {
			return err
		}
		encoding := inURL
		if method != request.Form {
			encoding = inJSON
			body = p.typed(body)
		}
		parts := p.split(string(body), "body", "part of the body", encoding)
		if h.Method == http.MethodGet {
			words = append(words, "-X GET")
		}
		words = append(words, "--data-raw "+word(parts))
	}
	// Without a scheme the address begins with a variable that has one.
	address := strings.TrimPrefix(h.URL.String(), "//")
	if strings.ContainsAny(address, "[]{}") {
		words = append(words, "-g")
	}
	parts := p.split(address, "URL", "part of the URL", inURL)
	planned.Method, planned.URL = h.Method, expand(parts)
	planned.Command = strings.Join(append(words, word(parts)), " \\\n  ")
	return nil
}

var (
	// bare needs no quotes.
	bare = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)
	// double means nothing within double quotes.
	double = regexp.MustCompile("^[^\\\\\"$`!\n]*$")
	// letter would belong to the name of a variable before it.
	letter = regexp.MustCompile(`^[A-Za-z0-9_\[]`)
)

// taken are names that mean something to the shell or to programs that it starts.
var taken = strings.Fields("CDPATH COLUMNS DISPLAY EDITOR ENV EUID HOME HOST HOSTNAME " +
	"IFS LANG LINES LOGNAME MAIL OPTARG OPTIND PATH PPID PWD RANDOM SECONDS SHELL " +
	"TERM TZ UID USER USERNAME")

// word writes what [planner.split] gives as one word of the shell.
func word(parts []string) string {
	literal := strings.Join(parts, "")
	hasVariables := len(parts) > 1
	switch {
	case !hasVariables && bare.MatchString(literal):
		return literal
	case hasVariables && isPlain(literal):
		return `"` + expand(parts) + `"`
	}
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 1:
			b.WriteString(`"$` + part + `"`)
		case part != "" || len(parts) == 1:
			b.WriteString(quoted(part))
		}
	}
	return b.String()
}

// isPlain tells whether a text stands for itself within double quotes.
func isPlain(text string) bool { return double.MatchString(text) && !hides(text) }

// quoted writes a text as a word of the shell, what does not show as an escape.
func quoted(text string) string {
	if !hides(text) {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case unprintable(r):
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	return "$'" + b.String() + "'"
}

// hides tells whether a terminal may obey a part of a text, or hide it.
func hides(text string) bool { return strings.ContainsFunc(text, unprintable) }

func unprintable(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// expand writes what [planner.split] gives with a dollar sign before each variable.
func expand(parts []string) string {
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(part)
		case letter.MatchString(parts[i+1]):
			b.WriteString("${" + part + "}")
		default:
			b.WriteString("$" + part)
		}
	}
	return b.String()
}

// free returns a name for a variable that looks like name and that none has yet.
func (p *Plan) free(name string) string {
	base := strings.ToUpper(strings.ReplaceAll(pipeline.FileName(name), "-", "_"))
	beginsWithDigit := base[0] <= '9'
	if beginsWithDigit || slices.Contains(taken, base) {
		base = "API_" + base
	}
	free := base
	isTaken := func(v ShellVariable) bool { return v.Name == free }
	for k := 2; slices.ContainsFunc(p.Variables, isTaken); k++ {
		free = fmt.Sprintf("%s_%d", base, k)
	}
	return free
}
