package template

import (
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
)

// MeanBody is what a JSON body gives: an object of templates, or a template that is the text of one.
func (sc Scope) MeanBody(n *manifest.Section) write.Object {
	if n.IsObject() {
		return sc.MeanAll(n)
	}
	text := n.Text()
	fault.If(strings.Contains(text, "{%"), "a body whose text has statements is not supported")
	var t textBody
	compact, _ := item.Compact(nil, []byte(t.mark(text)))
	isValid, _ := item.Valid(compact, nil)
	fault.If(!isValid || item.Kind(compact) != '{', "a body that is neither a form nor a JSON object is not supported")
	for _, source := range t.sources {
		m := sc.Mean(n.As(source)).timed()
		fault.If(m.Nothing, "%s gives no text in a body", source)
		t.values = append(t.values, m)
	}
	return t.object(compact)
}

// A textBody is the text of a body in which expressions stand.
type textBody struct {
	// sources are the expressions, with their braces; values what they give.
	sources []string
	values  []Meaning
}

// braced is an expression.
var braced = pattern.Lazy(`(?s)\{\{.*?\}\}`)

// bare marks a text that is an expression outside of quotes, which it gets.
const bare = "\ue002"

// mark is the text with marks in place of expressions; one that stands outside of quotes gets some.
func (t *textBody) mark(text string) string {
	isQuoted, end := false, 0
	var b strings.Builder
	for _, at := range braced().FindAllStringIndex(text, -1) {
		literal := text[end:at[0]]
		quotes := strings.Count(strings.ReplaceAll(literal, `\"`, ""), `"`)
		isQuoted = isQuoted != (quotes%2 == 1)
		mark := marked(len(t.sources))
		if !isQuoted {
			mark = `"` + bare + mark + `"`
		}
		b.WriteString(literal + mark)
		t.sources = append(t.sources, text[at[0]:at[1]])
		end = at[1]
	}
	return b.String() + text[end:]
}

// object is one with what the marks in it stand for.
func (t *textBody) object(value []byte) write.Object {
	o := write.Object{}
	for name, inner := range item.Members(value) {
		o = o.And(item.Unquote(name), t.expr(inner))
	}
	return o
}

// expr is a value with what the marks in it stand for.
func (t *textBody) expr(value []byte) write.ConfigValue {
	switch item.Kind(value) {
	case '{':
		return t.object(value)
	case '[':
		var all write.Array
		for inner := range item.Elements(value) {
			all = append(all, t.expr(inner))
		}
		return all
	case '"':
		text, isBare := strings.CutPrefix(item.Unquote(value), bare)
		parts := filledIn(text, t.values)
		if isBare {
			return parts[0].Value()
		}
		var all []write.ConfigValue
		for _, p := range parts {
			if p.Expr == nil {
				p.Constant = python.Printed(p.Constant)
			}
			all = append(all, p.Value())
		}
		return write.Joined(all...)
	}
	return write.Word(value)
}
