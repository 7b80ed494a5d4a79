package page

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
)

// enter goes into an object on the way to the items.
func (r *bodyReading) enter() {
	n := len(r.spec.With.members)
	r.above = append(r.above, above{values: make([]jsontext.Value, n), seen: make([]bool, n)})
}

// leave makes the items that have waited for what the object at hand has, and goes out of it.
func (r *bodyReading) leave() error {
	a := &r.above[len(r.above)-1]
	if len(a.held) > 0 {
		if err := r.release(a); err != nil {
			return err
		}
	}
	r.above = r.above[:len(r.above)-1]
	return nil
}

// readWith reads a member by read, and takes from it what the items get.
func (r *bodyReading) readWith(quoted []byte, read func() error) error {
	name := item.Unquote(quoted)
	text, err := r.capture(read)
	if err != nil {
		return err
	}
	// What stands before the value was captured, too.
	value := slices.Clone(text[len(":"):])
	a := &r.above[len(r.above)-1]
	for i, m := range r.spec.With.members {
		if m.path[0] != name {
			continue
		}
		if a.seen[i] {
			r.fail("the object above the list has the member %q more than once, where dataField.with wants one", r.clean(name))
		}
		a.seen[i] = true
		if len(text) > keptWhole {
			r.fail("the member %q is longer than %s, the limit for what each item gets by dataField.with",
				r.clean(name), pipeline.Size(keptWhole))
			return nil
		}
		a.values[i] = value
		if len(m.path) > 1 {
			a.values[i] = item.Lookup(value, m.path[1:])
		}
	}
	return nil
}

// mustWait tells whether the items of a list at hand lack what may stand behind it.
func (r *bodyReading) mustWait() bool {
	if r.spec.With == nil {
		return false
	}
	r.lead = r.lead[:0]
	if len(r.above) == 0 {
		r.fail("no object stands above the list at %s, in which dataField.with could be read", r.clean(r.spec.Field))
		return false
	}
	a := &r.above[len(r.above)-1]
	for _, v := range a.values {
		if v == nil {
			return true
		}
	}
	r.leadWith(a)
	return false
}

// leadWith makes what the items of the list at hand begin with.
func (r *bodyReading) leadWith(a *above) {
	r.lead = append(r.lead[:0], '{')
	for i, m := range r.spec.With.members {
		if i > 0 {
			r.lead = append(r.lead, ',')
		}
		r.lead = append(item.AppendQuote(r.lead, m.name), ':')
		r.lead = append(r.lead, a.values[i]...)
	}
}

// hold reads a list that has to wait, at n.
func (r *bodyReading) hold(kind jsontext.Kind, n *wantedNode) error {
	raw, err := r.dec.ReadValue()
	a := &r.above[len(r.above)-1]
	if err != nil {
		err = r.broken(err)
		bad, ok := errors.AsType[*Error](err)
		if ok && errors.Is(r.body.end, errTooLong) {
			r.waitsInVain(a, bad)
		}
		return err
	}
	if a.size+int64(len(raw)) > r.body.limit {
		bad := r.tooLong(raw)
		r.waitsInVain(a, bad)
		return bad
	}
	text, replaced := item.Compact(nil, raw)
	a.held = append(a.held, heldList{kind: kind, text: text})
	a.size += int64(len(text))
	r.page.Replaced += replaced
	// Its items are counted when they are made.
	bytes := r.page.Bytes
	r.count(text)
	r.page.Bytes = bytes + int64(len("[]"))
	r.found(n, text)
	return nil
}

// waitsInVain says what a list waits for that is too long to wait.
func (r *bodyReading) waitsInVain(a *above, bad *Error) {
	i := slices.IndexFunc(a.values, func(v jsontext.Value) bool { return v == nil })
	bad.Remedy = ": the list is held until " + r.clean(r.spec.With.members[i].path.String()) + " has come, which dataField.with names " +
		"and which stands behind the list: ask for less at a time, or take it out of with"
}

// release makes the items of the lists that have waited in an object, which was read whole.
func (r *bodyReading) release(a *above) error {
	for i, v := range a.values {
		if v != nil {
			continue
		}
		if !r.waitsForNone(a) {
			m := r.spec.With.members[i]
			r.fail("the object above the list at %s has no %s, which dataField.with names for %q: take it out there, "+
				"or ask the API for it", r.clean(r.spec.Field), r.clean(m.path.String()), m.name)
		}
		return nil
	}
	r.leadWith(a)
	// Who captures the object has them already.
	captures := r.captures
	r.captures = nil
	defer func() { r.captures = captures }()
	for _, h := range a.held {
		if err := r.allHeld(h); err != nil {
			return err
		}
	}
	return nil
}

// waitsForNone tells whether the lists that wait in an object have no items.
func (r *bodyReading) waitsForNone(a *above) bool {
	hasItems := func(h heldList) bool {
		isItem := h.kind == '{' && r.spec.Members == "" && r.spec.Bare == nil
		return isItem || len(h.text) > len("[]")
	}
	return !slices.ContainsFunc(a.held, hasItems)
}

// allHeld makes the items of a list that has waited.
func (r *bodyReading) allHeld(h heldList) error {
	switch {
	case h.kind == '[':
		return r.elementsHeld(h.text)
	case r.spec.Bare != nil:
		return r.acrossAll(h.text)
	case r.spec.Members == "":
		// The brackets are its own.
		r.page.Bytes -= int64(len("{}"))
		return r.item(h.text, nil)
	}
	i := 0
	for name, value := range item.Members(h.text) {
		if i > 0 {
			r.count([]byte{','})
		}
		if err := r.item(r.keyed(name, value), nil); err != nil {
			return err
		}
		i++
	}
	return nil
}

// elementsHeld makes the items of an array that has waited.
func (r *bodyReading) elementsHeld(array []byte) error {
	if r.spec.Bare != nil {
		r.header = r.spec.Bare.names
	}
	i := 0
	for value := range item.Elements(array) {
		if i > 0 {
			r.count([]byte{','})
		} else {
			r.noMap('[')
		}
		add := func() error { return r.item(value, nil) }
		if r.spec.Bare != nil {
			add = func() error { return r.bareRow(value, i, nil) }
		}
		if err := add(); err != nil {
			return err
		}
		i++
	}
	return nil
}

// led is an item with what it gets of the object above its list; made tells that it is compact.
func (r *bodyReading) led(raw []byte) (text []byte, made bool) {
	if r.spec.With == nil {
		return raw, false
	}
	// The text of a row is in r.made.
	r.joined = append(r.joined[:0], r.lead...)
	begin := len(r.joined)
	text, replaced := item.Compact(r.joined, raw)
	r.joined = text
	r.page.Replaced += replaced
	own := text[begin:]
	if item.Kind(own) != '{' {
		r.fail("an item of the list at %s is %s, where dataField.with wants an object",
			r.clean(r.spec.Field), item.Noun(item.Kind(own)))
		return text[begin:], true
	}
	for name := range item.Members(own) {
		for _, m := range r.spec.With.members {
			if item.NameIs(name, m.name) {
				r.fail("an item of the list at %s has a member %q itself: give it another name in dataField.with",
					r.clean(r.spec.Field), m.name)
			}
		}
	}
	if string(own) == "{}" {
		return append(text[:begin], '}'), true
	}
	// The comma takes the place of its bracket.
	text[begin] = ','
	return text, true
}

// grown is the error about items that are too long for the text that they were made of; nil: they are not.
func (r *bodyReading) grown(each int, what string) error {
	if r.page.Bytes > r.body.most {
		return r.endless()
	}
	why := pipeline.Explosion(r.body.at(), "response", r.page.Bytes)
	if why == "" {
		return nil
	}
	e := judgement("%s", why)
	e.Remedy = fmt.Sprintf(": %s, which each item has, are %d bytes long", what, each)
	return e
}
