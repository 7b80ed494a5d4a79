package convert

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/item"
)

// oauth is a login with a refresh token, with the credentials of a client or with a signed assertion; or an access
// token that the values have.
func (s *Stream) oauth(n *manifest.Node, sc template.Scope) write.Authentication {
	n.Ignore("token_expiry_date", "refresh_token_error_status_codes", "refresh_token_error_key",
		"refresh_token_error_values")
	endpoint := n.Get("token_refresh_endpoint")
	token := n.Get("access_token_value")
	if endpoint == nil {
		if token == nil {
			s.Refuse(n, "there is neither token_refresh_endpoint nor access_token_value")
			return write.Authentication{}
		}
		n.Know()
		return bearer(s.credential(token, sc, "access_token"))
	}
	request := item.Object{"endpoint", s.part(endpoint, sc).JSON(), "method", write.Quote(write.Form)}
	member := item.Object{"type", `"login"`}
	headers := s.loginHeaders(n.Get("refresh_request_headers"), sc)
	params, keep := s.grant(n, sc, hasName(headers, "Authorization"))
	request = request.With(len(headers) > 0, "headers", headers.String()).With(true, "params", params.String())
	member = member.With(len(keep) > 0, "keep", keep.String()).With(true, "loginRequest", request.String())
	access := item.Object{"response", write.Quote(s.fixed(n.Get("access_token_name"), sc, "access_token"))}
	header := item.Object{"Authorization", joinedText(`"Bearer "`, access.String())}
	expires := item.Object{"response", write.Quote(s.fixed(n.Get("expires_in_name"), sc, "expires_in"))}
	isTime := n.Get("token_expiry_date_format").Text() != ""
	if token != nil && n.Peek("token_expiry_date") != nil {
		sc.Values.Note("token_expiry_date: that platform sends access_token_value until then, here each run logs in")
	}
	expires = expires.With(!isTime, "relative", "true")
	member = append(member,
		"apiRequest", item.Object{"headers", header.String()}.String(), "expires", expires.String())
	return write.Authentication{Member: member}
}

func hasName(o item.Object, name string) bool {
	for i := range write.Indices(o) {
		if o[2*i] == name {
			return true
		}
	}
	return false
}

// loginHeaders are those of a login.
func (s *Stream) loginHeaders(n *manifest.Node, sc template.Scope) item.Object {
	var all item.Object
	for name, value := range s.entries(n, sc) {
		if text, ok := s.header(value, sc); ok {
			all = append(all, name, withheldHeader(sc, value, name, text))
		}
	}
	return all
}

// grant are the parameters of a login by OAuth, and what of its answer is for the next one. A client whose credentials
// stand in a header has none in the parameters.
func (s *Stream) grant(n *manifest.Node, sc template.Scope, isInHeader bool) (params, keep item.Object) {
	name := func(member, byDefault string) string { return s.fixed(n.Get(member), sc, byDefault) }
	grantName, grant := name("grant_type_name", "grant_type"), name("grant_type", "refresh_token")
	idName, secretName := name("client_id_name", "client_id"), name("client_secret_name", "client_secret")
	id, secret := s.textOrEmpty(n.Get("client_id"), sc), s.credential(n.Get("client_secret"), sc, "client_secret")
	refreshName, refresh, keep := s.refreshToken(n, sc)
	assertion := n.Get("profile_assertion")
	if n.Get("use_profile_assertion").Truth(false) {
		params = item.Object{grantName, `"urn:ietf:params:oauth:grant-type:jwt-bearer"`}
		return append(params, "assertion", s.signedToken(assertion, sc)), nil
	}
	if assertion != nil {
		n.Ignore("profile_assertion")
	}
	params = item.Object{grantName, write.Quote(grant)}
	params = params.With(!isInHeader, idName, id).With(!isInHeader, secretName, secret)
	params = params.With(refresh != "", refreshName, refresh)
	if grant == "refresh_token" && refresh == "" {
		s.Refuse(n, "there is no refresh_token")
	}
	params = params.With(n.Get("scopes") != nil, "scopes", scopes(n.Get("scopes")))
	for name, value := range s.entries(n.Get("refresh_request_body"), sc) {
		if text, ok := s.header(value, sc); ok {
			params = params.With(!hasName(params, name), name, withheldBy(sc, value, name, text))
		}
	}
	return params, keep
}

// scopes are a text, or several.
func scopes(n *manifest.Node) string {
	var all []string
	for _, e := range n.Elements() {
		all = append(all, write.Quote(e.Text()))
	}
	if len(all) == 1 {
		return all[0]
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// refreshToken is the parameter of a login that has it; empty: there is none. One that is good once is kept.
func (s *Stream) refreshToken(n *manifest.Node, sc template.Scope) (name, value string, keep item.Object) {
	name = s.fixed(n.Get("refresh_token_name"), sc, "refresh_token")
	token := n.Get("refresh_token")
	updater := n.Get("refresh_token_updater")
	if updater == nil {
		if token == nil {
			return name, "", nil
		}
		return name, s.credential(token, sc, "refresh_token"), nil
	}
	updater.Ignore(
		"access_token_config_path",
		"token_expiry_date_config_path",
		"refresh_token_error_status_codes",
		"refresh_token_error_key",
		"refresh_token_error_values",
	)
	name = s.fixed(updater.Get("refresh_token_name"), sc, "refresh_token")
	path := []string{"credentials", "refresh_token"}
	if own := updater.Get("refresh_token_config_path"); own != nil {
		path = nil
		for _, step := range own.Elements() {
			path = append(path, s.fixed(step, sc, ""))
		}
	}
	source := "{{ config"
	for _, step := range path {
		source += "[" + write.Quote(step) + "]"
	}
	first := s.credential(updater.As(source+" }}"), sc, "refresh_token")
	value = write.Calling("ifempty", write.Kept("refresh"), first)
	return name, value, item.Object{"refresh", write.Response(name)}
}

// session is a login whose answer has a token.
func (s *Stream) session(n *manifest.Node, sc template.Scope) write.Authentication {
	login := n.Get("login_requester")
	path := s.responsePath(n.Get("session_token_path"), sc)
	token := write.Response(path)
	if decoder := n.Get("decoder"); decoder.Kind() != "" && decoder.Kind() != "JsonDecoder" {
		s.refuseKind(decoder, "decoder")
	}
	request := s.loginRequest(login, sc)
	api := s.sessionPlace(n.Get("request_authentication"), sc, token)
	member := item.Object{"type", `"login"`, "loginRequest", request.String()}
	placed := item.Object{}.With(len(api.Headers) > 0, "headers", api.Headers.String())
	placed = placed.With(len(api.Query) > 0, "query", api.Query.String())
	member = append(member, "apiRequest", placed.String())
	return write.Authentication{Member: append(member, "expires", s.duration(n.Get("expiration_duration")))}
}

// sessionPlace is where the token of a session goes.
func (s *Stream) sessionPlace(n *manifest.Node, sc template.Scope, token string) write.Authentication {
	switch n.Kind() {
	case "Bearer":
		return bearer(token)
	case "ApiKey":
		isToken := func([]string) (template.Meaning, error) { return template.Meaning{Expr: token}, nil }
		if own := n.Get("api_token"); own != nil {
			token = s.textOrEmpty(own, sc.With(map[string]template.Variable{"session_token": isToken}))
		}
		return s.placed(n.Get("inject_into"), sc, token)
	}
	s.refuseKind(n, "request_authentication")
	return write.Authentication{}
}

// responsePath is a path in the answer to a login.
func (s *Stream) responsePath(n *manifest.Node, sc template.Scope) string {
	var steps []string
	for _, e := range n.Elements() {
		step := s.fixed(e, sc, "")
		if strings.ContainsAny(step, ".*") {
			s.Refuse(e, "a step with a dot or a star is not understood")
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, ".")
}

// loginRequest is what a login asks.
func (s *Stream) loginRequest(n *manifest.Node, sc template.Scope) item.Object {
	var j write.Job
	n.Ignore("error_handler")
	s.request(n, sc, &j)
	if j.Auth.Member != nil {
		s.Refuse(n, "a login that needs a login cannot be said")
	}
	request := item.Object{"endpoint", j.Absolute().JSON()}
	request = request.With(j.Method != "", "method", write.Quote(j.Method))
	headers := append(j.Headers, j.Auth.Headers...)
	query := append(j.Query, j.Auth.Query...)
	request = request.With(len(j.Params) > 0, "params", j.Params.String())
	request = request.With(len(query) > 0, "query", query.String())
	request = request.With(j.Body != nil, "body", j.Body.String())
	return request.With(len(headers) > 0, "headers", headers.String())
}

// duration is that of ISO 8601 in seconds; without one it is 0.
func (s *Stream) duration(n *manifest.Node) string {
	if n == nil {
		return "0"
	}
	p, ok := times.ParsePeriod(n.Text())
	if !ok {
		s.Refuse(n, fmt.Sprintf("the duration %q is not understood", n.Text()))
	}
	return strconv.FormatInt(int64(p.Shortest/time.Second), 10)
}

// legacySession is a token of the values, or else a login with user name and password.
func (s *Stream) legacySession(n *manifest.Node, sc template.Scope, base write.Parts) write.Authentication {
	n.Ignore("validate_session_url")
	header := s.fixed(n.Get("header"), sc, "")
	user, password := s.textOrEmpty(n.Get("username"), sc), s.credential(n.Get("password"), sc, "password")
	key := s.fixed(n.Get("session_token_response_key"), sc, "")
	path := s.part(n.Get("login_url"), sc)
	if token := s.credential(n.Get("session_token"), sc, "session_token"); token != `""` {
		return write.Authentication{Headers: item.Object{header, token}}
	}
	if len(base) == 0 {
		s.Refuse(n, "there is no url_base that the login is below")
	}
	params := item.Object{"username", user, "password", password}
	request := item.Object{
		"endpoint", base.And(path...).JSON(), "method", `"POST"`, "params", params.String(),
	}
	place := item.Object{header, write.Response(key)}
	return write.Authentication{Member: item.Object{
		"type", `"login"`,
		"loginRequest", request.String(),
		"apiRequest", item.Object{"headers", place.String()}.String(),
		"expires", "86400",
	}}
}
