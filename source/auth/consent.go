package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/request"
)

// secretBytes are those of a state and of a verifier, which nobody can guess.
const secretBytes = 32

// Consent is how a person lets the program in: what an API gives for it is kept where later logins find it. Nothing of
// it is shown but the addresses and codes that a person needs.
type Consent struct {
	login *login
	*authorize
}

// A PersonLogin is one login of a person by an address. It takes one answer.
type PersonLogin struct {
	consent *Consent

	// Address is for the person alone: it has the state.
	Address string

	// Redirect is where the API sends the browser with the answer.
	Redirect string

	state, verifier string
}

// A refusal is an answer that ends a login of a person.
type refusal struct{ text string }

func (r *refusal) Error() string { return r.text }

// Pages tells whether a person can log in by an address.
func (c *Consent) Pages() bool { return c.page != nil }

// KnowsClient tells whether there is a client id: an attribute may not be set yet.
func (c *Consent) KnowsClient() bool { return c.client != "" }

// Devices tells whether a person can log in by a code for another device.
func (c *Consent) Devices() bool { return c.device != "" }

// Loopback is where this machine waits for the answer, as host:port, with port 0 where any will do. ok is false where the
// API sends the browser to an address of other machines.
func (c *Consent) Loopback() (address string, ok bool) {
	if !isLoopback(c.redirect) {
		return "", false
	}
	host := c.redirect.Hostname()
	if host == "localhost" {
		// RFC 8252, 8.3: a name may lead elsewhere.
		host = "127.0.0.1"
	}
	port := c.redirect.Port()
	if port == "" {
		port = "0"
	}
	return net.JoinHostPort(host, port), true
}

// Redirect is the address of the configuration.
func (c *Consent) Redirect() *url.URL { return c.redirect }

// Rehearse finds out whether what a login gives could be kept now, and that no other process logs in.
func (c *Consent) Rehearse() error {
	told, err := c.login.keep.begin()
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	c.warn(told)
	return c.login.keep.end(nil)
}

// Begin makes the address of an attempt. port is that of the loopback address; empty: the redirect address stays as
// the configuration has it.
func (c *Consent) Begin(port string) *PersonLogin {
	redirect := *c.redirect
	if port != "" {
		host := redirect.Hostname()
		redirect.Host = net.JoinHostPort(host, port)
	}
	a := &PersonLogin{consent: c, Redirect: redirect.String(), state: randomText()}
	challenge, method := "", ""
	if c.pkce {
		a.verifier, method = randomText(), "S256"
		sum := sha256.Sum256([]byte(a.verifier))
		challenge = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	c.login.env.Secrets.Add(a.state, a.verifier)
	query := request.ParseQuery(c.page.RawQuery).Merge(c.params)
	for _, own := range [][2]string{
		{"response_type", "code"},
		{"client_id", c.client},
		{"redirect_uri", a.Redirect},
		{"scope", c.scope},
		{"state", a.state},
		{"code_challenge", challenge},
		{"code_challenge_method", method},
	} {
		if own[1] != "" {
			query = query.Set(request.Param{Name: own[0], Value: item.Quote(own[1])})
		}
	}
	page := *c.page
	page.RawQuery = ""
	r := request.Request{Method: request.Get, URL: &page, Endpoint: query, Shape: c.login.env.Shape}
	// A plus is a blank to most APIs only, and %20 to all.
	a.Address = strings.ReplaceAll(r.Address(), "+", "%20")
	return a
}

// randomText is a text that nobody can guess, of letters that stand for themselves everywhere.
func randomText() string {
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// IsAnswer tells whether a query is one, be it right or wrong.
func (*Consent) IsAnswer(query url.Values) bool {
	return query.Has("state") || query.Has("code") || query.Has("error")
}

// Finish takes the answer of the API, the query of the address that the browser was sent to, and has what it gives kept.
func (a *PersonLogin) Finish(query url.Values) error {
	c := a.consent
	code := query.Get("code")
	c.login.env.Secrets.Add(code)
	isMine := subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(a.state)) == 1
	refused := query.Get("error")
	switch {
	case !isMine:
		return &refusal{"login: the answer is not for this login, its state differs, so nothing of it is used: " +
			"begin again, and open the address that is printed then"}
	case refused == "access_denied":
		return &refusal{"login: it was refused: " + c.said(refused, query.Get("error_description"))}
	case refused != "":
		return &refusal{"login: the API refuses the address where a person logs in: " +
			c.said(refused, query.Get("error_description")) + "; see api.authentication.authorize"}
	case code == "":
		return &refusal{"login: the answer has no code"}
	}
	return c.keep(func() error {
		answer, err := c.exchange([][2]string{
			{"grant_type", "authorization_code"},
			{"code", code},
			{"redirect_uri", a.Redirect},
			{"code_verifier", a.verifier},
		})
		return c.explain(answer, err, "the code is good once, and for a short time: begin again")
	})
}

// keep has what a login of a person gives kept, as that of a run is.
func (c *Consent) keep(login func() error) error {
	k := c.login.keep
	told, err := k.begin()
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	c.warn(told)
	// What an earlier person was given is not what this one is given.
	k.kept = map[string]string{}
	return k.end(login())
}

func (c *Consent) warn(text string) {
	if text != "" {
		c.login.env.Observer.Observe(pipeline.Warned{Text: text, At: c.login.env.Now()})
	}
}

// A tokenAnswer is what an answer of the API says of an error of RFC 6749; empty: of none.
type tokenAnswer struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func readError(text []byte) (e tokenAnswer) {
	// Another kind of value is no such error.
	_ = json.Unmarshal(text, &e)
	return e
}

// exchange sends the login request with other parameters in the place of those of a refresh token.
func (c *Consent) exchange(own [][2]string) (answer tokenAnswer, err error) {
	l := c.login
	r, err := l.request(0, "", &loginAnswers{})
	if err != nil {
		return answer, err
	}
	put := func(r *request.Request) { r.Params = c.replace(r.Params, r.Method, own) }
	if expr.AnyPerRequest(l.requests[0].members()) {
		first := r.Renew
		r.Renew = func(r *request.Request) error {
			err := first(r)
			put(r)
			return err
		}
	} else {
		put(r)
	}
	l.renewKeep(r)
	return c.send(r, func(raw []byte, header http.Header) error {
		response, err := l.read(raw)
		if err != nil {
			return err
		}
		var came loginAnswers
		came.enter(0, response, LoginAnswer{Header: header}, l.env.Now())
		return l.keep.take(newContents(&came), l.env)
	})
}

// replace puts parameters into the place of those of the login request that stand for a refresh token.
func (c *Consent) replace(all request.Params, m request.Method, own [][2]string) request.Params {
	part := request.RequestPart("")
	if at := slices.IndexFunc(all, func(q request.Param) bool { return q.Name == "grant_type" }); at >= 0 {
		part = all[at].In
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(q request.Param) bool {
		return slices.Contains(c.replaced, q.Name)
	})
	for _, p := range own {
		if p[1] == "" {
			continue
		}
		rest = rest.Set(request.Param{Name: p[0], Value: item.Quote(p[1]), In: part, Secret: p[0] != "grant_type"})
	}
	return rest.For(m)
}

// send sends a request, and gives its answer to take. What an error of it says of itself is returned beside it.
func (c *Consent) send(r *request.Request, take func(raw []byte, header http.Header) error) (said tokenAnswer, err error) {
	r.Judge = func(_ int, _ http.Header, text []byte) error {
		said = readError(text)
		return nil
	}
	err = c.login.env.Send("", r, func(answer LoginAnswer) error {
		raw, err := io.ReadAll(io.LimitReader(answer.Body, maxResponse+1))
		if err != nil {
			return err
		}
		said = readError(raw)
		if err := take(raw, answer.Header); err != nil {
			about := fmt.Sprintf("content type %q, %d bytes", answer.Header.Get("Content-Type"), len(raw))
			return fmt.Errorf("%w: %s", err, c.login.env.Secrets.Refusal(raw, about))
		}
		return nil
	})
	return said, err
}

// explain says what a person can do about the error of an exchange, nil for none, of which the API says something.
func (c *Consent) explain(said tokenAnswer, err error, invalid string) error {
	lacks, isLack := errors.AsType[*missingKept](err)
	switch {
	case err == nil:
		return nil
	case pipeline.IsTemporary(err):
		return fmt.Errorf("login: %w", err)
	case said.Code == "invalid_client" || said.Code == "unauthorized_client":
		return fmt.Errorf("login: %w; are client_id and client_secret of loginRequest those of this API?", err)
	case said.Code == "invalid_grant":
		return fmt.Errorf("login: %w; %s", err, invalid)
	case said.Code == "" && isLack:
		return fmt.Errorf("login: %w; the API gave no %s: many APIs want the scope offline_access for a refresh "+
			"token, or access_type=offline and prompt=consent in api.authentication.authorize.params", err, lacks.name)
	}
	return fmt.Errorf("login: %w", err)
}

// said are words of an API for people.
func (c *Consent) said(code, description string) string {
	text := code
	if description != "" {
		text += ": " + description
	}
	text = strings.Join(strings.Fields(c.login.env.Secrets.Redact(text)), " ")
	return pipeline.Shorten(text, mostSaid)
}

// mostSaid is how much of what an API says of an error is shown, in bytes.
const mostSaid = 300
