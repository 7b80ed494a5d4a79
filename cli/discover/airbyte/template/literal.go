package template

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
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
func (m Meaning) withParts(v any) write.ConfigValue {
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
