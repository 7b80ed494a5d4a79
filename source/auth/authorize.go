package auth

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// defaultRedirect is the loopback address of RFC 8252, whose port is a free one.
const defaultRedirect = "http://127.0.0.1"

// ownParameters are those of the address where a person logs in that each attempt makes anew.
var ownParameters = []string{"code_challenge", "code_challenge_method", "redirect_uri", "response_type", "state"}

// authorize is what a configuration says of the login of a person.
type authorize struct {
	// Where a person logs in, with the query that the configuration gives; nil: a device is the only way.
	page *url.URL

	// Where a device asks for a code; empty: that is no way.
	device string

	// Parameters of the address of page.
	params request.Params

	// client_id and scope, which a device sends too.
	client, scope string

	// A client_id is somewhere, though perhaps empty as long as an attribute is.
	hasClient bool

	// A code is good only with its verifier.
	pkce bool

	// Where the browser is sent afterwards.
	redirect *url.URL

	// The parameters of the login request that an exchange does not send.
	replaced []string
}

// decodeAuthorize decodes the member authorize of a login.
func (l *login) decodeAuthorize(parent *config.ObjectDecoder, p *config.Problems) {
	o := parent.Object("authorize", "How a person logs in, for sluice login.")
	text := func(n *config.Node) string { return l.authorizeText(n, p) }
	page := o.Any("url", "Address where a person logs in.", "string", "expression")
	device := o.Any("deviceUrl", "Address that gives a code for another device (RFC 8628).", "string", "expression")
	scopes := o.Any("scopes", "What a person is asked to allow: an array, or one text.", "array", "string")
	const paramsDoc = "Further parameters of the address where a person logs in, such as access_type."
	params := o.Map("params", paramsDoc)
	const redirectDoc = "Address that the API sends the browser to afterwards, as it is registered there " +
		"(default http://127.0.0.1, with a free port)."
	redirect := o.Any("redirect", redirectDoc, "string", "expression")
	const pkceDoc = "Whether a code is good only with a secret that the program keeps (RFC 7636)."
	pkce := o.Bool("pkce", true, pkceDoc)
	o.Done()
	n := o.Node()
	if n == nil {
		return
	}
	if page == nil && device == nil {
		p.Errorf(n, "needs url, where a person logs in, or deviceUrl")
	}
	if l.keep == nil {
		p.Errorf(n, `needs keep beside it, which says what of the answer later logins use: `+
			`{"refresh": {"response": "refresh_token"}}`)
		return
	}
	if l.numbered {
		p.Errorf(n, "needs a single loginRequest, not a list: the code that the login gives takes the place of its parameters")
		return
	}
	l.keep.byPerson = true
	a := &authorize{device: text(device), scope: l.scope(scopes, p), pkce: pkce}
	a.page = l.absolute(page, text(page), p)
	l.absolute(device, a.device, p)
	a.redirect = l.redirect(redirect, text(redirect), p)
	a.decodeParams(l, params, p)
	a.learn(l, parent.Node().Member("loginRequest"), p)
	if !a.hasClient {
		p.Errorf(n, "needs client_id: in loginRequest.params, or in params")
	}
	if l.env.Consent != nil {
		l.env.Consent(&Consent{login: l, authorize: a})
	}
}

// authorizeText evaluates a text; empty if it is absent, or wrong, which is reported.
func (l *login) authorizeText(n *config.Node, p *config.Problems) string {
	value, ok := evaluate(n, l.env, p)
	if !ok {
		return ""
	}
	text, isText := item.Text(value)
	if !isText || text == "" {
		p.Errorf(n, "must be a text")
	}
	return text
}

// scope joins what a person is asked to allow.
func (l *login) scope(n *config.Node, p *config.Problems) string {
	value, ok := evaluate(n, l.env, p)
	if !ok {
		return ""
	}
	if text, isText := item.Text(value); isText {
		return text
	}
	var all []string
	for element := range item.Elements(value) {
		text, isText := item.Text(element)
		if !isText {
			p.Errorf(n, "must be an array of texts, or one text")
			return ""
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// absolute reports an address that is none; a query may be part of it.
func (l *login) absolute(n *config.Node, text string, p *config.Problems) *url.URL {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	isWeb := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	if !isWeb || u.Fragment != "" {
		p.Errorf(n, "must be an absolute http or https URL without a fragment")
		return nil
	}
	return u
}

func (l *login) redirect(n *config.Node, text string, p *config.Problems) *url.URL {
	if text == "" {
		text = defaultRedirect
	}
	u := l.absolute(n, text, p)
	if u != nil && u.RawQuery != "" {
		p.Errorf(n, "must not have a query, which the API adds")
	}
	return u
}

// decodeParams evaluates the parameters of the address, of which some are made by each attempt.
func (a *authorize) decodeParams(l *login, n *config.Node, p *config.Problems) {
	for _, m := range expr.CompileMembers(n, l.env.Expr, p) {
		a.hasClient = a.hasClient || m.Name == "client_id"
		if slices.Contains(ownParameters, m.Name) {
			p.Errorf(n.Member(m.Name), "is set by sluice login itself: leave it out")
			continue
		}
		v, err := m.Value.Eval(l.env.Expr)
		if err != nil {
			// It is reported where it was compiled.
			continue
		}
		text, _ := item.Text(v.JSON)
		switch m.Name {
		case "client_id":
			a.client = text
		case "scope":
			a.scope = text
		default:
			a.params = append(a.params, request.Param{Name: m.Name, Value: v.JSON})
		}
	}
}

// learn finds in the login request what an exchange sends otherwise, and the id of the client.
func (a *authorize) learn(l *login, loginRequest *config.Node, p *config.Problems) {
	a.replaced = []string{"grant_type"}
	for _, part := range []string{"params", "query", "body"} {
		members := loginRequest.Member(part)
		if members == nil || members.Kind != '{' {
			continue
		}
		for _, m := range members.Members {
			if seedsOf(m.Value).hasKept {
				a.replaced = append(a.replaced, m.Name)
			}
			if m.Name == "client_id" && !a.hasClient {
				a.hasClient = true
				a.client = l.authorizeText(m.Value, &config.Problems{AnyAttributes: p.AnyAttributes})
			}
		}
	}
	if find := l.env.Expr.Contexts["consumer"]; find != nil && !a.hasClient {
		a.hasClient = true
		v, _ := find("client_id")
		a.client, _ = item.Text(v.JSON)
	}
}

// isLoopback tells whether this machine can take the answer at an address.
func isLoopback(u *url.URL) bool {
	if u.Scheme != "http" {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
