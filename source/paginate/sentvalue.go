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
// the sum of up to two numbers.
type sentValue struct {
	// name is that of its member in params.
	name string
	at   config.Place
	// as is number, text or boolean; empty: as the answer has it, or a number if it is a sum.
	as string
	// terms are one where it is no sum.
	terms []term
	isSum bool
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
}

// mostTerms is how many numbers are added at most.
const mostTerms = 2

// decodeTerm reads where a value stands: at path, or in a header.
func decodeTerm(o *config.Object, p *config.Problems) (t term) {
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
func decodeSent(o *config.Object, name string, p *config.Problems) sentValue {
	v := sentValue{name: name, at: config.Named(name)}
	alone := decodeTerm(o, p)
	add := o.List("add", "Instead: one or two numbers, whose sum is sent: "+
		"a path or a header of the response, or a number.", "responseNumber", "integer")
	below := o.Any("below", "Where the response has a number, below which a sum must be: else the walk ends.", "responseNumber")
	upTo := o.Any("upTo", "Likewise, a number that a sum may be at most.", "responseNumber")
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
		v.terms = []term{alone}
		if n.Member("path") == nil && n.Member("header") == nil {
			p.Errorf(n, "needs path, header or add: where the response has the value")
		}
		for _, bound := range []*config.Node{below, upTo} {
			if bound != nil {
				p.Errorf(bound, "is a bound of a sum: set add")
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
	v.decodeSum(n.Member("add"), add, p)
	exclusive(o, p, "below", "upTo")
	if bound := cmp.Or(below, upTo); bound != nil {
		if t := decodeNumber(bound, p); t.path != nil {
			v.bound, v.upTo = &t, below == nil
		}
	}
	return v
}

// decodeNumber reads an object that says where a number stands.
func decodeNumber(n *config.Node, p *config.Problems) term {
	o := config.NewObject(n, p)
	t := decodeTerm(o, p)
	o.Done()
	if o.Node() != nil && t.path == nil {
		p.Errorf(n, "needs path or header: where the response has the number")
	}
	return t
}

// decodeSum reads the terms of a sum.
func (v *sentValue) decodeSum(n *config.Node, add []*config.Node, p *config.Problems) {
	for _, e := range add {
		number, isNumber := e.Int()
		switch {
		case !isNumber:
			v.terms = append(v.terms, decodeNumber(e, p))
		case number <= 0:
			p.Errorf(e, "must be positive: the walk ends where the sum does not grow")
		default:
			v.terms = append(v.terms, term{number: number})
		}
	}
	// One without a number is told already.
	isOfAnswer := func(t term) bool { return t.number == 0 }
	if n.Kind == '[' && (len(add) == 0 || len(add) > mostTerms) {
		p.Errorf(n, "must have one or two numbers, not %d", len(add))
	} else if len(v.terms) == len(add) && len(add) > 0 && !slices.ContainsFunc(v.terms, isOfAnswer) {
		p.Errorf(n, `has no number of the response: write where it stands, such as {"path": "startAt"}`)
	}
}

// place says where the response has the value.
func (v *sentValue) place() string {
	var places []string
	for _, t := range v.terms {
		if t.path != nil {
			places = append(places, evidence.Place(t.path))
		}
	}
	return strings.Join(places, " and ")
}

// found is what the answer has for the value, nil if something of it is missing; of a sum one of its numbers.
func (v *sentValue) found(f *Facts) (value []byte) {
	for _, t := range v.terms {
		if t.path == nil {
			continue
		}
		value = f.Values[t.at]
		// So Salesforce writes that there is none.
		isNullText := evidence.IsHeader(t.path) && string(value) == `"null"`
		if isMissing(value) || isNullText {
			return nil
		}
	}
	return value
}

// isMissing tells whether there is nothing to be sent: nothing, null or an empty text.
func isMissing(value []byte) bool {
	text, isText := item.Text(value)
	return item.Kind(value) == 'n' || isText && strings.TrimSpace(text) == ""
}

// sum adds the terms up; not ok: one is missing.
func (v *sentValue) sum(f *Facts) (sum int64, ok bool, err error) {
	if v.found(f) == nil {
		return 0, false, nil
	}
	for _, t := range v.terms {
		number := t.number
		if t.path != nil {
			number, ok = item.Integer(f.Values[t.at])
			if !ok {
				return 0, false, fmt.Errorf("params.%s: the response has %s at %s that is no integer, so nothing can be added",
					v.name, kindName(f.Values[t.at]), evidence.Place(t.path))
			}
		}
		isTooGreat := number > 0 && sum > math.MaxInt64-number || number < 0 && sum < math.MinInt64-number
		if isTooGreat {
			return 0, false, fmt.Errorf("params.%s: the sum of %s is greater than a number can be", v.name, v.place())
		}
		sum += number
	}
	return sum, true, nil
}

// isBeyond tells whether a sum has reached its bound. One that the answer does not have bounds nothing.
func (v *sentValue) isBeyond(sum int64, f *Facts) (bool, error) {
	if v.bound == nil || isMissing(f.Values[v.bound.at]) {
		return false, nil
	}
	bound, ok := item.Integer(f.Values[v.bound.at])
	if !ok {
		return false, fmt.Errorf("params.%s: the response has %s at %s that is no integer, and it is to bound a sum",
			v.name, kindName(f.Values[v.bound.at]), evidence.Place(v.bound.path))
	}
	return sum > bound || sum == bound && !v.upTo, nil
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
