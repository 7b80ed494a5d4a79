package paginate

import (
	"cmp"
	"iter"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/request"
	"sluice/source/verdict"
)

// A Suspicion is what is odd about the number of items of a first page with which a
// walk ended. Of walks below items, and of windows, it mostly means something only
// beside what the other walks of the job have.
type Suspicion struct {
	// Its text is empty where there is no suspicion.
	verdict.Raised
	// By is what says that a page has so many.
	By evidence.Basis
	// Open: the warning does not say what to do, since the pages have no limit that could be set.
	Open bool
	// Unled: the answer should have what leads to a next page, and has not.
	Unled bool
	// Unproven: the number of items may be that of a page, or was chosen, whether that is told or not: it is
	// no proof for later runs that a page can have so many.
	Unproven bool
}

// suspect says what is suspicious about the number of items of a walk that ended, or
// went on, after its first page by the method's own rule.
func (p *Paging) suspect(s *State, f *Facts, out *Outcome) {
	follows := p.isLedOn()
	hasPath := follows && f.Values[0] != nil
	out.Led = hasPath || out.Stop == nil
	// One item is as many as nobody asks for.
	if s.Pages > 1 || f.Items < 2 {
		return
	}
	if !out.byMethod {
		out.Suspicion.Unproven = true
		return
	}
	isOnly := out.Stop != nil && f.Array
	isUnled := isOnly && follows && !hasPath
	asked := s.Asked.Numbers
	suspicion := &out.Suspicion
	switch {
	case isOnly && p.isOnePage():
		suspicion.asMany(asked(), f.Items)
	// Most APIs leave out what leads on where there is no more: fewer than were asked
	// for are all.
	case isUnled && !asked().AsksForMore(f.Items):
		suspicion.asMany(asked(), f.Items)
		suspicion.Unled = true
	case !isUnled:
		if p.isCapped(s, f, out) {
			suspicion.Raised = verdict.CappedPage.Raise(f.Items, s.Own.Limit)
			suspicion.By = evidence.ByUsual
		}
		return
	}
	// An export of lines or rows, a map, and elements of many arrays have no pages by themselves.
	if suspicion.By == evidence.ByUsual && !f.Listed {
		*suspicion = Suspicion{}
	}
}

// asMany suspects that so many items are no more than were asked for, with those numbers in the request.
func (s *Suspicion) asMany(asked evidence.Numbers, items int) {
	what, by := asked.AsMany(items)
	s.By = by
	switch by {
	case evidence.NoBasis:
	case evidence.ByUsual:
		s.Raised = verdict.UsualPage.Raise(verdict.Counted(items))
	default:
		s.Raised = verdict.FullPage.Raise(verdict.Counted(items), what)
	}
}

// isCapped tells whether a cap of the server's own may have made a first page short, which
// would end paging although more may be to be had.
func (p *Paging) isCapped(s *State, f *Facts, out *Outcome) bool {
	isShort := int64(f.Items) < s.Own.Limit && evidence.Round(f.Items)
	// Pages by number go on where this one is capped, and offsets leave a gap.
	return isShort && (out.Stop != nil || p.ByOffset())
}

// weighSuspicion drops the suspicion if the answer proves the end, or has said what
// it is about.
func (p *Paging) weighSuspicion(s *State, f *Facts, signs []evidence.Sign, out *Outcome) {
	if out.Suspicion.Text == "" {
		return
	}
	came := s.came()
	if verdict.Proves(&f.Answer, signs, &came) {
		out.Suspicion = Suspicion{}
		return
	}
	if out.Suspicion.Doubt.Silenced(p.Trust()) {
		out.Suspicion = Suspicion{Unproven: true}
		return
	}
	if out.Stop != nil {
		return
	}
	// The walk goes on with a gap, whatever comes.
	out.doubt(out.Suspicion.Raised)
	out.Suspicion = Suspicion{}
}

// Numbers are those in the parameters and the address of a request.
func (r *Request) Numbers() (all evidence.Numbers) {
	for name, value := range r.Values() {
		all = all.Asked(name, value)
	}
	return all
}

// Values are the parameters of a request but for secrets, then those in its address: names,
// and values as JSON.
func (r *Request) Values() iter.Seq2[string, []byte] {
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
