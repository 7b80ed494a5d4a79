package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/withhold"
)

// credentials reads how the requests of a requester are signed, and puts what goes into their bodies there.
func (s *Stream) credentials(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	a := s.selected(n.Get("authenticator"), sc)
	option := a.Get("inject_into")
	isInBody := strings.HasPrefix(option.Get("inject_into").Text(), "body_")
	if a.Kind() == "ApiKeyAuthenticator" && isInBody {
		s.try(option, func() { j.Put(spotOf(option, sc), s.credential(a, sc, "api_token")) })
	} else {
		j.Auth = s.authenticator(a, sc, n.Get("url_base"))
	}
	for _, own := range j.Auth.Headers {
		for _, other := range j.Headers {
			s.refuseIf(strings.EqualFold(own.Name, other.Name), a, "the header "+other.Name+" stands in request_headers, too")
		}
	}
}

// authenticator reads how requests are signed, which are below a base address.
func (s *Stream) authenticator(n *manifest.Section, sc template.Scope, base *manifest.Section) write.Authentication {
	switch n.Kind() {
	case "NoAuth":
	case "ApiKeyAuthenticator":
		return s.apiKey(n, sc)
	case "BearerAuthenticator":
		return bearer(s.credential(n, sc, "api_token"))
	case "BasicHttpAuthenticator":
		return s.basic(n, sc)
	case "OAuthAuthenticator":
		return s.oauth(n, sc)
	case "SessionTokenAuthenticator":
		return s.session(n, sc)
	case "LegacySessionTokenAuthenticator":
		return s.legacySession(n, sc, s.part(base, sc))
	case "JwtAuthenticator":
		token := s.signedToken(n, sc)
		if option := n.Get("request_option"); option != nil {
			return s.placed(option, sc, token)
		}
		return header("Authorization", token)
	default:
		if n != nil {
			s.refuseKind(n, "authenticator")
		}
	}
	return write.Authentication{}
}

// selected is the authenticator that the values choose, where there are several.
func (s *Stream) selected(n *manifest.Section, sc template.Scope) *manifest.Section {
	if n.Kind() != "SelectiveAuthenticator" {
		return n
	}
	path := n.Get("authenticator_selection_path").Texts()
	all := n.Get("authenticators")
	source := valueAt(n, path)
	chosen, _ := decided(sc, source)
	for _, m := range all.Members() {
		if m.Name == chosen {
			n.Ignore("authenticators")
			return s.selected(m.Value, sc)
		}
	}
	s.Refuse(n, "no authenticator is chosen: "+strings.Trim(source.Text(), "{} ")+" must name one of them in --values")
	n.Ignore("authenticators")
	return nil
}

// valueAt is a template for the value of the configuration at a path.
func valueAt(n *manifest.Section, path []string) *manifest.Section {
	source := "{{ config"
	for _, step := range path {
		source += "[" + write.Quote(step) + "]"
	}
	return n.As(source + " }}")
}

// header is a value in a header of each request.
func header(name string, value write.ConfigValue) write.Authentication {
	return write.Authentication{Headers: write.Object{}.And(name, value)}
}

func bearer(token write.ConfigValue) write.Authentication {
	return header("Authorization", write.Joined(write.Text("Bearer "), token))
}

// apiKey is a key in a header or in the address.
func (s *Stream) apiKey(n *manifest.Section, sc template.Scope) write.Authentication {
	token := s.credential(n, sc, "api_token")
	if option := n.Get("inject_into"); option != nil {
		return s.placed(option, sc, token)
	}
	name := s.fixed(n.Get("header"), sc, "")
	s.refuseIf(name == "", n, "neither inject_into nor header says where the key goes")
	return header(name, token)
}

// placed is a value in each request, in a header or in the address.
func (s *Stream) placed(option *manifest.Section, sc template.Scope, value write.ConfigValue) (a write.Authentication) {
	s.try(option, func() {
		at := spotOf(option, sc)
		switch at.Into {
		case "header":
			a = header(at.Path[0], value)
		case "request_parameter":
			a.Query = a.Query.And(at.Path[0], value)
		default:
			s.Refuse(option, "a credential of this kind in a body has no equivalent in sluice")
		}
	})
	return a
}

// basic is user name and password. The header is made here, so that streams may have several.
func (s *Stream) basic(n *manifest.Section, sc template.Scope) write.Authentication {
	user, password := s.textOrEmpty(n.Get("username"), sc), s.textOrEmpty(n.Get("password"), sc)
	if !isUserName(user, password) {
		user = withheld(sc, n, "username", user)
	}
	password = withheld(sc, n.Get("password"), "password", password)
	pair := write.Calling("base64_encode", write.Joined(user, write.Text(":"), password))
	return header("Authorization", write.Joined(write.Text("Basic "), pair))
}

// isUserName tells that the user name of basic authentication is no key. Without a password it is one; in front of a
// password that a run gives it may be any name.
func isUserName(user, password write.ConfigValue) bool {
	name, isText := user.(write.Text)
	known, isKnown := password.(write.Text)
	switch {
	case isKnown && (isText || known == ""):
		return withhold.IsUserName(string(name), string(known))
	case isText:
		return !withhold.LooksRandom(string(name))
	}
	return true
}

// OwnKeys makes keys in the address parameters of the jobs themselves, so that their streams stand beside others that
// log in otherwise. Pages without the parameters of the first one would lose them.
func (s *Stream) OwnKeys() {
	hasKey := func(j *write.PlannedJob) bool { return j.Auth.Member == nil && len(j.Auth.Query) > 0 }
	all := slices.DeleteFunc(s.Jobs(), func(j *write.PlannedJob) bool { return !hasKey(j) })
	if slices.ContainsFunc(all, func(j *write.PlannedJob) bool { return !j.KeepsParams() }) {
		return
	}
	for _, j := range all {
		j.OwnKey()
	}
}

// signedToken is what a JwtAuthenticator gives: a token that is signed for each request, behind a prefix if there is one.
func (s *Stream) signedToken(n *manifest.Section, sc template.Scope) write.ConfigValue {
	algorithm := s.fixed(n.Get("algorithm"), sc, "")
	if !slices.Contains([]string{"HS256", "RS256", "ES256"}, algorithm) {
		s.Refuse(n, fmt.Sprintf("the algorithm %q is not supported, want HS256, RS256 or ES256", algorithm))
	}
	if passphrase := n.Get("passphrase"); passphrase != nil {
		s.Refuse(passphrase, "a key with a passphrase cannot be used: store it without one")
	}
	key := s.credential(n, sc, "secret_key")
	if n.Get("base64_encode_secret_key").Truth(false) {
		key = write.Calling("base64_encode", key)
	}
	claims := s.claims(n, sc, "jwt_payload", "iss", "sub", "aud", "iat", "exp", "nbf")
	claims = claims.And("iat", write.Calling("time")).And("exp", s.expiry(n)).And("nbf", write.Calling("time"))
	head := s.claims(n, sc, "jwt_headers", "kid", "alg", "typ", "cty")
	token := write.Calling("jwt", write.Text(algorithm), claims, key, head)
	prefix := s.textOrEmpty(n.Get("header_prefix"), sc)
	if prefix == write.Text("") {
		return token
	}
	return write.Joined(prefix, write.Text(" "), token)
}

// expiry is when a token that is signed expires.
func (s *Stream) expiry(n *manifest.Section) write.ConfigValue {
	duration := n.Get("token_duration")
	seconds, err := strconv.Atoi(cmp.Or(duration.Text(), "1200"))
	s.refuseIf(err != nil, duration, "a duration that is not a number of seconds is not supported")
	return write.Calling("strtotime", write.Text(fmt.Sprintf("+%d seconds", seconds)))
}

// claims are the members of an object in a token, the additional ones first, of which some names are reserved.
func (s *Stream) claims(n *manifest.Section, sc template.Scope, member string, reserved ...string) (all write.Object) {
	additional := n.Get("additional_" + member)
	for _, m := range additional.Members() {
		s.refuseIf(slices.Contains(reserved, m.Name), m.Value,
			"Airbyte refuses "+m.Name+" here, since "+member+" has this name")
	}
	for _, of := range []*manifest.Section{additional, n.Get(member)} {
		s.refuseAdded(of)
		s.try(of, func() { all = append(all, sc.MeanAll(of)...) })
	}
	return all
}

// oauth is a login with a refresh token, with the credentials of a client or with a signed assertion; or an access
// token that the values have.
func (s *Stream) oauth(n *manifest.Section, sc template.Scope) write.Authentication {
	const errorMembers = "refresh_token_error_"
	n.Ignore("token_expiry_date", errorMembers+"status_codes", errorMembers+"key", errorMembers+"values")
	endpoint, token := n.Get("token_refresh_endpoint"), n.Get("access_token_value")
	switch {
	case endpoint == nil && token == nil:
		s.Refuse(n, "there is neither token_refresh_endpoint nor access_token_value")
		return write.Authentication{}
	case endpoint == nil:
		n.Know()
		return bearer(withheld(sc, token, "access_token", s.textOrEmpty(token, sc)))
	}
	request := write.Object{}.And("endpoint", s.part(endpoint, sc).Expr()).And("method", write.Text(write.Form))
	var headers write.Object
	for name, value := range s.entries(n.Get("refresh_request_headers"), sc) {
		if text := s.header(value, sc); text != nil {
			headers = headers.And(name, withheldHeader(sc, value, name, text))
		}
	}
	params, keep := s.grant(n, sc, headers.Get("Authorization") != nil)
	request = request.With(len(headers) > 0, "headers", headers).And("params", params)
	access := write.Response(s.fixed(n.Get("access_token_name"), sc, "access_token"))
	expires := write.Object{}.And("response", write.Text(s.fixed(n.Get("expires_in_name"), sc, "expires_in")))
	sc.Values.NoteIf(token != nil && n.Peek("token_expiry_date") != nil,
		"token_expiry_date: Airbyte sends access_token_value until then; in sluice each run logs in")
	isTime := n.Get("token_expiry_date_format").Text() != ""
	expires = expires.With(!isTime, "relative", write.Word("true"))
	return login(keep, request, bearer(access), expires)
}

// login is an authentication by one, whose answer has what signs the requests then.
func login(keep, request write.Object, a write.Authentication, expires write.ConfigValue) write.Authentication {
	placed := write.Object{}.
		With(len(a.Headers) > 0, "headers", a.Headers).
		With(len(a.Query) > 0, "query", a.Query)
	return write.Authentication{Member: write.Object{}.
		And("type", write.Text("login")).
		With(len(keep) > 0, "keep", keep).
		And("loginRequest", request).
		And("apiRequest", placed).
		And("expires", expires)}
}

// grant are the parameters of a login by OAuth, and what of its answer is for the next one. A client whose credentials
// stand in a header has none in the parameters.
func (s *Stream) grant(n *manifest.Section, sc template.Scope, isInHeader bool) (params, keep write.Object) {
	name := func(member, byDefault string) string { return s.fixed(n.Get(member), sc, byDefault) }
	grantName, grant := name("grant_type_name", "grant_type"), name("grant_type", "refresh_token")
	idName, secretName := name("client_id_name", "client_id"), name("client_secret_name", "client_secret")
	id, secret := s.textOrEmpty(n.Get("client_id"), sc), s.credential(n, sc, "client_secret")
	refreshName, refresh, keep := s.refreshToken(n, sc)
	assertion := n.Get("profile_assertion")
	if n.Get("use_profile_assertion").Truth(false) {
		params = params.And(grantName, write.Text("urn:ietf:params:oauth:grant-type:jwt-bearer"))
		return params.And("assertion", s.signedToken(assertion, sc)), nil
	}
	assertion.Know()
	s.refuseIf(grant == "refresh_token" && refresh == nil, n, "there is no refresh_token")
	params = params.
		And(grantName, write.Text(grant)).
		With(!isInHeader, idName, id).
		With(!isInHeader, secretName, secret).
		With(refresh != nil, refreshName, refresh).
		With(n.Get("scopes") != nil, "scopes", write.OneOrList(write.Texts(n.Get("scopes").Texts())))
	for name, value := range s.entries(n.Get("refresh_request_body"), sc) {
		if text := s.header(value, sc); text != nil {
			params = params.With(params.Get(name) == nil, name, withheldBy(sc, value, name, text))
		}
	}
	return params, keep
}

// refreshToken is the parameter of a login that has it; nil: there is none. One that is good once is kept.
func (s *Stream) refreshToken(n *manifest.Section, sc template.Scope) (name string, value write.ConfigValue, keep write.Object) {
	name = s.fixed(n.Get("refresh_token_name"), sc, "refresh_token")
	token, updater := n.Get("refresh_token"), n.Get("refresh_token_updater")
	switch {
	case updater == nil && token == nil:
		return name, nil, nil
	case updater == nil:
		return name, s.credential(n, sc, "refresh_token"), nil
	}
	updater.Ignore("access_token_config_path", "token_expiry_date_config_path",
		"refresh_token_error_status_codes", "refresh_token_error_key", "refresh_token_error_values")
	name = s.fixed(updater.Get("refresh_token_name"), sc, "refresh_token")
	path := []string{"credentials", "refresh_token"}
	if own := updater.Get("refresh_token_config_path"); own != nil {
		path = nil
		for _, step := range own.Elements() {
			path = append(path, s.fixed(step, sc, ""))
		}
	}
	first := withheld(sc, updater, "refresh_token", s.textOrEmpty(valueAt(updater, path), sc))
	value = write.Calling("ifempty", write.Kept("refresh"), first)
	return name, value, keep.And("refresh", write.Response(name))
}

// session is a login whose answer has a token.
func (s *Stream) session(n *manifest.Section, sc template.Scope) write.Authentication {
	var path []string
	for _, e := range n.Get("session_token_path").Elements() {
		step := s.fixed(e, sc, "")
		s.refuseIf(strings.ContainsAny(step, ".*"), e, "a step with a dot or a star is not supported")
		path = append(path, step)
	}
	if decoder := n.Get("decoder"); decoder.Kind() != "" && decoder.Kind() != "JsonDecoder" {
		s.refuseKind(decoder, "decoder")
	}
	request := s.loginRequest(n.Get("login_requester"), sc)
	api := s.sessionPlace(n.Get("request_authentication"), sc, write.Response(strings.Join(path, ".")))
	return login(nil, request, api, s.duration(n.Get("expiration_duration")))
}

// sessionPlace is where the token of a session goes.
func (s *Stream) sessionPlace(n *manifest.Section, sc template.Scope, token write.ConfigValue) write.Authentication {
	switch n.Kind() {
	case "Bearer":
		return bearer(token)
	case "ApiKey":
		isToken := func([]string) template.Meaning { return template.Meaning{Expr: token} }
		if own := n.Get("api_token"); own != nil {
			token = s.textOrEmpty(own, sc.With(map[string]template.Variable{"session_token": isToken}))
		}
		return s.placed(n.Get("inject_into"), sc, token)
	}
	s.refuseKind(n, "request_authentication")
	return write.Authentication{}
}

// loginRequest is what a login asks.
func (s *Stream) loginRequest(n *manifest.Section, sc template.Scope) write.Object {
	var j write.PlannedJob
	n.Ignore("error_handler")
	s.request(n, sc, &j)
	s.refuseIf(j.Auth.Member != nil, n, "a login that needs a login is not supported")
	headers := append(j.Headers, j.Auth.Headers...)
	query := append(j.Query, j.Auth.Query...)
	return write.Object{}.
		And("endpoint", j.Absolute().Expr()).
		With(j.Method != "", "method", write.Text(j.Method)).
		With(len(j.Params) > 0, "params", j.Params).
		With(len(query) > 0, "query", query).
		With(j.Body != nil, "body", j.Body).
		With(len(headers) > 0, "headers", headers)
}

// duration is that of ISO 8601 in seconds; without one it is 0.
func (s *Stream) duration(n *manifest.Section) write.ConfigValue {
	p, ok := times.ParsePeriod(n.Text())
	s.refuseIf(n != nil && !ok, n, fmt.Sprintf("the duration %q is not supported", n.Text()))
	return number(int64(p.Shortest / time.Second))
}

// legacySession is a token of the values, or else a login with user name and password.
func (s *Stream) legacySession(n *manifest.Section, sc template.Scope, base write.Parts) write.Authentication {
	n.Ignore("validate_session_url")
	name := s.fixed(n.Get("header"), sc, "")
	user, password := s.textOrEmpty(n.Get("username"), sc), s.credential(n, sc, "password")
	key := s.fixed(n.Get("session_token_response_key"), sc, "")
	path := s.part(n.Get("login_url"), sc)
	if token := s.credential(n, sc, "session_token"); token != write.Text("") {
		return header(name, token)
	}
	s.refuseIf(len(base) == 0, n, "there is no url_base for the path of the login")
	request := write.Object{}.
		And("endpoint", base.And(path...).Expr()).
		And("method", write.Text("POST")).
		And("params", write.Object{}.And("username", user).And("password", password))
	return login(nil, request, header(name, write.Response(key)), write.Word("86400"))
}
