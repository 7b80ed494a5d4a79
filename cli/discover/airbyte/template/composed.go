package template

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
)

// A mark stands for a part that only a run knows, in a text in which Python's values are looked for.
const runBegin, runEnd = "\ue002", "\ue003"

var runMarks = pattern.Lazy(runBegin + `[0-9]+` + runEnd)

// literal is what Python reads in the text that a meaning is; it has runMarks in the place of parts that are
// not known.
func (sc Scope) literal(m Meaning) (v any, ok bool, err error) {
	if text, ok := m.Known(); ok {
		v, ok := python.Literal(text)
		return v, ok, nil
	}
	if len(m.parts) == 0 {
		return nil, false, nil
	}
	var marked, known strings.Builder
	isKnown := true
	for i, p := range m.parts {
		switch {
		case strings.Contains(p.text, runBegin):
			return nil, false, nil
		case p.json == "":
			marked.WriteString(p.text)
			known.WriteString(p.text)
			continue
		case p.setting == nil:
			isKnown = false
		default:
			known.WriteString(python.Rendered(p.setting.Value))
		}
		marked.WriteString(runBegin + strconv.Itoa(i) + runEnd)
	}
	if v, ok := python.Literal(marked.String()); ok {
		return v, true, nil
	}
	if isKnown {
		v, ok := python.Literal(known.String())
		return v, ok, nil
	}
	if v, ok := m.numbered(); ok {
		return v, true, nil
	}
	text := strings.TrimSpace(marked.String())
	if strings.ContainsAny(text[:1], "[{(") && strings.ContainsAny(text[len(text)-1:], "]})") {
		return nil, false, errors.New(
			"a list or an object with what only a run knows outside of texts is not understood")
	}
	return nil, false, nil
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
		switch {
		case p.json == "":
			b.WriteString(p.text)
			quote = quoteBehind(p.text, quote)
		case quote != 0:
			b.WriteString(runBegin + strconv.Itoa(i) + runEnd)
		case p.isNumber:
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
	return withHoles(v, len(m.parts)), ok
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

// withHoles has holes in the place of the numbers that stand for parts.
func withHoles(v any, parts int) any {
	return python.Everywhere(python.Listed(v), func(v any) any {
		number, ok := v.(int64)
		if ok && number >= firstHole && number < int64(firstHole+parts) {
			return hole(number - firstHole)
		}
		return v
	})
}

// composed is a value with the parts of a meaning in the place of their runMarks.
func (sc Scope) composed(v any, m Meaning) (Meaning, error) {
	if text, ok := v.(string); ok {
		known, isKnown := m.Known()
		if isKnown && known == text {
			return m, nil
		}
	}
	v = python.Listed(v)
	if !hasMarks(v) {
		sc.decided(m)
		return Meaning{Constant: v}, nil
	}
	json, err := m.filled(v)
	return Meaning{Expr: json}, err
}

func hasMarks(v any) bool {
	switch v := v.(type) {
	case hole:
		return true
	case string:
		return runMarks().MatchString(v)
	case []any:
		for _, e := range v {
			if hasMarks(e) {
				return true
			}
		}
	case map[string]any:
		for name, e := range v {
			if hasMarks(name) || hasMarks(e) {
				return true
			}
		}
	}
	return false
}

// filled is a value as JSON, with expressions in the place of runMarks.
func (m Meaning) filled(v any) (string, error) {
	switch v := v.(type) {
	case hole:
		return m.parts[v].json, nil
	case string:
		return m.filledText(v), nil
	case []any:
		all := make([]string, len(v))
		for i, e := range v {
			var err error
			if all[i], err = m.filled(e); err != nil {
				return "", err
			}
		}
		return "[" + strings.Join(all, ", ") + "]", nil
	case map[string]any:
		all := map[string]string{}
		for name, e := range v {
			if hasMarks(name) {
				return "", errors.New("the name of a member that only a run knows is not understood")
			}
			var err error
			if all[name], err = m.filled(e); err != nil {
				return "", err
			}
		}
		return objectFrom(all)
	default:
		return python.Encoded(v), nil
	}
}

// objectFrom is an object by the names of its members, in order.
func objectFrom(members map[string]string) (string, error) {
	o := sorted(members)
	if err := isData(o); err != nil {
		return "", err
	}
	return o.String(), nil
}

func (m Meaning) filledText(text string) string {
	var parts []fragment
	for text != "" {
		at := runMarks().FindStringIndex(text)
		if at == nil {
			parts = append(parts, fragment{text: text})
			break
		}
		if at[0] > 0 {
			parts = append(parts, fragment{text: text[:at[0]]})
		}
		var i int
		_, _ = fmt.Sscanf(text[at[0]+len(runBegin):at[1]-len(runEnd)], "%d", &i)
		if i < len(m.parts) {
			parts = append(parts, m.parts[i])
		}
		text = text[at[1]:]
	}
	if len(parts) == 1 && parts[0].isText() {
		return parts[0].json
	}
	return textOfParts(parts).JSON()
}

// isText tells an expression that is a text, whatever it stands for.
func (f fragment) isText() bool {
	if f.setting == nil {
		return strings.HasPrefix(write.Named(f.json, "attr"), "#")
	}
	_, ok := f.setting.Value.(string)
	return ok
}

// Known is a text that is known at conversion.
func (m Meaning) Known() (string, bool) {
	v := m.Constant
	if m.setting != nil {
		v = m.setting.Value
	}
	text, ok := v.(string)
	return text, ok
}

// decided notes that what a meaning refers to has decided.
func (sc Scope) decided(m Meaning) {
	if m.setting != nil {
		_, _ = sc.Values.Decide(*m.setting)
	}
	for _, p := range m.parts {
		if p.setting != nil {
			_, _ = sc.Values.Decide(*p.setting)
		}
	}
}
