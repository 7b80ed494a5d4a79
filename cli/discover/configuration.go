package discover

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// Configuration returns the text of a configuration for the API: what its description says, and what its answers showed.
func (a *Description) Configuration(f Observed) []byte {
	dataType := quoted(a.typeOf(f))
	job := a.request(a.endpoint, a.divide).
		With(len(a.endpoint) > 1, "id", dataType).
		With(true, "dataType", dataType).
		With(f.Format != "", "format", f.Format).
		With(f.Made != "", "dataField", f.Made).
		With(f.Made == "" && f.DataField != "", "dataField", quoted(f.DataField))
	document := item.ObjectBuilder{
		"api", a.settings(f).String(),
		"config", item.ObjectBuilder{"jobs", "[" + job.String() + "]"}.String(),
	}
	var b bytes.Buffer
	// An object is valid JSON.
	_ = json.Indent(&b, []byte(document.String()+"\n"), "", "  ")
	return b.Bytes()
}

// typeOf is what the items are called: by the last step of where they are if the path has that too, as in
// orders/search, else by the end of the path.
func (a *Description) typeOf(f Observed) string {
	if a.called != "" {
		return a.called
	}
	field := f.DataField[strings.LastIndex(f.DataField, ".")+1:]
	for _, text := range a.endpoint {
		if item.Kind([]byte(text)) != '"' {
			continue
		}
		steps := strings.Split(item.Unquote([]byte(text)), "/")
		if field != "" && slices.Contains(steps, field) {
			return field
		}
	}
	return a.dataType
}

// settings is the member api.
func (a *Description) settings(f Observed) item.ObjectBuilder {
	headers, _ := a.divide(a.headers)
	settings := item.ObjectBuilder{"baseUrl", quoted(a.base)}
	settings = settings.With(len(headers) > 0, "http", item.ObjectBuilder{"headers", headers.String()}.String())
	settings = settings.With(a.aws != "", "aws", a.aws)
	if a.login != nil {
		settings = append(settings, "authentication", a.authentication(f.token).String())
	}
	return settings.With(f.Pagination != "", "pagination", f.Pagination)
}

// authentication has the login, and where its token goes.
func (a *Description) authentication(t tokenPlace) item.ObjectBuilder {
	l := a.login
	endpoint := l.endpoint
	if l.base != a.base {
		endpoint = endpoint.below(l.base)
	}
	request := l.request(endpoint, l.divide).With(len(l.headers) > 0, "headers", l.headers.String())
	_, headers := a.divide(a.headers)
	_, query := a.divide(slices.Concat(a.params, a.query, a.body))
	use := item.ObjectBuilder{}.
		With(len(headers) > 0, "headers", headers.String()).
		With(len(query) > 0, "query", query.String())
	token := item.ObjectBuilder{"response", quoted(cmp.Or(t.path, "access_token"))}
	expires := item.ObjectBuilder{"response", quoted(t.expires), "relative", "true"}
	return item.ObjectBuilder{
		"type", `"login"`,
		"loginRequest", request.String(),
		"apiRequest", strings.ReplaceAll(use.String(), a.token, token.String()),
	}.With(t.expires != "", "expires", expires.String())
}

// request has the members that a job and a login request have in common. Of the parameters it has those that divide
// returns first.
func (t *configuredRequest) request(
	endpoint address, divide func(item.ObjectBuilder) (own, token item.ObjectBuilder),
) item.ObjectBuilder {
	params, _ := divide(t.params)
	query, _ := divide(t.query)
	body, _ := divide(t.body)
	return item.ObjectBuilder{"endpoint", endpoint.JSON()}.
		With(t.method != "", "method", quoted(t.method)).
		With(len(params) > 0, "params", params.String()).
		With(len(query) > 0, "query", query.String()).
		With(t.body != nil, "body", body.String())
}

// divide separates the members that the token of the login stands in.
func (a *Description) divide(all item.ObjectBuilder) (without, with item.ObjectBuilder) {
	if a.login == nil {
		return all, nil
	}
	for m := range slices.Chunk(all, 2) {
		if strings.Contains(m[1], a.token) {
			with = append(with, m...)
		} else {
			without = append(without, m...)
		}
	}
	return without, with
}

// attribute is the reference to an attribute, as JSON.
func attribute(name string) string { return item.ObjectBuilder{"attr", quoted(name)}.String() }
