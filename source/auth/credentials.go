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
	c := &credentials{}
	c.decode(config.NewObject(env.Authorization, p), env, p)
	if c.node == nil {
		p.Errorf(o.Node(), "needs authorization.oauth_api.credentials at the root of the document")
		return c
	}
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

// decode reads the member authorization.
func (c *credentials) decode(o *config.Object, env Env, p *config.Problems) {
	members := o.Object("oauth_api", "Where the platform keeps them.").Object("credentials", "Credentials of the OAuth types.")
	c.node = members.Node()
	c.appKey = text(members.Any("appKey", "Id of the client.", "string", "number", "expression"), env, p)
	c.appSecret = text(members.Any("#appSecret", "Secret of the client.", "string", "number", "expression"), env, p)
	c.data = text(members.Any("#data", "What the user was given: a token, or an object or the text of one with several.", "string", "number", "object"), env, p)
}

// text evaluates a member. An object stands for its JSON text.
func text(n *config.Node, env Env, p *config.Problems) string {
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
