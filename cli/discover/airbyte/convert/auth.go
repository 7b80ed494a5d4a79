package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/withhold"
	"sluice/pipeline/item"
)

// credentials reads how the requests of a requester are signed, and puts what goes into their bodies there.
func (s *Stream) credentials(n *manifest.Node, sc template.Scope, j *write.Job) {
	a := s.selected(n.Get("authenticator"), sc)
	option := a.Get("inject_into")
	isInBody := a.Kind() == "ApiKeyAuthenticator" &&
		strings.HasPrefix(option.Get("inject_into").Text(), "body_")
	switch {
	case isInBody:
		if err := injectInto(j, option, sc, s.credential(a.Get("api_token"), sc, "api_token")); err != nil {
			s.Refuse(option, err.Error())
		}
	case a.Kind() == "LegacySessionTokenAuthenticator":
		j.Auth = s.legacySession(a, sc, s.part(n.Get("url_base"), sc))
	default:
		j.Auth = s.authenticator(a, sc)
	}
	for i := range write.Indices(j.Auth.Headers) {
		for k := range write.Indices(j.Headers) {
			if strings.EqualFold(j.Auth.Headers[2*i], j.Headers[2*k]) {
				s.Refuse(a, fmt.Sprintf("the header %s stands in request_headers, too", j.Headers[2*k]))
			}
		}
	}
}

// authenticator reads how requests are signed.
func (s *Stream) authenticator(n *manifest.Node, sc template.Scope) write.Authentication {
	n = s.selected(n, sc)
	switch n.Kind() {
	case "NoAuth":
	case "ApiKeyAuthenticator":
		return s.apiKey(n, sc)
	case "BearerAuthenticator":
		return bearer(s.credential(n.Get("api_token"), sc, "api_token"))
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
	return write.Authentication{}
}

// selected is the authenticator that the values choose, where there are several.
func (s *Stream) selected(n *manifest.Node, sc template.Scope) *manifest.Node {
	if n.Kind() != "SelectiveAuthenticator" {
		return n
	}
	source := "config"
	for _, step := range n.Get("authenticator_selection_path").Elements() {
		source += "[" + write.Quote(step.Text()) + "]"
	}
	all := n.Get("authenticators")
	chosen, err := sc.FixedText(n.As("{{ " + source + " }}"))
	for _, m := range all.Members() {
		if err == nil && m.Name == chosen {
			n.Ignore("authenticators")
			return s.selected(m.Value, sc)
		}
	}
	s.Refuse(n, fmt.Sprintf("no authenticator is chosen: %s must name one of them in --values", source))
	n.Ignore("authenticators")
	return nil
}

// textOrEmpty is the text that a template gives, as JSON: what gives nothing is the empty text.
func (s *Stream) textOrEmpty(n *manifest.Node, sc template.Scope) string {
	if n == nil {
		return `""`
	}
	if text, ok := s.text(n, sc); ok {
		return text
	}
	return `""`
}

// fixed is a text that the values decide; byDefault where there is none.
func (s *Stream) fixed(n *manifest.Node, sc template.Scope, byDefault string) string {
	if n == nil {
		return byDefault
	}
	text, err := sc.FixedText(n)
	if err != nil {
		s.Refuse(n, err.Error())
	}
	if text == "" {
		return byDefault
	}
	return text
}

// joinedText is a text of texts and expressions, as JSON.
func joinedText(all ...string) string {
	var p write.Parts
	for _, one := range all {
		p = p.And(write.PartsOf(one)...)
	}
	return p.JSON()
}

func bearer(token string) write.Authentication {
	return write.Authentication{Headers: item.Object{"Authorization", joinedText(`"Bearer "`, token)}}
}

// apiKey is a key in a header or in the address.
func (s *Stream) apiKey(n *manifest.Node, sc template.Scope) write.Authentication {
	token := s.credential(n.Get("api_token"), sc, "api_token")
	option := n.Get("inject_into")
	if option == nil {
		header := s.fixed(n.Get("header"), sc, "")
		if header == "" {
			s.Refuse(n, "neither inject_into nor header says where the key goes")
		}
		return write.Authentication{Headers: item.Object{header, token}}
	}
	return s.placed(option, sc, token)
}

// placed is a value in each request, in a header or in the address.
func (s *Stream) placed(option *manifest.Node, sc template.Scope, value string) write.Authentication {
	at, err := spotOf(option, sc)
	switch {
	case err != nil:
		s.Refuse(option, err.Error())
	case at.Into == "header":
		return write.Authentication{Headers: item.Object{at.Path[0], value}}
	case at.Into == "request_parameter":
		return write.Authentication{Query: item.Object{at.Path[0], value}}
	default:
		s.Refuse(option, "a credential of this kind in a body cannot be said")
	}
	return write.Authentication{}
}

// basic is user name and password. The header is made here, so that streams may have several.
func (s *Stream) basic(n *manifest.Node, sc template.Scope) write.Authentication {
	user, password := s.textOrEmpty(n.Get("username"), sc), s.textOrEmpty(n.Get("password"), sc)
	if !isUserName(user, password) {
		user = withheld(sc, n, "username", user)
	}
	password = withheld(sc, n.Get("password"), "password", password)
	pair := write.Calling("base64_encode", joinedText(user, `":"`, password))
	return write.Authentication{Headers: item.Object{"Authorization", joinedText(`"Basic "`, pair)}}
}

// isUserName tells that the user name of basic authentication, as JSON, is no key. Without a password it is one; in
// front of a password that a run gives it may be any name.
func isUserName(user, password string) bool {
	switch {
	case password == `""`, write.IsQuoted(user) && write.IsQuoted(password):
		return withhold.IsUserName(write.TextOf(user), write.TextOf(password))
	case write.IsQuoted(user):
		return !withhold.LooksRandom(write.TextOf(user))
	}
	return true
}

// OwnKeys makes keys in the address parameters of the jobs themselves, so that their streams stand beside others that
// log in otherwise. Pages without the parameters of the first one would lose them.
func (s *Stream) OwnKeys() {
	isKey := func(j *write.Job) bool { return j.Auth.Member == nil && len(j.Auth.Query) > 0 }
	for _, j := range s.Jobs() {
		if isKey(j) && !j.KeepsParams() {
			return
		}
	}
	for _, j := range s.Jobs() {
		if isKey(j) {
			j.OwnKey()
		}
	}
}

// Algorithms that tokens are signed with.
var algorithms = map[string]bool{"HS256": true, "RS256": true, "ES256": true}

// jwt is a token that is signed for each request.
func (s *Stream) jwt(n *manifest.Node, sc template.Scope) write.Authentication {
	token := s.signedToken(n, sc)
	if option := n.Get("request_option"); option != nil {
		return s.placed(option, sc, token)
	}
	return write.Authentication{Headers: item.Object{"Authorization", token}}
}

// signedToken is what a JwtAuthenticator gives: the token, behind a prefix if there is one.
func (s *Stream) signedToken(n *manifest.Node, sc template.Scope) string {
	algorithm := s.fixed(n.Get("algorithm"), sc, "")
	if !algorithms[algorithm] {
		s.Refuse(n, fmt.Sprintf("the algorithm %q cannot be said, want HS256, RS256 or ES256", algorithm))
	}
	if n.Get("passphrase") != nil {
		s.Refuse(n.Get("passphrase"), "a key with a passphrase cannot be used: store it without one")
	}
	key := s.credential(n.Get("secret_key"), sc, "secret_key")
	if n.Get("base64_encode_secret_key").Truth(false) {
		key = write.Calling("base64_encode", key)
	}
	s.refuseReserved(n.Get("additional_jwt_payload"), "iss", "sub", "aud", "iat", "exp", "nbf")
	s.refuseReserved(n.Get("additional_jwt_headers"), "kid", "alg", "typ", "cty")
	claims := append(s.claims(n.Get("additional_jwt_payload"), sc), s.claims(n.Get("jwt_payload"), sc)...)
	claims = append(claims, "iat", write.Calling("time"), "exp", s.expiry(n), "nbf", write.Calling("time"))
	header := append(s.claims(n.Get("additional_jwt_headers"), sc), s.claims(n.Get("jwt_headers"), sc)...)
	token := write.Calling("jwt", write.Quote(algorithm), claims.String(), key, header.String())
	prefix := s.textOrEmpty(n.Get("header_prefix"), sc)
	if prefix == `""` {
		return token
	}
	return joinedText(prefix, `" "`, token)
}

// refuseReserved refuses members that only the other objects of a token may have.
func (s *Stream) refuseReserved(n *manifest.Node, reserved ...string) {
	for _, m := range n.Members() {
		if slices.Contains(reserved, m.Name) {
			s.Refuse(m.Value, "that platform refuses "+m.Name+" here: it is a name that jwt_payload or jwt_headers has")
		}
	}
}

// expiry is when a token that is signed expires.
func (s *Stream) expiry(n *manifest.Node) string {
	duration := n.Get("token_duration")
	seconds, err := strconv.Atoi(duration.Text())
	switch {
	case duration == nil:
		seconds = 1200
	case err != nil:
		s.Refuse(duration, "a duration that is no number of seconds is not understood")
	}
	return write.Calling("strtotime", write.Quote(fmt.Sprintf("+%d seconds", seconds)))
}

// claims are members of a token.
func (s *Stream) claims(n *manifest.Node, sc template.Scope) item.Object {
	if n == nil {
		return nil
	}
	s.refuseAdded(n)
	all, err := sc.MeanAll(n)
	if err != nil {
		s.Refuse(n, err.Error())
	}
	return all
}
