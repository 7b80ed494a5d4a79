package paginate

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/request"
)

// end is what ends a walk that follows a sign, beside the sign's own absence; nil if
// nothing is known to. An API may give an address or a cursor on its last page too:
// then a flag ends the walk, else an empty page. That may also stand in the middle,
// where a list is filtered behind paging, so emptyStop is only for what counts, and
// for what leads on in all directions on the first page, whatever is there.
func (w *follower) end(s evidence.Sign) item.Object {
	if flag := w.flag(); flag != nil {
		return flag
	}
	back := w.back(s)
	mayCount := back == isUnknown && !isStandard(s)
	isCounted := mayCount && w.counts(s)
	if back != leadsBack && !isCounted {
		return nil
	}
	return w.bound()
}

// enoughEmpty is after how many pages in a row without items a walk ends that may lead on
// for ever: one may stand in the middle of a list that is filtered behind paging.
const enoughEmpty = 3

// bound ends what may lead on for ever: the number of all items, else empty pages, unless
// the number of pages tells such a one from one in the middle.
func (w *follower) bound() item.Object {
	if total := w.total(); total != nil {
		return total
	}
	isPages := func(s evidence.Sign) bool { return s.Says == evidence.Pages }
	isFromFirst := w.skipped == 0
	if isFromFirst && slices.ContainsFunc(w.signs, isPages) {
		return nil
	}
	return item.Object{"emptyStop", strconv.Itoa(enoughEmpty)}
}

// isStandard tells whether a link is one of those that are left out on the last page
// by their standard: in a header, in a list of links, or of OData.
func isStandard(s evidence.Sign) bool {
	isAmongLinks := s.Path == nil || s.Where != ""
	return isAmongLinks || strings.Contains(strings.ToLower(s.At), "odata.")
}

// flag is the stop condition by the first flag that says that there is more.
func (w *follower) flag() item.Object {
	for _, sign := range w.signs {
		if sign.Says == evidence.More && sign.Dotted() {
			stopOn := strconv.FormatBool(sign.NoMoreFlag())
			flag := item.Object{"field", quoted(sign.At), "stopOn", stopOn}
			return item.Object{"nextPageFlag", flag.String()}
		}
	}
	return nil
}

// total is the stop condition by the number of all items: nil if none is known, or
// if it is not that of the items of one walk from its first item on.
func (w *follower) total() item.Object {
	isPart := !w.facts.Root || w.skipped > 0
	if isPart {
		return nil
	}
	for _, sign := range w.signs {
		isOfAll := sign.Says == evidence.Total && sign.Total > int64(w.facts.Items)
		if !isOfAll {
			continue
		}
		option := "field"
		if sign.InHeader() {
			option = "header"
		} else if !sign.Dotted() {
			continue
		}
		stop := item.Object{option, quoted(sign.At)}
		return item.Object{"limitStop", stop.String()}
	}
	return w.totalByPages()
}

// totalByPages is the total as the one number beside the items that makes as many
// pages as the answer says, whatever it is called.
func (w *follower) totalByPages() item.Object {
	at := slices.IndexFunc(w.signs, func(s evidence.Sign) bool { return s.Says == evidence.Pages })
	if at < 0 || w.signs[at].Total < 2 {
		return nil
	}
	most := w.signs[at].Total * int64(w.facts.Items)
	found := ""
	for _, m := range w.facts.Around {
		n, ok := item.Integer(m.Value)
		isTotal := n > most-int64(w.facts.Items) && n <= most
		if !ok || !isTotal {
			continue
		}
		if found != "" || len(m.Path) > 1 {
			return nil
		}
		found = m.Path[0]
	}
	if found == "" {
		return nil
	}
	stop := item.Object{"field", quoted(found)}
	return item.Object{"limitStop", stop.String()}
}

// isOver is how a walk that counts ends before an empty or a short page: by a flag,
// else by the number of all items; nil if neither is known.
func (w *follower) isOver() item.Object {
	if flag := w.flag(); flag != nil {
		return flag
	}
	return w.total()
}

// countsBest tells whether a sign that leads on is better not followed, since it only
// counts, the number of all items is known, and its end is not.
func (w *follower) countsBest() bool {
	if w.isOver() == nil {
		return false
	}
	isIt := func(s evidence.Sign) bool {
		isLink := s.Says == evidence.Link && !isStandard(s)
		mayHaveNoEnd := isLink && w.back(s) != leadsNowhere
		return mayHaveNoEnd && w.counts(s)
	}
	return slices.ContainsFunc(w.leading(), isIt)
}

// counts tells whether what leads on is the number of a page or an item, or an
// address that differs from the one that was asked for in such a number.
func (w *follower) counts(s evidence.Sign) bool {
	if n, ok := item.Integer(s.Value); ok {
		// A greater one may be an id, or a time.
		return n <= 2 || n == int64(w.facts.Items)
	}
	return w.place(s) != nil
}

// A place is where a page begins, by a number that an address or a request has.
type place struct {
	name   string
	value  int64
	isPage bool
	// isUsual: nothing says so but that it is usual.
	isUsual bool
	// size is the parameter that carries the size of pages; nil: none is known.
	size *evidence.Number
}

// place is where the page at hand begins, by the one number in which the address of
// the next page differs from the one that was asked for; nil: it is not that, or
// there is more that differs. The number itself says what it counts: it grows by the
// items that came, or by one.
func (w *follower) place(s evidence.Sign) *place {
	asked, err1 := url.Parse(w.facts.Address())
	to, err2 := url.Parse(evidence.Resolved(w.facts.Address(), linkAddress(linkText(s))))
	if err1 != nil || err2 != nil {
		return nil
	}
	var found *place
	var size *evidence.Number
	before := asked.Query()
	for _, p := range w.job.Params {
		if text, ok := item.Text(p.Value); ok && !before.Has(p.Name) {
			before.Set(p.Name, text)
		}
	}
	for _, p := range request.ParseQuery(to.RawQuery) {
		value, err := strconv.ParseInt(to.Query().Get(p.Name), 10, 64)
		isSame := before.Has(p.Name) && before.Get(p.Name) == to.Query().Get(p.Name)
		switch {
		case err == nil && evidence.MayBeSize(p.Name):
			size = &evidence.Number{Name: p.Name, Value: value}
			continue
		case isSame:
			continue
		case err != nil || found != nil:
			return nil
		}
		found = w.placeBefore(p.Name, value, before.Get(p.Name))
		if found == nil {
			return nil
		}
	}
	if found != nil {
		found.size = size
	}
	return found
}

// fromStart tells whether the job's own request is that of the first page, since no
// number before that of the second is known to be it.
func (at *place) fromStart() bool {
	isNumbered := at.isPage && at.value > 0
	return at.isUsual && !isNumbered
}

// placeBefore is where the page at hand begins, by the number of the next one and by
// its own, which may be empty; nil if the number does not count.
func (w *follower) placeBefore(name string, next int64, own string) *place {
	came := int64(w.facts.Items)
	mayBePage := !evidence.MayCountItems(name)
	isFirst := next <= 2 && isPageNumber(name)
	isPage := mayBePage && isFirst
	from := int64(0)
	if own != "" {
		n, err := strconv.ParseInt(own, 10, 64)
		if err != nil {
			return nil
		}
		from = n
		isPage = mayBePage && next-from == 1
	} else if isPage {
		from = next - 1
	}
	// Of a few items the same number may be an id.
	isTelling := came > 4 || evidence.MayCountItems(name)
	isByItems := next-from == came && isTelling
	isCounted := isPage || isByItems
	if next < 1 || !isCounted {
		return nil
	}
	return &place{name: name, value: from, isPage: isPage}
}

// linkAddress is an address as it stands, or as a query with its question mark.
func linkAddress(text string) string {
	if isPairs(text) {
		return "?" + text
	}
	return text
}

// back is what a way back beside a link says on the first page.
type back int

const (
	// isUnknown: there is no way back, or the page is not the first.
	isUnknown back = iota
	// leadsNowhere: it is there and empty, so the way on will be so on the last page.
	leadsNowhere
	// leadsBack although there is nothing before the page.
	leadsBack
)

// back looks for the way back that stands beside a sign.
func (w *follower) back(s evidence.Sign) back {
	isFirstPage := w.first && w.skipped == 0
	isMember := s.Path != nil && s.Where == ""
	if !isFirstPage || !isMember {
		return isUnknown
	}
	at := slices.Clone(s.Path)
	// An object that is a link has its address in a member.
	for step := len(at) - 1; step >= max(len(at)-2, 0); step-- {
		for _, name := range backNames(at[step]) {
			value := w.facts.at(append(slices.Clone(at[:step]), name))
			switch {
			case value == nil:
			case evidence.Leads(value), item.Kind(value) == '{':
				return leadsBack
			default:
				return leadsNowhere
			}
		}
	}
	return isUnknown
}

// backNames are what the way back is called beside a way on of that name.
func backNames(next string) (all []string) {
	for _, pair := range [][2]string{
		{"next", "previous"}, {"next", "prev"}, {"Next", "Previous"}, {"Next", "Prev"}, {"NEXT", "PREVIOUS"},
	} {
		if strings.Contains(next, pair[0]) {
			all = append(all, strings.Replace(next, pair[0], pair[1], 1))
		}
	}
	return all
}

// at is what stands beside the items at a path, of what was kept; nil if nothing is
// known to.
func (f *Facts) at(path item.Path) jsontext.Value {
	if evidence.IsHeader(path) {
		return evidence.HeaderValue(f.Header, path)
	}
	text := path.String()
	for _, m := range f.Around {
		if m.Path.String() == text {
			return m.Value
		}
		n := len(m.Path)
		isAbove := n < len(path) && slices.Equal(m.Path, path[:n])
		if !isAbove {
			continue
		}
		if value := item.Lookup(m.Value, path[n:]); value != nil {
			return value
		}
	}
	return nil
}
