package evidence

import (
	"iter"
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
	hasAll := ranOut && hasTotal(signs, end)
	if hasAll || find(signs, NoMore) != nil {
		return nil
	}
	if pages := furtherPages(signs, end); pages != nil {
		return pages
	}
	if link := find(signs, Link); link != nil {
		return link
	}
	if onward := find(signs, Onward); onward != nil {
		return onward
	}
	if hint := hinted(signs, end); hint != nil {
		return hint
	}
	// Where items ran out the method goes on without a cursor, and a configured flag tells more.
	if ranOut || end.Reason.Rule().Flagged {
		return nil
	}
	return find(signs, Cursor)
}

// part returns the sign that an answer with items is a part of the list, unless something
// proves that it is the last one, or said so; nil: it is none. Of several pages each may be a
// part: then it is enough that the items ran out.
func (a *Answer) part(signs []Sign, end End) *Sign {
	part := find(signs, Part)
	if part == nil || a.Items == 0 {
		return nil
	}
	rule := end.Reason.Rule()
	ranOut := end.Pages > 1 && rule.Proof
	isTold := rule.Counted || rule.Flagged
	isOver := ranOut || isTold
	if isOver || hasTotal(signs, end) {
		return nil
	}
	if a.Proves(signs, end) {
		return nil
	}
	return part
}

// stated returns the sign by which a page without items says in so many words that it
// is not the last one: a flag, a number of pages, or the address of a later page that is
// not called a link, unless a person said that such a page is the end. Links and tokens lead
// beyond the end, too.
func stated(signs []Sign, end End) *Sign {
	isOver := hasTotal(signs, end) || find(signs, NoMore) != nil
	if isOver {
		return nil
	}
	if more := find(signs, More); more != nil {
		return more
	}
	if pages := furtherPages(signs, end); pages != nil {
		return pages
	}
	if end.ByEmpty {
		return nil
	}
	return find(signs, Onward)
}

// hasTotal tells whether as many items came as the answer says that there are.
func hasTotal(signs []Sign, end End) bool {
	total := find(signs, Total)
	if total == nil || total.weak {
		return false
	}
	return total.Total <= end.came()
}

// furtherPages returns the number of pages that is greater than that of those which
// came from the first on; nil: there is none.
func furtherPages(signs []Sign, end End) *Sign {
	pages := find(signs, Pages)
	if pages == nil || !end.isFromFirst() {
		return nil
	}
	if pages.Total > int64(end.Pages) {
		return pages
	}
	return nil
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

// Proves tells whether the answer, with those signs, proves that its walk has all
// items: by a flag, by a total that was reached, by the number of pages, or by an empty
// place for what leads on.
func (a *Answer) Proves(signs []Sign, end End) bool {
	if find(signs, NoMore) != nil || a.NoNext() {
		return true
	}
	pages := find(signs, Pages)
	hasPages := pages != nil && pages.Total <= int64(end.Pages)
	return hasPages || slices.ContainsFunc(signs, func(s Sign) bool { return s.isReached(end) })
}

// isReached tells whether the sign is a total, by its name, of what has come.
func (s *Sign) isReached(end End) bool {
	if s.Says != Total || s.least {
		return false
	}
	isNamed := s.Path == nil || strings.Contains(Normal(s.At), "total")
	isInRange := s.Total > 0 && s.Total <= end.came()
	return isNamed && isInRange
}

// Verdict is what the sign means for a walk that has ended.
func (s *Sign) Verdict() report.Verdict {
	switch s.Says {
	case Cursor, Onward, Part, Hint:
		return report.Unverified
	}
	return report.Incomplete
}

// Warning quotes the sign, cleaned of secrets, and names the option that would
// follow it.
func (s *Sign) Warning(clean func(string) string) string {
	text := "the last answer says that there is more"
	switch s.Says {
	case Hint:
		text = "the last answer may say that there is more"
	case Cursor:
		text = "the last answer has a cursor, which may lead to more"
	case Onward:
		text = "the last answer has an address of another page of the same list"
	case Part:
		text = "the last answer has a part of the list only, and nothing says that it is the last part"
	}
	text += ": " + s.At + " is " + pipeline.Shorten(clean(string(s.Value)), 120) + "; "
	switch {
	case s.Cure != "":
		text += s.Cure
	case s.Tried:
		text += "api.pagination " + clean(s.Follow) + " follows it"
	case s.Follow != "":
		text += "api.pagination " + clean(s.Follow) + " may follow it, which sluice check tries"
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
		if item.True(m.Value) && !isNone(m.Value) {
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

// isNone tells whether what is called an error says that there is none: by its code,
// or by all its text.
func isNone(value []byte) bool {
	code, hasCode := item.Text(item.Lookup(value, item.Path{"code"}))
	switch kind := item.Kind(value); {
	case kind == '"':
		return isNoneWord(item.Unquote(value))
	case kind == '[':
		return sayNone(item.Elements(value))
	case kind != '{':
		return false
	case hasCode && code != "":
		return isNoneWord(code)
	}
	return sayNone(func(yield func([]byte) bool) {
		for _, value := range item.Members(value) {
			if !yield(value) {
				return
			}
		}
	})
}

// sayNone tells whether there is a text among the values, and each says that there is
// no error.
func sayNone(values iter.Seq[[]byte]) bool {
	hasText := false
	for value := range values {
		switch item.Kind(value) {
		case '"':
			if !isNoneWord(item.Unquote(value)) {
				return false
			}
			hasText = true
		case '[', '{':
			if item.True(value) {
				return false
			}
		}
	}
	return hasText
}

func isNoneWord(text string) bool {
	return slices.Contains(noneWords, strings.ToLower(strings.TrimSpace(text)))
}

// noneWords are what a member error says where there is none.
var noneWords = []string{"", "ok", "0", "success", "none"}

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
