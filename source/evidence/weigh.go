package evidence

import (
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
)

// An End says where a walk has ended.
type End struct {
	Pages int
	Items int64
	// Skipped are the items before the first that was asked for.
	Skipped int64
}

// Strongest returns the sign that there is more, nil if there is none, or if others beat it: a flag that says
// no more beats links, and so does a total that was reached where underflow or an empty page was the end.
func Strongest(signs []Sign, end End, underflow bool) *Sign {
	find := func(says Says) *Sign {
		i := slices.IndexFunc(signs, func(s Sign) bool { return s.Says == says && (!s.Own || says == NoMore || says == Total) })
		if i < 0 {
			return nil
		}
		return &signs[i]
	}
	more, total, all := find(More), find(Total), find(Pages)
	switch {
	case more != nil:
		return more
	case find(NoMore) != nil, underflow && total != nil && total.Total <= end.Items+end.Skipped:
		return nil
	case all != nil && all.Total > int64(end.Pages) && end.Skipped == 0:
		return all
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
	if s.Follow != "" {
		text += "api.pagination " + clean(s.Follow) + " would follow it"
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
		switch Normal(m.Path[len(m.Path)-1]) {
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
func IsError(name string) bool { return strings.TrimSuffix(Normal(name), "s") == "error" }

// Near names the path among names that is nearest to one that leads nowhere; empty if none is near.
func Near(path item.Path, names []string) string {
	if best := config.Nearest(path.String(), names); best != "" && best != path.String() {
		return "; it has " + best
	}
	return ""
}
