package auth

import (
	"strings"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/request"
)

// escape is what values in a body of a login request get that is a text; nil: it is JSON.
func (q *loginRequest) escape(of loginPart, r *request.Request) func(string) string {
	if of.in != request.InBody || len(of.members) != 1 {
		return nil
	}
	contentType := r.Header.Get("Content-Type")
	if !request.IsText(of.members[0].Name, contentType) {
		return nil
	}
	return request.EscapeFor(contentType)
}

// loginText evaluates a body that is a text. Its values go to hide.
func loginText(
	m expr.NamedValue, env expr.Env, escape func(string) string, hide func(...string),
) (request.Param, error) {
	pieces, err := m.Value.Pieces(env)
	if err != nil {
		return request.Param{}, err
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.Name == "" {
			b.WriteString(p.Text)
			continue
		}
		escaped := escape(p.Text)
		hide(p.Text, escaped)
		b.WriteString(escaped)
	}
	return request.Param{Name: m.Name, Value: item.Quote(b.String()), Secret: true, Text: true}, nil
}
