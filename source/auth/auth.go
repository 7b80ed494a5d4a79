// Package auth makes requests that an API accepts: one file per authentication type.
package auth

import (
	"maps"
	"net/http"
	"slices"

	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// authType is an authentication type.
type authType struct {
	// doc is one sentence, for the schema.
	doc string
	new func(*config.ObjectDecoder, Env, *config.Problems) *request.Signer
}

// variants are the authentication types by the name that api.authentication.type has.
var variants = map[string]authType{
	"basic":   {"User name and password of config, in each request.", newBasic},
	"login":   {"One login request; values of its answer go into each request.", newLogin},
	"oauth10": {"Requests signed with the credentials below authorization, OAuth 1.0.", newOAuth10},
	"oauth20": {"Values of the credentials below authorization in each request, OAuth 2.0.", newOAuth20},
	"oauth20.login": {
		"One login request with the credentials below authorization, such as a refresh token.",
		newOAuth20Login,
	},
	"query": {"Values in the query of each request, such as a key.", newQuery},
	// Older configurations have this name.
	"url.query": {"Another name of query.", newQuery},
}

// New decodes api.authentication and, on top of it, the member aws. Nil nodes give a nil signer.
func New(authentication, aws *config.Node, env Env, p *config.Problems) *request.Signer {
	s := newSigner(authentication, env, p)
	o := config.NewObjectDecoder(aws, p)
	if o.Node() == nil {
		return s
	}
	if s == nil {
		s = &request.Signer{}
	}
	sign := decodeAWS(o, env, p)
	if s.Finish == nil {
		s.Finish = sign
		return s
	}
	first := s.Finish
	s.Finish = func(h *http.Request) error {
		if err := first(h); err != nil {
			return err
		}
		return sign(h)
	}
	return s
}

func newSigner(n *config.Node, env Env, p *config.Problems) *request.Signer {
	o := config.NewObjectDecoder(n, p)
	if o.Node() == nil {
		return nil
	}
	name := o.Text("type", "", "")
	o.Require("type")
	v, ok := variants[name]
	if !ok {
		if name != "" {
			have := config.Have(name, slices.Sorted(maps.Keys(variants)))
			p.Errorf(n.Member("type"), "unknown type %q%s", name, have)
		}
		return nil
	}
	s := v.new(o, env, p)
	o.Done()
	return s
}

// Definitions describe the authentication types for the JSON Schema, and the parts that they refer to.
func Definitions() (types, parts map[string]*config.ObjectDecoder) {
	var p config.Problems
	nothing := func(string) (expr.Value, bool) { return expr.Value{}, false }
	env := Env{Expr: expr.Env{Contexts: expr.Contexts{"attr": nothing}}, Secrets: &secret.Set{}}
	types = map[string]*config.ObjectDecoder{}
	for name, v := range variants {
		o := config.NewObjectDecoder(nil, &p)
		o.Text("type", "", v.doc)
		o.Require("type")
		v.new(o, env, &p)
		o.Done()
		types[name] = o
	}
	expires := config.NewObjectDecoder(nil, &p)
	loginRequest := config.NewObjectDecoder(nil, &p)
	authorization := config.NewObjectDecoder(nil, &p)
	aws := config.NewObjectDecoder(nil, &p)
	new(expiry).decode(expires)
	(&login{env: env}).decodeRequest(loginRequest, env.Expr, &p)
	new(credentials).decode(authorization, env, &p)
	decodeAWS(aws, env, &p)
	return types, map[string]*config.ObjectDecoder{
		"expires": expires, "loginRequest": loginRequest, "authorization": authorization, "aws": aws,
	}
}
