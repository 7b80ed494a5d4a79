package paginate

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
)

// A sentValue is a parameter of the next request, and what of the answer it carries: the value at one place, or
// the sum of a few numbers.
type sentValue struct {
	// name is that of its member in params.
	name string
	at   config.ParameterDestination
	// as is number, text or boolean; empty: as the answer has it, or a number if it is a sum.
	as string
	// Where it is no sum the sum has one term.
	boundedSum
	isSum bool
}

// A boundedSum is a sum of numbers, and what bounds it.
type boundedSum struct {
	// what is the member of the configuration, for people.
	what  string
	terms []term
	// bound ends the walk: a sum that is not below it, or with upTo one that is greater; nil: there is none.
	bound *term
	upTo  bool
}

// A term is a place in the answer, or a number of the configuration where path is nil.
type term struct {
	path   item.Path
	number int64
	// at is the index in [Facts].Values.
	at int
	// isItems: it is the number of items that the answer has.
	isItems bool
}

// mostTerms is how many numbers are added at most.
const mostTerms = 3

// decodeTerm reads where a value stands: at path, or in a header.
func decodeTerm(o *config.ObjectDecoder, p *config.Problems) (t term) {
	path := o.Text("path", "", "Path in the response of the value.")
	header := o.Text("header", "", "Header of the value, in place of path.")
	o.Filled("path", "header")
	exclusive(o, p, "path", "header")
	switch {
	case header != "":
		t.path = evidence.HeaderPath(header)
	case path != "":
		t.path = item.ParsePath(path, ".")
	}
	return t
}

// decodeSent reads an object of params.
func decodeSent(o *config.ObjectDecoder, name string, p *config.Problems) sentValue {
	v := sentValue{name: name, at: config.Named(name), boundedSum: boundedSum{what: "params." + name}}
	alone := decodeTerm(o, p)
	v.decode(o, "Instead: one to three numbers, whose sum is sent: "+
		"a path or a header of the response, the number of its items, or a number.", p)
	v.at.In = o.Choice("to", "", "Where the parameter goes; by default where those of the job go.",
		config.PlaceQuery, config.PlaceHeader, config.PlaceBody)
	v.as = o.Choice("as", "", "What it is sent as in a JSON body; by default as the response has it, and a header as a text.",
		"number", "text", "boolean")
	o.Done()
	n := o.Node()
	if n == nil {
		return v
	}
	if v.at.In == config.PlaceHeader {
		expr.CheckHeaderName(n.Member("to"), name, p)
	}
	v.isSum = n.Member("add") != nil
	if !v.isSum {
		v.boundedSum = boundedSum{what: v.what, terms: []term{alone}}
		if n.Member("path") == nil && n.Member("header") == nil {
			p.Errorf(n, "needs path, header or add: where the response has the value")
		}
		for _, bound := range []string{"below", "upTo"} {
			if at := n.Member(bound); at != nil {
				p.Errorf(at, "is a bound of a sum: set add")
			}
		}
		return v
	}
	for _, other := range []string{"path", "header"} {
		exclusive(o, p, other, "add")
	}
	if v.as == "boolean" {
		p.Errorf(n.Member("as"), "is for what a response has, and a sum is a number")
	}
	v.refuseStill(n.Member("add"), p)
	return v
}

// decode reads the numbers that are added, and the bound of the sum.
func (v *boundedSum) decode(o *config.ObjectDecoder, doc string, p *config.Problems) {
	add := o.List("add", doc, "responseNumber", "integer")
	below := o.Any("below", "Where the response has a number, or a number, below which the sum must be: else the walk ends.",
		"responseNumber", "integer")
	upTo := o.Any("upTo", "Likewise, a number that the sum may be at most.", "responseNumber", "integer")
	n := o.Node().Member("add")
	if n == nil {
		return
	}
	for _, e := range add {
		v.terms = append(v.terms, decodeAddend(e, p))
	}
	if n.Kind == '[' && (len(add) == 0 || len(add) > mostTerms) {
		p.Errorf(n, "must have one to three numbers, not %d", len(add))
	}
	exclusive(o, p, "below", "upTo")
	if bound := cmp.Or(below, upTo); bound != nil {
		t := decodeAddend(bound, p)
		v.bound, v.upTo = &t, below == nil
	}
}

// decodeAddend reads a number, or an object that says where it stands.
func decodeAddend(n *config.Node, p *config.Problems) term {
	if number, isNumber := n.Int(); isNumber {
		return term{number: number}
	}
	return decodeNumber(config.NewObjectDecoder(n, p), p)
}

// decodeNumber reads an object that says where a number stands.
func decodeNumber(o *config.ObjectDecoder, p *config.Problems) term {
	t := decodeTerm(o, p)
	t.isItems = o.Bool("items", false, "The number of items that the answer has, in place of path.")
	o.Done()
	if o.Node() == nil {
		return t
	}
	exclusive(o, p, "path", "items")
	exclusive(o, p, "header", "items")
	if t.path == nil && !t.isItems {
		p.Errorf(o.Node(), "needs path, header or items: where the response has the number")
	}
	return t
}

// refuseStill refuses a sum that is sent and never grows.
func (v *boundedSum) refuseStill(n *config.Node, p *config.Problems) {
	isOfAnswer := false
	for i, t := range v.terms {
		isOfAnswer = isOfAnswer || t.path != nil
		if t.path == nil && !t.isItems && t.number <= 0 {
			if _, isNumber := n.Elems[i].Int(); isNumber {
				p.Errorf(n.Elems[i], "must be positive: the walk ends where the sum does not grow")
				return
			}
			// What is wrong with it is told already.
			isOfAnswer = true
		}
	}
	if !isOfAnswer && len(v.terms) > 0 && len(v.terms) <= mostTerms {
		p.Errorf(n, `has no number of the response: write where it stands, such as {"path": "startAt"}`)
	}
}

// places gives each path its index among the values of an answer.
func (v *boundedSum) places(want func(item.Path) int) {
	v.terms = slices.Clone(v.terms)
	for i := range v.terms {
		v.terms[i].at = want(v.terms[i].path)
	}
	if v.bound != nil {
		bound := *v.bound
		bound.at = want(bound.path)
		v.bound = &bound
	}
}

// place says where the response has the value.
func (v *boundedSum) place() string {
	var places []string
	for _, t := range v.terms {
		if t.path != nil {
			places = append(places, evidence.Place(t.path))
		}
	}
	return strings.Join(places, " and ")
}

// found is what the answer has for the value, nil if something of it is missing; of a sum one of its numbers.
func (v *boundedSum) found(f *Facts) (value []byte) {
	for _, t := range v.terms {
		if t.path == nil {
			continue
		}
		value = f.Values[t.at]
		if isMissing(value) || isNullText(t.path, value) {
			return nil
		}
	}
	return value
}

// lacks tells whether the answer lacks one of the numbers.
func (v *boundedSum) lacks(f *Facts) bool {
	isOfAnswer := func(t term) bool { return t.path != nil }
	return slices.ContainsFunc(v.terms, isOfAnswer) && v.found(f) == nil
}

// isNullText tells whether a header has the text by which Salesforce says that there is no value.
func isNullText(path item.Path, value []byte) bool {
	return evidence.IsHeader(path) && string(value) == `"null"`
}

// refuseCut is the error of a value that is to be sent, of which the room page has kept nothing since it is too long.
func refuseCut(value []byte, what, place string) error {
	if text := string(value); text == `[null]` || text == `{"":null}` {
		return fmt.Errorf("%s: what the response has at %s is empty, or longer than a parameter can be", what, place)
	}
	return nil
}

// isMissing tells whether there is nothing to be sent: nothing, null or an empty text.
func isMissing(value []byte) bool {
	text, isText := item.Text(value)
	return item.Kind(value) == 'n' || isText && strings.TrimSpace(text) == ""
}

// numberOf is the number of a term of which the answer has something.
func (v *boundedSum) numberOf(t term, f *Facts, use string) (int64, error) {
	switch {
	case t.isItems:
		return int64(f.Items), nil
	case t.path == nil:
		return t.number, nil
	}
	number, ok := item.Integer(f.Values[t.at])
	if !ok {
		return 0, fmt.Errorf("%s: the response has %s at %s that is no integer, %s",
			v.what, kindName(f.Values[t.at]), evidence.Place(t.path), use)
	}
	return number, nil
}

// sum adds the terms up; not ok: one is missing.
func (v *boundedSum) sum(f *Facts) (sum int64, ok bool, err error) {
	if v.lacks(f) {
		return 0, false, nil
	}
	for _, t := range v.terms {
		number, err := v.numberOf(t, f, "so nothing can be added")
		if err != nil {
			return 0, false, err
		}
		isTooGreat := number > 0 && sum > math.MaxInt64-number || number < 0 && sum < math.MinInt64-number
		if isTooGreat {
			return 0, false, fmt.Errorf("%s: the sum of %s is greater than a number can be", v.what, v.place())
		}
		sum += number
	}
	return sum, true, nil
}

// isBeyond tells whether a sum has reached its bound. One that the answer does not have bounds nothing.
func (v *boundedSum) isBeyond(sum int64, f *Facts) (bool, error) {
	if v.bound == nil || v.bound.path != nil && isMissing(f.Values[v.bound.at]) {
		return false, nil
	}
	bound, err := v.numberOf(*v.bound, f, "and it is to bound a sum")
	return err == nil && (sum > bound || sum == bound && !v.upTo), err
}

// before is what the page itself was asked for with: the sum of the page before it, or what the job has there; 0: nothing.
func (v *sentValue) before(s *State, j *Job) int64 {
	last := item.Lookup([]byte(s.Own.Cursor), item.Path{v.name})
	if last == nil {
		last = j.Own(v.at)
	}
	number, _ := item.Integer(last)
	return number
}

// written is a value as it is to be sent.
func (v *sentValue) written(value []byte) ([]byte, error) {
	text, isText := item.Text(value)
	text = strings.TrimSpace(text)
	kind := item.Kind(value)
	switch v.as {
	case "number":
		if kind == '0' {
			return value, nil
		}
		_, isNumber := item.ParseDecimal(text)
		if isText && isNumber && item.Kind([]byte(text)) == '0' {
			return []byte(text), nil
		}
	case "boolean":
		lower := bytes.ToLower([]byte(text))
		if kind == 't' || kind == 'f' {
			return value, nil
		}
		if isText && (string(lower) == "true" || string(lower) == "false") {
			return lower, nil
		}
	case "text":
		if kind == '"' {
			return value, nil
		}
		if kind != '{' && kind != '[' {
			return item.Quote(string(value)), nil
		}
	default:
		return value, nil
	}
	return nil, fmt.Errorf("params.%s: the response has %s at %s that cannot be sent as a %s",
		v.name, kindName(value), v.place(), v.as)
}

// writtenSum is a sum as it is to be sent.
func (v *sentValue) writtenSum(sum int64) []byte {
	digits := strconv.AppendInt(nil, sum, 10)
	if v.as == "text" {
		return item.Quote(string(digits))
	}
	return digits
}
