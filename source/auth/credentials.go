package auth

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// credentials are authorization.oauth_api.credentials at the document's root, each of which may be an
// expression with attr. They come from elsewhere, so other members than these are taken.
type credentials struct {
	node *config.Node

	// data is #data as text.
	data string

	// object is #data as an object; nil if it is none.
	object    jsontext.Value
	appKey    string
	appSecret string
}

// decodeCredentials reads the credentials, of which the needed ones must be there.
func decodeCredentials(o *config.ObjectDecoder, env Env, p *config.Problems, needed ...string) *credentials {
	c := &credentials{}
	c.decode(config.NewObjectDecoder(env.Authorization, p), env, p)
	if c.node == nil {
		p.Errorf(o.Node(), "needs authorization.oauth_api.credentials at the root of the document")
		return c
	}
	value := jsontext.Value(strings.TrimSpace(c.data))
	if item.Kind(value) == '{' && value.IsValid(jsontext.AllowDuplicateNames(true)) {
		c.object, _ = item.Compact(nil, value)
	}
	env.Secrets.Add(c.appSecret, c.data)
	env.Secrets.Add(texts(c.object)...)
	have := map[string]string{"appKey": c.appKey, "#appSecret": c.appSecret, "#data": c.data}
	for _, name := range needed {
		if have[name] == "" {
			p.Errorf(c.node, "%s is missing", name)
		}
	}
	return c
}

// decode reads the member authorization.
func (c *credentials) decode(o *config.ObjectDecoder, env Env, p *config.Problems) {
	platform := o.Object("oauth_api", "Where the platform keeps them.")
	members := platform.Object("credentials", "Credentials of the OAuth types.")
	c.node = members.Node()
	text := func(name, doc string, types ...string) string {
		value, _ := evaluate(members.Any(name, doc, types...), env, p)
		if text, ok := item.Text(value); ok {
			return text
		}
		// An object stands for its JSON text.
		return string(value)
	}
	c.appKey = text("appKey", "Id of the client.", "string", "number", "expression")
	c.appSecret = text("#appSecret", "Secret of the client.", "string", "number", "expression")
	const dataDoc = "What the user was given: a token, or an object or the text of one with several."
	c.data = text("#data", dataDoc, "string", "number", "object")
}

// evaluate evaluates a member; ok is false if it is absent or reported as broken.
func evaluate(n *config.Node, env Env, p *config.Problems) (value jsontext.Value, ok bool) {
	if n == nil {
		return nil, false
	}
	v, err := expr.Compile(n, env.Expr, p).Eval(env.Expr)
	return v.JSON, err == nil
}

// wantObject reports #data that is no object.
func (c *credentials) wantObject(p *config.Problems) {
	if c.data != "" && c.object == nil {
		p.Errorf(c.node.Member("#data"), "must be the text of a JSON object")
	}
}

// member returns a string of #data.
func (c *credentials) member(name string, p *config.Problems) string {
	text, _ := item.Text(item.Lookup(c.object, item.ParsePath(name, ".")))
	if text == "" && c.object != nil {
		p.Errorf(c.node.Member("#data"), "has no %s", name)
	}
	return text
}

// find looks a path of #data up.
func (c *credentials) find(path string) (expr.Value, bool) {
	found := item.Lookup(c.object, item.ParsePath(path, "."))
	return expr.Value{JSON: found, Secret: true}, found != nil
}
