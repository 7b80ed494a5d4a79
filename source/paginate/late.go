package paginate

import "sluice/source/verdict"

// Late takes the facts of a page that had no items when it was judged, which asked for by the same request once more has some. It
// leads nowhere: what comes after it is known.
func (p *Paging) Late(s *State, f *Facts, asked *Request, number int) (out Outcome) {
	said := p.hear(s, f)
	this := f.Fingerprint(asked.hash())
	met := p.meet(s, f, this, 0)
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Seen.Pages.Enter(number, &f.Answer, this)
	s.Progress.count(f)
	p.doubtItems(s, f, met, &out)
	// The page after it says whether the walk ends.
	out.Emit, out.Stop = true, nil
	out.doubt(verdict.Note("page %d had no items, and has %d when it is asked for again", number, f.Items))
	p.conclude(s, f, &said, &out)
	return out
}

// MayHaveBeenEmpty tells whether a page without items, which was asked for so, may have some when it is asked for again: the walk
// goes on behind it, and has had items.
func (p *Paging) MayHaveBeenEmpty(s *State, f *Facts, asked *Request, out *Outcome) bool {
	isMiddle := out.Stop == nil && f.Items == 0 && s.Items > s.OtherItems
	// What leads to itself is asked for again by itself.
	return isMiddle && s.Overlap.By == 0 && !asked.Same(s.Asked)
}
