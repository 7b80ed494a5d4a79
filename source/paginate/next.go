package paginate

import (
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// noNewPage ends the walk if the page is none that goes on from the one before it,
// else it returns nil.
func (p *Paging) noNewPage(
	s *State, f *Facts, signs []evidence.Sign, this evidence.Fingerprint,
) (*Outcome, error) {
	if p.isCursorItem(s, f) || p.hasOnlyNamed(s, f) {
		return &Outcome{Stop: report.EndedBy(report.StopNothingNew)}, nil
	}
	if f.End != "" {
		s.enter(f, this)
		return &Outcome{Emit: true, Stop: report.EndedBy(f.End)}, nil
	}
	if s.Pages == 0 {
		return nil, nil
	}
	return p.repeated(s, f, signs, this)
}

// isCursorItem tells whether the page holds only the item that the cursor named. Where pages of one item are asked for that
// is a page like any other.
func (p *Paging) isCursorItem(s *State, f *Facts) bool {
	if p.Needs.Take != Last || f.Items != 1 || s.Pages == 1 && s.Asked.Numbers().AskForOne() {
		return false
	}
	return f.Range.Err == nil && string(f.Range.value) == s.Own.Cursor
}

// judgeBounds enters the first of the shared conditions that says stop; s counts the
// page already.
func (p *Paging) judgeBounds(s *State, f *Facts, out *Outcome) error {
	for i := range p.stops {
		if err := p.stops[i].judge(s, f, out); err != nil {
			return err
		}
	}
	return nil
}

// judgeSkipped ends the walk where the pages of other shards, which were skipped, hold what
// is left of as many items as the response says that there are.
func (p *Paging) judgeSkipped(s *State, f *Facts, out *Outcome) {
	for i := range p.stops {
		limit := &p.stops[i].limit
		if limit.isReached(s, f) {
			out.stop(limit.reason)
		}
	}
}

// verify makes an end by the method's own rule incomplete if the response says that
// there are more items.
func (p *Paging) verify(s *State, f *Facts, out *Outcome) {
	for i := range p.stops {
		for k := range p.stops[i].flags {
			p.stops[i].flags[k].verify(s, out)
		}
		p.stops[i].limit.verify(s, f, out)
	}
}

// next asks the method what comes next, or why nothing does.
func (p *Paging) next(
	s *State, j *Job, f *Facts, signs []evidence.Sign, out Outcome,
) (Outcome, error) {
	next, stop, err := p.method.Next(s, j, f)
	if err != nil {
		return Outcome{}, err
	}
	out.Next, out.Stop = next, p.endOfMethod(s, f, next, stop)
	out.byMethod = true
	if stop != nil && stop.Reason.Rule().Standing {
		out.doubt(verdict.NoGrowth.Raise(p.nextPlace))
	}
	p.judgeEmpty(s, f, signs, &out)
	if out.Stop != nil {
		p.verify(s, f, &out)
		return out, nil
	}
	s.Asked = next
	if p.shards <= 1 {
		return out, nil
	}
	err = p.method.(divider).skip(s, j, p.shards-1)
	p.judgeSkipped(s, f, &out)
	out.Elsewhere = out.Stop != nil
	return out, err
}

// noLink is the warning of a page that lacks what leads to the next one.
func (p *Paging) noLink(f *Facts) string {
	if p.Needs.NoLink == "" || p.atNext(f) != nil {
		return ""
	}
	return p.Needs.NoLink
}

// warnOfSize is for a page that is longer than the limit: the next offset lies within
// it.
func warnOfSize(s *State, f *Facts, out *Outcome) {
	limit := s.Own.Limit
	if limit > 0 && int64(f.Items) > limit {
		out.doubt(verdict.LongPage.Raise(f.Items, limit))
	}
}

// enter counts a page that is no repetition.
func (s *State) enter(f *Facts, this evidence.Fingerprint) {
	s.Pages++
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Seen.Pages.Enter(s.Pages, &f.Answer, this)
}

// beyondBroken is how many pages more are read where the order was broken.
const beyondBroken = 2

// judgeUntil ends the walk at the first page whose last item is older than the bound, or so many pages later where the order
// was broken.
func (p *Paging) judgeUntil(s *State, f *Facts, out *Outcome) {
	page, d := f.Falling, &s.Descent
	if page == nil || page.items == 0 {
		return
	}
	d.enter(page, s.Pages)
	switch {
	case !page.isOver():
		d.Over = 0
		return
	case d.Over > 0 && page.hasNewer():
		// The walk was not beyond the bound yet.
		d.Over = 1
	default:
		d.Over++
	}
	if d.Broken > 0 && d.Over <= beyondBroken {
		return
	}
	out.stop(report.StopUntil)
	if d.Broken > 0 {
		out.doubt(verdict.OutOfOrder.Raise(d.Broken, p.Until.Field, d.Newer, d.Older))
	}
}
