package paginate

import (
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/request"
)

// numbered counts pages or items, where the request or the answer shows which
// parameters do.
func (w *follower) numbered(s *State) string {
	w.fromParams(s.Asked.Params)
	_, query, _ := strings.Cut(s.Asked.Endpoint, "?")
	query, _, _ = strings.Cut(query, "#")
	for _, p := range request.ParseQuery(query) {
		_, value, _ := strings.Cut(p.Raw, "=")
		w.numbers = w.numbers.With(p.Name, item.Quote(value), 2)
	}
	w.numbers = append(w.numbers, w.facts.Numbers()...)
	return textOf(w.counted(false))
}

// Guesses are paginations to be tried where nothing says how it goes on: by the
// number that the request has, else by usual ones.
func Guesses(s *State, j *Job, f *Facts) (all []string) {
	w := &follower{job: j, facts: f}
	w.fromParams(s.Asked.Params)
	if w.numbers.First(evidence.PageNames|evidence.OffsetNames) != nil {
		return []string{textOf(w.counted(true))}
	}
	style := ""
	if size := w.numbers.First(evidence.SizeNames); size != nil && size.Name[0] == '_' {
		style = "_"
	}
	usual := evidence.Numbers{
		{Name: style + "page", Value: 0},
		{Name: style + "page", Value: 1},
		{Name: "offset", Value: 0},
	}
	for _, n := range usual {
		guess := &follower{job: j, facts: f, numbers: append(slices.Clip(w.numbers), n)}
		counted := guess.counted(true).With(true, "firstPageParams", "false")
		all = append(all, counted.String())
	}
	return all
}

// textOf is the JSON text of a pagination, empty if there is none.
func textOf(o item.Object) string {
	if o == nil {
		return ""
	}
	return o.String()
}

// counted is the pagination by the numbers, nil if there is none. A guess goes on
// after a page of another size than was asked for.
func (w *follower) counted(guess bool) item.Object {
	where := w.numbers.First(evidence.PageNames | evidence.OffsetNames)
	if where == nil {
		return nil
	}
	size, limitParam := w.numbers.First(evidence.SizeNames), "limit"
	if size != nil {
		limitParam = size.Name
	}
	came := int64(w.facts.Items)
	own, _ := effectiveLimit(w.job, item.Path{limitParam}, came)
	// The job may ask for another size than it gets.
	isOtherSize := own != came
	if isOtherSize && !guess {
		return nil
	}
	isOpen := guess && (size == nil || isOtherSize)
	limit := item.Object{"limit", strconv.FormatInt(own, 10)}
	limit = limit.With(limitParam != "limit", "limitParam", quoted(limitParam))
	if evidence.Is(where.Name, evidence.PageNames) {
		if size == nil {
			limit, isOpen = nil, false
		}
		return append(pagenum(where, limit, isOpen), w.flag()...)
	}
	countsFromOther := where.Value != 0 && !w.job.Params.Has(where.Name)
	if countsFromOther {
		return nil
	}
	return append(offset(where, limit, isOpen), w.flag()...)
}

// pagenum is the pagination by the number of a page, whose size may be none; an open
// one goes on after a short page.
func pagenum(where *evidence.Number, limit item.Object, isOpen bool) item.Object {
	name := where.Name
	if n := evidence.Normal(name); n == "currentpage" || n == "number" {
		name = "page"
	}
	o := append(item.Object{"method", quoted("pagenum")}, limit...)
	o = o.With(name != "page", "pageParam", quoted(name))
	o = o.With(where.Value != 1, "firstPage", strconv.FormatInt(where.Value, 10))
	return o.With(isOpen, "emptyStop", "true")
}

// offset is the pagination by the number of an item; an open one goes on after a
// short page.
func offset(where *evidence.Number, limit item.Object, isOpen bool) item.Object {
	o := append(item.Object{"method", quoted("offset")}, limit...)
	o = o.With(where.Name != "offset", "offsetParam", quoted(where.Name))
	o = o.With(where.Value != 0, "offsetFromJob", "true")
	return o.With(isOpen, "advance", quoted("items"))
}

func (w *follower) fromParams(params request.Params) {
	for _, p := range params {
		w.numbers = w.numbers.With(p.Name, p.Value, 2)
	}
}
