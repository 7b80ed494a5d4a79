package paginate

import (
	"bytes"

	"sluice/source/verdict"
)

// Pages that begin with the items that their cursor names: an API that is asked for the items from a time on, not for
// those after it, shows the last ones of a page again, each time as many as have that very time.

// A sifter may drop the items that its cursor names, since they came on the page before.
type sifter interface {
	// sifts tells whether they are dropped, and not only told.
	sifts() bool
}

// SeesNamed tells whether a cursor names items of the next page, so that what tells all items apart is wanted.
func (p *Paging) SeesNamed() bool {
	_, ok := p.method.(sifter)
	return ok
}

// Sifts tells whether items that came before are dropped from pages.
func (p *Paging) Sifts() bool {
	m, ok := p.method.(sifter)
	return p.Overlaps() || ok && m.sifts()
}

// sift finds those of the items at the front of a page, which its cursor named, that came on the page before. Of those that
// cannot be told apart as many are found as came.
func (p *Paging) sift(s *State, f *Facts, front int) (seam Seam) {
	if front == 0 || !p.SeesNamed() {
		return Seam{}
	}
	told := s.told(f)
	if len(told) != f.Items {
		return Seam{}
	}
	came := map[uint64]int{}
	for _, hash := range s.Own.Named {
		came[hash]++
	}
	seam.Drop = make([]bool, f.Items)
	for i, hash := range told[:front] {
		if came[hash] == 0 {
			continue
		}
		came[hash]--
		seam.Drop[i] = true
		seam.Dropped++
	}
	seam.Checked = 1
	return seam
}

// told is what tells each item of a page apart: its key, or else its text.
func (s *State) told(f *Facts) []uint64 {
	column := f.Keys.Of(s.Seen.Settled())
	if column != nil && len(column.Hashes) == f.Items {
		return column.Hashes
	}
	return f.Each.Texts
}

// nameItems remembers the items of a page that the next cursor names.
func (p *Paging) nameItems(s *State, f *Facts) {
	if !p.SeesNamed() {
		return
	}
	told := s.told(f)
	if len(told) != f.Items || len(f.Range.Changes.ends) != f.Items {
		return
	}
	s.Own.Named = s.Own.Named[:0:0]
	for i, hash := range told {
		if bytes.Equal(f.Range.Changes.at(i), []byte(s.Own.Cursor)) {
			s.Own.Named = append(s.Own.Named, hash)
		}
	}
}

// settleSeam drops the items that came before, or tells that they come out again.
func (p *Paging) settleSeam(s *State, seam Seam, out *Outcome) {
	if seam.Dropped == 0 {
		return
	}
	if p.Sifts() {
		out.Seam = seam
		s.Items -= int64(seam.Dropped)
		return
	}
	if !s.Own.ToldNamed {
		s.Own.ToldNamed = true
		out.doubt(verdict.Note("page %d begins with %s that ended the page before, since the cursor names it: "+
			`"inclusive": true in api.pagination drops what comes again like this`, s.Pages, verdict.Counted(int64(seam.Dropped))))
	}
}

// hasOnlyNamed tells whether a page has nothing but items that its cursor named and that came before, and is not as full as pages
// are: there is nothing after them.
func (p *Paging) hasOnlyNamed(s *State, f *Facts) bool {
	if s.Pages == 0 || f.Items == 0 || !p.Sifts() || p.Overlaps() {
		return false
	}
	isAll := p.sift(s, f, p.front(s, f)).Dropped == f.Items
	isFull := f.Items >= s.Seen.Pages.Last.Items && s.mayBeFull(f)
	return isAll && !isFull
}

// front is how many items at the front of a page are those that its cursor named.
func (p *Paging) front(s *State, f *Facts) int {
	if m, ok := p.method.(includer); ok && s.Pages > 0 {
		return m.included(s, f)
	}
	return 0
}
