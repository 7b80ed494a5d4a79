package paginate

import (
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
)

// weigh says what the last answer of a walk says against its end.
func (p *Paging) weigh(s *State, j *Job, f *Facts, out *Outcome) {
	signs := p.Signs(f)
	s.remember(signs)
	if out.Stop == nil || chosenEnd(out.Stop) || p.TrustEnd {
		return
	}
	if out.Stop.Reason == NoNextPage && s.LastPage != "" {
		out.warn(pipeline.Unverified, "page %d has no header Link, although the page before it says that %s comes after it: run again, or page by numbers", s.Pages, s.LastPage)
	}
	underflow := slices.Contains([]string{Underflow, EmptyPage, EndOn, NothingNew}, out.Stop.Reason)
	came := s.Items + s.Skipped
	if !underflow || f.Items > 0 || s.Pages < 2 { // else the next page was asked for, and is empty
		out.More = p.strongest(s, signs, underflow)
	}
	if reason := out.Stop.Reason; reason == LimitStopField || reason == LimitStopHeader { // as many came as a person asked for; a flag doubts only that the number is that of all
		if out.More != nil && out.More.Says == More {
			out.warn(pipeline.Unverified, "%s: %s is reached, but %s is %s: if that is the number of a page, name that of all", reason, s.LimitField, out.More.At, out.More.Value)
		}
		out.More = nil
	}
	if (f.Root || f.full()) && !s.TotalOwn && s.Total > came {
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
		out.More.follow = out.Follow
	}
}

// full tells whether a page has as many items as the answer itself says that a page has.
func (f *Facts) full() bool {
	w := &follower{facts: f}
	w.fromAnswer()
	size := w.number(sizeNames)
	return size != nil && f.Items > 0 && size.value <= int64(f.Items)
}

// remember keeps the total of the last answer that had one: the greatest.
func (s *State) remember(signs []Sign) {
	first := true
	for _, sign := range signs {
		if sign.Says == Total && (first || sign.Total > s.Total) {
			s.Total, s.TotalAt, s.TotalOwn, first = sign.Total, sign.At, sign.Own && !sign.least, false
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
	limit, _ := integer([]byte(s.LimitField))
	of(s.Items, limit)
	of(s.Items+s.Skipped, s.Total)
	if next, left := counted(s.Asked.Endpoint, s.LastPage, 0); s.LastPage != "" && (next != "" || s.Asked.Endpoint == s.LastPage) {
		of(pages, pages+int64(left)+1)
	}
	return share
}

// strongest returns the sign that there is more, nil if there is none, or if others beat it: a flag that says
// no more beats links, and so does a total that was reached where underflow or an empty page was the end.
func (p *Paging) strongest(s *State, signs []Sign, underflow bool) *Sign {
	find := func(says Says) *Sign {
		i := slices.IndexFunc(signs, func(s Sign) bool { return s.Says == says && (!s.Own || says == NoMore || says == Total) })
		if i < 0 {
			return nil
		}
		return &signs[i]
	}
	more, total, pages := find(More), find(Total), find(Pages)
	switch {
	case more != nil:
		return more
	case find(NoMore) != nil, underflow && total != nil && total.Total <= s.Items+s.Skipped:
		return nil
	case pages != nil && pages.Total > int64(s.Pages) && s.Skipped == 0:
		return pages
	case find(Link) != nil:
		return find(Link)
	case underflow: // the method goes on without the cursor
		return nil
	}
	return find(Cursor)
}

// Verdict is what the sign means for a walk that has ended.
func (s *Sign) Verdict() pipeline.Verdict {
	if s.Says == Cursor {
		return pipeline.Unverified
	}
	return pipeline.Incomplete
}

// Warning quotes the sign, cleaned of secrets, and names the option that would follow it.
func (s *Sign) Warning(clean func(string) string) string {
	text := "the last answer says that there is more"
	if s.Says == Cursor {
		text = "the last answer has a cursor, which may lead to more"
	}
	text += ": " + s.At + " is " + pipeline.Shorten(clean(string(s.Value)), 120) + "; "
	if s.follow != "" {
		text += "api.pagination " + clean(s.follow) + " would follow it"
	} else {
		text += "page on with api.pagination, such as pagenum or offset"
	}
	return text + "; if the API always says so, set trustEnd"
}

// Complaint returns the member that says that the answer is an error (docs/decisions.md, section 10), or nil.
// One that can say why goes before one that only says so.
func Complaint(around []item.Found) (found *item.Found) {
	for i, m := range around {
		kind, bad := item.Kind(m.Value), false
		text, _ := item.Text(m.Value)
		switch normalized(m.Path[len(m.Path)-1]) {
		case "error", "errors", "errormessage", "fault":
			if item.True(m.Value) {
				return &around[i]
			}
		case "ok", "success":
			bad = kind == 'f'
		case "status":
			bad = kind == '"' && slices.Contains([]string{"error", "fail", "failed"}, strings.ToLower(text))
		}
		if bad && found == nil {
			found = &around[i]
		}
	}
	return found
}

// IsError tells whether a member is called error or errors.
func IsError(name string) bool { return strings.TrimSuffix(normalized(name), "s") == "error" }

// Near names the path among names that is nearest to one that leads nowhere; empty if none is near.
func Near(path item.Path, names []string) string {
	if best := config.Nearest(path.String(), names); best != "" && best != path.String() {
		return "; it has " + best
	}
	return ""
}

// skips returns how many items a request skips by its own parameters; a greater number is a time.
func (r *Request) skips() int64 {
	for _, p := range r.Params {
		if n, ok := integer(p.Value); ok && n > 0 && n < 1e8 && slices.Contains([]string{"offset", "skip", "start", "startat"}, normalized(p.Name)) {
			return n
		}
	}
	return 0
}
