package template

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
	"sluice/pipeline/item"
)

// MeanBody is what a JSON body gives: an object of templates, or a template that is the text of one.
func (sc Scope) MeanBody(n *manifest.Node) (item.Object, error) {
	if n.IsObject() {
		return sc.MeanAll(n)
	}
	text := n.Text()
	if strings.Contains(text, "{%") {
		return nil, errors.New("a body whose text has statements is not understood")
	}
	var t textBody
	marked := t.mark(text)
	compact, _ := item.Compact(nil, []byte(marked))
	isValid, _ := item.Valid(compact, nil)
	if !isValid || item.Kind(compact) != '{' {
		return nil, errors.New("a body that is neither a form nor a JSON object cannot be said")
	}
	for _, source := range t.sources {
		m, err := sc.Mean(n.As(source))
		if err != nil {
			return nil, err
		}
		if m.Nothing || m.Moment {
			return nil, fmt.Errorf("%s gives no text in a body", source)
		}
		t.values = append(t.values, m)
	}
	return write.ObjectOf(t.filled(compact)), nil
}

// A textBody is the text of a body in which expressions stand.
type textBody struct {
	// sources are the expressions, with their braces; values what they give.
	sources []string
	values  []Meaning
}

// Marks stand for expressions while the text around them is read as JSON: characters of private use, which no manifest
// has.
const (
	markBegin = "\uE000"
	markEnd   = "\uE001"
)

var (
	braced = pattern.Lazy(`(?s)\{\{.*?\}\}`)
	marks  = pattern.Lazy(markBegin + `(\d+)(b?)` + markEnd)
)

// mark is the text with marks in place of expressions; one that stands outside of quotes gets some.
func (t *textBody) mark(text string) string {
	var marked strings.Builder
	isQuoted, end := false, 0
	for _, at := range braced().FindAllStringIndex(text, -1) {
		literal := text[end:at[0]]
		marked.WriteString(literal)
		isQuoted = isQuoted != isOdd(literal)
		mark := strconv.Itoa(len(t.sources))
		if isQuoted {
			marked.WriteString(markBegin + mark + markEnd)
		} else {
			marked.WriteString(`"` + markBegin + mark + "b" + markEnd + `"`)
		}
		t.sources = append(t.sources, text[at[0]:at[1]])
		end = at[1]
	}
	marked.WriteString(text[end:])
	return marked.String()
}

// isOdd tells whether the quotes of a text open or close one that it does not close or open.
func isOdd(text string) bool {
	return strings.Count(strings.ReplaceAll(text, `\"`, ""), `"`)%2 == 1
}

// filled is a value with what the marks in it stand for.
func (t *textBody) filled(value []byte) string {
	switch item.Kind(value) {
	case '{':
		var o item.Object
		for name, inner := range item.Members(value) {
			o = append(o, item.Unquote(name), t.filled(inner))
		}
		return o.String()
	case '[':
		var all []string
		for inner := range item.Elements(value) {
			all = append(all, t.filled(inner))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case '"':
		return t.text(item.Unquote(value))
	}
	return string(value)
}

// text is a text with what the marks in it stand for.
func (t *textBody) text(text string) string {
	var all write.Parts
	end := 0
	for _, at := range marks().FindAllStringSubmatchIndex(text, -1) {
		number, _ := strconv.Atoi(text[at[2]:at[3]])
		m := t.values[number]
		if at[4] < at[5] {
			return m.JSON()
		}
		value := m.Expr
		if value == "" {
			value = write.Quote(python.Printed(m.Constant))
		}
		all = all.And(write.Quote(text[end:at[0]])).And(write.PartsOf(value)...)
		end = at[1]
	}
	return all.And(write.Quote(text[end:])).JSON()
}
