package extend

import (
	"bytes"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// An edit is a part of a text with what stands in its place.
type edit struct {
	begin, end int
	text       string
}

// edits change a text in several places. All else stays as it is, byte for byte.
type edits struct {
	text []byte
	all  []edit

	// unit is what each level is indented by, newline what a line ends with.
	unit, newline string
}

// newEdits finds out how a text is laid out.
func newEdits(text []byte) *edits {
	e := &edits{text: text, unit: "  ", newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		e.newline = "\r\n"
	}
	for line := range bytes.Lines(text) {
		blank := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		isEmpty := len(bytes.TrimSpace(line)) == 0
		if len(blank) > 0 && !isEmpty {
			e.unit = string(blank)
			break
		}
	}
	return e
}

// add notes an edit.
func (e *edits) add(begin, end int, text string) {
	e.all = append(e.all, edit{begin, end, strings.ReplaceAll(text, "\n", e.newline)})
}

// result is the text with all edits. Those at one place stand in the order in which they were added.
func (e *edits) result() []byte {
	slices.SortStableFunc(e.all, func(a, b edit) int { return a.begin - b.begin })
	var out []byte
	at := 0
	for _, one := range e.all {
		out = append(append(out, e.text[at:one.begin]...), one.text...)
		at = one.end
	}
	return append(out, e.text[at:]...)
}

// blankBefore is what the line of a place begins with, if nothing else stands before the place.
func (e *edits) blankBefore(at int) (blank string, isAlone bool) {
	line := e.text[bytes.LastIndexByte(e.text[:at], '\n')+1 : at]
	rest := bytes.TrimLeft(line, " \t")
	isFirst := bytes.IndexByte(e.text[:at], '\n') < 0
	return string(line[:len(line)-len(rest)]), len(rest) == 0 && !isFirst
}

// isLong tells whether a value has several lines.
func (e *edits) isLong(v *placedValue) bool { return bytes.IndexByte(e.text[v.begin:v.end], '\n') >= 0 }

// like is JSON on one line, or indented, as a value that stands before it is.
func (e *edits) like(before *placedValue, line string) string {
	if !e.isLong(before) {
		return line
	}
	blank, _ := e.blankBefore(before.begin)
	return indented(line, blank, e.unit)
}

// behind is what stands between a value or a member and the one that follows it, as it is laid out.
func (e *edits) behind(begin int) string {
	if blank, isAlone := e.blankBefore(begin); isAlone {
		return ",\n" + blank
	}
	return ", "
}

// addElement adds an element to an array that has some.
func (e *edits) addElement(array *placedValue, line string) {
	last := array.elems[len(array.elems)-1]
	e.add(last.end, last.end, e.behind(last.begin)+e.like(last, line))
}

// addMember adds a member to an object, which has none of that name, or null.
func (e *edits) addMember(object *placedValue, name, line string) {
	if len(object.members) == 0 {
		e.add(object.begin+1, object.begin+1, quoted(name)+": "+line)
		return
	}
	if i := object.index(name); i >= 0 {
		// It is null.
		e.add(object.members[i].placedValue.begin, object.members[i].placedValue.end, line)
		return
	}
	last := object.members[len(object.members)-1]
	blank, isAlone := e.blankBefore(last.begin)
	short := quoted(name) + ": " + line
	isContainer := strings.HasPrefix(line, "{") && line != "{}" || strings.HasPrefix(line, "[{")
	if isAlone && isContainer && !e.fits(object, len(blank)+len(short)) {
		short = quoted(name) + ": " + indented(line, blank, e.unit)
	}
	e.add(last.end, last.end, e.behind(last.begin)+short)
}

// fits tells whether a new member of so many columns stands on one line: as the last object beside it does, if there is
// one.
func (e *edits) fits(object *placedValue, columns int) bool {
	most := 100
	for _, m := range object.members {
		if m.kind != '{' {
			continue
		}
		if e.isLong(m.placedValue) {
			most = 0
		} else {
			most = 160
		}
	}
	return columns <= most
}

// removeMember removes one of several members.
func (e *edits) removeMember(object *placedValue, index int) {
	if index > 0 {
		e.add(object.members[index-1].end, object.members[index].end, "")
		return
	}
	e.add(object.members[0].begin, object.members[1].begin, "")
}

// wrap puts an object around a member of another one: before it, the member that leads to it last, and after it the
// others.
func (e *edits) wrap(parent, v *placedValue, before item.ObjectBuilder, name string, beside, after item.ObjectBuilder) {
	if !e.isLong(parent) {
		e.add(v.begin, v.begin, strings.TrimSuffix(before.String(), "}")+", "+quoted("scrollers")+": {"+quoted(name)+": ")
		e.add(v.end, v.end, rest(beside)+"}"+rest(after)+"}")
		return
	}
	blank, _ := e.blankBefore(v.begin)
	one, two := "\n"+blank+e.unit, "\n"+blank+e.unit+e.unit
	begin := "{"
	for m := range slices.Chunk(before, 2) {
		begin += one + quoted(m[0]) + ": " + m[1] + ","
	}
	e.add(v.begin, v.begin, begin+one+quoted("scrollers")+": {"+two+quoted(name)+": ")
	e.indent(v, e.unit+e.unit)
	end := ""
	for m := range slices.Chunk(beside, 2) {
		line := m[1]
		if e.isLong(v) {
			line = indented(line, two[1:], e.unit)
		}
		end += "," + two + quoted(m[0]) + ": " + line
	}
	end += one + "}"
	for m := range slices.Chunk(after, 2) {
		end += "," + one + quoted(m[0]) + ": " + m[1]
	}
	e.add(v.end, v.end, end+"\n"+blank+"}")
}

// rest are the members of an object behind others.
func rest(o item.ObjectBuilder) string {
	if len(o) == 0 {
		return ""
	}
	return ", " + strings.TrimSuffix(strings.TrimPrefix(o.String(), "{"), "}")
}

// indent moves the lines of a value, all but the first, to the right.
func (e *edits) indent(v *placedValue, by string) {
	for i := v.begin; i < v.end; i++ {
		isBlank := i+1 < v.end && bytes.IndexByte([]byte("\r\n"), e.text[i+1]) >= 0
		if e.text[i] == '\n' && !isBlank {
			e.add(i+1, i+1, by)
		}
	}
}
