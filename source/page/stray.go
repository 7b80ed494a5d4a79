package page

import "github.com/go-json-experiment/json/jsontext"

// isStray tells whether a value of that kind, which stands alone in the place of
// the items, is no item, but such as the text of an error.
func (r *bodyReading) isStray(kind jsontext.Kind) bool {
	if kind == '{' || r.spec.Scalar {
		return false
	}
	steps := r.spec.Select
	return len(steps) == 0 || steps[len(steps)-1] != Every
}

// judgeAlone says what a scalar in the place of the items is: an item if the response has nothing else.
func (r *bodyReading) judgeAlone() {
	if r.alone == nil {
		return
	}
	if len(r.page.Beside.Members) > 0 {
		r.stray(r.spec.Field, r.alone)
		return
	}
	r.page.Alone = r.clean(string(r.alone))
}

// stray says that a scalar is no item; path leads to it.
func (r *bodyReading) stray(path string, text []byte) {
	if r.fault != nil {
		return
	}
	name := r.clean(path)
	switch {
	case path == "." && r.spec.Format.Lines():
		name = "the line"
	case path == ".":
		name = "the answer"
	}
	r.fault = stray(name, r.clean(string(text)), r.clean(path))
}
