package auth

import (
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
)

// Definitions describe the authentication types for the JSON Schema, each under
// its name, and the parts that they refer to: expires, authorization and aws.
func Definitions() (methods, parts map[string]*config.Object) {
	var p config.Problems
	nothing := func(string) (expr.Value, bool) { return expr.Value{}, false }
	env := Env{Expr: expr.Env{Contexts: expr.Contexts{"attr": nothing}}, Secrets: &secret.Set{}}
	methods = map[string]*config.Object{}
	for name, decode := range types {
		o := config.NewObject(nil, &p)
		o.Text("type", "", "How requests are authenticated.")
		o.Require("type")
		decode(o, env, &p)
		o.Done()
		methods[name] = o
	}
	expires := config.NewObject(nil, &p)
	new(expiry).decode(expires)
	authorization := config.NewObject(nil, &p)
	new(credentials).decode(authorization, env, &p)
	signature := config.NewObject(nil, &p)
	new(awsSignature).decode(signature, env, &p)
	return methods, map[string]*config.Object{"expires": expires, "authorization": authorization, "aws": signature}
}
