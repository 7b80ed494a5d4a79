package airbyte

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// credentials reads how the requests of a requester are signed, and puts what goes into their bodies there.
func (s *stream) credentials(n *node, sc scope, j *job) {
	a := s.selected(n.get("authenticator"), sc)
	option := a.get("inject_into")
	isInBody := a.kind() == "ApiKeyAuthenticator" &&
		strings.HasPrefix(option.get("inject_into").text(), "body_")
	switch {
	case isInBody:
		if err := j.inject(option, sc, s.textOrEmpty(a.get("api_token"), sc)); err != nil {
			s.refuse(option, err.Error())
		}
	case a.kind() == "LegacySessionTokenAuthenticator":
		j.auth = s.legacySession(a, sc, s.part(n.get("url_base"), sc))
	default:
		j.auth = s.authenticator(a, sc)
	}
	for i := range indices(j.auth.headers) {
		for k := range indices(j.headers) {
			if strings.EqualFold(j.auth.headers[2*i], j.headers[2*k]) {
				s.refuse(a, fmt.Sprintf("the header %s stands in request_headers, too", j.headers[2*k]))
			}
		}
	}
}

// authenticator reads how requests are signed.
func (s *stream) authenticator(n *node, sc scope) authentication {
	n = s.selected(n, sc)
	switch n.kind() {
	case "NoAuth":
	case "ApiKeyAuthenticator":
		return s.apiKey(n, sc)
	case "BearerAuthenticator":
		return bearer(s.textOrEmpty(n.get("api_token"), sc))
	case "BasicHttpAuthenticator":
		return s.basic(n, sc)
	case "OAuthAuthenticator":
		return s.oauth(n, sc)
	case "SessionTokenAuthenticator":
		return s.session(n, sc)
	case "LegacySessionTokenAuthenticator":
		return s.legacySession(n, sc, nil)
	case "JwtAuthenticator":
		return s.jwt(n, sc)
	default:
		if n != nil {
			s.refuseKind(n, "authenticator")
		}
	}
	return authentication{}
}

// selected is the authenticator that the values choose, where there are several.
func (s *stream) selected(n *node, sc scope) *node {
	if n.kind() != "SelectiveAuthenticator" {
		return n
	}
	source := "config"
	for _, step := range n.get("authenticator_selection_path").elements() {
		source += "[" + quote(step.text()) + "]"
	}
	all := n.get("authenticators")
	chosen, err := sc.fixedText(n.as("{{ " + source + " }}"))
	for _, m := range all.members() {
		isChosen := err == nil && m.name == chosen
		if isChosen {
			n.ignore("authenticators")
			return s.selected(m.value, sc)
		}
	}
	s.refuse(n, fmt.Sprintf("no authenticator is chosen: %s must name one of them in --values", source))
	n.ignore("authenticators")
	return nil
}

// textOrEmpty is the text that a template gives, as JSON: what gives nothing is the empty text.
func (s *stream) textOrEmpty(n *node, sc scope) string {
	if n == nil {
		return `""`
	}
	if text, ok := s.text(n, sc); ok {
		return text
	}
	return `""`
}

// fixed is a text that the values decide; byDefault where there is none.
func (s *stream) fixed(n *node, sc scope, byDefault string) string {
	if n == nil {
		return byDefault
	}
	text, err := sc.fixedText(n)
	if err != nil {
		s.refuse(n, err.Error())
	}
	if text == "" {
		return byDefault
	}
	return text
}

// joinedText is a text of texts and expressions, as JSON.
func joinedText(all ...string) string {
	var p parts
	for _, one := range all {
		p = p.and(partsOf(one)...)
	}
	return p.JSON()
}

func bearer(token string) authentication {
	return authentication{headers: item.Object{"Authorization", joinedText(`"Bearer "`, token)}}
}

// apiKey is a key in a header or in the address.
func (s *stream) apiKey(n *node, sc scope) authentication {
	token := s.textOrEmpty(n.get("api_token"), sc)
	option := n.get("inject_into")
	if option == nil {
		header := s.fixed(n.get("header"), sc, "")
		if header == "" {
			s.refuse(n, "neither inject_into nor header says where the key goes")
		}
		return authentication{headers: item.Object{header, token}}
	}
	return s.placed(option, sc, token)
}

// placed is a value in each request, in a header or in the address.
func (s *stream) placed(option *node, sc scope, value string) authentication {
	at, err := spotOf(option, sc)
	switch {
	case err != nil:
		s.refuse(option, err.Error())
	case at.into == "header":
		return authentication{headers: item.Object{at.path[0], value}}
	case at.into == "request_parameter":
		return authentication{query: item.Object{at.path[0], value}}
	default:
		s.refuse(option, "a credential of this kind in a body cannot be said")
	}
	return authentication{}
}

// basic is user name and password. The header is made here, so that streams may have several.
func (s *stream) basic(n *node, sc scope) authentication {
	user, password := s.textOrEmpty(n.get("username"), sc), s.textOrEmpty(n.get("password"), sc)
	pair := calling("base64_encode", joinedText(user, `":"`, password))
	return authentication{headers: item.Object{"Authorization", joinedText(`"Basic "`, pair)}}
}

// ownKeys makes keys in the address parameters of the jobs themselves, so that their streams stand beside others that log
// in otherwise. Pages without the parameters of the first one would lose them.
func (s *stream) ownKeys() {
	isKey := func(j *job) bool { return j.auth.member == nil && len(j.auth.query) > 0 }
	for _, j := range s.jobs() {
		if isKey(j) && !j.keepsParams() {
			return
		}
	}
	for _, j := range s.jobs() {
		if isKey(j) {
			j.ownKey()
		}
	}
}

// ownKey does so for a job, unless the job has such a parameter.
func (j *job) ownKey() {
	query := slices.Clone(j.query)
	for m := range slices.Chunk(j.auth.query, 2) {
		_, isInAddress := inAddress(j.endpoint, m[0])
		if isInAddress || valueOf(j.params, m[0])+valueOf(j.query, m[0]) != "" {
			return
		}
		query = append(query, m...)
	}
	j.query, j.auth.query = query, nil
}

// keepsParams tells that all pages are asked for with the parameters of the job.
func (j *job) keepsParams() bool {
	switch valueOf(j.pagination, "method") {
	case `"response.url"`, `"response.param"`:
		return valueOf(j.pagination, "includeParams") == "true"
	}
	return true
}

// Algorithms that tokens are signed with.
var algorithms = map[string]bool{"HS256": true, "RS256": true, "ES256": true}

// jwt is a token that is signed for each request.
func (s *stream) jwt(n *node, sc scope) authentication {
	token := s.signedToken(n, sc)
	if option := n.get("request_option"); option != nil {
		return s.placed(option, sc, token)
	}
	return authentication{headers: item.Object{"Authorization", token}}
}

// signedToken is what a JwtAuthenticator gives: the token, behind a prefix if there is one.
func (s *stream) signedToken(n *node, sc scope) string {
	algorithm := s.fixed(n.get("algorithm"), sc, "")
	if !algorithms[algorithm] {
		s.refuse(n, fmt.Sprintf("the algorithm %q cannot be said, want HS256, RS256 or ES256", algorithm))
	}
	if n.get("passphrase") != nil {
		s.refuse(n.get("passphrase"), "a key with a passphrase cannot be used: store it without one")
	}
	key := s.textOrEmpty(n.get("secret_key"), sc)
	if n.get("base64_encode_secret_key").truth(false) {
		key = calling("base64_encode", key)
	}
	s.refuseReserved(n.get("additional_jwt_payload"), "iss", "sub", "aud", "iat", "exp", "nbf")
	s.refuseReserved(n.get("additional_jwt_headers"), "kid", "alg", "typ", "cty")
	claims := append(s.claims(n.get("additional_jwt_payload"), sc), s.claims(n.get("jwt_payload"), sc)...)
	claims = append(claims, "iat", calling("time"), "exp", s.expiry(n), "nbf", calling("time"))
	header := append(s.claims(n.get("additional_jwt_headers"), sc), s.claims(n.get("jwt_headers"), sc)...)
	token := calling("jwt", quote(algorithm), claims.String(), key, header.String())
	prefix := s.textOrEmpty(n.get("header_prefix"), sc)
	if prefix == `""` {
		return token
	}
	return joinedText(prefix, `" "`, token)
}

// refuseReserved refuses members that only the other objects of a token may have.
func (s *stream) refuseReserved(n *node, reserved ...string) {
	for _, m := range n.members() {
		if slices.Contains(reserved, m.name) {
			s.refuse(m.value, "that platform refuses "+m.name+" here: it is a name that jwt_payload or jwt_headers has")
		}
	}
}

// expiry is when a token that is signed expires.
func (s *stream) expiry(n *node) string {
	duration := n.get("token_duration")
	seconds, err := strconv.Atoi(duration.text())
	switch {
	case duration == nil:
		seconds = 1200
	case err != nil:
		s.refuse(duration, "a duration that is no number of seconds is not understood")
	}
	return calling("strtotime", quote(fmt.Sprintf("+%d seconds", seconds)))
}

// claims are members of a token.
func (s *stream) claims(n *node, sc scope) item.Object {
	if n == nil {
		return nil
	}
	s.refuseAdded(n)
	all, err := sc.meanAll(n)
	if err != nil {
		s.refuse(n, err.Error())
	}
	return all
}
