// Package secret knows every value that must not be shown, in all its forms, and takes them out of texts.
package secret

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Hidden stands where a secret was.
const Hidden = "[secret]"

const (
	// Length of a value that is looked for in texts: a shorter one would hide too much.
	shortest = 4
	// Sessions, and at least so many signed requests, whose values are looked for.
	leastKept = 64
)

// A Set knows what must not be shown, also where it is escaped or in base64. It is safe for concurrent use; nil
// knows nothing.
type Set struct {
	mu sync.RWMutex

	// Values that are secret for the rest of the run.
	always map[string]bool

	sessions   latest
	signatures latest

	// All forms of what is secret now; its forms are nil before the first use.
	index formIndex

	// Names that people have chosen for what the run writes.
	chosen map[string]bool
}

// latest is the values of a kind of which only the last ones are looked for.
type latest struct {
	// The last ones, as they were given.
	values []string

	// Of the last ones and of those before them.
	forms [][]string

	// Of forms; at least leastKept.
	size int
}

// Add makes values secret for the rest of the run.
func (s *Set) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.always == nil {
		s.always = make(map[string]bool)
	}
	for _, v := range values {
		if !s.always[v] {
			s.always[v] = true
			s.index.add(formsOf(v))
		}
	}
}

// AddSession makes the values of a login secret until 64 more logins have been.
func (s *Set) AddSession(values ...string) { s.push(&s.sessions, values) }

// KeepSignatures makes sure that the signatures of n requests are known at a time: of all that are in flight.
func (s *Set) KeepSignatures(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signatures.size = n
}

// AddSignature makes what signs one request secret until [Set.KeepSignatures] many, or 64, were signed
// otherwise.
func (s *Set) AddSignature(values ...string) { s.push(&s.signatures, values) }

// push adds values of a kind, and forgets the oldest ones.
func (s *Set) push(l *latest, values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Equal(l.values, values) {
		return
	}
	var forms []string
	for _, v := range values {
		forms = append(forms, formsOf(v)...)
	}
	l.values = slices.Clone(values)
	l.forms = append(l.forms, forms)
	s.index.add(forms)
	if len(l.forms) > max(leastKept, l.size) {
		s.index.remove(l.forms[0])
		l.forms = slices.Delete(l.forms, 0, 1)
	}
}

// Redact returns text with every secret replaced, also in base64 or escaped up to three times; those that
// overlap are replaced together.
func (s *Set) Redact(text string) string {
	return s.Replace(text, func(string) string { return Hidden })
}

// Choose makes names known that a person has chosen for what the run writes, such as ids of jobs and places of files.
// They stay whole where they stand alone: another program goes by them, and they may resemble a secret by chance.
func (s *Set) Choose(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.chosen == nil {
		s.chosen = make(map[string]bool)
	}
	for _, name := range names {
		s.chosen[name] = true
	}
}

// Name returns a name as people may see it: whole if it was chosen, else redacted.
func (s *Set) Name(name string) string {
	if s.isChosen(name) {
		return name
	}
	return s.Redact(name)
}

func (s *Set) isChosen(name string) bool {
	if s == nil {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.chosen[name]
}

// Replace is [Set.Redact] with what with returns in the place of a secret, given as it stands in text.
func (s *Set) Replace(text string, with func(secret string) string) string {
	var b strings.Builder
	shown := s.replace(&b, text, len(text), with)
	if shown == 0 {
		return text
	}
	b.WriteString(text[shown:])
	return b.String()
}

// replace writes text to b up to the end of the last secret that begins before bound, and returns where that
// is.
func (s *Set) replace(b *strings.Builder, text string, bound int, with func(secret string) string) int {
	shown := 0
	spans := s.find(text, bound)
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 0; i < len(spans); {
		from := spans[i].from
		to := spans[i].to
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to)
		}
		b.WriteString(text[shown:from])
		b.WriteString(with(text[from:to]))
		shown = to
	}
	return shown
}

// find returns the places of all secrets in text that begin before bound.
func (s *Set) find(text string, bound int) []span {
	if s == nil {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.index.find(nil, escapedText{text: text}, bound, 0)
}

// longest is the length of the longest form of what is secret now, escaped.
func (s *Set) longest() int {
	if s == nil {
		return 0
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return maxEscaped * s.index.longest()
}

// formsOf returns the ways in which v may stand in a text without escapes, and what v is if it is escaped
// itself; too short a value has none.
func formsOf(v string) []string {
	var all []string
	for range maxDepth {
		all = append(all, formsOfPlain(v)...)
		plain := escapedText{text: v}.unescape('%', urlEscape).text
		if plain == v {
			break
		}
		v = plain
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// formsOfPlain are those of v as it is.
func formsOfPlain(v string) []string {
	if len(v) < shortest {
		return nil
	}
	last := len(v) - 1
	// A quote at an end may be another's.
	inTable := v[:1] + strings.ReplaceAll(v[1:last], `"`, `""`) + v[last:]
	inForm := strings.ReplaceAll(v, " ", "+")
	inJSON := string([]rune(v))
	all := []string{v, inForm, inJSON, inTable}
	inText := append(inURL(v), v)
	slices.Sort(inText)
	for _, plain := range slices.Compact(inText) {
		all = append(all, inBase64(plain)...)
	}
	return all
}

// inURL returns v as a form and a path of a URL have it, and by RFC 3986 and encodeURIComponent.
func inURL(v string) (all []string) {
	form := url.QueryEscape(v)
	strict := strings.ReplaceAll(form, "+", "%20")
	script := strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(strict)
	for _, escaped := range []string{form, url.PathEscape(v), strict, script} {
		all = append(all, escaped, lowerHex(escaped))
	}
	return all
}

// inBase64 returns v in base64, by itself, and of each place of a group where it may begin what no neighbour
// changes.
func inBase64(v string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		all = append(all, enc.EncodeToString([]byte(v)))
		for shift := range 3 {
			padded := append(make([]byte, shift), v...)
			from := (shift*8 + 5) / 6
			to := len(padded) * 8 / 6
			all = append(all, enc.EncodeToString(padded)[from:to])
		}
	}
	return all
}

// lowerHex writes the escapes of a URL as some servers do.
func lowerHex(escaped string) string {
	b := []byte(escaped)
	for i := range b {
		if b[i] == '%' {
			copy(b[i+1:], bytes.ToLower(b[i+1:i+3]))
		}
	}
	return string(b)
}

var (
	// secretNames are what a secret may be called.
	secretNames = []string{"key", "pwd", "pin", "sig"}

	// secretWords are parts of what a secret may be called.
	secretWords = []string{
		"auth", "pass", "secret", "token", "apikey", "api-key", "api_key",
		"cookie", "credential", "session", "signature", "private",
	}
)

// Name tells whether a value is taken for a secret because of the name of its header, parameter or member.
func Name(name string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "#") || slices.Contains(secretNames, name) {
		return true
	}
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) })
}

var (
	parameterNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)((^|[_-]|app|access)key|(^|[_-])(pwd|pin|sig|otp)|^appid)$`)
	})
	pageNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)page|next|contin|^authors?(_id)?$`)
	})
)

// Page tells by the name of a parameter that its value leads to a page, or is an author, though it may look like a secret.
func Page(name string) bool { return pageNames().MatchString(name) }

// Parameter tells by the name of a parameter or header of a foreign description that its value is a secret, and leads to no page.
func Parameter(name string) bool {
	return !Page(name) && (Name(name) || parameterNames().MatchString(name))
}

// harmlessHeaders say what a request asks for and who sends it.
var harmlessHeaders = []string{"content-type", "user-agent", "x-amz-target"}

// HarmlessHeader tells whether a header carries no secret whatever its value is.
func HarmlessHeader(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "accept") || slices.Contains(harmlessHeaders, name)
}
