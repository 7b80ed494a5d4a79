package auth

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/request"
)

// newBasic sends a user name and a password, which are attributes, with every request (RFC 7617).
func newBasic(o *config.ObjectDecoder, env Env, p *config.Problems) *request.Signer {
	user := attribute("username", o, env, p)
	password := attribute("password", o, env, p)
	if strings.Contains(user, ":") {
		p.Errorf(o.Node(), "the user name has a colon, which basic authentication cannot send")
	}
	pair := user + ":" + password
	coded := base64.StdEncoding.EncodeToString([]byte(pair))
	env.Secrets.Add(password, pair, coded)
	return &request.Signer{Apply: func(_ context.Context, r *request.Request) error {
		r.SetHeader("Authorization", "Basic "+coded)
		return nil
	}}
}

// attribute returns config.NAME, or config.#NAME where that is missing or empty.
func attribute(name string, o *config.ObjectDecoder, env Env, p *config.Problems) string {
	value := ""
	exists := false
	for _, path := range []string{name, "#" + name} {
		v, found := env.Expr.Contexts["attr"](path)
		if !found || value != "" {
			continue
		}
		text, scalar := item.Text(v.JSON)
		if !scalar {
			p.Errorf(o.Node(), "config.%s must be a string", path)
		}
		value = text
		exists = true
	}
	if !exists {
		p.Absent(o.Node(), fmt.Sprintf("needs config.%s or config.#%s", name, name), "#"+name)
	}
	return value
}
