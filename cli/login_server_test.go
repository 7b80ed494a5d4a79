package cli

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// An oauthServer lets persons in as strict ones do: PKCE with S256, redirect addresses as they are registered, codes and
// refresh tokens that are good once, and codes for other devices.
type oauthServer struct {
	// Registered redirect addresses. Of one on a loopback address without a port every port is good (RFC 8252, 7.3).
	redirects []string

	// What the person, and the server, do otherwise than well.
	refuses, forgetsState, givesNoRefresh, forbids bool

	// What the polls of a device get before the token, such as slow_down.
	polls []string

	// Called when a code is exchanged, before it is answered; nil: nothing is.
	during func()

	mu      sync.Mutex
	n       int
	codes   map[string]*oauthCode
	refresh string
	access  map[string]bool

	came
}

// came is what was wrong, and the parameters of what came.
type came struct {
	wrong  []string
	tokens []url.Values
	asked  []url.Values
}

// oauthCode is what a code was given for.
type oauthCode struct {
	redirect, challenge string
	used                bool
}

func newOAuthServer() *oauthServer {
	s := &oauthServer{}
	s.prepare()
	return s
}

// prepare fills in what is not said.
func (s *oauthServer) prepare() {
	s.codes, s.access = map[string]*oauthCode{}, map[string]bool{}
	if s.redirects == nil {
		s.redirects = []string{"http://127.0.0.1"}
	}
}

func (s *oauthServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm() // what is missing is missing
	s.mu.Lock()
	during := s.during
	s.mu.Unlock()
	if during != nil && r.PostForm.Get("grant_type") == "authorization_code" {
		during()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.URL.Path {
	case "/authorize":
		s.authorize(w, r)
	case "/device":
		s.device(w, r)
	case "/token":
		s.tokens = append(s.tokens, r.PostForm)
		s.token(w, r.PostForm)
	case "/orders":
		if s.forbids {
			say(w, http.StatusForbidden, `{"message": "the scope orders.read is missing"}`)
			return
		}
		if !s.access[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] {
			say(w, http.StatusUnauthorized, `{}`)
			return
		}
		say(w, http.StatusOK, `[{"id": 1}, {"id": 2}]`)
	default:
		http.NotFound(w, r)
	}
}

// seen is what came so far: the server goes on beside the test.
func (s *oauthServer) seen() came {
	s.mu.Lock()
	defer s.mu.Unlock()
	return came{slices.Clone(s.wrong), slices.Clone(s.tokens), slices.Clone(s.asked)}
}

// change changes the server while it runs.
func (s *oauthServer) change(how func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how()
}

func say(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// fail answers as RFC 6749 has it.
func (s *oauthServer) fail(w http.ResponseWriter, code, why string) {
	s.wrong = append(s.wrong, code+": "+why)
	text, _ := json.Marshal(map[string]string{"error": code, "error_description": why})
	say(w, http.StatusBadRequest, string(text))
}

func (s *oauthServer) isRegistered(redirect string) bool {
	return slices.ContainsFunc(s.redirects, func(known string) bool {
		if known == redirect {
			return true
		}
		u, err := url.Parse(redirect)
		k, _ := url.Parse(known)
		anyPort := k.Scheme == "http" && k.Port() == "" && u != nil && u.Port() != ""
		return err == nil && anyPort && u.Scheme == k.Scheme && u.Hostname() == k.Hostname() && u.Path == k.Path
	})
}

func (s *oauthServer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.Form
	s.asked = append(s.asked, q)
	redirect := q.Get("redirect_uri")
	if q.Get("client_id") != "client-1" || !s.isRegistered(redirect) {
		// Such an answer never goes to the address.
		s.fail(w, "invalid_request", "redirect_uri mismatch")
		return
	}
	answer := url.Values{"state": {q.Get("state")}}
	switch {
	case s.forgetsState:
		answer.Set("state", "another-state")
		answer.Set("code", "code-of-somebody")
	case q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43:
		answer.Set("error", "invalid_request")
	case s.refuses:
		answer.Set("error", "access_denied")
		answer.Set("error_description", "The person said no")
	default:
		s.n++
		code := fmt.Sprintf("secretcode-%d", s.n)
		s.codes[code] = &oauthCode{redirect: redirect, challenge: q.Get("code_challenge")}
		answer.Set("code", code)
	}
	http.Redirect(w, r, redirect+"?"+answer.Encode(), http.StatusFound)
}

func (s *oauthServer) device(w http.ResponseWriter, r *http.Request) {
	s.asked = append(s.asked, r.PostForm)
	if r.PostForm.Get("client_id") != "client-1" {
		s.fail(w, "invalid_client", "unknown client")
		return
	}
	say(w, http.StatusOK, `{"device_code": "secretdevice-1", "user_code": "WDJB-MJHT", "verification_uri": "https://login.test/device",
		"verification_uri_complete": "https://login.test/device?user_code=WDJB-MJHT", "expires_in": 120, "interval": 0.01}`)
}

func (s *oauthServer) token(w http.ResponseWriter, q url.Values) {
	if q.Get("client_id") != "client-1" || q.Get("client_secret") != "secret-1" {
		s.fail(w, "invalid_client", "wrong secret")
		return
	}
	switch q.Get("grant_type") {
	case "authorization_code":
		code := s.codes[q.Get("code")]
		challenge := sha256.Sum256([]byte(q.Get("code_verifier")))
		switch {
		case code == nil:
			s.fail(w, "invalid_grant", "unknown code")
		case code.used:
			s.refresh = ""
			s.fail(w, "invalid_grant", "the code was used")
		case code.redirect != q.Get("redirect_uri"):
			s.fail(w, "invalid_grant", "another redirect_uri")
		case code.challenge != base64.RawURLEncoding.EncodeToString(challenge[:]):
			s.fail(w, "invalid_grant", "wrong verifier")
		default:
			code.used = true
			s.give(w)
		}
	case "refresh_token":
		if s.refresh == "" || q.Get("refresh_token") != s.refresh {
			s.refresh = ""
			s.fail(w, "invalid_grant", "the refresh token is void")
			return
		}
		s.give(w)
	case "urn:ietf:params:oauth:grant-type:device_code":
		switch {
		case q.Get("device_code") != "secretdevice-1":
			s.fail(w, "invalid_grant", "unknown device code")
		case len(s.polls) > 0:
			next := s.polls[0]
			s.polls = s.polls[1:]
			say(w, http.StatusBadRequest, fmt.Sprintf(`{"error": %q}`, next))
		default:
			s.give(w)
		}
	default:
		s.fail(w, "unsupported_grant_type", q.Get("grant_type"))
	}
}

// give gives tokens; the refresh token before is void.
func (s *oauthServer) give(w http.ResponseWriter) {
	s.n++
	access, answer := fmt.Sprintf("secretaccess-%d", s.n), map[string]any{"token_type": "Bearer", "expires_in": 3600}
	s.access[access] = true
	answer["access_token"] = access
	if !s.givesNoRefresh {
		s.refresh = fmt.Sprintf("secretrefresh-%d", s.n)
		answer["refresh_token"] = s.refresh
	}
	text, _ := json.Marshal(answer)
	say(w, http.StatusOK, string(text))
}

// personConfig is one of an API where a person logs in.
const personConfig = `{"api": {"baseUrl": %[1]q,
  "authentication": {"type": "oauth20.login", "keep": {"refresh": {"response": "refresh_token"}},
    "authorize": {"url": "%[1]sauthorize?audience=orders", "deviceUrl": "%[1]sdevice", "scopes": ["orders.read", "offline_access"],
      "params": {"access_type": "offline"}%[2]s},
    "loginRequest": {"endpoint": "token", "method": "FORM", "params": {"grant_type": "refresh_token", "refresh_token": {"kept": "refresh"},
      "client_id": {"consumer": "client_id"}, "client_secret": {"consumer": "client_secret"}}},
    "apiRequest": {"headers": {"Authorization": {"function": "concat", "args": ["Bearer ", {"response": "access_token"}]}}},
    "expires": {"response": "expires_in", "relative": true}}},
 "config": {"jobs": [{"endpoint": "orders"}]},
 "authorization": {"oauth_api": {"credentials": {"appKey": "client-1", "#appSecret": {"attr": "#secret"}}}}}`
