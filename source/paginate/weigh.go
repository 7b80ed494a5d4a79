package paginate

import (
	"fmt"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// weigh says what the last answer of a walk says against its end.
func (p *Paging) weigh(s *State, j *Job, f *Facts, out *Outcome) {
	signs := f.Signs(p.reads())
	s.remember(signs)
	if out.Stop == nil || out.Stop.Reason.Rule().Chosen || p.TrustEnd {
		return
	}
	if s.LinkMissing {
		out.warn(pipeline.Unverified, "page %d has no header Link, although the page before it says that %s comes after it: run again, or page by numbers", s.Pages, s.LastPage)
	}
	rule := out.Stop.Reason.Rule()
	underflow := rule.Proof
	came := s.Items + s.Skipped
	if !underflow || f.Items > 0 || s.Pages < 2 { // else the next page was asked for, and is empty
		out.More = evidence.Strongest(signs, evidence.End{Pages: s.Pages, Items: s.Items, Skipped: s.Skipped}, underflow)
	}
	if reason := out.Stop.Reason; rule.Counted { // as many came as a person asked for; a flag doubts only that the number is that of all
		if out.More != nil && out.More.Says == evidence.More {
			out.warn(pipeline.Unverified, "%s: %s is reached, but %s is %s: if that is the number of a page, name that of all", reason, s.LimitField, out.More.At, out.More.Value)
		}
		out.More = nil
	}
	if (f.Root || f.Full()) && !s.TotalOwn && s.Total > came {
		before := ""
		if s.Skipped > 0 {
			before = fmt.Sprintf(", the %d before the first included", s.Skipped)
		}
		out.warn(pipeline.Unverified, "%d items came where the answer says %d at %s%s", s.Items, s.Total, s.TotalAt, before)
	}
	if out.More == nil && s.Total <= came {
		return
	}
	if out.Follow = follow(p, s, j, f, signs, out.Stop); out.More != nil {
		out.More.Follow = out.Follow
	}
}

// remember keeps the total of the last answer that had one: the greatest.
func (s *State) remember(signs []evidence.Sign) {
	first := true
	for _, sign := range signs {
		if sign.Says == evidence.Total && (first || sign.Total > s.Total) {
			s.Total, s.TotalAt, s.TotalOwn, first = sign.Total, sign.At, sign.Own && !sign.Least, false
		}
	}
}

// Share is how much of the walk has come, by what the answers or limitStop say of the whole; 0 if nothing does.
func (p *Paging) Share(s *State) (share float64) {
	of := func(came, whole int64) {
		if whole > 0 {
			share = max(share, float64(came)/float64(whole))
		}
	}
	pages := int64(s.Pages)
	limit, _ := item.Integer([]byte(s.LimitField))
	of(s.Items, limit)
	of(s.Items+s.Skipped, s.Total)
	if next, left := counted(s.Asked.Endpoint, s.LastPage, 0); s.LastPage != "" && (next != "" || s.Asked.Endpoint == s.LastPage) {
		of(pages, pages+int64(left)+1)
	}
	return share
}

// skips returns how many items a request skips by its own parameters; a greater number is a time.
func (r *Request) skips() int64 {
	for _, p := range r.Params {
		if n, ok := item.Integer(p.Value); ok && n > 0 && n < 1e8 && slices.Contains([]string{"offset", "skip", "start", "startat"}, evidence.Normal(p.Name)) {
			return n
		}
	}
	return 0
}

// reads is what the paging reads itself.
func (p *Paging) reads() evidence.Reads {
	r := evidence.Reads{Paths: slices.Clip(p.method.Needs().Values), Others: p.Needs.Values}
	for _, s := range p.stops {
		if s.limitField != nil {
			r.Paths = append(r.Paths, s.limitField)
		}
	}
	if m, ok := p.method.(sizer); ok {
		r.Sized, r.Size = true, m.pageSize()
	}
	if m, ok := p.method.(linkChooser); ok {
		r.Link = m.follows
	}
	return r
}

// Evidence lists what an answer says, in its order; headers come last.
func (p *Paging) Evidence(f *Facts) []evidence.Finding { return f.Findings(p.reads()) }
