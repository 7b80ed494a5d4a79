package convert

import (
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// isBelow tells whether a lead is what a way names, or below it.
func (l lead) isBelow(w template.Way) bool {
	isRecords := l.variable == "last_record" && w.Variable == "last_records"
	if w.Variable != l.variable && !isRecords || len(w.Steps) > len(l.steps) {
		return false
	}
	for i, step := range w.Steps {
		if step != l.steps[i] && ((l.variable != "headers" || i != 0) || !strings.EqualFold(step, l.steps[i])) {
			return false
		}
	}
	return true
}

// A lead is what leads to the next page.
type lead struct {
	// variable is response, headers or last_record.
	variable string
	steps    []string
}

// isLink tells the header Link, whose next address counts: it is read only by the name link, in small letters.
func (l lead) isLink() bool {
	return l.variable == "headers" && slices.Equal(l.steps, []string{"link", "next", "url"})
}

// leadOf is what an expression takes of an answer.
func leadOf(e template.Expression, j *write.PlannedJob) lead {
	if f, ok := e.(template.Filter); ok && (f.Name == "string" || f.Name == "int") {
		return leadOf(f.Of, j)
	}
	if l, ok := ofLast(e, j); ok {
		return l
	}
	w, ok := template.Trail(e)
	fault.If(!ok || !w.IsFalsyByDefault(), "%s", whyNot(e))
	l := lead{variable: w.Variable, steps: w.Steps}
	isDotted := len(l.steps) > 1 && strings.Contains(strings.Join(l.steps, ""), ".")
	fault.If(len(l.steps) == 0, "a whole answer leads to no page")
	fault.If(l.variable == "headers" && !l.isLink() && (len(l.steps) > 1 || strings.EqualFold(l.steps[0], "link")),
		"of a header only its text is supported, and of the header Link the address of next")
	fault.If(isDotted && l.variable != "headers", "a path with a name that has a point is not supported")
	fault.If(!slices.Contains([]string{"response", "headers", "last_record"}, l.variable),
		"%s is not supported here", l.variable)
	return l
}

// whyNot says what of an expression cannot be said.
func whyNot(e template.Expression) string {
	b, _ := e.(template.Binary)
	f, _ := e.(template.Filter)
	switch {
	case isComputed(e):
		return "a product or a quotient has no equivalent in sluice, only a sum of up to three numbers. Where the token is the number " +
			"of the page, or of the items before it, write PageIncrement or OffsetIncrement in a copy of the manifest"
	case b.Operator == "+":
		return "a next page that is calculated is supported only as a sum of up to three numbers, of the answer, of its items, or constants"
	case f.Name == "regex_search":
		return "a part of an address is not supported: where the address is that of the next page use RequestPath"
	case f.Name != "":
		return "the filter " + f.Name + " is not supported here"
	}
	return "this is not supported: want a value of the answer, of a header or of the last record"
}

// ofLast is a value of the last item, which may be written as that of the last of the answer's list.
func ofLast(e template.Expression, j *write.PlannedJob) (lead, bool) {
	var steps []string
	of, ok := lastOf(e)
	for ; !ok; of, ok = lastOf(e) {
		i, ok := e.(template.Index)
		if !ok {
			return lead{}, false
		}
		step, ok := template.StepOf(i.Key)
		if !ok {
			return lead{}, false
		}
		steps = append([]string{step}, steps...)
		e = i.Of
	}
	w, ok := template.Trail(of)
	if !ok || len(steps) == 0 {
		return lead{}, false
	}
	isRecords := w.Variable == "last_records" && len(w.Steps) == 0
	path, isPlain := j.DataField.Plain()
	isList := isPlain && w.Variable == "response" && slices.Equal(path, w.Steps)
	return lead{"last_record", steps}, isRecords || isList
}

// lastOf is the list of which an expression is the last element.
func lastOf(e template.Expression) (of template.Expression, ok bool) {
	switch e := e.(type) {
	case template.Index:
		return e.Of, template.IsMinusOne(e.Key)
	case template.Filter:
		return e.Of, e.Name == "last"
	}
	return nil, false
}
