package openapi

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// A scheme is a way to sign requests, by the name that the document has for it.
type scheme struct {
	name   string
	said   *documentNode
	scopes []string

	// isToken: a person gets the token elsewhere, also where a client alone could log in.
	isToken bool
}

// credentials finds out how the requests of an operation are signed.
func (w *configWriter) credentials(o *operation) {
	requirement, isThere := o.node.get("security"), true
	if requirement == nil {
		requirement = w.d.root.get("security")
	}
	if requirement == nil {
		isThere = false
	}
	schemes := w.d.schemes()
	ways := w.sorted(waysOf(requirement, schemes))
	isOpen := len(requirement.elements()) == 0 || slices.ContainsFunc(requirement.elements(), func(n *documentNode) bool {
		return len(n.names) == 0
	})
	c := Sure
	switch {
	case len(ways) > 0:
		if isOpen {
			w.say(Likely, "it answers without credentials, too: the document allows both")
			ways = append(ways, nil)
		}
	case isThere && isOpen:
		w.say(Sure, "no credentials are needed")
	case isThere:
		w.say(Unknown, "the credentials: the document names %s and does not say what it is", shortened(requirement.values[0].first()))
	case len(schemes) == 0:
		w.say(Unknown, "the credentials: the document says nothing of any; if there are some, add them as docs/authentication.md says")
	default:
		for _, s := range schemes {
			ways = append(ways, []scheme{s})
		}
		ways, c = w.sorted(ways), Likely
	}
	w.ways = len(ways)
	if len(ways) > 0 {
		w.sign(ways[w.choice.way], c)
	}
}

// sorted are ways to sign, the one with the least effort first. A client that logs in may also send a token.
func (w *configWriter) sorted(ways [][]scheme) [][]scheme {
	slices.SortStableFunc(ways, func(a, b []scheme) int { return w.effort(a) - w.effort(b) })
	for _, way := range ways {
		if len(way) != 1 {
			continue
		}
		if flow, _ := w.clientFlow(way[0]); flow != nil {
			one := way[0]
			one.isToken = true
			ways = append(ways, []scheme{one})
		}
	}
	return ways
}

// schemes are all that the document has.
func (d *APIDocument) schemes() (all []scheme) {
	said := d.root.get("components").get("securitySchemes")
	if d.isSwagger {
		said = d.root.get("securityDefinitions")
	}
	for name, n := range said.members() {
		if of := d.follow(n); of != nil {
			all = append(all, scheme{name: name, said: of})
		}
	}
	d.fault = nil
	return all
}

// waysOf are the ways to sign that a requirement has, each of schemes that go together.
func waysOf(requirement *documentNode, known []scheme) (all [][]scheme) {
	for _, n := range requirement.elements() {
		var way []scheme
		for name, scopes := range n.members() {
			at := slices.IndexFunc(known, func(s scheme) bool { return s.name == name })
			if at < 0 {
				way = nil
				break
			}
			s := known[at]
			for _, scope := range scopes.elements() {
				s.scopes = append(s.scopes, scope.scalar())
			}
			way = append(way, s)
		}
		if len(way) > 0 {
			all = append(all, way)
		}
	}
	return all
}

// effort is how much a person has to do for a way to sign; the least is best.
func (w *configWriter) effort(way []scheme) (sum int) {
	for _, s := range way {
		kind, how := s.said.get("type").scalar(), strings.ToLower(s.said.get("scheme").scalar())
		flow, _ := w.clientFlow(s)
		switch {
		case kind == "http" && how == "bearer":
			sum++
		case kind == "apiKey" && s.said.get("in").scalar() != "cookie":
			sum += 2
		case kind == "basic", kind == "http" && how == "basic":
			sum += 3
		case kind == "oauth2" && flow != nil:
			sum += 4
		case kind == "oauth2", kind == "openIdConnect":
			sum += 6
		default:
			sum += 20
		}
	}
	return sum
}

// sign makes requests signed by schemes that go together.
func (w *configWriter) sign(way []scheme, c Certainty) {
	for _, s := range way {
		kind, how := s.said.get("type").scalar(), strings.ToLower(s.said.get("scheme").scalar())
		flow, address := w.clientFlow(s)
		switch {
		case kind == "http" && how == "bearer":
			w.bearer(c, "the credentials are a token")
		case kind == "apiKey":
			w.key(s, c)
		case kind == "basic", kind == "http" && how == "basic":
			w.basic(c)
		case kind == "oauth2" && flow != nil && w.authentication == nil && !s.isToken:
			w.client(s, flow, address, c)
		case kind == "oauth2", kind == "openIdConnect":
			w.bearer(Likely, "the credentials are a token of OAuth, which you get elsewhere")
		default:
			w.say(Unknown, "the credentials: %s, of the type %s, is not supported", s.name, strings.TrimSpace(kind+" "+how))
		}
	}
}

// bearer sends a token.
func (w *configWriter) bearer(c Certainty, what string) {
	if has(w.headers, "Authorization") {
		return
	}
	w.headers = w.headers.With(true, "Authorization", concat(`"Bearer "`, w.secret("token")))
	w.say(c, "%s, in Authorization behind Bearer: attribute #token", what)
}

// key sends a key.
func (w *configWriter) key(s scheme, c Certainty) {
	name := s.said.get("name").scalar()
	if has(w.headers, name) || has(w.query, name) {
		return
	}
	value := w.secret(name)
	attribute := w.secrets[len(w.secrets)-1]
	switch s.said.get("in").scalar() {
	case "query":
		w.query = w.query.With(true, name, value)
		w.say(c, "the credentials are a key in the parameter %s: attribute %s", name, attribute)
	case "cookie":
		w.headers = w.headers.With(!has(w.headers, "Cookie"), "Cookie", concat(quoted(name+"="), value))
		w.say(c, "the credentials are a cookie %s: attribute %s", name, attribute)
	default:
		w.headers = w.headers.With(true, name, value)
		if strings.EqualFold(name, "Authorization") {
			w.say(Likely, "the credentials are the whole of Authorization, with a word such as Bearer if there is one: attribute %s", attribute)
			return
		}
		w.say(c, "the credentials are a key in the header %s: attribute %s", name, attribute)
	}
}

// basic sends user name and password.
func (w *configWriter) basic(c Certainty) {
	w.say(c, "the credentials are user name and password: attributes username and #password")
	if w.authentication == nil {
		w.authentication = item.ObjectBuilder{"type", `"basic"`}
		w.attribute("username")
		w.secret("password")
	}
}

// clientFlow is the flow of OAuth for a client alone, and the address for its tokens; nil: there is none.
func (w *configWriter) clientFlow(s scheme) (flow *documentNode, address string) {
	flow = s.said.get("flows").get("clientCredentials")
	if s.said.get("flow").scalar() == "application" {
		flow = s.said
	}
	address = flow.get("tokenUrl").scalar()
	if address == "" {
		return nil, ""
	}
	return flow, address
}

// client logs in as a client of OAuth.
func (w *configWriter) client(s scheme, flow *documentNode, address string, c Certainty) {
	if !isAbsolute().MatchString(address) && !strings.HasPrefix(address, "/") {
		address = "/" + address
	}
	scopes := s.scopes
	params := item.ObjectBuilder{
		"grant_type", `"client_credentials"`, "client_id", w.attribute("client_id"), "client_secret", w.secret("client_secret"),
	}.With(len(scopes) > 0, "scope", quoted(strings.Join(scopes, " ")))
	request := item.ObjectBuilder{"endpoint", quoted(address), "method", `"FORM"`, "params", params.String()}
	token := concat(`"Bearer "`, item.ObjectBuilder{"response", `"access_token"`}.String())
	use := item.ObjectBuilder{"headers", item.ObjectBuilder{"Authorization", token}.String()}
	w.authentication = item.ObjectBuilder{
		"type", `"login"`, "loginRequest", request.String(), "apiRequest", use.String(),
		"expires", item.ObjectBuilder{"response", `"expires_in"`, "relative", "true"}.String(),
	}
	w.say(c, "the credentials are those of a client of OAuth, for tokens of %s: attributes client_id and #client_secret", shortened(address))
	if len(flow.get("scopes").allNames()) > 0 && len(scopes) == 0 {
		w.say(Likely, "no scope is asked for: the document has %s", shortened(strings.Join(flow.get("scopes").names, ", ")))
	}
}
