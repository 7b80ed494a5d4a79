package paginate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/source/evidence"
)

// State is where a walk stands between two pages. It is plain data, which can be kept to go on from there.
type State struct {
	Pages   int         // judged so far; of a stride all up to the last judged one
	Items   int64       // of those pages
	Bytes   int64       // of those pages as compact JSON
	Started time.Time   // of the walk's first request
	Asked   *Request    // what the next page to be judged is asked for with
	Hash    uint64      // of the last page
	Last    Fingerprint // of the last page

	Earlier     Fingerprint // the page that later ones are compared with; it moves on when the walk has doubled (Brent's way of finding a cycle)
	EarlierPage int         // its number

	Limit      int64  // set by First: how many items a page should hold; 0: unknown
	OtherPages int    // of Pages, those of other shards
	OtherItems int64  // of Items, those that these hold if they are full
	Number     int64  // the method's own: the last offset or page number
	Cursor     string // the method's own: JSON text of the value that is sent next

	LastPage    string // the address that a header Link has of the last page; empty: none that can be counted to. At the end: a page that was to come
	LinkMissing bool   // LastPage was to come, and there was no link to it
	Uncounted   bool   // counting has led to another address than the API's

	LimitField string // JSON text of what limitStop.field or .header led to last
	Shrunk     bool   // it was less than before
	Skipped    int64  // items before the first that is asked for
	Total      int64  // how many there are, by the last answer that says so
	TotalAt    string // where it says so
	TotalOwn   bool   // limitStop reads it

	Opening Fingerprint      // of the first page, without its request
	Verdict pipeline.Verdict // the worst that a warning meant so far
	Flagged bool             // some page had the member of nextPageFlag
	Overlap bool             // some page began with the last item of the one before it
}

// A Fingerprint tells a page from others of its walk.
type Fingerprint struct {
	Request     uint64 // hash
	Items       int
	First, Last uint64 // hashes of those items
}

// Facts are what paging needs to know of a page.
type Facts struct {
	evidence.Answer
	Values []jsontext.Value // of [Needs].Values, nil where there is none
	Range  *Range           // of [Needs].Range
	End    bool             // the API says that there is no such page
	At     time.Time        // when the page had come

	// For evidence of more (docs/decisions.md, section 10).
	Root   bool     // the walk is below no item
	ID     bool     // the first item has an id that a cursor can name; known of first pages
	Sorted bool     // and an array called sort, as Elasticsearch gives it
	Names  []string // paths that the response has, for suggestions; may be empty
}

// An Outcome is what became of a page.
type Outcome struct {
	Emit      bool           // the items belong to the output
	Stop      *pipeline.Stop // nil: the walk continues with Next
	Next      *Request       // what would come next; with a Stop it may be nil
	Warning   string
	Verdict   pipeline.Verdict // what the warning means
	NoLink    string           // a warning for jobs whose pages all have it; see [Needs]
	More      *evidence.Sign   // what the last answer says against the end; nil: nothing
	Elsewhere bool             // with a Stop: the end is on a page of another shard, which is not asked for here
	Follow    string           // the api.pagination that would get what is missing, as JSON; empty: none is known
}

func (o *Outcome) warn(v pipeline.Verdict, format string, args ...any) {
	if o.Warning != "" {
		o.Warning += "; "
	}
	o.Warning += fmt.Sprintf(format, args...)
	o.Verdict = max(o.Verdict, v)
}

// Judge takes the facts of the page that was asked for last, and says what follows: first the conditions that
// all methods share, then the method's own. A page is a repetition if it is the same JSON as the one before it, since
// some APIs answer a token that stays the same with new items, or if the same request has brought the same items, since
// others put the time into each answer. Links in a circle of several pages are an error: items came twice by then.
func (p *Paging) Judge(s *State, j *Job, f *Facts) (Outcome, error) {
	out, err := p.judge(s, j, f)
	if err == nil && !out.Elsewhere {
		p.weigh(s, j, f, &out)
	}
	s.Verdict = max(s.Verdict, out.Verdict)
	if out.Stop != nil {
		out.Stop.Verdict = max(out.Stop.Verdict, s.Verdict)
	}
	return out, err
}

func (p *Paging) judge(s *State, j *Job, f *Facts) (Outcome, error) {
	if p.Needs.Take == Last && f.Items == 1 && f.Range.Err == nil && string(f.Range.value) == s.Cursor { // only the item that the cursor named
		return Outcome{Stop: pipeline.EndedBy(pipeline.StopNothingNew)}, nil
	}
	this := Fingerprint{Request: s.Asked.hash(), Items: f.Items, First: f.First, Last: f.Last}
	switch {
	case f.End:
		s.count(f, this)
		return Outcome{Emit: true, Stop: pipeline.EndedBy(pipeline.StopEndOn)}, nil
	case s.Pages == 0:
	case f.Hash == s.Hash, this == s.Last:
		out := Outcome{Stop: pipeline.EndedBy(pipeline.StopRepeatedPage)}
		out.warn(pipeline.Unverified, "the page is the same as the one before it: the API may ignore the paging parameters")
		return out, nil
	case this == s.Earlier:
		return Outcome{}, fmt.Errorf("the pages go round in a circle: this is page %d again, asked for with the same request: check api.pagination, or bound it with forceStop", s.EarlierPage)
	}
	out := Outcome{Emit: true}
	if p.Needs.NoLink != "" && f.Values[0] == nil {
		out.NoLink = p.Needs.NoLink
	}
	overlap := s.Last.Items > 0 && f.Items > 0 && f.First == s.Last.Last
	s.count(f, this)
	n := int64(f.Items)
	if s.Limit > 0 && n > s.Limit { // the next offset then overlaps the page
		out.warn(pipeline.Unverified, "a page holds %d items where the limit is %d: the API may use another page size, and pages may overlap or leave gaps", n, s.Limit)
	}
	if overlap && !s.Overlap {
		s.Overlap = true
		out.warn(pipeline.Complete, "page %d begins with the very item that the page before it ended with: pages may overlap, and items come twice", s.Pages)
	}
	for i := range p.stops {
		p.stops[i].judge(s, f, &out)
	}
	if out.Stop != nil {
		return out, nil
	}
	if s.Pages == 1 && n < s.Limit && capped.MatchString(strconv.FormatInt(n, 10)) && (p.byOffset() || !p.emptyStop()) { // a cap of the server's own ends paging although more may be to be had
		out.warn(pipeline.Unverified, "the first page holds exactly %d items where the limit is %d: if the API gives no more than %d at a time, set the limit to %d", n, s.Limit, n, n)
	}
	var err error
	if out.Next, out.Stop, err = p.method.Next(s, j, f); err != nil {
		return Outcome{}, err
	}
	if p.emptyStop() && (out.Stop == nil || out.Stop.Reason.Rule().Short) {
		if out.Stop = nil; f.Items == 0 {
			out.Stop = pipeline.EndedBy(pipeline.StopEmptyPage)
		}
	}
	if out.Stop == nil {
		if s.Asked = out.Next; p.shards > 1 {
			err = p.method.(divider).skip(s, j, p.shards-1)
			for i := range p.stops {
				p.stops[i].judge(s, f, &out)
			}
			out.Elsewhere = out.Stop != nil
		}
		return out, err
	}
	for i := range p.stops {
		p.stops[i].verify(s, f, &out)
	}
	return out, nil
}

// Beyond returns what --confirm-end asks for after the end, nil if no page is known, or the end is proven.
func (p *Paging) Beyond(s *State, j *Job, f *Facts, out *Outcome) *Request {
	if f.Items == 0 || out.Stop.Reason.Rule().Beyond != pipeline.NextPage {
		return nil
	}
	if out.Next != nil {
		return out.Next
	}
	after := *s
	next, _, err := p.method.Next(&after, j, f)
	if err != nil {
		return nil
	}
	return next
}

// Unasked says why [Paging.Beyond] knows no page after the one of that number.
func (p *Paging) Unasked(stop *pipeline.Stop, f *Facts, number int) string {
	rule := stop.Reason.Rule()
	if rule.Beyond == pipeline.NothingToAsk {
		return "the walk was ended by " + string(stop.Reason)
	}
	endsByItems := rule.Proof || rule.Beyond == pipeline.NextPage
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

// count enters a page that is no repetition. An empty page is compared with later ones only until there are items again.
func (s *State) count(f *Facts, this Fingerprint) {
	s.Pages++
	s.Items += int64(f.Items)
	s.Bytes += f.Bytes
	s.Hash, s.Last = f.Hash, this
	if s.Pages == 1 {
		s.Opening = Fingerprint{Items: f.Items, First: f.First, Last: f.Last}
	}
	if s.Pages >= 2*s.EarlierPage || s.Earlier.Items == 0 && this.Items > 0 {
		s.Earlier, s.EarlierPage = this, s.Pages
	}
}

// hash is the same for requests that are the same.
func (r *Request) hash() uint64 {
	text, _ := json.Marshal(r) // plain data: it never fails
	return xxhash.Sum64(text)
}

// capped matches a page size that people choose: 1, 2, 2.5 or 5 times a power of ten, from 10.
var capped = regexp.MustCompile(`^([125]0|25)0*$`)
