package suggest

import (
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/request"
)

// The ways that count pages or items.

// byNumbers are the ways that count by parameters where those of the job are put and, where
// these are in the body, in the address. Where the job has some in the address of what is
// no GET, that is the only one.
func (f *follower) byNumbers() []Proposal {
	there := f.byNumber(withOwn)
	if f.Job.Method == request.Get && !f.Job.HasBody() {
		return []Proposal{there}
	}
	address := f.byNumber(inAddress)
	isOfPaging := func(p request.Param) bool {
		return evidence.MayBeSize(p.Name) || evidence.MayCountItems(p.Name)
	}
	ofQuery := f.Job.Params.For(f.Job.Method).Naming(request.InQuery)
	if slices.ContainsFunc(ofQuery, isOfPaging) {
		return []Proposal{address}
	}
	return []Proposal{there, address}
}

// byNumber counts pages or items, where the address of the next page, the request or
// the answer shows which parameters do; empty if none does.
func (f *follower) byNumber(in parameterPlace) Proposal {
	if at := f.startByLinks(); at != nil {
		return f.counted(at, false)
	}
	n := figures{asked: f.asked()}
	itemRange := f.Facts.Header.Get("Content-Range")
	if itemRange != "" && !strings.HasPrefix(itemRange, "bytes") {
		n.answered = append(n.answered, evidence.Number{Name: "offset"})
	}
	n.answered = append(n.answered, f.Facts.Numbers()...)
	at := f.startByNumbers(n)
	if at == nil {
		return Proposal{}
	}
	at.in = in
	return f.counted(at, false)
}

// counted is the way that counts from a start on, empty if that cannot be. The
// job may ask for another size than it gets: then no page is known to be short. A
// guess goes on after a short page too, unless it asks for the very size that came.
func (f *follower) counted(at *start, isGuess bool) Proposal {
	if at == nil || at.isSize() {
		return Proposal{}
	}
	limit := f.limit(at)
	isOther := limit != int64(f.Facts.Items)
	isUnsized := at.size == nil
	isOpen := isOther || isUnsized && isGuess
	size := item.ObjectBuilder{"limit", strconv.FormatInt(limit, 10)}
	size = f.naming(size, "limit", at.sizeParam(), at.in)
	var o item.ObjectBuilder
	isBlind := isOpen
	switch {
	case at.isPage && (isUnsized || isOther):
		o, isBlind = f.pagenum(at, nil, isOther), true
	case at.isPage:
		o = f.pagenum(at, size, false)
	case at.value != 0 && !f.Job.Params.Has(at.name):
		// It counts from another number than 0.
		return Proposal{}
	default:
		o = f.offset(at, size, isOpen)
	}
	over := f.isOver()
	isOwn := at.isOfJob() && !f.asksFor(at)
	o = append(o, over...).With(isOwn, "firstPageParams", "false")
	return Proposal{Pagination: o.String(), Blind: isBlind && over == nil}
}

// limit is the size of pages to ask for: the one that is known if it is more than came, else the job's own, else as many
// as came.
func (f *follower) limit(at *start) int64 {
	came := int64(f.Facts.Items)
	if at.size != nil && at.size.Value > came {
		return at.size.Value
	}
	if own, ok := f.ownNumber(at.sizeParam(), at.in); ok && own > 0 {
		return own
	}
	return came
}

// asksFor tells whether the job's own request has the number of a start.
func (f *follower) asksFor(at *start) bool {
	n, ok := f.ownNumber(at.name, at.in)
	return ok && n == at.value
}

// pagenum is the pagination by the number of a page, whose size may be none; an open
// one goes on after a short page.
func (f *follower) pagenum(at *start, limit item.ObjectBuilder, isOpen bool) item.ObjectBuilder {
	o := append(item.ObjectBuilder{"method", quoted("pagenum")}, limit...)
	o = f.naming(o, "page", at.name, at.in)
	o = o.With(at.value != 1, "firstPage", strconv.FormatInt(at.value, 10))
	return o.With(isOpen, "emptyStop", "true")
}

// offset is the pagination by the number of an item; an open one goes on after a
// short page.
func (f *follower) offset(at *start, limit item.ObjectBuilder, isOpen bool) item.ObjectBuilder {
	o := append(item.ObjectBuilder{"method", quoted("offset")}, limit...)
	o = f.naming(o, "offset", at.name, at.in)
	o = o.With(at.value != 0, "offsetFromJob", "true")
	return o.With(isOpen, "advance", quoted("items"))
}

// naming adds the option that names a parameter, unless it is the usual one.
func (f *follower) naming(o item.ObjectBuilder, usual, name string, in parameterPlace) item.ObjectBuilder {
	at := f.put(name, in)
	return o.With(at != quoted(usual), usual+"Param", at)
}
