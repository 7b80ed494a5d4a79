package airbyte

import (
	"fmt"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// oauth is a login with a refresh token, with the credentials of a client or with a signed assertion; or an access token
// that the values have.
func (s *stream) oauth(n *node, sc scope) authentication {
	n.ignore("token_expiry_date", "refresh_token_error_status_codes", "refresh_token_error_key",
		"refresh_token_error_values")
	endpoint := n.get("token_refresh_endpoint")
	token := n.get("access_token_value")
	if endpoint == nil {
		if token == nil {
			s.refuse(n, "there is neither token_refresh_endpoint nor access_token_value")
			return authentication{}
		}
		n.know()
		return bearer(s.textOrEmpty(token, sc))
	}
	address, _ := s.text(endpoint, sc)
	request := item.Object{"endpoint", address, "method", quote(form)}
	member := item.Object{"type", `"login"`}
	headers := s.loginHeaders(n.get("refresh_request_headers"), sc)
	params, keep := s.grant(n, sc, hasName(headers, "Authorization"))
	request = request.With(len(headers) > 0, "headers", headers.String()).With(true, "params", params.String())
	member = member.With(len(keep) > 0, "keep", keep.String()).With(true, "loginRequest", request.String())
	access := item.Object{"response", quote(s.fixed(n.get("access_token_name"), sc, "access_token"))}
	header := item.Object{"Authorization", joinedText(`"Bearer "`, access.String())}
	expires := item.Object{"response", quote(s.fixed(n.get("expires_in_name"), sc, "expires_in"))}
	isTime := n.get("token_expiry_date_format").text() != ""
	isBegun := token != nil && n.peek("token_expiry_date") != nil
	if isBegun {
		sc.values.note("token_expiry_date: that platform sends access_token_value until then, here each run logs in")
	}
	expires = expires.With(!isTime, "relative", "true")
	member = append(member,
		"apiRequest", item.Object{"headers", header.String()}.String(), "expires", expires.String())
	return authentication{member: member}
}

func hasName(o item.Object, name string) bool {
	for i := range indices(o) {
		if o[2*i] == name {
			return true
		}
	}
	return false
}

// loginHeaders are those of a login.
func (s *stream) loginHeaders(n *node, sc scope) item.Object {
	var all item.Object
	for name, value := range s.entries(n, sc) {
		if text, ok := s.header(value, sc); ok {
			all = append(all, name, text)
		}
	}
	return all
}

// grant are the parameters of a login by OAuth, and what of its answer is for the next one. A client whose credentials
// stand in a header has none in the parameters.
func (s *stream) grant(n *node, sc scope, isInHeader bool) (params, keep item.Object) {
	name := func(member, byDefault string) string { return s.fixed(n.get(member), sc, byDefault) }
	grantName, grant := name("grant_type_name", "grant_type"), name("grant_type", "refresh_token")
	idName, secretName := name("client_id_name", "client_id"), name("client_secret_name", "client_secret")
	id, secret := s.textOrEmpty(n.get("client_id"), sc), s.textOrEmpty(n.get("client_secret"), sc)
	refreshName, refresh, keep := s.refreshToken(n, sc)
	assertion := n.get("profile_assertion")
	if n.get("use_profile_assertion").truth(false) {
		params = item.Object{grantName, `"urn:ietf:params:oauth:grant-type:jwt-bearer"`}
		return append(params, "assertion", s.signedToken(assertion, sc)), nil
	}
	if assertion != nil {
		n.ignore("profile_assertion")
	}
	params = item.Object{grantName, quote(grant)}
	params = params.With(!isInHeader, idName, id).With(!isInHeader, secretName, secret)
	params = params.With(refresh != "", refreshName, refresh)
	if grant == "refresh_token" && refresh == "" {
		s.refuse(n, "there is no refresh_token")
	}
	params = params.With(n.get("scopes") != nil, "scopes", scopes(n.get("scopes")))
	for name, value := range s.entries(n.get("refresh_request_body"), sc) {
		if text, ok := s.header(value, sc); ok {
			params = params.With(!hasName(params, name), name, text)
		}
	}
	return params, keep
}

// scopes are a text, or several.
func scopes(n *node) string {
	var all []string
	for _, e := range n.elements() {
		all = append(all, quote(e.text()))
	}
	if len(all) == 1 {
		return all[0]
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// refreshToken is the parameter of a login that has it; empty: there is none. One that is good once is kept.
func (s *stream) refreshToken(n *node, sc scope) (name, value string, keep item.Object) {
	name = s.fixed(n.get("refresh_token_name"), sc, "refresh_token")
	token := n.get("refresh_token")
	updater := n.get("refresh_token_updater")
	if updater == nil {
		if token == nil {
			return name, "", nil
		}
		return name, s.textOrEmpty(token, sc), nil
	}
	updater.ignore(
		"access_token_config_path",
		"token_expiry_date_config_path",
		"refresh_token_error_status_codes",
		"refresh_token_error_key",
		"refresh_token_error_values",
	)
	name = s.fixed(updater.get("refresh_token_name"), sc, "refresh_token")
	path := []string{"credentials", "refresh_token"}
	if own := updater.get("refresh_token_config_path"); own != nil {
		path = nil
		for _, step := range own.elements() {
			path = append(path, s.fixed(step, sc, ""))
		}
	}
	source := "{{ config"
	for _, step := range path {
		source += "[" + quote(step) + "]"
	}
	first := s.textOrEmpty(updater.as(source+" }}"), sc)
	value = calling("ifempty", item.Object{"kept", `"refresh"`}.String(), first)
	return name, value, item.Object{"refresh", item.Object{"response", quote(name)}.String()}
}

// session is a login whose answer has a token.
func (s *stream) session(n *node, sc scope) authentication {
	login := n.get("login_requester")
	path := s.responsePath(n.get("session_token_path"), sc)
	token := item.Object{"response", quote(path)}.String()
	if decoder := n.get("decoder"); decoder.kind() != "" && decoder.kind() != "JsonDecoder" {
		s.refuseKind(decoder, "decoder")
	}
	request := s.loginRequest(login, sc)
	api := s.sessionPlace(n.get("request_authentication"), sc, token)
	member := item.Object{"type", `"login"`, "loginRequest", request.String()}
	placed := item.Object{}.With(len(api.headers) > 0, "headers", api.headers.String())
	placed = placed.With(len(api.query) > 0, "query", api.query.String())
	member = append(member, "apiRequest", placed.String())
	return authentication{member: append(member, "expires", s.duration(n.get("expiration_duration")))}
}

// sessionPlace is where the token of a session goes.
func (s *stream) sessionPlace(n *node, sc scope, token string) authentication {
	switch n.kind() {
	case "Bearer":
		return bearer(token)
	case "ApiKey":
		isToken := func([]string) (meaning, error) { return meaning{json: token}, nil }
		if template := n.get("api_token"); template != nil {
			token = s.textOrEmpty(template, sc.with(map[string]variable{"session_token": isToken}))
		}
		return s.placed(n.get("inject_into"), sc, token)
	}
	s.refuseKind(n, "request_authentication")
	return authentication{}
}

// responsePath is a path in the answer to a login.
func (s *stream) responsePath(n *node, sc scope) string {
	var steps []string
	for _, e := range n.elements() {
		step := s.fixed(e, sc, "")
		if strings.ContainsAny(step, ".*") {
			s.refuse(e, "a step with a dot or a star is not understood")
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, ".")
}

// loginRequest is what a login asks.
func (s *stream) loginRequest(n *node, sc scope) item.Object {
	var j job
	n.ignore("error_handler")
	s.request(n, sc, &j)
	if j.auth.member != nil {
		s.refuse(n, "a login that needs a login cannot be said")
	}
	request := item.Object{"endpoint", j.absolute()}
	request = request.With(j.method != "", "method", quote(j.method))
	headers := append(j.headers, j.auth.headers...)
	query := append(j.query, j.auth.query...)
	request = request.With(len(j.params) > 0, "params", j.params.String())
	request = request.With(len(query) > 0, "query", query.String())
	request = request.With(j.body != nil, "body", j.body.String())
	return request.With(len(headers) > 0, "headers", headers.String())
}

// absolute is the address that a job asks, whole.
func (j *job) absolute() string {
	if j.base == "" {
		return j.endpoint
	}
	base := partsOf(j.base)
	if j.endpoint == `"/"` {
		return withSlash(base).JSON()
	}
	return withSlash(base).and(partsOf(j.endpoint)...).JSON()
}

var isoDuration = pattern(
	`^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$`,
)

// duration is that of ISO 8601 in seconds, a year and a month at their shortest; without one it is 0.
func (s *stream) duration(n *node) string {
	if n == nil {
		return "0"
	}
	found := isoDuration().FindStringSubmatch(n.text())
	if found == nil {
		s.refuse(n, fmt.Sprintf("the duration %q is not understood", n.text()))
		return "0"
	}
	const minute, hour, day = 60, 3600, 86400
	seconds := 0
	for i, unit := range [...]int{365 * day, 28 * day, 7 * day, day, hour, minute, 1} {
		amount, _ := strconv.Atoi(found[i+1])
		seconds += amount * unit
	}
	return strconv.Itoa(seconds)
}

// legacySession is a token of the values, or else a login with user name and password.
func (s *stream) legacySession(n *node, sc scope, base parts) authentication {
	n.ignore("validate_session_url")
	header := s.fixed(n.get("header"), sc, "")
	user, password := s.textOrEmpty(n.get("username"), sc), s.textOrEmpty(n.get("password"), sc)
	key := s.fixed(n.get("session_token_response_key"), sc, "")
	path := s.part(n.get("login_url"), sc)
	if token := s.textOrEmpty(n.get("session_token"), sc); token != `""` {
		return authentication{headers: item.Object{header, token}}
	}
	if len(base) == 0 {
		s.refuse(n, "there is no url_base that the login is below")
	}
	params := item.Object{"username", user, "password", password}
	request := item.Object{
		"endpoint", base.and(path...).JSON(), "method", `"POST"`, "params", params.String(),
	}
	place := item.Object{header, item.Object{"response", quote(key)}.String()}
	return authentication{member: item.Object{
		"type", `"login"`,
		"loginRequest", request.String(),
		"apiRequest", item.Object{"headers", place.String()}.String(),
		"expires", "86400",
	}}
}

// hasList tells whether the parameters of a login have a list.
func (a authentication) hasList() bool {
	for i := range indices(a.member) {
		if a.member[2*i] != "loginRequest" {
			continue
		}
		request := objectOf(a.member[2*i+1])
		for k := range indices(request) {
			isForm := request[2*k] == "params" || request[2*k] == "query"
			if isForm && hasList(objectOf(request[2*k+1])) {
				return true
			}
		}
	}
	return false
}
