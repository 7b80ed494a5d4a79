package cli

import (
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sluice/source"
)

// escapeFunction is a function of the shell that makes a value fit into a string
// of JSON.
const escapeFunction = `json() { printf '%s\n' "$1" | awk 'NR > 1 { printf "\\n" } { gsub(/[\\"]/, "\\\\&"); gsub(/\t/, "\\t"); gsub(/\r/, "\\r"); printf "%s", $0 }'; }`

// curl returns the request as a command that sends it, once the variables are
// set.
func (m *masks) curl(p source.Planned) (string, error) {
	r := p.Request
	words := []string{"curl -sS"}
	if a := p.AWS; a != nil {
		words = append(words, "--aws-sigv4 "+m.word("aws:amz:"+a.Region+":"+a.Service), "--user "+m.word(a.AccessKeyID+":"+a.SecretKey))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			words = append(words, "-H "+m.word(header(name, value)))
		}
	}
	if r.Host != "" && r.Host != r.URL.Host {
		words = append(words, "-H "+m.word("Host: "+r.Host))
	}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return "", err
		}
		words = append(words, m.body(string(body), p.Form)...)
	}
	address, rest := *r.URL, ""
	if at := stand.FindStringIndex(address.RawQuery); at != nil {
		begin := strings.LastIndexByte(address.RawQuery[:at[0]], '&') + 1
		address.RawQuery, rest = strings.TrimSuffix(address.RawQuery[:begin], "&"), address.RawQuery[begin:]
	}
	text := address.String()
	if strings.ContainsAny(text, "[]{}") {
		words = append(words, "-g")
	}
	if rest != "" {
		words = append(words, m.query(rest, r.Body == nil)...)
	}
	return strings.Join(append(words, m.word(text)), " \\\n  "), nil
}

// header is a header as curl wants it.
func header(name, value string) string {
	if value == "" {
		return name + ";"
	}
	return name + ": " + value
}

// query has curl encode the part of a query that begins with the first stand-in.
func (m *masks) query(rest string, get bool) []string {
	raw, encoded, words := "--url-query +", "--url-query ", []string(nil)
	if get {
		raw, encoded, words = "--data-raw ", "--data-urlencode ", []string{"-G"}
	}
	for part := range strings.SplitSeq(rest, "&") {
		words = append(words, m.pair(part, raw, encoded))
	}
	return words
}

// body has curl send a body. Stand-ins in a form are encoded by curl.
func (m *masks) body(text string, form bool) []string {
	if !form {
		return []string{"--data-raw " + m.jsonWord(text)}
	}
	var words, plain []string
	flush := func() {
		if len(plain) > 0 {
			words = append(words, "--data-raw "+m.word(strings.Join(plain, "&")))
			plain = nil
		}
	}
	for part := range strings.SplitSeq(text, "&") {
		if !stand.MatchString(part) {
			plain = append(plain, part)
			continue
		}
		flush()
		words = append(words, m.pair(part, "--data-raw ", "--data-urlencode "))
	}
	flush()
	return words
}

// pair is name=value, for one option or the other.
func (m *masks) pair(part, raw, encoded string) string {
	if !stand.MatchString(part) {
		return raw + m.word(part)
	}
	name, value, _ := strings.Cut(part, "=")
	if plain, err := url.QueryUnescape(value); err == nil {
		value = plain
	}
	return encoded + m.word(name+"="+value)
}

// word writes a text as one word of the shell, variables and commands in the
// place of stand-ins.
func (m *masks) word(text string) string { return m.quote(text, false) }

// jsonWord is word for JSON, in whose strings a value must be escaped.
func (m *masks) jsonWord(text string) string {
	quoted := regexp.MustCompile(`"` + stand.String() + `"`)
	text = quoted.ReplaceAllStringFunc(text, func(found string) string {
		if m.of(found).number {
			return strings.Trim(found, `"`)
		}
		return found
	})
	return m.quote(text, true)
}

// bare is what needs no quotes, and plain what means nothing within double ones.
var (
	bare  = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)
	plain = regexp.MustCompile("^[^\\\\\"$`!\n]*$")
)

func (m *masks) quote(text string, escape bool) string {
	same := func(part string) string { return part }
	double := func(part string) string { return `"` + part + `"` }
	switch {
	case bare.MatchString(text) && !stand.MatchString(text):
		return text
	case !stand.MatchString(text):
		return single(text)
	case plain.MatchString(text):
		return double(m.fill(text, escape, same, same))
	}
	return m.fill(text, escape, single, double)
}

// fill puts values in the place of stand-ins: literal sees the text between them,
// and value what stands for them within double quotes.
func (m *masks) fill(text string, escape bool, literal, value func(string) string) string {
	var b strings.Builder
	from := 0
	for _, at := range stand.FindAllStringIndex(text, -1) {
		if from < at[0] {
			b.WriteString(literal(text[from:at[0]]))
		}
		from = at[1]
		b.WriteString(value(m.value(m.of(text[at[0]:at[1]]), text[from:], escape && within(text[:at[0]]))))
	}
	if from < len(text) {
		b.WriteString(literal(text[from:]))
	}
	return b.String()
}

// within tells whether JSON text ends inside a string.
func within(text string) bool {
	open := false
	for i := 0; i < len(text); i++ {
		switch {
		case open && text[i] == '\\':
			i++
		case text[i] == '"':
			open = !open
		}
	}
	return open
}

// value is what stands between double quotes.
func (m *masks) value(k *mask, next string, escape bool) string {
	switch {
	case k.command != nil:
		return "$(" + k.command(m.word) + ")"
	case escape:
		return `$(json "$` + k.variable.Name + `")`
	case next != "" && strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_[", rune(next[0])):
		return "${" + k.variable.Name + "}"
	}
	return "$" + k.variable.Name
}

// single quotes a text for the shell.
func single(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
