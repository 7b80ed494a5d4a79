package paginate

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// Facts are what paging needs to know of a page.
type Facts struct {
	evidence.Answer
	// Values are those of [Needs].Values, nil where there is none.
	Values []jsontext.Value
	// Range is that of [Needs].Range.
	Range *Range
	// Changes are the times of change of the items, by which the walk is ordered; nil: it is not.
	Changes *Changes
	// End is how the walk ends with an answer that is no page: endOn or emptyOn; empty:
	// it is one.
	End report.StopReason
	// At is when the page had come.
	At time.Time

	// Spread: the items are those of several arrays, so a number of all may count the
	// objects that have these arrays.
	Spread bool
	// Root: the walk is below no item.
	Root bool
	// Windowed: it is that of a window.
	Windowed bool
	// Names are paths that the response has, for suggestions; they may be missing.
	Names []string
	// Room is the slice that had the statements of the answer before, which is used again for this one; nil: there is none.
	Room []verdict.Statement
}

// An Outcome is what became of a page.
type Outcome struct {
	// Emit: the items belong to the output.
	Emit bool
	// Stop is nil where the walk continues with Next.
	Stop *report.Stop
	// Next is what would come next; with a Stop it may be nil.
	Next *Request
	// Doubts are what speaks against the walk, Warning what is told of them, and Verdict what they mean.
	Doubts  []verdict.Raised
	Warning string
	Verdict report.Verdict
	// Seam is what became of the seam before the page, where pages overlap.
	Seam Seam
	// Again is, with a Stop, how many items of the walk came twice.
	Again int64
	// NoLink is a warning for jobs whose pages all have it; see [Needs].
	NoLink string
	// Front is how many items at the front have the value that was sent as the cursor, so that they came before.
	Front int
	// More is what the last answer says against the end; nil: nothing.
	More *evidence.Sign
	// Partial is what this answer says by which it is not whole; nil: nothing.
	Partial *evidence.Sign
	// Note is the same in a text for people. It does not count if each answer has it, and a number of all shows that all came.
	Note *evidence.Sign
	// Elsewhere, with a Stop: the end is on a page of another shard, which is not
	// asked for here.
	Elsewhere bool
	// Missing, with a Stop: there may be more items, by what the answers say or by how many came.
	Missing bool
	// Led: the answer has something where paging looks for the next page, if only null,
	// or the walk goes on.
	Led bool
	// Suspicion is about an end that no page beyond proves.
	Suspicion Suspicion
	// Whole is how many items there are, by this answer; At is empty: it does not say it.
	Whole evidence.Whole
	// Limit is the number that limitStop reads; At is empty: there is none, or it may count something else.
	Limit evidence.Whole
	// Says is what the answer says beside its items of what follows.
	Says []verdict.Statement

	// byMethod: the walk ended, or went on, by the method's own rule.
	byMethod bool
}

// doubt adds what speaks against the walk.
func (o *Outcome) doubt(raised verdict.Raised) { o.Doubts = append(o.Doubts, raised) }

// Trust is what the configuration says of ends and items.
func (p *Paging) Trust() verdict.Trust {
	return verdict.Trust{End: p.TrustEnd, Unique: p.Unique.Never}
}

// Judge takes the facts of the page that was asked for last, and says what follows:
// first the conditions that all methods share, then the method's own.
func (p *Paging) Judge(s *State, j *Job, f *Facts) (Outcome, error) {
	said := p.hear(s, f)
	out, err := p.judge(s, j, f, said.signs)
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
	h.whole = s.Seen.Hear(h.signs)
	s.Seen.Promised.Hear(f.Items, h.signs)
	s.Seen.Open.Hear(f.Items, h.signs)
	return h
}

// conclude says what the doubts about a page mean, and what is kept of what it says.
func (p *Paging) conclude(s *State, f *Facts, said *heard, out *Outcome) {
	out.Verdict, out.Warning = verdict.Joined(p.Trust(), out.Doubts...)
	out.Whole = said.whole
	out.Says = p.says(f.Room, f, said.signs, said.aside, out)
	s.Verdict = max(s.Verdict, out.Verdict)
}

func (p *Paging) judge(s *State, j *Job, f *Facts, signs []evidence.Sign) (Outcome, error) {
	this := f.Fingerprint(s.Asked.hash())
	if s.Overlap.By > 0 {
		return p.judgeOverlap(s, j, f, signs, this)
	}
	end, err := p.noNewPage(s, f, signs, this)
	if err != nil {
		return Outcome{}, err
	}
	if end != nil {
		return *end, nil
	}
	out := Outcome{Emit: true, NoLink: p.noLink(f), Front: p.front(s, f)}
	met := p.meet(s, f, this, out.Front)
	s.enter(f, this)
	s.Progress.count(f)
	warnOfSize(s, f, &out)
	p.judgeBounds(s, f, &out)
	p.doubtItems(s, f, met, &out)
	if out.Stop != nil {
		return out, nil
	}
	p.judgeTotal(s, f, &out)
	if out.Stop != nil {
		return out, nil
	}
	return p.next(s, j, f, signs, out)
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
	if p.Needs.NoLink == "" || f.Values[0] != nil {
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

// Beyond returns the request for the page after the end, for --confirm-end and --proof;
// nil: no such page is known, or the stop reason needs none.
func (p *Paging) Beyond(s *State, j *Job, f *Facts, out *Outcome) *Request {
	if out.Stop.Reason.Rule().Beyond != report.BeyondNext {
		return nil
	}
	if s.Overlap.By > 0 {
		return p.atPosition(s, j)
	}
	// Where the API caps its pages the next limit would skip items.
	m, ok := p.method.(resumer)
	isFirst := s.Pages == 1 && f.Items > 0
	if ok && isFirst {
		if next := m.after(j, f.Items); next != nil {
			return next
		}
	}
	next := out.Next
	if next == nil {
		after := *s
		next, _, _ = p.method.Next(&after, j, f)
	}
	isAskedAgain := next != nil && f.Items == 0 && next.Same(s.Asked)
	if isAskedAgain {
		return nil
	}
	return next
}

// Unasked says why [Paging.Beyond] knows no page after the one of that number.
func (p *Paging) Unasked(stop *report.Stop, f *Facts, number int) string {
	rule := stop.Reason.Rule()
	if rule.Beyond == report.BeyondNothing {
		return "the walk was ended by " + string(stop.Reason)
	}
	endsByItems := rule.Proof || rule.Beyond == report.BeyondNext
	isEmpty := f.Items == 0 && endsByItems
	switch {
	case isEmpty && number == 1:
		return "the first page has no items"
	case isEmpty && rule.Proof:
		return "the walk had asked for the page after the last, and it has no items"
	case isEmpty:
		return "the last page has no items"
	case p.TrustEnd:
		return "no request for a further page is known, and trustEnd lets the end count"
	}
	return "no request for a further page is known, " +
		"so the last answer was searched for evidence that there is more"
}
