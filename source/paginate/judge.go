package paginate

import (
	"cmp"
	"fmt"
	"strconv"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// Judge takes the facts of the page that was asked for last, and says what follows:
// first the conditions that all methods share, then the method's own.
func (p *Paging) Judge(s *State, j *Job, f *Facts) (PageOutcome, error) {
	said := p.hear(s, f)
	out, err := p.judge(s, j, f, said.signs)
	if err == nil {
		p.hearParts(said.signs, &out)
	}
	if err == nil && !out.Elsewhere {
		p.weigh(s, f, said.signs, &out)
	}
	if out.Stop != nil {
		p.tellOfItems(s, f, &out)
	}
	p.conclude(s, f, &said, &out)
	if out.Stop != nil {
		out.Stop.Verdict = max(out.Stop.Verdict, s.Verdict)
	}
	return out, err
}

// heard is what an answer says beside its items.
type heard struct {
	signs []evidence.Sign
	aside evidence.Aside
	whole evidence.Whole
}

// hear enters what an answer says into what the walk has seen.
func (p *Paging) hear(s *State, f *Facts) (h heard) {
	h.signs, h.aside = f.Heard(p.reads)
	if f.End != "" {
		h.signs, h.aside = s.atEnd(f, h.signs), evidence.Aside{}
	}
	h.whole = s.Seen.Hear(h.signs)
	s.Seen.Promised.Hear(f.Items, h.signs)
	s.Seen.Open.Hear(f.Items, h.signs)
	return h
}

// conclude says what the doubts about a page mean, and what is kept of what it says.
func (p *Paging) conclude(s *State, f *Facts, said *heard, out *PageOutcome) {
	out.Verdict, out.Warning = verdict.Joined(p.Trust(), out.Doubts...)
	out.Whole = said.whole
	out.Says = p.says(f.Room, f, said.signs, said.aside, out)
	s.Verdict = max(s.Verdict, out.Verdict)
}

func (p *Paging) judge(s *State, j *Job, f *Facts, signs []evidence.Sign) (PageOutcome, error) {
	this := f.Fingerprint(s.Asked.hash())
	if s.Overlap.By > 0 {
		return p.judgeOverlap(s, j, f, signs, this)
	}
	end, err := p.noNewPage(s, f, signs, this)
	if err != nil {
		return PageOutcome{}, err
	}
	if end != nil {
		return *end, nil
	}
	out := PageOutcome{Emit: true, NoLink: p.noLink(f), Front: p.front(s, f)}
	seam := p.sift(s, f, out.Front)
	met := p.meet(s, f, this, out.Front)
	s.enter(f, this)
	p.settleSeam(s, seam, &out)
	s.Progress.count(f)
	warnOfSize(s, f, &out)
	p.judgeUntil(s, f, &out)
	if err := p.judgeBounds(s, f, &out); err != nil {
		return PageOutcome{}, err
	}
	p.doubtItems(s, f, met, &out)
	if out.Stop != nil {
		return out, nil
	}
	p.judgeLone(s, f, &out)
	p.judgeTotal(s, f, &out)
	if out.Stop != nil {
		return out, nil
	}
	out, err = p.next(s, j, f, signs, out)
	if out.Stop == nil && err == nil {
		p.nameItems(s, f)
	}
	return out, err
}

// Beyond returns the request for the page after the end, for --confirm-end and --proof;
// nil: no such page is known, or the stop reason needs none.
func (p *Paging) Beyond(s *State, j *Job, f *Facts, out *PageOutcome) *Request {
	if out.Stop.Reason.Rule().Beyond != report.BeyondNext {
		return nil
	}
	if s.Overlap.By > 0 {
		return p.atPosition(s, j)
	}
	// Where the API caps its pages the next limit would skip items.
	m, ok := p.method.(resumer)
	if ok && s.Pages == 1 && f.Items > 0 {
		if next := m.after(j, f.Items); next != nil {
			return next
		}
	}
	next := out.Next
	if next == nil {
		after := *s
		next, _, _ = p.method.Next(&after, j, f)
	}
	if next != nil && f.Items == 0 && next.Same(s.Asked) {
		return nil
	}
	return next
}

// Preceding returns the request for the page before the first one, for --confirm-end and --proof; nil: none is known, items
// came that have no key, or another shard has the first page of the walk.
func (p *Paging) Preceding(s *State, j *Job) *Request {
	m, ok := p.method.(preceder)
	// Without a key it is not known whether items came.
	isKnown := s.Items == 0 || s.Seen.Settled() != "" && !s.Seen.Items.None
	if !ok || !isKnown || p.shard > 0 || p.TrustEnd {
		return nil
	}
	return m.preceding(j)
}

// Ahead is how many items a page before the first one has that did not come, if none of them did.
func (p *Paging) Ahead(s *State, f *Facts) int {
	if s.Items == 0 {
		return f.Items
	}
	return s.Seen.Ahead(&f.Answer, p.Unique)
}

// Unasked says why [Paging.Beyond] knows no page after the one of that number.
func (p *Paging) Unasked(stop *report.Stop, f *Facts, number int) string {
	rule := stop.Reason.Rule()
	if rule.Beyond == report.BeyondNothing {
		return "paging was ended by " + string(stop.Reason)
	}
	endsByItems := rule.Proof || rule.Beyond == report.BeyondNext
	isEmpty := f.Items == 0 && endsByItems
	switch {
	case isEmpty && number == 1:
		return "the first page has no items"
	case isEmpty && rule.Proof:
		return "the page after the last one was requested already, and it has no items"
	case isEmpty:
		return "the last page has no items"
	case p.TrustEnd:
		return "no request for a further page is known, and trustEnd says that the end is right"
	}
	return "no request for a further page is known, " +
		"so the last answer was searched for evidence that there is more"
}

// Late takes the facts of a page that had no items when it was judged, which asked for by the same request once more has some. It
// leads nowhere: what comes after it is known.
func (p *Paging) Late(s *State, f *Facts, asked *Request, number int) (out PageOutcome) {
	said := p.hear(s, f)
	this := f.Fingerprint(asked.hash())
	met := p.meet(s, f, this, 0)
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Seen.Pages.Enter(number, &f.Answer, this)
	s.Progress.count(f)
	s.Descent.enter(f.Falling, number)
	p.doubtItems(s, f, met, &out)
	// The page after it says whether the walk ends.
	out.Emit, out.Stop = true, nil
	out.doubt(verdict.Note("page %d had no items, and has %d when it is asked for again", number, f.Items))
	p.hearParts(said.signs, &out)
	p.conclude(s, f, &said, &out)
	return out
}

// MayHaveBeenEmpty tells whether a page without items, which was asked for so, may have some when it is asked for again: the walk
// goes on behind it, and has had items.
func (p *Paging) MayHaveBeenEmpty(s *State, f *Facts, asked *Request, out *PageOutcome) bool {
	isMiddle := out.Stop == nil && f.Items == 0 && s.Items > s.OtherItems
	// What leads to itself is asked for again by itself.
	return isMiddle && s.Overlap.By == 0 && !asked.Same(s.Asked)
}

// count enters a page that is no repetition.
func (g *EmptyStreak) count(f *Facts) {
	g.Empty++
	if f.Items > 0 {
		g.Empty, g.Again = 0, false
	}
	switch {
	case !f.Lone:
		g.Lone = 0
	case f.Beside:
		g.Beside, g.Lone = true, 0
	case g.Beside:
		g.Lone++
	}
}

// A Criterion is one thing that decides whether a walk goes on, and what a page has
// of it.
type Criterion struct {
	// At is such as items, a path in the response, or a header.
	At string `json:"at"`
	// Found is for people; values are JSON text and may be secret.
	Found string `json:"found"`
}

// Criteria lists what [Paging.Judge] will look at in a page.
func (p *Paging) Criteria(s *State, f *Facts) []Criterion {
	items := strconv.Itoa(f.Items)
	if s.Own.Limit > 0 {
		items += fmt.Sprintf(" of a limit of %d", s.Own.Limit)
	}
	all := []Criterion{{"items", items}}
	for i, path := range p.Needs.Values {
		all = append(all, Criterion{evidence.Place(path), cmp.Or(string(f.Values[i]), "missing")})
	}
	if f.Range == nil || f.Items == 0 {
		return all
	}
	if f.Range.Err == nil {
		at := f.Range.path.String() + " " + string(f.Range.take)
		all = append(all, Criterion{at, string(f.Range.value)})
	}
	return all
}

// noNewPage ends the walk if the page is none that goes on from the one before it,
// else it returns nil.
func (p *Paging) noNewPage(
	s *State, f *Facts, signs []evidence.Sign, this evidence.Fingerprint,
) (*PageOutcome, error) {
	if p.isCursorItem(s, f) || p.hasOnlyNamed(s, f) {
		return &PageOutcome{Stop: report.EndedBy(report.StopNothingNew)}, nil
	}
	if f.End != "" {
		s.enter(f, this)
		return &PageOutcome{Emit: true, Stop: report.EndedBy(f.End)}, nil
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
