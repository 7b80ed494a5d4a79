package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/pipeline/report"
)

// What the pages of a job had that means something only beside what all its other pages had.

// A listener takes what is to be told of a job.
type listener struct {
	trust Trust
	told  []report.Remark
}

// raise raises a doubt.
func (l *listener) raise(raised Raised) {
	_, told := Weigh(l.trust, raised)
	l.told = append(l.told, told...)
}

// expect tells what nobody needs to look into.
func (l *listener) expect(format string, args ...any) {
	l.told = append(l.told, report.Remark{Text: fmt.Sprintf(format, args...), Expected: true})
}

// OfFindings says what findings mean when no other page of the job is to come. What [report.Findings.Err] says is
// left out.
func OfFindings(f *report.Findings, trust Trust) []report.Remark {
	l := listener{trust: trust}
	if f.NoLink != "" && !f.Linked {
		l.raise(Note("%s", f.NoLink))
	}
	if f.Err() == nil {
		l.misplaced(f)
	}
	l.rivals(&f.Rivals)
	if f.AsMany != "" && !f.Led {
		l.raise(FullWindows.Told(f.AsMany))
	}
	l.below(&f.Below, f.Led)
	l.denied(&f.Denied)
	l.empty(&f.Empties)
	if f.Last != "" && !f.Followed && f.Located {
		l.raise(Note("last: no item had a value at %s, so the next run asks for the same items again: "+
			"if items came, check the path", f.Last))
	}
	l.keys(&f.UniqueKeys)
	if f.Again > 0 {
		l.raise(ItemsTwice.Raise(Counted(f.Again)))
	}
	if f.Replaced > 0 {
		l.raise(Note("invalid UTF-8: bytes replaced by U+FFFD: %d", f.Replaced))
	}
	return l.told
}

// Misplaced says what the first page of a job shows of where its items may be, and of walks all of which are denied.
func Misplaced(f *report.Findings, trust Trust) []report.Remark {
	l := listener{trust: trust}
	l.misplaced(f)
	l.rivals(&f.Rivals)
	if isAllDenied(&f.Denied) {
		l.raise(AllDenied.Raise(f.Denied.Walks, statuses(&f.Denied)))
	}
	return l.told
}

// misplaced is for walks below items, and for windows, that had nothing where items are looked for: where an
// array is elsewhere that no walk had beside items, and where no walk had any.
func (l *listener) misplaced(f *report.Findings) {
	elsewhere := func(path string) bool { return !slices.Contains(f.Beside, path) }
	for _, text := range slices.Sorted(maps.Keys(f.Astray)) {
		astray := f.Astray[text]
		if slices.ContainsFunc(astray.Paths, elsewhere) {
			l.raise(NothingAnywhere.Told(text + astray.Quote))
		}
	}
	if f.Missing != "" && !f.Located {
		l.raise(NothingAnywhere.Told(f.Missing))
	}
}

// rivalPages is how many walks of a child job have the longest of an array at least if it means anything.
const rivalPages = 3

// rivals names the arrays that may be meant.
func (l *listener) rivals(r *report.Rivals) {
	if r.Filled {
		return
	}
	least := 1
	if r.Below {
		least = rivalPages
	}
	for _, path := range slices.Sorted(maps.Keys(r.ByPath)) {
		one := r.ByPath[path]
		if one.Chosen && one.Pages >= least {
			l.raise(RivalArray.Raise(r.Field, path, one.Items, path))
		}
	}
}

const (
	// fullLeast is from how many walks on that hold the same number of items, and none more, the number is none of
	// the items but of the page.
	fullLeast = 3
	// absentLeast is from how many parents on that have nothing at a path the path may be wrong.
	absentLeast = 2
)

// below says what is odd about walks below items, of a job of which some page led on or not.
func (l *listener) below(b *report.Below, led bool) {
	opening := &b.Opening
	// Of a few windows no other walk is to come.
	isFew := opening.Windows > 0 && opening.Windows < fullLeast
	isFull := opening.Warning != "" && (isFew || opening.Full >= fullLeast)
	switch {
	case !isFull || led:
	case opening.Full == 1:
		l.raise(FullWalks.Told(opening.Warning))
	default:
		l.raise(FullWalks.Raise(opening.Warning, opening.Full))
	}
	if b.SameWindows > 0 {
		l.raise(SameWindows.Raise(" (below " + Counted(b.SameWindows) + ")"))
	}
	if !b.HadOptional && b.Absent >= absentLeast {
		l.raise(NoPlaceholder.Raise(Counted(b.Absent), b.NoOptional))
	}
}

// deniedLeast is from how many walks on it is odd that the status alone makes each of them empty.
const deniedLeast = 2

// isAllDenied tells whether the status alone made the first answer of each walk a page without items.
func isAllDenied(d *report.Denied) bool {
	return d.Walks >= deniedLeast && d.Said == 0 && emptied(d) == d.Walks
}

// emptied is how many walks emptyOn gave a page without items.
func emptied(d *report.Denied) (walks int) {
	for _, count := range d.Empty {
		walks += count
	}
	return walks
}

// denied says how many walks emptyOn made empty, and whether all are denied.
func (l *listener) denied(d *report.Denied) {
	switch {
	case emptied(d) == 0:
	case isAllDenied(d) && !AllDenied.Silenced(l.trust):
		l.raise(AllDenied.Raise(d.Walks, statuses(d)))
	default:
		l.expect("emptyOn: %d of %d first answers are pages without items: %s", emptied(d), d.Walks, statuses(d))
	}
}

// statuses lists those of empty walks, of several how often each came.
func statuses(d *report.Denied) string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(d.Empty)) {
		text := fmt.Sprint(status)
		if len(d.Empty) > 1 {
			text += fmt.Sprintf(" (%d)", d.Empty[status])
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// empty tells of pages without items.
func (l *listener) empty(e *report.Empties) {
	switch e.EmptyPages {
	case 0:
	case 1:
		l.expect("%s", e.Empty)
	default:
		l.expect("%s (%d pages)", e.Empty, e.EmptyPages)
	}
}

// keys says what is odd about what tells items apart, and names them.
func (l *listener) keys(k *report.UniqueKeys) {
	if k.Unkeyed != "" && !k.Keyed {
		l.raise(NoKey.Told(k.Unkeyed))
	}
	if k.Headers {
		l.raise(OtherHeader.Told(k.OtherHeader))
	}
	if k.Unsorted != "" && !k.Sorted {
		// Members that only some items have are usual.
		l.raise(Note("%s", k.Unsorted))
	}
}
