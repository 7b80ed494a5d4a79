package paginate

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/report"
	"sluice/source/evidence"
)

// Facts are what paging needs to know of a page.
type Facts struct {
	evidence.Answer
	// Values are those of [Needs].Values, nil where there is none.
	Values []jsontext.Value
	// Range is that of [Needs].Range.
	Range *Range
	// End is how the walk ends with an answer that is no page: endOn or emptyOn; empty:
	// it is one.
	End report.StopReason
	// At is when the page had come.
	At time.Time

	// Spread: the items are those of several arrays, so a number of all may be one of
	// what has these.
	Spread bool
	// Root: the walk is below no item.
	Root bool
	// Windowed: it is that of a window.
	Windowed bool
	// ID: the first item has an id that a cursor can name; known of first pages.
	ID bool
	// Sorted: and an array called sort, as Elasticsearch gives it.
	Sorted bool
	// Names are paths that the response has, for suggestions; they may be missing.
	Names []string
}

// An Outcome is what became of a page.
type Outcome struct {
	// Emit: the items belong to the output.
	Emit bool
	// Stop is nil where the walk continues with Next.
	Stop *report.Stop
	// Next is what would come next; with a Stop it may be nil.
	Next    *Request
	Warning string
	// Verdict is what the warning means.
	Verdict report.Verdict
	// Seam is what became of the seam before the page, where pages overlap.
	Seam Seam
	// Again is, with a Stop, how many items of the walk came twice.
	Again int64
	// NoLink is a warning for jobs whose pages all have it; see [Needs].
	NoLink string
	// More is what the last answer says against the end; nil: nothing.
	More *evidence.Sign
	// Elsewhere, with a Stop: the end is on a page of another shard, which is not
	// asked for here.
	Elsewhere bool
	// Follow is the api.pagination that would get what is missing, as JSON; empty:
	// none is known.
	Follow string
	// Ways are all that may get it, that one first; none was tried.
	Ways []Way
	// Led: the answer has what leads to a next page, if it is only to say that there
	// is none.
	Led bool
	// Suspicion is about an end that no page beyond proves.
	Suspicion Suspicion

	// byMethod: the walk ended, or went on, by the method's own rule.
	byMethod bool
}

// warn adds a warning, the worst one first.
func (o *Outcome) warn(v report.Verdict, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch {
	case o.Warning == "":
		o.Warning = text
	case v > o.Verdict:
		o.Warning = text + "; " + o.Warning
	default:
		o.Warning += "; " + text
	}
	o.Verdict = max(o.Verdict, v)
}

// Judge takes the facts of the page that was asked for last, and says what follows:
// first the conditions that all methods share, then the method's own.
func (p *Paging) Judge(s *State, j *Job, f *Facts) (Outcome, error) {
	signs := f.Signs(p.reads)
	s.Seen.Hear(signs)
	s.Seen.Promised.Hear(f.Items, signs)
	s.Seen.Open.Hear(f.Items, signs)
	out, err := p.judge(s, j, f, signs)
	if err == nil && !out.Elsewhere {
		p.weigh(s, j, f, signs, &out)
	}
	if out.Stop != nil {
		p.tellOfItems(s, f, &out)
	}
	s.Verdict = max(s.Verdict, out.Verdict)
	if out.Stop != nil {
		out.Stop.Verdict = max(out.Stop.Verdict, s.Verdict)
	}
	return out, err
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
	out := Outcome{Emit: true, NoLink: p.noLink(f)}
	met := p.meet(s, f, this)
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

// warnOfSize is for a page that is longer than the limit: the next offset overlaps
// it.
func warnOfSize(s *State, f *Facts, out *Outcome) {
	limit := s.Own.Limit
	if limit > 0 && int64(f.Items) > limit {
		out.warn(report.Unverified, "a page holds %d items where the limit is %d: "+
			"the API may use another page size, and pages may overlap or leave gaps", f.Items, limit)
	}
}

// Beyond returns what --confirm-end asks for after the end, nil if no page is known,
// or the end is proven.
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
