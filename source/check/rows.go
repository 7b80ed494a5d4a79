package check

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/walk"
)

// Rows without names: what a page of them shows, and the dataField that makes objects of them.

// proposeRows enters the dataField if the page seems to have rows without names.
func (k *checker) proposeRows(w *walk.Walk, came *walk.Fetched, seen *looked, p *FirstPage) {
	spec := &w.Job.Spec
	if spec.Bare != nil || spec.Members != "" || !spec.Format.Document() || spec.Format.Mapped() {
		return
	}
	at, rows := came.Page.Field, ""
	switch {
	case item.Kind(seen.first) == '[':
		rows = namesOf(seen.first, seen.last, seen.items)
	case p.Object && seen.items == 1:
		below, isTable := columnsIn(seen.first)
		if isTable {
			at, rows = join(at, below), inColumns
		}
	case came.Page.NoArray:
		at = columnsBeside(came)
		if at != "" {
			rows = inColumns
		}
	}
	if rows == "" {
		return
	}
	field := item.ObjectBuilder{"path", string(item.Quote(at)), "rows", rows}.String()
	// With a secret in it, it could not be pasted.
	if k.redact(field) == field {
		p.DataField = []byte(field)
	}
}

const (
	inColumns   = `"columns"`
	underHeader = `"header"`
)

// join is the path that leads on from another one.
func join(at string, below item.Path) string {
	if len(below) == 0 {
		return at
	}
	if at == "." {
		return below.String()
	}
	return at + "." + below.String()
}

// namesOf says how the values in rows get names: by the first row if it may be a header, else by a
// list of names that are to be replaced. It is empty if the rows have no values.
func namesOf(first, last []byte, rows int) string {
	values := 0
	for range item.Elements(first) {
		values++
	}
	mayBeTable := values > 0 && item.Kind(last) == '['
	if !mayBeTable {
		return ""
	}
	if rows > 1 && isHeader(first, last) {
		return underHeader
	}
	var names []string
	for i := range values {
		names = append(names, fmt.Sprintf(`"column%d"`, i+1))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// isHeader tells whether a row may have the names of the values of another one: texts, each other than
// the rest and than the value below it, and none a number.
func isHeader(first, other []byte) bool {
	var names []string
	for value := range item.Elements(first) {
		_, isNumber := item.DecimalOf(value)
		isName := item.Kind(value) == '"' && len(value) > len(`""`) && !isNumber
		if !isName || slices.Contains(names, string(value)) {
			return false
		}
		names = append(names, string(value))
	}
	for value := range item.Elements(other) {
		if len(names) == 0 || bytes.Equal(value, []byte(names[0])) {
			return false
		}
		names = names[1:]
	}
	return true
}

// leastColumns is how many arrays of one length make an object a table: one alone may be anything.
const leastColumns = 2

// columnsIn is the path of the object with the likeliest array of a response, if it is a table.
func columnsIn(response []byte) (at item.Path, ok bool) {
	if isTable(response) {
		return nil, true
	}
	all := arrays(response, nil)
	if len(all) == 0 {
		return nil, false
	}
	at = item.ParsePath(all[0], ".")
	at = at[:len(at)-1]
	return at, len(at) > 0 && isTable(item.Lookup(response, at))
}

// isTable tells whether the members of an object are all arrays of one length, of values that are
// no containers.
func isTable(object []byte) bool {
	columns, rows := 0, 0
	for _, value := range item.Members(object) {
		n := 0
		for element := range item.Elements(value) {
			if kind := item.Kind(element); kind == '{' || kind == '[' {
				return false
			}
			n++
		}
		if n == 0 || columns > 0 && n != rows {
			return false
		}
		columns, rows = columns+1, n
	}
	return columns >= leastColumns && rows > 1
}

// columnsBeside is the path of the object that has several of the arrays of a response, all of one length;
// empty if there is none.
func columnsBeside(came *walk.Fetched) string {
	lengths := map[string][]int{}
	var parents []string
	for _, a := range came.Page.Beside.Arrays {
		parent := "."
		if dot := strings.LastIndexByte(a.Path, '.'); dot > 0 {
			parent = a.Path[:dot]
		}
		if lengths[parent] == nil {
			parents = append(parents, parent)
		}
		lengths[parent] = append(lengths[parent], a.Items)
	}
	for _, parent := range parents {
		all := lengths[parent]
		isOneLength := slices.Min(all) == slices.Max(all) && all[0] > 1
		if isOneLength && len(all) >= leastColumns {
			return parent
		}
	}
	return ""
}
