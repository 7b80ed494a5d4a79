package suggest

import (
	"bytes"
	"slices"
	"strconv"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/request"
)

// A start is where a page begins, by a number that an address or a request has.
type start struct {
	name   string
	value  int64
	isPage bool
	// isUsual: nothing says so but that it is usual.
	isUsual bool
	// size is the parameter that carries the size of pages; nil: none is known.
	size *evidence.Number
	// in is where both are put.
	in parameterPlace
}

// figures are the numbers of the request and of the answer that may say where the page is.
type figures struct{ asked, answered evidence.Numbers }

// asked are the numbers of the request.
func (e *LastAnswer) asked() (all evidence.Numbers) {
	for name, value := range e.State.Asked.Values() {
		all = all.With(name, value, 2)
	}
	return all
}

// first is the first number of the class, of the request before those of the answer; nil: there is none.
func (n *figures) first(is evidence.ParameterClass) *evidence.Number {
	if asked := n.asked.First(is); asked != nil {
		return asked
	}
	return n.answered.First(is)
}

// size is the parameter that carries the size of pages: by its name, else of those
// of the request as the only one that has the number of items that came; nil if none
// is known.
func (n *figures) size(items int) *evidence.Number {
	if size := n.first(evidence.SizeNames); size != nil {
		return size
	}
	var found *evidence.Number
	for i, number := range n.asked {
		if number.Value <= 1 || number.Value != int64(items) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &n.asked[i]
	}
	return found
}

// sizeParam is the parameter that carries the size of pages, by its usual name if none is known.
func (at *start) sizeParam() string {
	if at.size == nil {
		return "limit"
	}
	return at.size.Name
}

// isSize tells whether the number is that of the size.
func (at *start) isSize() bool { return at.size != nil && at.size.Name == at.name }

// isOfJob tells whether the job's own request is that of the first page, since no
// number before that of the second is known to be it.
func (at *start) isOfJob() bool {
	isNumbered := at.isPage && at.value > 0
	return at.isUsual && !isNumbered
}

// startByNumbers is where the page begins, by the numbers of the request and the
// answer; nil if none says it.
func (f *follower) startByNumbers(n figures) *start {
	where := n.first(evidence.PageNames | evidence.OffsetNames)
	if where == nil {
		return f.echoed(n)
	}
	at := &start{name: where.Name, value: where.Value, size: n.size(f.Facts.Items)}
	at.isPage = evidence.Is(where.Name, evidence.PageNames)
	if name := evidence.Normal(at.name); name == "currentpage" || name == "number" {
		at.name = "page"
	}
	return at
}

// echoed is where the page begins, by two numbers of the answer that may be parameters
// of another name, such as retstart and retmax: one is named as a position and 0, or as the number of a page, such as
// start_page, and 0 or 1; the other one is the number of items that came and named as a size; nil: there are none.
func (f *follower) echoed(n figures) *start {
	if !f.isFirst || f.State.Own.Skipped != 0 {
		return nil
	}
	var from, size *evidence.Number
	for i, number := range n.answered {
		isSizeOf := number.Value == int64(f.Facts.Items) && evidence.MayBeSize(number.Name)
		switch {
		case number.Value == 0 && evidence.MayCountItems(number.Name), isFirstPage(number):
			from = &n.answered[i]
		case isSizeOf:
			size = &n.answered[i]
		}
	}
	if from == nil || size == nil {
		return nil
	}
	return &start{name: from.Name, value: from.Value, isPage: isFirstPage(*from), size: size}
}

// isFirstPage tells whether a number is that of the first page by a name such as start_page.
func isFirstPage(n evidence.Number) bool {
	isFirst := n.Value == 0 || n.Value == 1
	return isFirst && evidence.IsStartPage(n.Name)
}

// lettered is where the page begins, by the only parameter of one letter that is 0, beside one that has the number of items
// that came, such as S=0&n=25; nil: there is none.
func (f *follower) lettered(n figures) *start {
	size := n.size(f.Facts.Items)
	if size == nil {
		return nil
	}
	var found *start
	for _, number := range n.asked {
		if len(number.Name) != 1 || number.Value != 0 {
			continue
		}
		if found != nil {
			return nil
		}
		found = &start{name: number.Name, size: size}
	}
	return found
}

// marked is the start of a list whose last item says itself that more changes follow, as only Gerrit does: S counts items
// there, and n is the size of a page. It is nil of any other list.
func (f *follower) marked(n figures, last []byte) *start {
	if !bytes.Equal(item.Lookup(last, item.Path{"_more_changes"}), []byte("true")) {
		return nil
	}
	size := n.size(f.Facts.Items)
	if size == nil {
		size = &evidence.Number{Name: "n", Value: int64(f.Facts.Items)}
	}
	return &start{name: "S", size: size, isUsual: true}
}

// startByLinks is where the page begins, by what leads to the next one; nil if nothing
// that counts does. A parameter that stands in the body is in no address.
func (f *follower) startByLinks() *start {
	if f.Job.Method != request.Get {
		return nil
	}
	for _, s := range f.leading() {
		leadsOn := s.Says == evidence.Link && s.Where == ""
		if !leadsOn || item.Kind(s.Value) != '"' {
			continue
		}
		if at := f.startByLink(s); at != nil {
			at.in = inAddress
			return at
		}
	}
	return nil
}

// startByLink is where the page at hand begins, by the one number in which the address of
// the next page differs from the one that was asked for; nil: it is not that, or
// there is more that differs. The number itself says what it counts: it grows by the
// items that came, or by one.
func (f *follower) startByLink(s evidence.Sign) *start {
	text := textOf(s)
	if isPairs(text) {
		text = "?" + text
	}
	asked, next, ok := f.addresses(text)
	if !ok {
		return nil
	}
	var found *start
	var size *evidence.Number
	before, after := asked.Query(), next.Query()
	for _, p := range f.Job.Params {
		if text, ok := item.Text(p.Value); ok && !before.Has(p.Name) {
			before.Set(p.Name, text)
		}
	}
	for _, p := range request.ParseQuery(next.RawQuery) {
		text := after.Get(p.Name)
		value, err := strconv.ParseInt(text, 10, 64)
		isSame := before.Has(p.Name) && before.Get(p.Name) == text
		switch {
		case err == nil && evidence.MayBeSize(p.Name):
			size = &evidence.Number{Name: p.Name, Value: value}
			continue
		case isSame:
			continue
		case err != nil || found != nil:
			return nil
		}
		found = f.startBefore(p.Name, value, before.Get(p.Name))
		if found == nil {
			return nil
		}
	}
	if found != nil {
		found.size = size
	}
	return found
}

// startBefore is where the page at hand begins, by the number of the next one and by
// its own, which may be empty; nil if the number does not count.
func (f *follower) startBefore(name string, next int64, own string) *start {
	came := int64(f.Facts.Items)
	mayBePage := !evidence.MayCountItems(name)
	isPage := mayBePage && next <= 2 && paginate.IsPageNumber(name)
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
	return &start{name: name, value: from, isPage: isPage}
}

// countsBest tells whether a sign that leads on is better not followed, since it only
// counts, the number of all items is known, and its end is not.
func (f *follower) countsBest() bool {
	if f.isOver() == nil {
		return false
	}
	isIt := func(s evidence.Sign) bool {
		mayHaveNoEnd := s.Says == evidence.Link && !isStandard(s) && f.back(s) != leadsNowhere
		return mayHaveNoEnd && f.counts(s)
	}
	return slices.ContainsFunc(f.leading(), isIt)
}

// counts tells whether what leads on is the number of a page or an item, or an
// address that differs from the one that was asked for in such a number.
func (f *follower) counts(s evidence.Sign) bool {
	if n, ok := item.Integer(s.Value); ok {
		// A greater one may be an id, or a time.
		return n <= 2 || n == int64(f.Facts.Items)
	}
	return f.startByLink(s) != nil
}
