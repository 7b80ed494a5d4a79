package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// A Sign is a statement: a place beside the items, or in a header, that tells whether there is
// more, by the words of its name and by its value.
type Sign struct {
	Says Says
	// At is a path such as paging.next, or the name of a header.
	At string
	// Value is compact JSON, which may hold a secret, and may be cut.
	Value jsontext.Value
	// Own: the method, or a stop condition on a number of items, reads it, so it is
	// no evidence.
	Own bool
	// Total is the number that it says, such as a Total or Pages.
	Total int64

	// Path is nil in a header, and for what does not stand so in the answer.
	Path item.Path
	// Where is, for an element of a list of links, the condition that it is the one.
	Where string
	// Follow is the pagination that may follow the answer, as JSON; empty if none is
	// known. Tried: it does; without Follow that ways were tried of which none does.
	Follow string
	Tried  bool
	// Cure says what else to do; empty: Follow, or nothing more, is known.
	Cure string

	// Least: the number is only a lower bound: there may be more than Total.
	Least bool
	// Weak: it counts as a total only since the page may be full.
	Weak bool
	// Vague: what stands beside the number, or its name, says that it is inexact.
	Vague bool
	// Loose: it stands in an object that is neither about paging nor about the answer as a whole by its name.
	Loose bool

	// note: it is text for people.
	note bool
	// odd: the number is no JSON number and no text of digits, so no option can read it.
	odd bool
	// of: the number is said beside that of the page, as in 1-7 of 82.
	of bool
	// inHeader: it stands in a header, or in the JSON that one has.
	inHeader bool
}

// Says is what a sign says.
type Says string

// What signs say.
const (
	// More is a flag: there is more.
	More Says = "more"
	// NoMore is a flag: there is no more.
	NoMore Says = "no more"
	// Link is what leads to the next page.
	Link Says = "next page"
	// Cursor is one that some APIs also give at the end.
	Cursor Says = "cursor"
	// Onward is an address of the list itself that asks for a later page.
	Onward Says = "another page"
	// Total is how many items there are.
	Total Says = "total"
	// Pages is how many pages there are.
	Pages Says = "number of pages"
	// Part is the status of an answer that has not all of the list.
	Part Says = "part of a list"
	// Hint is what may say that there is more: a flag by a word in its name, or a flag or a
	// number of pages in an object of any name.
	Hint Says = "hint of more"
	// Guessed may be how many items there are: by a word in its name, or in an object of any
	// name.
	Guessed Says = "number"
	// Left is how many items, or pages, are left.
	Left Says = "left"
	// Partial is what says that the answer is not whole.
	Partial Says = "partial"
)

// Dotted tells whether an option can name the path of the sign by its steps.
func (s *Sign) Dotted() bool { return !s.odd && dotted(s.Path) }

// NoMoreFlag tells whether the sign is a flag whose name says that there is no more.
func (s *Sign) NoMoreFlag() bool {
	m := read(s.Path[len(s.Path)-1])
	return m.has(no) != (m.has(end) && !m.has(more|next))
}

// Named tells whether an option can name where the sign stands.
func (s *Sign) Named() bool {
	if s.Where != "" {
		list := len(s.Path) - 2
		return dotted(s.Path[:list]) && !strings.Contains(s.Path[list+1], ".")
	}
	if s.Path == nil {
		return s.InHeader()
	}
	return s.Dotted()
}

// dotted tells whether an option can name a path: no index in a list, whose order
// may change, no dot.
func dotted(path item.Path) bool {
	if len(path) <= 1 {
		return len(path) == 1
	}
	// What describes the items stands first in an envelope that is an array.
	if path[0] == "0" {
		path = path[1:]
	}
	return !slices.ContainsFunc(path, func(step string) bool {
		_, err := strconv.Atoi(step)
		isIndex := err == nil || step == "*"
		return isIndex || strings.Contains(step, ".")
	})
}

// Read is the path by which a condition looks at the sign.
func (s *Sign) Read() item.Path {
	if s.InHeader() {
		return HeaderPath(s.At)
	}
	return s.Path
}

// OfAll tells whether the number is none of the page, also where it is just as great: it is said beside that of the page, as in
// 1-7 of 82, or it stands in a header, where nobody counts what the body has.
func (s *Sign) OfAll() bool { return s.of || s.inHeader }

// Aside is what an answer says that is no sign by itself; empty: it does not.
type Aside struct {
	// NoNext is a place for a link to the next page where there is none, and NoLeft one that says that nothing is left.
	NoNext, NoLeft string
	// NoMore are flags in objects of any name that say that there is no more.
	NoMore []string
	// Full is where the answer says how many items a page has, if that is as many as it has itself.
	Full string
	// Most is how many results the answer says are shown at most, at Ceiling.
	Ceiling string
	Most    int64
	// Echoed are numbers beside the size and the position that were asked for.
	Echoed []Echoed
	// Bare is a number called total or count, at BareAt, which may be any number where the page is not full.
	BareAt string
	Bare   int64
}

// InHeader tells whether the sign stands in a header, as its whole value.
func (s *Sign) InHeader() bool { return s.Path == nil && !s.odd && !strings.Contains(s.At, " ") }

// isBare tells whether the sign is called total.
func (s *Sign) isBare() bool {
	return len(s.Path) > 0 && isNamed(s.Path[len(s.Path)-1], "total")
}

// isSureTotal tells whether the sign is a number of all items, and of nothing else.
func (s *Sign) isSureTotal() bool {
	isTotal := s.Says == Total && !s.Own
	isVague := s.Least || s.Weak
	return isTotal && !isVague && s.Total > 0
}

// An Echoed is a number that may be that of all items by where it stands, since its name has a word that is not known, as in another
// language: beside the size and the position that were asked for, by their values, or beside the number of pages of that size.
type Echoed struct {
	At string
	// Number is more than the page has, and Position where the page was asked for: the sum of all such numbers that the object has,
	// or that were asked for.
	Number, Position int64
	// Pages: the number of pages of the size that was asked for stands beside it.
	Pages bool
}

// Find returns the first sign that says so. What paging reads itself says nothing
// but that there is no more, or how many items there are.
func Find(signs []Sign, says Says) *Sign {
	countsOwn := says == NoMore || says == Total
	i := slices.IndexFunc(signs, func(s Sign) bool {
		return s.Says == says && (countsOwn || !s.Own)
	})
	if i < 0 {
		return nil
	}
	return &signs[i]
}

// Parts is what an answer with those signs says by which it is not whole: by more than text for people, and by such text,
// which some APIs have on each answer; nil: nothing.
func Parts(signs []Sign) (part, note *Sign) {
	for i := range signs {
		s := &signs[i]
		switch {
		case s.Says != Partial || s.Own:
		case s.note && note == nil:
			note = s
		case !s.note && part == nil:
			part = s
		}
	}
	return part, note
}

// SaysTotal tells whether the name of a total says that it is one.
func (s *Sign) SaysTotal() bool {
	return s.Path == nil || s.odd || strings.Contains(Normal(s.At), "total")
}

// Quoted is the value, cleaned of secrets and short.
func (s *Sign) Quoted(clean func(string) string) string {
	return pipeline.Shorten(clean(string(s.Value)), 120)
}
