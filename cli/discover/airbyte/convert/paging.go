package convert

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// isWithoutItems tells a condition that holds where a page has no items, and nowhere else.
func (p *paginator) isWithoutItems(x pagingEnd) bool {
	n, ok := p.fewer(x)
	return ok && n == 1
}

// fewer is the number of items below which a condition holds, and nowhere else.
func (p *paginator) fewer(x pagingEnd) (int64, bool) {
	if w, ok := missed(x); ok {
		isAlone := len(w.Steps) == 0 && p.j.Where == ""
		isRecord := slices.Contains([]string{"last_page_size", "last_record", "last_records"}, w.Variable)
		return 1, p.isItems(w) || isRecord && isAlone
	}
	b, _ := x.e.(template.Binary)
	at, before := "<", "<="
	if x.not {
		at, before = ">=", ">"
	} else if _, isConstant := b.Left.(template.Constant); isConstant && predicate.Swapped[b.Operator] != "" {
		b.Left, b.Right, b.Operator = b.Right, b.Left, predicate.Swapped[b.Operator]
	}
	bound, ok := numberIn(b.Right)
	isKnown := ok && p.isCount(b.Left)
	switch b.Operator {
	case at:
		return bound, isKnown
	case before:
		return bound + 1, isKnown
	}
	return 0, false
}

// isItems tells that a way leads to the items of the page.
func (p *paginator) isItems(w template.Way) bool {
	path, isPlain := p.j.DataField.Plain()
	return isPlain && w.Variable == "response" && slices.Equal(path, w.Steps)
}

// isCount tells whether an expression is the number of items of the page.
func (p *paginator) isCount(e template.Expression) bool {
	if of, ok := e.(template.Name); ok {
		return of.Name == "last_page_size" && p.j.Where == ""
	}
	of, isSize := predicate.LengthOf(e)
	w, ok := template.Trail(of)
	isRecords := w.Variable == "last_records" && len(w.Steps) == 0 && p.j.Where == ""
	return isSize && ok && (isRecords || p.isItems(w))
}

// scope is that of a template about an answer.
func (p *paginator) scope() template.Scope {
	// The newer last_record says the same.
	more := map[string]template.Variable{"last_records": template.Later}
	if p.size > 0 {
		more["page_size"] = func([]string) template.Meaning { return template.Meaning{Constant: p.size} }
	}
	return p.sc.With(more)
}

// A paginator is that of a job while it is converted.
type paginator struct {
	s  *Stream
	sc template.Scope
	j  *write.PlannedJob

	at, strategy, token, sizeOption *manifest.Section

	// size is that of a page; 0: there is none.
	size int64

	// below is the member of an object in which the token is sent; empty: it is sent as it is.
	below string

	// isFirstSent tells that the first request has the token, too.
	isFirstSent bool

	// use is what the requester does with the token of the next page.
	use tokenUse
}

// number is a whole number of the strategy, which the values decide.
func (p *paginator) number(member string, byDefault int64) int64 {
	text := p.sc.FixedText(p.strategy.Get(member))
	if text == "" {
		return byDefault
	}
	number, err := strconv.ParseInt(text, 10, 64)
	fault.If(err != nil, "%s must be a whole number", member)
	return number
}

// injectSize has all requests carry the size of a page.
func (p *paginator) injectSize() {
	if p.sizeOption != nil {
		p.j.Put(spotOf(p.sizeOption, p.sc), number(p.size))
	}
}

// fullPage is a flag that stops where a page has not so many items: where none has that number.
func (p *paginator) fullPage(size int64) write.Flag {
	path, ok := p.j.DataField.Plain()
	fault.If(!ok, "the number of items is not known where they are those of several lists")
	return write.Flag{Field: strings.Join(append(path, strconv.FormatInt(size-1, 10)), ".")}
}

// spot is where the token goes.
func (p *paginator) spot() write.RequestOption {
	if p.use.at.Path != nil {
		return p.use.at
	}
	return spotOf(p.token, p.sc)
}

// place is where the token goes, as a paging parameter has it.
func (p *paginator) place() write.ConfigValue {
	at := p.spot()
	defer func() {
		p.sc.Values.NoteIf(p.j.Method == http.MethodPost && p.j.Body != nil && len(p.j.Body) == 0,
			p.s.Name+": sluice requests the first page with the body {}, and Airbyte without a body")
	}()
	if p.below == "" {
		return p.j.PlaceOf(at)
	}
	// It is a member of the object that the option has in a JSON body. It is the whole object, so the job has none there.
	_, isFree := write.Insert(p.j.Body, at.Path, nil)
	fault.If(at.Into != "body_json" || !isFree, "an object is supported as a token only where a JSON body has none yet")
	at.Path = append(slices.Clone(at.Path), p.below)
	return p.j.PlaceOf(at)
}
