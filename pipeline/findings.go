package pipeline

import (
	"fmt"
	"maps"
	"slices"
)

// Findings are what the pages of a job had that means something only beside what all its other pages had. A run alone
// judges them at its end; of a run of shards publishing does, over those of all.
type Findings struct {
	NoLink string `json:"noLink,omitempty"` // the warning if no page leads to a next one
	Linked bool   `json:"linked,omitempty"` // some page does

	Missing string            `json:"missing,omitempty"` // the warning if no page has anything where items are looked for
	Located bool              `json:"located,omitempty"` // some page has
	Beside  []string          `json:"beside,omitempty"`  // paths of arrays beside the items of some page
	Astray  map[string]Astray `json:"astray,omitempty"`  // by the warning of pages that have arrays elsewhere

	Empty      string `json:"empty,omitempty"`      // what is said of pages without items
	EmptyPages int    `json:"emptyPages,omitempty"` // how many there are

	Last     string `json:"last,omitempty"`     // the path that the function last follows
	Followed bool   `json:"followed,omitempty"` // some item has a value there

	Replaced int `json:"replaced,omitempty"` // bytes of items that are no UTF-8
}

// Astray is what pages have that hold nothing where items are looked for.
type Astray struct {
	// Paths are those of arrays elsewhere.
	Paths []string `json:"paths"`

	// Quote is the beginning of one of the pages.
	Quote string `json:"quote,omitempty"`
}

// Add enters what other pages of the job had.
func (f *Findings) Add(other Findings) {
	// Of several texts the greatest counts, whatever the order of the pages.
	f.NoLink, f.Missing, f.Empty = max(f.NoLink, other.NoLink), max(f.Missing, other.Missing), max(f.Empty, other.Empty)
	f.Last = max(f.Last, other.Last)
	f.Linked, f.Located, f.Followed = f.Linked || other.Linked, f.Located || other.Located, f.Followed || other.Followed
	f.EmptyPages += other.EmptyPages
	f.Replaced += other.Replaced
	f.SawBeside(other.Beside)
	for text, astray := range other.Astray {
		f.WentAstray(text, astray)
	}
}

// SawBeside enters paths of arrays beside items.
func (f *Findings) SawBeside(paths []string) {
	for _, path := range paths {
		if !slices.Contains(f.Beside, path) {
			f.Beside = append(f.Beside, path)
		}
	}
}

// WentAstray enters the warning of a page that has arrays elsewhere.
func (f *Findings) WentAstray(text string, astray Astray) {
	if f.Astray == nil {
		f.Astray = map[string]Astray{}
	}
	// Whatever the order of the walks: the greatest.
	astray.Quote = max(astray.Quote, f.Astray[text].Quote)
	f.Astray[text] = astray
}

// Redacted is a copy without secrets.
func (f *Findings) Redacted(redact func(string) string) Findings {
	clean := *f
	clean.NoLink, clean.Missing, clean.Empty, clean.Last = redact(f.NoLink), redact(f.Missing), redact(f.Empty), redact(f.Last)
	clean.Beside, clean.Astray = redactAll(f.Beside, redact), nil
	for text, astray := range f.Astray {
		clean.WentAstray(redact(text), Astray{redactAll(astray.Paths, redact), redact(astray.Quote)})
	}
	return clean
}

func redactAll(texts []string, redact func(string) string) []string {
	clean := make([]string, len(texts))
	for i, text := range texts {
		clean[i] = redact(text)
	}
	return clean
}

// Misplaced warns of walks below items, and of windows, that had nothing where items are looked for: where an array is
// elsewhere that no walk had beside items, and where no walk had any.
func (f *Findings) Misplaced() (all []string) {
	elsewhere := func(path string) bool { return !slices.Contains(f.Beside, path) }
	for _, text := range slices.Sorted(maps.Keys(f.Astray)) {
		astray := f.Astray[text]
		if slices.ContainsFunc(astray.Paths, elsewhere) {
			all = append(all, text+astray.Quote)
		}
	}
	if f.Missing != "" && !f.Located {
		all = append(all, f.Missing)
	}
	return all
}

// Warnings says what the findings mean when no other page is to come.
func (f *Findings) Warnings() (all []Warned) {
	add := func(v Verdict, text string) { all = append(all, Warned{Text: text, Verdict: v}) }
	if f.NoLink != "" && !f.Linked {
		add(Complete, f.NoLink)
	}
	for _, text := range f.Misplaced() {
		add(Unverified, text)
	}
	if f.EmptyPages > 0 {
		text := f.Empty
		if f.EmptyPages > 1 {
			text += fmt.Sprintf(" (%d pages)", f.EmptyPages)
		}
		all = append(all, Warned{Text: text, Expected: true})
	}
	if f.Last != "" && f.Located && !f.Followed {
		add(Complete, "last: no item had anything at "+f.Last+", so the next run asks for the same again: check the path if items came")
	}
	if f.Replaced > 0 {
		add(Complete, fmt.Sprintf("invalid UTF-8: bytes replaced by U+FFFD: %d", f.Replaced))
	}
	return all
}
