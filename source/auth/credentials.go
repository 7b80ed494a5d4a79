package auth

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// credentials are authorization.oauth_api.credentials at the document's root. They
// come from elsewhere, so other members than these are no concern of ours. Each may
// be an expression with attr.
type credentials struct {
	node      *config.Node
	data      string         // #data as text
	object    jsontext.Value // #data as an object; nil if it is none
	appKey    string
	appSecret string
}

// decodeCredentials reads the credentials, of which the needed ones must be there.
func decodeCredentials(o *config.Object, env Env, p *config.Problems, needed ...string) *credentials {
	c := &credentials{node: env.Authorization.Member("oauth_api").Member("credentials")}
	if c.node == nil {
		p.Errorf(o.Node(), "needs authorization.oauth_api.credentials at the root of the document")
		return c
	}
	c.appKey = c.text("appKey", env, p)
	c.appSecret = c.text("#appSecret", env, p)
	c.data = c.text("#data", env, p)
	if value := jsontext.Value(strings.TrimSpace(c.data)); item.Kind(value) == '{' && value.IsValid(jsontext.AllowDuplicateNames(true)) {
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

// text evaluates a member. An object stands for its JSON text.
func (c *credentials) text(name string, env Env, p *config.Problems) string {
	n := c.node.Member(name)
	if n == nil {
		return ""
	}
	v, err := expr.Compile(n, env.Expr, p).Eval(env.Expr)
	if err != nil {
		return "" // Compile has reported it
	}
	if text, ok := item.Text(v.JSON); ok {
		return text
	}
	return string(v.JSON)
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
