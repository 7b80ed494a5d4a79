package walk

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/page"
)

// The member where of a job says which items are emitted, and have children. All else
// sees every item.

// whereCollector leaves items out.
type whereCollector struct {
	// holds tells of the text of an item whether it stays.
	holds func(text []byte) bool
	// paths are those at which it looks.
	paths []item.Path
	found *filtered
	// overlaps tells that an item may have come before, which is not known here.
	overlaps bool
}

func newWhere(a *ask, came *Fetched) Collector {
	filter := a.Job.Items.Where
	return whereCollector{filter.Match, filter.Paths(), &came.Items.filtered, a.Job.Paging.Sifts()}
}

// Item returns [page.ErrLeftOut] for an item that leaves the page now.
func (c whereCollector) Item(_ int, text []byte) error {
	holds := c.holds(text)
	if c.overlaps {
		c.found.each = append(c.found.each, !holds)
	}
	c.found.sorted = c.found.sorted || holds || c.hasAll(text)
	if holds {
		return nil
	}
	c.found.count++
	if c.overlaps {
		return nil
	}
	return page.ErrLeftOut
}

// hasAll tells whether an item has something at all paths at which where looks.
func (c whereCollector) hasAll(text []byte) bool {
	isMissing := func(path item.Path) bool { return item.Lookup(text, path) == nil }
	return !slices.ContainsFunc(c.paths, isMissing)
}

// sort enters whether the items of a page have what where looks at.
func (p *progress) sort(items int, found *filtered) {
	filter := p.job.Items.Where
	if filter == nil || items == 0 {
		return
	}
	if found.sorted {
		p.found.Sorted = true
	}
	if p.found.Sorted || p.found.Unsorted != "" {
		return
	}
	var paths []string
	for _, path := range filter.Paths() {
		paths = append(paths, path.String())
	}
	slices.Sort(paths)
	p.found.Unsorted = "where leaves out all items, and none of them has all of " +
		strings.Join(slices.Compact(paths), ", ") + ": check the paths"
}

// filter counts what where and until have left out of a page that is emitted.
func (w *Walk) filter(came *Fetched) {
	count := came.Items.filtered.count + came.Items.filtered.cut
	w.filtered += int64(count)
	isNew := came.reply != nil && !came.known
	if isNew {
		came.reply.Items -= count
	}
}
