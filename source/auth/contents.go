package auth

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/expr"
)

// texts lists the strings and numbers in a value.
func texts(value []byte) []string {
	var all []string
	for _, member := range item.Members(value) {
		all = append(all, texts(member)...)
	}
	for element := range item.Elements(value) {
		all = append(all, texts(element)...)
	}
	kind := item.Kind(value)
	if kind == '"' || kind == '0' {
		text, _ := item.Text(value)
		all = append(all, text)
	}
	return all
}

// contents are what a login response holds, or what stands for it in a plan.
type contents struct {
	// response finds the value at a path; nil: there is nothing.
	response func(path string) jsontext.Value

	// literal is the same for a plain string, and for the member of apiRequest that has it.
	literal func(member, path string) jsontext.Value
	header  func(name string) string

	// made is told what is taken, and what functions make of it.
	made func(function, text string)

	// instead stands for what cannot be made; nil: that is an error.
	instead func(name string) jsontext.Value

	// err is the first error.
	err error
}

// newContents are those of login responses, without made.
func newContents(a *loginAnswers) contents {
	return contents{
		response: a.find,
		literal:  func(_, path string) jsontext.Value { return a.find(path) },
		header:   a.header,
	}
}

// env is what expressions of apiRequest draw upon.
func (c *contents) env(env expr.Env) expr.Env {
	env = with(env, c.contexts())
	env.Secret = c.made
	return env
}

// contexts are what expressions find of login responses.
func (c *contents) contexts() expr.Contexts {
	return expr.Contexts{
		"response": func(path string) (expr.Value, bool) {
			found := c.response(path)
			for _, text := range texts(found) {
				c.made("", text)
			}
			return expr.Value{JSON: found, Secret: true}, found != nil
		},
		"responseHeader": func(name string) (expr.Value, bool) {
			text := c.header(name)
			c.made("", text)
			return expr.Value{JSON: item.Quote(text), Secret: true}, text != ""
		},
	}
}

// value evaluates a value of apiRequest, whose place there messages name. A plain string is
// the value at that path if there is one, else the string itself.
func (c *contents) value(place, name string, e *expr.Expr, env expr.Env) jsontext.Value {
	path, ok := e.Literal()
	if !ok {
		v, err := e.Eval(env)
		if err != nil && c.instead != nil {
			return c.instead(name)
		}
		c.err = cmp.Or(c.err, err)
		return v.JSON
	}
	found := c.literal(place+name, path)
	if found == nil || path == "." {
		return item.Quote(path)
	}
	text, ok := item.Text(found)
	if !ok && c.err == nil {
		is := item.Noun(item.Kind(found))
		c.err = fmt.Errorf("api.authentication.apiRequest.%s: %q is %s in the login response, "+
			"want a string, a number or a boolean", place+name, path, is)
	}
	c.made("", text)
	return item.Quote(text)
}

// taken learns what a credential has become, though no part of it is of the login response. A plain string that
// is no path is known already.
func (c *contents) taken(m expr.NamedValue, all ...string) {
	_, plain := m.Value.Literal()
	if plain || !secret.Name(m.Name) {
		return
	}
	for _, text := range all {
		c.made("", text)
	}
}
