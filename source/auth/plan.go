package auth

import (
	"net/http"
	"strconv"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/request"
)

// plan is the function of that name of [request.Signer].
func (l *login) plan(r *request.Request, unknown func(name, from string) string, made func(function, text string)) (*request.Request, http.Header, error) {
	first, err := l.request(r.Job)
	if err != nil {
		return nil, nil, err
	}
	response := func(path, besides string) expr.Value {
		from := "at " + path + " in the login response"
		if l.text && path == "data" {
			from = "the login response"
		}
		return expr.Value{JSON: item.Quote(unknown("login_"+path, from+besides)), Secret: true}
	}
	env := with(l.env.Expr, expr.Contexts{
		"response": func(path string) (expr.Value, bool) { return response(path, ""), true },
	})
	env.Secret = made
	value := func(m expr.Member) []byte {
		if path, ok := m.Value.Literal(); ok {
			return response(path, ", or the text "+strconv.Quote(path)+" if there is nothing").JSON
		}
		v, err := m.Value.Eval(env)
		if err != nil { // a function that needs the value itself, such as a number
			return item.Quote(unknown(m.Name, "what a function makes of the login response for "+m.Name))
		}
		return v.JSON
	}
	for _, h := range l.headers {
		text, _ := item.Text(value(h))
		r.Header.Set(h.Name, text)
	}
	for _, q := range l.query {
		r.Login = append(r.Login, request.Param{Name: q.Name, Value: value(q), Secret: true})
	}
	return first, l.env.Header, nil
}
