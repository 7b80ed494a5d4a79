package paginate

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
)

// State is where a walk stands between two pages. It is plain data, so that it
// can be written down and gone on with: what comes next is Asked.
type State struct {
	Pages   int              // judged so far
	Items   int64            // of those pages
	Bytes   int64            // of those pages as compact JSON
	Started time.Time        // of the walk's first request
	Hash    uint64           // of the last page
	Asked   *Request         // what the next page to be judged is asked for with
	Last    Print            // of the last page
	Mark    Mark             // a page further back
	Number  int64            // the method's own: the last offset or page number
	Cursor  string           // the method's own: JSON text of the greatest or least number so far
	Doubt   pipeline.Verdict // the worst that a warning meant so far
	Flagged bool             // some page had the member of nextPageFlag
	Overlap bool             // some page began with the item that the one before it ended with
}

// A Print tells a page from others of its walk: the request that it answers, and
// its items.
type Print struct {
	Request     uint64 // hash
	Items       int
	First, Last uint64 // hashes of those items
}

// A Mark is a page that later ones are compared with, so that a circle shows
// whatever its length: it moves on each time that the walk has doubled (Brent's
// way of finding a cycle with one page in memory).
type Mark struct {
	Print
	Page int // its number
}

// Facts are what paging needs to know of a page.
type Facts struct {
	Items       int
	Bytes       int64 // as compact JSON
	Hash        uint64
	First, Last uint64           // hashes of the first and last item
	Picked      []jsontext.Value // values of [Paging.Wants], nil where there is none
	Range       *Range           // of [Paging.Range], shown every item
	At          time.Time        // when the page had come
}

// An Outcome is what became of a page.
type Outcome struct {
	Emit    bool           // the items belong to the output
	Stop    *pipeline.Stop // nil: the walk goes on with Next
	Next    *Request       // what would come next; with a Stop it may be nil
	Warning string
	Verdict pipeline.Verdict // what the warning means
	NoLink  string           // a warning for jobs whose pages all have it: nothing, not even null, leads to a next page
}

// Judge takes the facts of the page that was asked for last, and says what
// follows: first the conditions that all methods share, then the method's own.
//
// A page is a repetition if it is the same JSON as the one before it, or if the
// very same request as before has brought the same items: some APIs answer a
// token that stays the same with ever new items, and others put the time into
// each answer. So a request is repeated only while that brings something new.
// Links that go round in a circle of several pages are an error, since items
// came twice by the time that it shows. No walk goes on for ever, unless the API
// goes on for ever.
func (p *Paging) Judge(s *State, j *Job, f *Facts) (Outcome, error) {
	out, err := p.judge(s, j, f)
	s.Doubt = max(s.Doubt, out.Verdict)
	if out.Stop != nil {
		out.Stop.Verdict = max(out.Stop.Verdict, s.Doubt)
	}
	return out, err
}

func (p *Paging) judge(s *State, j *Job, f *Facts) (Outcome, error) {
	this := Print{Request: s.Asked.hash(), Items: f.Items, First: f.First, Last: f.Last}
	switch {
	case s.Pages == 0:
	case f.Hash == s.Hash, this == s.Last:
		return repeated(), nil
	case this == s.Mark.Print:
		return Outcome{}, fmt.Errorf("the pages go round in a circle: this is page %d again, asked for with the same request: check api.pagination, or bound it with forceStop", s.Mark.Page)
	}
	overlap := s.Last.Items > 0 && f.Items > 0 && f.First == s.Last.Last
	s.Pages++
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Hash, s.Last = f.Hash, this
	s.Mark.move(s)
	out := Outcome{Emit: true, NoLink: p.noLink(f)}
	limit := p.limitOf(j)
	warnOfLongPage(&out, limit, f.Items)
	if overlap && !s.Overlap {
		s.Overlap = true
		out.warn(pipeline.Complete, "page %d begins with the very item that the page before it ended with: pages may overlap, and items come twice", s.Pages)
	}
	p.stop(s, f, &out)
	if out.Stop != nil {
		return out, nil
	}
	if s.Pages == 1 {
		warnOfCap(&out, limit, f.Items)
	}
	return p.next(s, j, f, out)
}

// limitOf is how many items a page should hold; 0: the method does not know.
func (p *Paging) limitOf(j *Job) int64 {
	if l, ok := p.method.(limiter); ok {
		return l.limitOf(j)
	}
	return 0
}

func (p *Paging) noLink(f *Facts) string {
	l, ok := p.method.(Linker)
	if !ok || f.Picked[0] != nil {
		return ""
	}
	option, path := l.Link()
	return fmt.Sprintf("%s: no response had %s, so only first pages were asked for; if there are more, check the path", option, path)
}

// warn adds a warning.
func (o *Outcome) warn(v pipeline.Verdict, format string, args ...any) {
	if o.Warning != "" {
		o.Warning += "; "
	}
	o.Warning += fmt.Sprintf(format, args...)
	o.Verdict = max(o.Verdict, v)
}

// move marks the last page of s if it is time to. Empty pages are all alike, and
// an API whose token stays the same may give one now and then: an empty page is
// marked only until there are items again.
func (m *Mark) move(s *State) {
	if s.Pages >= 2*m.Page || m.Items == 0 && s.Last.Items > 0 {
		*m = Mark{Print: s.Last, Page: s.Pages}
	}
}

func repeated() Outcome {
	return Outcome{
		Stop:    &pipeline.Stop{Reason: RepeatedPage, Verdict: pipeline.Unverified},
		Warning: "the page is the same as the one before it: the API may ignore the paging parameters",
		Verdict: pipeline.Unverified,
	}
}

// stop checks the common conditions.
func (p *Paging) stop(s *State, f *Facts, out *Outcome) {
	picked := f.Picked[p.own:]
	for i := range p.stops {
		n := len(p.stops[i].wants())
		p.stops[i].judge(s, f.At, picked[:n], out)
		picked = picked[n:]
	}
}

// next asks the method.
func (p *Paging) next(s *State, j *Job, f *Facts, out Outcome) (Outcome, error) {
	own := *f
	own.Picked = f.Picked[:p.own]
	next, stop, err := p.method.Next(s, j, &own)
	if err != nil {
		return Outcome{}, err
	}
	out.Next, out.Stop = next, stop
	if stop == nil {
		s.Asked = next
		return out, nil
	}
	picked := f.Picked[p.own:]
	for i := range p.stops {
		p.stops[i].doubt(s, picked, &out)
		picked = picked[len(p.stops[i].wants()):]
	}
	return out, nil
}

// hash is the same for requests that are the same.
func (r *Request) hash() uint64 {
	text, _ := json.Marshal(r) // plain data: it never fails
	return xxhash.Sum64(text)
}
