// Package secret knows every value that must not be shown, in all its forms, and takes them out of texts.
package secret

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// leastKept is of how many sessions, and at least so many signed requests, the values are looked for.
const leastKept = 64

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
