package convert

import (
	"cmp"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
)

// textOrEmpty is the text that a template gives: what gives nothing is the empty text.
func (s *Stream) textOrEmpty(n *manifest.Section, sc template.Scope) write.ConfigValue {
	if text := s.text(n, sc); text != nil {
		return text
	}
	return write.Text("")
}

// fixed is a text that the values decide; byDefault where there is none.
func (s *Stream) fixed(n *manifest.Section, sc template.Scope, byDefault string) (text string) {
	s.try(n, func() { text = sc.FixedText(n) })
	return cmp.Or(text, byDefault)
}

var (
	// braced is an expression within a text.
	braced = pattern.Lazy(`(?s)\{\{.*?\}\}`)
	// host is the beginning of a template, up to the path of its address.
	host = pattern.Lazy(`(?s)^(?:[^{]*?://)?(?:\{\{.*?\}\}|[^/])*`)
	// emptyLabel is the beginning of an address whose host lacks a part.
	emptyLabel = pattern.Lazy(`^[a-zA-Z][a-zA-Z0-9+.-]*://([^/?#]*\.)?(\.|[/?#:]|$)`)
)

// refuseAdded refuses an object to which Airbyte adds parameters.
func (s *Stream) refuseAdded(n *manifest.Section) {
	if at, names := n.Added(); at != nil {
		s.Refuse(at, "it has a member type, so Airbyte takes it for a component and adds $parameters to it ("+
			strings.Join(names, ", ")+"): remove these $parameters here")
	}
}

// entries goes through the members of an object, whose names may be templates too.
func (s *Stream) entries(n *manifest.Section, sc template.Scope) func(yield func(string, *manifest.Section) bool) {
	return func(yield func(string, *manifest.Section) bool) {
		s.refuseAdded(n)
		s.refuseIf(!n.IsObject() && n.Text() != "", n, "a text in place of names and values is not supported")
		for _, m := range n.Members() {
			name := m.Name
			if strings.Contains(name, "{") {
				name = ""
				s.try(m.Value, func() { name = sc.At(m.Value).NameOf(m.Name) })
			}
			if name != "" && !yield(name, m.Value) {
				return
			}
		}
	}
}

// text is the text that a template gives, nil if that is nothing, or was refused.
func (s *Stream) text(n *manifest.Section, sc template.Scope) (text write.ConfigValue) {
	s.try(n, func() { text = said(sc.MeanText(n)) })
	return text
}

// said is what a template gives, nil for nothing.
func said(m template.Meaning) write.ConfigValue {
	fault.If(m.Moment, "a time without a format is not supported")
	return m.Value()
}

// value is what a parameter of an address or a form has: a text, or a list of texts.
func (s *Stream) value(n *manifest.Section, sc template.Scope) (value write.ConfigValue) {
	n.Know()
	s.try(n, func() { value = valueOf(n, sc) })
	return value
}

// valueOf is value. Of all that a template may give a text and a list alone are taken for what they look like; a number
// keeps its digits.
func valueOf(n *manifest.Section, sc template.Scope) write.ConfigValue {
	m := sc.MeanPlain(n)
	text, _ := m.Known()
	if strings.HasPrefix(strings.TrimSpace(text), "[") || strings.ContainsAny(text[:min(1, len(text))], `"'`) {
		m = sc.MeanOption(n)
	}
	if list, isList := m.Constant.([]any); isList {
		return textList(list)
	}
	value := said(m.Printed())
	if m.Expr == nil {
		return value
	}
	p := write.PartsOf(value)
	fault.If(p.IsList() && !m.IsTextOfTimes(), "a list that is made in a run is not supported")
	return p.Unquoted().Expr()
}

// textList is a list of texts.
func textList(list []any) (all write.Array) {
	for _, value := range list {
		if value != nil {
			all = append(all, write.Text(python.Printed(value)))
		}
	}
	return all
}

// header is the value of one, a text; nil: there is none.
func (s *Stream) header(n *manifest.Section, sc template.Scope) (value write.ConfigValue) {
	s.try(n, func() { value = headerOf(n, sc) })
	return value
}

// headerOf is header.
func headerOf(n *manifest.Section, sc template.Scope) write.ConfigValue {
	text := said(sc.MeanText(n))
	if text == nil {
		return nil
	}
	return write.PartsOf(text).Unquoted().Expr()
}

// spotOf reads an option of a request.
func spotOf(option *manifest.Section, sc template.Scope) write.RequestOption {
	at := write.RequestOption{Into: option.Get("inject_into").Text()}
	fault.If(at.Into == "path", "Airbyte no longer reads inject_into: path: in a copy of the manifest write type: RequestPath for the address "+
		"of a next page, and a template in path for another value")
	name, path := option.Get("field_name"), option.Get("field_path")
	misreadIf(option, (name == nil) == (path == nil), "want one of field_name and field_path")
	for _, n := range append(name.Elements(), path.Elements()...) {
		text := sc.FixedText(n)
		// A parameter without a name is sent as such.
		isNameless := n == name && n.Text() == "" && at.Into == "request_parameter"
		misreadIf(n, text == "" && !isNameless, "a name is empty")
		at.Path = append(at.Path, text)
	}
	isOneName := len(at.Path) == 1 && path == nil
	switch at.Into {
	case "request_parameter", "header", "body_data":
		fault.If(!isOneName, "field_path is for body_json")
	case "body_json":
	default:
		panic(fault.New("inject_into %q is not supported", at.Into))
	}
	return at
}
