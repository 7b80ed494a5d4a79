package suggest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// What ends a walk that takes a way.

// end is what ends a walk that follows a sign, beside the sign's own absence; nil if
// nothing is known to. An API may give an address or a cursor on its last page too:
// then a flag ends the walk, else an empty page. That may also stand in the middle,
// where a list is filtered behind paging, so emptyStop is only for what counts, and
// for what leads on in all directions on the first page, whatever is there.
func (f *follower) end(s evidence.Sign) item.ObjectBuilder {
	if flag := f.flag(); flag != nil {
		return flag
	}
	back := f.back(s)
	mayCount := back == isUnknown && !isStandard(s)
	isCounted := mayCount && f.counts(s)
	if back != leadsBack && !isCounted {
		return nil
	}
	return f.bound()
}

// enoughEmpty is after how many pages in a row without items a walk ends that may lead on
// for ever: one may stand in the middle of a list that is filtered behind paging.
const enoughEmpty = 3

// bound ends what may lead on for ever: the number of all items, else empty pages, unless
// the number of pages tells such a one from one in the middle.
func (f *follower) bound() item.ObjectBuilder {
	if total := f.total(); total != nil {
		return total
	}
	if f.State.Own.Skipped == 0 && f.numberOfPages() != nil {
		return nil
	}
	return item.ObjectBuilder{"emptyStop", strconv.Itoa(enoughEmpty)}
}

// isOver is how a walk that counts ends before an empty or a short page: by a flag,
// else by the number of all items; nil if neither is known.
func (f *follower) isOver() item.ObjectBuilder {
	if flag := f.flag(); flag != nil {
		return flag
	}
	return f.total()
}

// flag is the stop condition by the first flag that says that there is more.
func (f *follower) flag() item.ObjectBuilder {
	for _, s := range f.signs {
		if s.Says == evidence.More && s.Dotted() {
			stopOn := strconv.FormatBool(s.NoMoreFlag())
			flag := item.ObjectBuilder{"field", quoted(s.At), "stopOn", stopOn}
			return item.ObjectBuilder{"nextPageFlag", flag.String()}
		}
	}
	return nil
}

// total is the stop condition by the number of all items: nil if none is known, or
// if it is not that of the items of one walk from its first item on.
func (f *follower) total() item.ObjectBuilder {
	isPart := !f.Facts.Root || f.State.Own.Skipped > 0
	if isPart {
		return nil
	}
	for _, s := range f.signs {
		isOfAll := s.Says == evidence.Total && s.Total > int64(f.Facts.Items)
		switch {
		case !isOfAll:
		case s.InHeader():
			return limitStop("header", s.At)
		case s.Dotted():
			return limitStop("field", s.At)
		}
	}
	return f.totalByPages()
}

func limitStop(option, at string) item.ObjectBuilder {
	stop := item.ObjectBuilder{option, quoted(at)}
	return item.ObjectBuilder{"limitStop", stop.String()}
}

// totalByPages is the total as the one number beside the items that makes as many
// pages as the answer says, whatever it is called.
func (f *follower) totalByPages() item.ObjectBuilder {
	pages := f.numberOfPages()
	if pages == nil || pages.Total < 2 {
		return nil
	}
	items := int64(f.Facts.Items)
	most := pages.Total * items
	found := ""
	for _, m := range f.Facts.Around {
		n, ok := item.Integer(m.Value)
		isTotal := n > most-items && n <= most
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
	return limitStop("field", found)
}

// numberOfPages is what the answer says of it; nil: nothing.
func (f *follower) numberOfPages() *evidence.Sign {
	isPages := func(s evidence.Sign) bool { return s.Says == evidence.Pages }
	at := slices.IndexFunc(f.signs, isPages)
	if at < 0 {
		return nil
	}
	return &f.signs[at]
}

// isStandard tells whether a link is one of those that are left out on the last page
// by their standard: in a header, in a list of links, or of OData.
func isStandard(s evidence.Sign) bool {
	isAmongLinks := s.Path == nil || s.Where != ""
	return isAmongLinks || strings.Contains(strings.ToLower(s.At), "odata.")
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
func (f *follower) back(s evidence.Sign) back {
	isMember := s.Path != nil && s.Where == ""
	if !f.isFirst || f.State.Own.Skipped != 0 || !isMember {
		return isUnknown
	}
	at := slices.Clone(s.Path)
	// An object that is a link has its address in a member.
	for step := len(at) - 1; step >= max(len(at)-2, 0); step-- {
		for _, name := range backNames(at[step]) {
			value := f.at(append(slices.Clone(at[:step]), name))
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
func (f *follower) at(path item.Path) jsontext.Value { return valueAt(&f.Facts.Answer, path) }

func valueAt(a *evidence.Answer, path item.Path) jsontext.Value {
	if evidence.IsHeader(path) {
		return evidence.HeaderValue(a.Header, path)
	}
	text := path.String()
	for _, m := range a.Around {
		if m.Path.String() == text {
			return m.Value
		}
		n := len(m.Path)
		if n >= len(path) || !slices.Equal(m.Path, path[:n]) {
			continue
		}
		if value := item.Lookup(m.Value, path[n:]); value != nil {
			return value
		}
	}
	return nil
}
