package report

import (
	"errors"
	"slices"
)

// Findings are what the pages of a job had that means something only beside what all its other pages had. A run
// alone judges them at its end; of a run of shards publishing does, over those of all.
type Findings struct {
	Leads

	// The warning if no page has anything where items are looked for.
	Missing string `json:"missing,omitempty"`

	// Some page has.
	Located bool `json:"located,omitempty"`

	// Paths of arrays beside the items of some page.
	Beside []string `json:"beside,omitempty"`

	// By the warning of pages that have arrays elsewhere.
	Astray map[string]Astray `json:"astray,omitempty"`

	// Why the run fails if no page of a root job has anything where items are looked for.
	Lost string `json:"lost,omitempty"`

	// Arrays that may be what dataField was meant for.
	Rivals Rivals `json:"rivals,omitzero"`

	Empties

	// The path that the function last follows.
	Last string `json:"last,omitempty"`

	// Some item has a value there.
	Followed bool `json:"followed,omitempty"`

	UniqueKeys

	// How many items came twice.
	Again int64 `json:"again,omitempty"`

	// Bytes of items that are no UTF-8.
	Replaced int `json:"replaced,omitempty"`

	Below
}

// Below is what walks below items show.
type Below struct {
	Opening Opening `json:"opening,omitzero"`

	// For how many parents all windows begin alike.
	SameWindows int `json:"sameWindows,omitempty"`

	// The path of an optional placeholder, and how many parents have not even null there.
	NoOptional string `json:"noOptional,omitempty"`
	Absent     int    `json:"absent,omitempty"`

	// Some parent has.
	HadOptional bool `json:"hadOptional,omitempty"`
}

// Empties are pages without items.
type Empties struct {
	// What is said of them.
	Empty string `json:"empty,omitempty"`

	// How many there are, without those that emptyOn made.
	EmptyPages int `json:"emptyPages,omitempty"`

	Denied Denied `json:"denied,omitzero"`
}

// add enters what other walks show.
func (b *Below) add(other Below) {
	b.Opening.add(other.Opening)
	b.SameWindows += other.SameWindows
	b.NoOptional = max(b.NoOptional, other.NoOptional)
	b.Absent += other.Absent
	b.HadOptional = b.HadOptional || other.HadOptional
}

// Leads say whether pages have a link or a value that leads to the next page.
type Leads struct {
	// The warning if no page leads to a next one.
	NoLink string `json:"noLink,omitempty"`

	// Some page does.
	Linked bool `json:"linked,omitempty"`

	// Some page has the member that leads to a next page, even if its value says that there is none.
	Led bool `json:"led,omitempty"`

	// The warning of windows whose one page holds as many items as were asked for, if no page leads on.
	AsMany string `json:"asMany,omitempty"`
}

// UniqueKeys are whether items have what a job's unique names.
type UniqueKeys struct {
	// The warning if no item has.
	Unkeyed string `json:"unkeyed,omitempty"`

	// Some item has.
	Keyed bool `json:"keyed,omitempty"`

	// The warning if where leaves out all items, and none has all that it looks at.
	Unsorted string `json:"unsorted,omitempty"`

	// Some item has, or is emitted.
	Sorted bool `json:"sorted,omitempty"`

	// The least hash of a header in the part of a walk that a shard has, and the warning if another shard has
	// another one.
	Header      uint64 `json:"header,omitempty"`
	OtherHeader string `json:"otherHeader,omitempty"`

	// Some shard has.
	Headers bool `json:"headers,omitempty"`
}

// add enters what other pages have.
func (k *UniqueKeys) add(other UniqueKeys) {
	k.Unkeyed = max(k.Unkeyed, other.Unkeyed)
	k.Keyed = k.Keyed || other.Keyed
	k.Unsorted = max(k.Unsorted, other.Unsorted)
	k.Sorted = k.Sorted || other.Sorted
	k.OtherHeader = max(k.OtherHeader, other.OtherHeader)
	hasBoth := k.Header != 0 && other.Header != 0
	isOther := hasBoth && k.Header != other.Header
	k.Headers = k.Headers || other.Headers || isOther
	if hasBoth {
		k.Header = min(k.Header, other.Header)
	} else {
		k.Header = max(k.Header, other.Header)
	}
}

// An Opening is what the first pages of walks below items hold.
type Opening struct {
	// The most items of one of them.
	Items int `json:"items"`

	// How many of those with so many items end their walk with nothing that proves its end, and the greatest of
	// their warnings: they hold as many as were asked for, or as a cap may leave.
	Full    int    `json:"full,omitempty"`
	Warning string `json:"warning,omitempty"`

	// How many walks are those of windows of a root job.
	Windows int `json:"windows,omitempty"`
}

// add enters the openings of other walks.
func (o *Opening) add(other Opening) {
	o.Windows += other.Windows
	switch {
	case other.Items > o.Items:
		o.Items, o.Full, o.Warning = other.Items, other.Full, other.Warning
	case other.Items == o.Items:
		o.Full += other.Full
		o.Warning = max(o.Warning, other.Warning)
	}
}

// Astray is what was found on pages that have nothing at dataField.
type Astray struct {
	// Paths are those of arrays elsewhere.
	Paths []string `json:"paths"`

	// Quote is the beginning of one of the pages.
	Quote string `json:"quote,omitempty"`
}

// Add enters what other pages of the job had.
func (f *Findings) Add(other Findings) {
	// Of several texts the greatest counts, whatever the order of the pages.
	f.NoLink = max(f.NoLink, other.NoLink)
	f.Missing = max(f.Missing, other.Missing)
	f.Lost = max(f.Lost, other.Lost)
	f.Rivals.add(other.Rivals)
	f.Empty = max(f.Empty, other.Empty)
	f.Last = max(f.Last, other.Last)
	f.Linked = f.Linked || other.Linked
	f.Located = f.Located || other.Located
	f.Followed = f.Followed || other.Followed
	f.EmptyPages += other.EmptyPages
	f.Denied.add(other.Denied)
	f.UniqueKeys.add(other.UniqueKeys)
	f.Again += other.Again
	f.Replaced += other.Replaced
	f.Led = f.Led || other.Led
	f.AsMany = max(f.AsMany, other.AsMany)
	f.Below.add(other.Below)
	f.SawBeside(other.Beside)
	for text, astray := range other.Astray {
		f.WentAstray(text, astray)
	}
}

// mostBeside is how many paths elsewhere in the answers are remembered. Those that sort first are kept, so that the
// order of the pages does not matter.
const mostBeside = 64

// SawBeside enters paths of arrays beside items.
func (f *Findings) SawBeside(paths []string) { f.Beside = least(f.Beside, paths) }

// WentAstray enters the warning of a page that has arrays elsewhere.
func (f *Findings) WentAstray(text string, astray Astray) {
	if f.Astray == nil {
		f.Astray = map[string]Astray{}
	}
	known := f.Astray[text]
	known.Paths = least(known.Paths, astray.Paths)
	// Whatever the order of the walks: the greatest.
	known.Quote = max(known.Quote, astray.Quote)
	f.Astray[text] = known
	keepLeast(f.Astray)
}

// least are the least of sorted texts and of others, each once. It may change the first.
func least(sorted, others []string) []string {
	for _, one := range others {
		at, isKnown := slices.BinarySearch(sorted, one)
		if isKnown || at == mostBeside {
			continue
		}
		sorted = slices.Insert(sorted, at, one)
		sorted = sorted[:min(len(sorted), mostBeside)]
	}
	return sorted
}

// keepLeast drops the greatest name if there are more than are remembered.
func keepLeast[V any](all map[string]V) {
	if len(all) <= mostBeside {
		return
	}
	greatest := ""
	for name := range all {
		greatest = max(greatest, name)
	}
	delete(all, greatest)
}

// Redacted is a copy without secrets.
func (f *Findings) Redacted(redact func(string) string) Findings {
	clean := *f
	clean.NoLink = redact(f.NoLink)
	clean.Missing = redact(f.Missing)
	clean.Lost = redact(f.Lost)
	clean.Rivals = f.Rivals.redacted(redact)
	clean.Empty = redact(f.Empty)
	clean.Last = redact(f.Last)
	clean.AsMany = redact(f.AsMany)
	clean.Opening.Warning = redact(f.Opening.Warning)
	clean.NoOptional = redact(f.NoOptional)
	clean.Unkeyed = redact(f.Unkeyed)
	clean.Unsorted = redact(f.Unsorted)
	clean.Beside = redactAll(f.Beside, redact)
	clean.Astray = nil
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

// Err is why the run fails when no other page is to come: no page of a root job has anything where items are
// looked for, and what is there was meant.
func (f *Findings) Err() error {
	if f.Located || f.Lost == "" {
		return nil
	}
	return errors.New(f.Lost)
}
