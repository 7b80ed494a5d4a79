package evidence

import (
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
)

// strongest returns the sign that there is more, nil if there is none, or if others
// beat it: a flag that says no more beats links, and so does a total that was
// reached where the items ran out.
func strongest(signs []Sign, end End, ranOut bool) *Sign {
	if more := find(signs, More); more != nil {
		return more
	}
	total, pages := find(signs, Total), find(signs, Pages)
	hasAll := ranOut && total != nil && total.Total <= end.came()
	if hasAll || find(signs, NoMore) != nil {
		return nil
	}
	fromFirst := pages != nil && end.Skipped == 0
	if fromFirst && pages.Total > int64(end.Pages) {
		return pages
	}
	if link := find(signs, Link); link != nil {
		return link
	}
	// Where items ran out the method goes on without a cursor.
	if ranOut {
		return nil
	}
	return find(signs, Cursor)
}

// find returns the first sign that says so. What paging reads itself says nothing
// but that there is no more, or how many items there are.
func find(signs []Sign, says Says) *Sign {
	countsOwn := says == NoMore || says == Total
	i := slices.IndexFunc(signs, func(s Sign) bool {
		return s.Says == says && (countsOwn || !s.Own)
	})
	if i < 0 {
		return nil
	}
	return &signs[i]
}

// Verdict is what the sign means for a walk that has ended.
func (s *Sign) Verdict() report.Verdict {
	if s.Says == Cursor {
		return report.Unverified
	}
	return report.Incomplete
}

// Warning quotes the sign, cleaned of secrets, and names the option that would
// follow it.
func (s *Sign) Warning(clean func(string) string) string {
	text := "the last answer says that there is more"
	if s.Says == Cursor {
		text = "the last answer has a cursor, which may lead to more"
	}
	text += ": " + s.At + " is " + pipeline.Shorten(clean(string(s.Value)), 120) + "; "
	switch {
	case s.Cure != "":
		text += s.Cure
	case s.Follow != "":
		text += "api.pagination " + clean(s.Follow) + " would follow it"
	default:
		text += "page on with api.pagination, such as pagenum or offset"
	}
	return text + "; if the API always says so, set trustEnd"
}

// Complaint returns the member that says that the answer is an error, or nil. One
// that can say why goes before one that only says so.
func Complaint(around []item.Found) (found *item.Found) {
	for i, m := range around {
		switch saysError(m) {
		case tells:
			return &around[i]
		case hints:
			if found == nil {
				found = &around[i]
			}
		}
	}
	return found
}

// complaint is how much a member says of an error.
type complaint int

const (
	// silent says nothing of an error.
	silent complaint = iota
	// hints says that there is one.
	hints
	// tells says what it is, too.
	tells
)

func saysError(m item.Found) complaint {
	name := m.Path[len(m.Path)-1]
	if !Is(name, errorName) {
		return silent
	}
	switch Normal(name) {
	case "error", "errors", "errormessage", "fault":
		if item.True(m.Value) {
			return tells
		}
	case "ok", "success":
		if item.Kind(m.Value) == 'f' {
			return hints
		}
	case "status":
		text, _ := item.Text(m.Value)
		isText := item.Kind(m.Value) == '"'
		if isText && slices.Contains(failures, strings.ToLower(text)) {
			return hints
		}
	}
	return silent
}

// failures are what a member status says of an error.
var failures = []string{"error", "fail", "failed"}

// IsError tells whether a member is called error or errors.
func IsError(name string) bool { return strings.TrimSuffix(Normal(name), "s") == "error" }

// Near names the path among names that is nearest to one that leads nowhere; empty
// if none is near.
func Near(path item.Path, names []string) string {
	best := config.Nearest(path.String(), names)
	if best == "" || best == path.String() {
		return ""
	}
	return "; it has " + best
}
