package pipeline

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Hidden stands where a secret was.
const Hidden = "[secret]"

const (
	// shortest is the length below which a value is not looked for in texts,
	// since it would hide too much; it is hidden by position (header, parameter).
	shortest = 4
	// sessionsKept bounds how many sessions' values are looked for.
	sessionsKept = 64
)

// Secrets knows what must not be shown, and takes it out of texts
// (decisions.md, section 8). It is safe for concurrent use; a nil *Secrets
// knows nothing.
type Secrets struct {
	mu       sync.Mutex
	always   []string
	sessions [][]string
	replacer *strings.Replacer // nil: to be made
}

// Add makes values secret for the rest of the run.
func (s *Secrets) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if len(v) >= shortest && !slices.Contains(s.always, v) {
			s.always = append(s.always, v)
			s.replacer = nil
		}
	}
}

// AddSession makes the values of a login secret until 64 more logins have been.
func (s *Secrets) AddSession(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.sessions); n > 0 && slices.Equal(s.sessions[n-1], values) {
		return
	}
	s.sessions = append(s.sessions, slices.Clone(values))
	if len(s.sessions) > sessionsKept {
		s.sessions = slices.Delete(s.sessions, 0, 1)
	}
	s.replacer = nil
}

// Redact returns text with every secret replaced, also where it stands
// URL-encoded, JSON-escaped or in base64.
func (s *Secrets) Redact(text string) string {
	if s == nil {
		return text
	}
	s.mu.Lock()
	if s.replacer == nil {
		s.replacer = s.compile()
	}
	r := s.replacer
	s.mu.Unlock()
	return r.Replace(text)
}

// compile makes one replacer of all forms, the longest first: a short secret
// within a long one must not leave the rest of it standing.
func (s *Secrets) compile() *strings.Replacer {
	var all []string
	for _, values := range append([][]string{s.always}, s.sessions...) {
		for _, v := range values {
			if len(v) >= shortest {
				all = append(all, forms(v)...)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	all = slices.Compact(all)
	pairs := make([]string, 0, 2*len(all))
	for _, f := range all {
		pairs = append(pairs, f, Hidden)
	}
	return strings.NewReplacer(pairs...)
}

// forms returns the ways in which v may stand in a text.
func forms(v string) []string {
	escaped, _ := json.Marshal(v) // a string cannot fail
	all := []string{v, url.QueryEscape(v), url.PathEscape(v), string(escaped[1 : len(escaped)-1]), jsonPlain(v)}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		all = append(all, enc.EncodeToString([]byte(v)))
		// Inside something longer that was encoded, v may begin at any of three
		// places of a group; what does not depend on its neighbours is looked for.
		for shift := range 3 {
			padded := append(make([]byte, shift), v...)
			text := enc.EncodeToString(padded)
			from, to := (shift*8+5)/6, len(padded)*8/6
			if core := text[from:to]; len(core) >= 2*shortest {
				all = append(all, core)
			}
		}
	}
	return all
}

// jsonPlain escapes what JSON demands and nothing else, as most programs do.
func jsonPlain(v string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // a string cannot fail
	return strings.TrimSuffix(b.String()[1:], "\"\n")
}
