package template

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
	"sluice/pipeline/item"
)

// Marks stand for expressions while the text around them is read, as a value of Python or of JSON: characters of private
// use, which no manifest has.
const markBegin, markEnd = "\ue000", "\ue001"

var marks = pattern.Lazy(markBegin + `([0-9]+)` + markEnd)

// marked is the mark of the expression with a number.
func marked(i int) string { return markBegin + strconv.Itoa(i) + markEnd }

// filledIn has expressions in the place of the marks in a text.
func filledIn(text string, all []Meaning) (parts []Meaning) {
	end := 0
	for _, at := range marks().FindAllStringSubmatchIndex(text, -1) {
		if at[0] > end {
			parts = append(parts, Meaning{Constant: text[end:at[0]]})
		}
		if i, _ := strconv.Atoi(text[at[2]:at[3]]); i < len(all) {
			parts = append(parts, all[i])
		}
		end = at[1]
	}
	if end < len(text) {
		parts = append(parts, Meaning{Constant: text[end:]})
	}
	return parts
}

// literal is what Python reads in the text that a meaning is; it has marks in the place of parts that are
// not known.
func (sc Scope) literal(m Meaning) (v any, ok bool) {
	if text, isKnown := m.Known(); isKnown {
		return python.Literal(text)
	}
	if len(m.parts) == 0 {
		return nil, false
	}
	var text, known strings.Builder
	isKnown := true
	for i, p := range m.parts {
		own, isText := p.Constant.(string)
		switch {
		case strings.Contains(own, markBegin):
			return nil, false
		case isText:
			text.WriteString(own)
			known.WriteString(own)
			continue
		case p.setting == nil:
			isKnown = false
		default:
			known.WriteString(python.Rendered(p.setting.Value))
		}
		text.WriteString(marked(i))
	}
	if v, ok := python.Literal(text.String()); ok {
		return v, true
	}
	if isKnown {
		return python.Literal(known.String())
	}
	if v, ok := m.numbered(); ok {
		return v, true
	}
	all := strings.TrimSpace(text.String())
	if strings.ContainsAny(all[:1], "[{(") && strings.ContainsAny(all[len(all)-1:], "]})") {
		panic(fault.New("a list or an object with a value that is known only in a run, outside of texts, is not supported"))
	}
	return nil, false
}

// A hole is the place of a part that is a number, in a value that Python reads.
type hole int

// firstHole is a number that stands for the first part, where nobody writes such numbers.
const firstHole = 7_777_000_777_000_000

// numbered is what Python reads where all parts outside of texts are numbers; those within texts have marks.
func (m Meaning) numbered() (any, bool) {
	var b strings.Builder
	quote := byte(0)
	for i, p := range m.parts {
		text, isText := p.Constant.(string)
		switch {
		case isText:
			b.WriteString(text)
			quote = quoteBehind(text, quote)
		case quote != 0:
			b.WriteString(marked(i))
		case p.isNumber():
			b.WriteString(strconv.Itoa(firstHole + i))
		case p.setting != nil:
			b.WriteString(python.Rendered(p.setting.Value))
		default:
			return nil, false
		}
	}
	v, ok := python.Literal(b.String())
	if _, isNumber := v.(int64); isNumber {
		return nil, false
	}
	return python.Everywhere(python.Listed(v), func(v any) any {
		number, _ := v.(int64)
		if number >= firstHole && number < int64(firstHole+len(m.parts)) {
			return hole(number - firstHole)
		}
		return v
	}), ok
}

// quoteBehind is the quote that a text is within behind its end, having been within quote; 0: none.
func quoteBehind(text string, quote byte) byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != 0:
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		}
	}
	return quote
}

// composed is a value with the parts of a meaning in the place of their marks.
func (sc Scope) composed(v any, m Meaning) Meaning {
	known, isKnown := m.Known()
	if text, ok := v.(string); ok && isKnown && known == text {
		return m
	}
	v = python.Listed(v)
	if !hasMarks(v) {
		sc.decided(m)
		return Meaning{Constant: v}
	}
	return Meaning{Expr: m.withParts(v)}
}

func hasMarks(v any) (has bool) {
	python.Everywhere(v, func(v any) any {
		switch v := v.(type) {
		case hole:
			has = true
		case string:
			has = has || marks().MatchString(v)
		case map[string]any:
			for name := range v {
				has = has || marks().MatchString(name)
			}
		}
		return v
	})
	return has
}

// withParts is a value with expressions in the place of marks.
func (m Meaning) withParts(v any) write.Expr {
	switch v := v.(type) {
	case hole:
		return m.parts[v].Expr
	case string:
		parts := filledIn(v, m.parts)
		if len(parts) == 1 && parts[0].isText() {
			return parts[0].Expr
		}
		return joinedText(parts).Value()
	case []any:
		var all write.Array
		for _, e := range v {
			all = append(all, m.withParts(e))
		}
		return all
	case map[string]any:
		var all write.Object
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fault.If(hasMarks(name), "a name of a member that is known only in a run is not supported")
			all = all.And(name, m.withParts(v[name]))
		}
		return data(all)
	}
	return write.Data(v)
}

// isText tells an expression that is a text, whatever it stands for.
func (m Meaning) isText() bool {
	if m.setting == nil {
		r, _ := m.Expr.(write.Reference)
		return r.Kind == "attr" && strings.HasPrefix(r.Name, "#")
	}
	_, ok := m.setting.Value.(string)
	return ok
}

// decided notes that what a meaning refers to has decided.
func (sc Scope) decided(m Meaning) {
	for _, p := range append(slices.Clone(m.parts), m) {
		if p.setting != nil {
			_, _ = sc.Values.Decide(*p.setting)
		}
	}
}

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
func (t *textBody) expr(value []byte) write.Expr {
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
		var all []write.Expr
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
