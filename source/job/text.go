package job

import (
	"strings"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/paginate"
	"sluice/source/request"
)

// text evaluates a body that is a text: its values are escaped, and placeholders in braces are filled.
func (own *Own) text(g paginate.Group, env expr.Env) (request.Param, error) {
	m := g.Members[0]
	found, err := m.Value.Pieces(env)
	if err != nil {
		return request.Param{}, err
	}
	var b strings.Builder
	for _, p := range found {
		if p.Name == "" {
			own.fillText(&b, p.Text, g.Escape)
			continue
		}
		escaped := g.Escape(p.Text)
		isNew := p.Secret && escaped != p.Text
		if isNew && env.Secret != nil {
			env.Secret("body", escaped)
		}
		b.WriteString(escaped)
	}
	return request.Param{Name: m.Name, Value: item.Quote(b.String()), Text: true}, nil
}

// fillText writes a text of the configuration with the values of placeholders.
func (own *Own) fillText(b *strings.Builder, text string, escape func(string) string) {
	if own.Child == nil {
		b.WriteString(text)
		return
	}
	values := own.Values
	if own.Unknown != nil {
		values = nil
		for i := range own.Child.Placeholders {
			values = append(values, own.Unknown.Value(i))
		}
	}
	for _, p := range own.Child.fill(nil, text, values) {
		if p.Name != "" {
			p.Text = escape(p.Text)
		}
		b.WriteString(p.Text)
	}
}
