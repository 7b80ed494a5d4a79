package paginate

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/request"
)

// A Suspicion is what is odd about the number of items of a first page with which a
// walk ended. Of walks below items, and of windows, it mostly means something only
// beside what the other walks of the job have.
type Suspicion struct {
	// Text is a warning, empty: there is no suspicion.
	Text string
	// Sized: a parameter named as a size asks for exactly so many.
	Sized bool
	// Unled: the answer should have what leads to a next page, and has not.
	Unled bool
}

// suspect says what is suspicious about the number of items of a walk that ended, or
// went on, after its first page by the method's own rule.
func (p *Paging) suspect(s *State, f *Facts, out *Outcome) {
	follows := p.isLedOn()
	hasPath := follows && f.Values[0] != nil
	out.Led = hasPath || out.Stop == nil
	isFirst := s.Pages == 1 && out.byMethod
	// One item is as many as nobody asks for.
	if !isFirst || f.Items < 2 {
		return
	}
	isOnly := out.Stop != nil && f.Array
	isUnled := isOnly && follows && !hasPath
	_, isSingle := p.method.(single)
	asked := s.Asked.Numbers
	suspicion := &out.Suspicion
	switch {
	case isOnly && isSingle:
		suspicion.Text, suspicion.Sized = asked().AsMany(f.Items)
	// Most APIs leave out what leads on where there is no more: fewer than were asked
	// for are all.
	case isUnled && !asked().AsksForMore(f.Items):
		suspicion.Text, suspicion.Sized = asked().AsMany(f.Items)
		suspicion.Unled = true
	case !isUnled:
		suspicion.Text = p.capped(s, f, out)
	}
}

// capped says that a cap of the server's own may have made a first page short, which
// would end paging although more may be to be had.
func (p *Paging) capped(s *State, f *Facts, out *Outcome) string {
	limit := s.Own.Limit
	isShort := int64(f.Items) < limit && evidence.Round(f.Items)
	if !isShort {
		return ""
	}
	// Pages by number go on where this one is capped, and offsets leave a gap.
	if out.Stop == nil && !p.byOffset() {
		return ""
	}
	return fmt.Sprintf("the first page holds exactly %d items where the limit is %d: "+
		"if the API gives no more than %[1]d at a time, set the limit to %[1]d", f.Items, limit)
}

// weighSuspicion drops the suspicion if the answer proves the end, or has said what
// it is about. Else it says what to do.
func (p *Paging) weighSuspicion(s *State, f *Facts, signs []evidence.Sign, out *Outcome) {
	if out.Suspicion.Text == "" {
		return
	}
	if p.TrustEnd || f.Proves(signs, s.came()) {
		out.Suspicion = Suspicion{}
		return
	}
	if out.Stop != nil {
		return
	}
	// The walk goes on with a gap, whatever comes.
	out.warn(report.Unverified, "%s", out.Suspicion.Text)
	out.Suspicion = Suspicion{}
}

// tellCure says what to do where as many items came as were asked for.
func (p *Paging) tellCure(out *Outcome) {
	cure := "page on with api.pagination, such as pagenum or offset"
	switch {
	case out.Follow != "":
		cure = "page on with api.pagination " + out.Follow
	case out.Suspicion.Unled:
		at := evidence.Place(p.Needs.Values[0])
		cure = "api.pagination looks for the next page in the wrong place: no answer has " + at
	}
	out.Suspicion.Text += "; if you want just these, set trustEnd; else " + cure
}

// Numbers are those in the parameters and the address of a request.
func (r *Request) Numbers() (all evidence.Numbers) {
	for name, value := range r.given() {
		all = all.Asked(name, value)
	}
	return all
}

// given are the parameters of a request but for secrets, then those in its address: names,
// and values as JSON.
func (r *Request) given() iter.Seq2[string, []byte] {
	return func(yield func(name string, value []byte) bool) {
		for _, p := range r.Params {
			if !p.Secret && !yield(p.Name, p.Value) {
				return
			}
		}
		_, query, _ := strings.Cut(cmp.Or(r.Shown, r.Endpoint), "?")
		query, _, _ = strings.Cut(query, "#")
		for _, p := range request.ParseQuery(query) {
			_, value, _ := strings.Cut(p.Raw, "=")
			if !yield(p.Name, item.Quote(request.Unescape(value))) {
				return
			}
		}
	}
}
