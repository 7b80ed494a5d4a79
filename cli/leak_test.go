package cli

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
)

// canary is a secret whose every part can be told from other texts, and which
// looks different in every encoding.
func canary(kind string) string { return "Canary" + kind + `/ü+"&=%<'> ` + kind + "canarY" }

// sung are signs of canaries that are not encoded, and what functions make of
// them.
var sung = []string{"Canary", "canarY", fmt.Sprintf("%x", sha1.Sum([]byte(canary("password"))))}

// leaks returns what text shows of a canary or of other secrets, also encoded
// once or twice. It does not ask the program how.
func leaks(text string, others ...string) []string {
	var all []string
	for _, once := range decoded(text) {
		for _, twice := range decoded(once) {
			for _, sign := range append(others, sung...) {
				if at := strings.Index(twice, sign); at >= 0 {
					all = append(all, fmt.Sprintf("%.60q", twice[max(0, at-20):]))
				}
			}
		}
	}
	return all
}

var (
	percent = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	escape  = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\.`)
	plus    = strings.NewReplacer("-", "+", "_", "/")
)

// decoded is text, and what it is as a URL, as JSON and in base64, where that is
// something else.
func decoded(text string) []string {
	all := []string{
		text,
		percent.ReplaceAllStringFunc(strings.ReplaceAll(text, "+", " "), func(s string) string { plain, _ := url.PathUnescape(s); return plain }),
		escape.ReplaceAllStringFunc(text, func(s string) string {
			var plain string
			if json.Unmarshal([]byte(`"`+s+`"`), &plain) != nil {
				return s
			}
			return plain
		}),
	}
	var b strings.Builder
	for _, run := range strings.FieldsFunc(text, notBase64) {
		if len(run) < 8 {
			continue
		}
		run = plus.Replace(run)
		for at := range 4 {
			part := run[at:]
			plain, _ := base64.RawStdEncoding.DecodeString(part[:len(part)/4*4])
			b.Write(plain)
			b.WriteByte('\n')
		}
	}
	all = append(all, b.String())
	return append(all[:1], slices.DeleteFunc(all[1:], func(other string) bool { return other == text })...)
}

func notBase64(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("+/_-", r)
}

func TestALeakIsFound(t *testing.T) {
	c := canary("x")
	quoted, _ := json.Marshal(c)
	for _, text := range []string{
		c, url.QueryEscape(c), url.PathEscape(c), string(quoted), base64.StdEncoding.EncodeToString([]byte("u:" + c)),
		url.QueryEscape(base64.URLEncoding.EncodeToString([]byte(c))), strings.ToLower(url.QueryEscape("Can")) + "ary"[:0] + c[:6], c[len(c)-6:],
	} {
		if len(leaks("some text "+text+" and more")) == 0 {
			t.Errorf("%s is not found", text)
		}
	}
	if found := leaks("A canary sings: %43, aGVsbG8gd29ybGQ="); found != nil {
		t.Error(found)
	}
}

// An echo is an API that answers with all that it was told, in every encoding,
// wherever an answer has room for it.
type echo struct {
	kind  guarded
	fault string
	pad   int // before the secrets in an answer

	bucket http.Handler // of the host bucket.test; may be nil

	mu   sync.Mutex
	sums []string // what requests were signed with
}

// signature finds what a request is signed with, by any type.
var signature = regexp.MustCompile(`(?:oauth_signature="|Signature=|mac="|[?&]mac=)([A-Za-z0-9%+/=]{20,})`)

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	headers, _ := json.Marshal(r.Header)
	e.mu.Lock()
	for _, found := range signature.FindAllStringSubmatch(r.RequestURI+" "+r.Header.Get("Authorization"), -1) {
		plain, _ := url.PathUnescape(found[1])
		e.sums = append(e.sums, found[1], plain)
	}
	for name := range r.Header {
		if strings.Contains(strings.ToLower(name), "signature") {
			e.sums = append(e.sums, r.Header.Get(name))
		}
	}
	e.mu.Unlock()
	login := strings.HasSuffix(r.URL.Path, "/login")
	secret, kinds := canary("key"), append([]string{"key", "password", "header", "bearer", "pair"}, e.kind.knows...)
	if !login && e.kind.login { // what a login has not given yet nobody can know
		secret, kinds = canary("token"), append(kinds, "token", "session")
	}
	told := ""
	for _, kind := range kinds {
		told += canary(kind) + " "
	}
	quoted, _ := json.Marshal(told)
	all := strings.Repeat("-", e.pad) + r.RequestURI + " " + string(body) + " " + r.Header.Get("Authorization") + " " + string(headers)
	for _, text := range []string{told, string(quoted), url.QueryEscape(told), base64.StdEncoding.EncodeToString([]byte(told)), base64.RawURLEncoding.EncodeToString([]byte("x" + told))} {
		all += " " + text
	}
	spill, _ := json.Marshal(all)
	oneLine := url.PathEscape(secret) + base64.StdEncoding.EncodeToString([]byte(canary("key")))
	if faults := echoes[e.fault]; faults.login == login && faults.answer != nil {
		faults.answer(&call{w: w, r: r, spill: string(spill), line: oneLine})
		return
	}
	if login {
		token, _ := json.Marshal(canary("token"))
		session, _ := json.Marshal(canary("session"))
		w.Header().Add("Set-Cookie", "sid=CanarycookiecanarY; Path=/")
		w.Header().Set("X-Subject-Token", "CanarysubjectcanarY")
		fmt.Fprintf(w, `{"base":"http://api.test/v1","token":%s,"data":{"session":%s,"list":[%s]},"refresh":%s,"ends":"2000-01-01 01:00:00"}`, token, session, session, token)
		return
	}
	if r.URL.Query().Get("page") == "2" || bytes.Contains(body, []byte(`"page":2`)) {
		_, _ = io.WriteString(w, `{"items":[]}`)
		return
	}
	fmt.Fprintf(w, `{"items":[{"id":1,"text":%s},{%s:2}]}`, spill, spill)
}

// A call is one that an [echo] answers wrongly.
type call struct {
	w           http.ResponseWriter
	r           *http.Request
	spill, line string // JSON; a text for a line
}

func (c *call) answer(status int, body string) {
	c.w.WriteHeader(status)
	_, _ = io.WriteString(c.w, body)
}

func (c *call) header(name, value string) *call {
	c.w.Header().Set(name, value)
	return c
}

func (c *call) raw(text string) { (&conversation{w: c.w, r: c.r}).raw(text) }

// echoes are the faults of an [echo], of a login or of any other request.
var echoes = map[string]struct {
	login  bool
	answer func(*call)
}{
	"none":                 {},
	"error":                {false, func(c *call) { c.answer(400, c.spill) }},
	"unavailable":          {false, func(c *call) { c.header("Retry-After", c.line).answer(503, c.spill) }},
	"not allowed":          {false, func(c *call) { c.answer(401, c.spill) }},
	"reason":               {false, func(c *call) { c.raw("HTTP/1.1 400 " + c.line + "\r\nContent-Length: 0\r\n\r\n") }},
	"status":               {false, func(c *call) { c.raw("HTTP/1.1 " + c.line + "\r\n\r\n") }},
	"header":               {false, func(c *call) { c.raw("HTTP/1.1 200 OK\r\n" + canary("token") + "\r\n\r\n") }},
	"length":               {false, func(c *call) { c.raw("HTTP/1.1 200 OK\r\nContent-Length: " + c.line + "\r\n\r\n") }},
	"chunk":                {false, func(c *call) { c.raw(chunkedHead + canary("token") + "\r\n") }},
	"no HTTP":              {false, func(c *call) { c.raw(canary("token") + "\r\n") }},
	"content type":         {false, func(c *call) { c.header("Content-Type", "text/"+c.line).answer(200, "<html>"+c.spill) }},
	"encoding":             {false, func(c *call) { c.header("Content-Encoding", c.line).answer(200, c.spill) }},
	"broken JSON":          {false, func(c *call) { c.answer(200, `{"items":[{`+c.spill+`:`+c.spill+`},{`+c.spill+` x`) }},
	"arrays":               {false, func(c *call) { c.answer(200, `{"a":[],`+c.spill+`:[1]}`) }},
	"cut":                  {false, func(c *call) { c.raw(head(1e6) + `{"items":[` + c.spill) }},
	"silence":              {false, func(c *call) { (&conversation{w: c.w, r: c.r}).stall(head(1e6) + `{"items":[` + c.spill) }},
	"redirect":             {false, func(c *call) { c.header("Location", "http://other.test/"+c.line+"?k="+c.line).answer(302, c.spill) }},
	"redirect for ever":    {false, func(c *call) { c.header("Location", c.r.URL.String()+"&k="+c.line).answer(302, c.spill) }},
	"redirect to a scheme": {false, func(c *call) { c.header("Location", "ftp://"+c.line).answer(302, "") }},
	"redirect to no URL":   {false, func(c *call) { c.header("Location", "http://%zz"+c.line).answer(302, "") }},
	"network down":         {},
	"redirect to no host": {false, func(c *call) {
		c.header("Location", "http://"+strings.ToLower(base64.RawURLEncoding.EncodeToString([]byte(c.line)))[:9]+".test/"+c.line).answer(302, "")
	}},
	"deep":                {false, func(c *call) { c.answer(200, `{`+c.spill+`:`+strings.Repeat(`{"k":`, 10_001)) }},
	"login refused":       {true, func(c *call) { c.header("Content-Type", c.line).answer(403, c.spill) }},
	"login unavailable":   {true, func(c *call) { c.header("Retry-After", c.line).answer(503, c.spill) }},
	"login without JSON":  {true, func(c *call) { c.header("Content-Type", c.line).answer(200, c.spill+"x") }},
	"login without token": {true, func(c *call) { c.answer(200, `{"other":`+c.spill+`}`) }},
	"login expiry": {true, func(c *call) {
		c.answer(200, `{"token":"`+jsonCanary("token")+`","data":{"session":"`+jsonCanary("session")+`","list":["`+jsonCanary("session")+`"]},"ends":`+c.spill+`}`)
	}},
	"login with a newline": {true, func(c *call) {
		c.answer(200, `{"token":"`+jsonCanary("token")+`","data":{"session":"a\nb","list":["`+jsonCanary("session")+`"]}}`)
	}},
	"login redirected":      {true, func(c *call) { c.header("Location", "http://other.test/"+c.line+"?k="+c.line).answer(302, c.spill) }},
	"login redirected, 307": {true, func(c *call) { c.header("Location", "http://other.test/"+c.line+"?k="+c.line).answer(307, c.spill) }},
	"login cut":             {true, func(c *call) { c.raw(head(1e6) + c.spill) }},
}

// guarded is how a configuration authenticates, and the canaries that this needs.
type guarded struct {
	authentication string
	api            string   // more members of api
	root           string   // more members of the document
	knows          []string // canaries of the configuration, but for those that all have
	login          bool     // there are secrets that a login gives
	others         []string // secrets that are no canaries
}

// config is a configuration with a canary of every kind.
func (g guarded) config() string {
	return fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/v1/", "retryConfig": {"maxRetries": 1}, "http": {"requestTimeout": 5,
    "headers": {"X-Api-Key": "%[2]s", "Authorization": {"attr": "#deep.er"}, "Proxy-Authorization": "Bearer %[7]s"},
    "defaultOptions": {"params": {"key": {"attr": "#key"}, "mac": {"function": "sha1", "args": [{"attr": "#password"}]}}}},
  "pagination": {"method": "pagenum", "limit": 2}%[3]s%[4]s},
 "config": {"#key": "%[1]s", "#deep": {"er": "%[1]s"}, "#pair": "me:%[8]s", "username": "someone", "jobs": [
   {"endpoint": {"function": "concat", "args": ["a/", {"attr": "#key"}, "/", {"attr": "#deep.er"}, "?k=%[6]s"]}, "id": "a", "dataType": "a", "params": {"own": {"attr": "#key"}}, "children": [
      {"endpoint": {"function": "sprintf", "args": ["b/{id}/%%s?mac=%%s", {"attr": "#pair"}, {"function": "sha1", "args": [{"attr": "#password"}]}]}, "id": "b", "dataType": "b", "method": "POST", "params": {"own": {"attr": "#key"}}, "placeholders": {"id": "id"}, "recursionFilter": "id==1"}]}]}%[5]s}`,
		jsonCanary("key"), jsonCanary("header"), with("authentication", g.authentication), g.api, g.root, url.QueryEscape(canary("key")),
		jsonCanary("bearer"), jsonCanary("pair"))
}

// with is one more of an object; nothing if there is no value.
func with(name, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(`, %q: %s`, name, value)
}

// oauth is a member of the document with the credentials of OAuth.
func oauth(data string) string {
	return with("authorization", `{"oauth_api": {"credentials": {"appKey": "client-1", "#appSecret": "`+jsonCanary("app")+`", "#data": `+data+`}}}`)
}

// inText is a JSON object as the text of one.
func inText(object string) string {
	text, _ := json.Marshal(object)
	return string(text)
}

var aws = with("aws", `{"signature": {"credentials": {"accessKeyId": "AKID", "#secretKey": "`+jsonCanary("aws")+`", "serviceName": "execute-api", "regionName": "eu-west-1"}}}`)

const pairOfCanaries = `{"type": "login", "loginRequest": {"endpoint": "login", "params": {"password": {"attr": "#password"}}},
    "apiRequest": {"query": {"key": {"response": "token"}, "s": {"response": "data.list.0"}}}, "expires": 0}`

// authentications are all types, and what may stand beside them.
var authentications = map[string]guarded{
	"none": {},
	"login": {login: true, knows: []string{"inner", "login", "literal"}, authentication: `{"type": "login", "loginRequest": {"endpoint": {"function": "concat", "args": ["at/", {"attr": "#password"}, "/login"]}, "method": "POST",
      "params": {"password": {"attr": "#password"}, "more": {"in": ["` + jsonCanary("inner") + `"]}, "mac": {"function": "base64_encode", "args": [{"attr": "#password"}]}},
      "headers": {"X-Login": "` + jsonCanary("login") + `"}},
    "apiRequest": {"headers": {"X-Token": {"response": "token"}, "X-Path": "data.session", "X-Auth-Key": "` + jsonCanary("literal") + `"},
                   "query": {"sig": {"function": "concat", "args": ["x", {"response": "data.list.0"}, {"attr": "#password"}]}}},
    "expires": {"response": "ends"}}`},
	"login, all that it gives": {login: true, authentication: `{"type": "login", "loginRequest": {"endpoint": "login", "params": {"password": {"attr": "#password"}}},
    "apiRequest": {"baseUrl": {"response": "base"}, "headers": {"X-Token": {"response": "token"}, "X-Open": {"responseHeader": "X-Subject-Token"},
       "X-Proof": {"function": "jwt", "args": ["HS256", {"iat": {"function": "time"}}, {"response": "data.session"}]}}}}`},
	"login, that keeps": {login: true, authentication: `{"type": "login", "keep": {"next": {"response": "data.session"}, "open": {"responseHeader": "X-Subject-Token"}},
    "loginRequest": {"endpoint": "login", "params": {"token": {"function": "ifempty", "args": [{"kept": "next"}, {"attr": "#password"}]}}, "headers": {"X-Kept": {"kept": "open"}}},
    "apiRequest": {"headers": {"X-Token": {"response": "token"}}}}`},
	"jwt": {others: keyLines(), knows: []string{"app"}, authentication: `{"type": "url.query", "query": {"mac": {"function": "jwt", "args": ["ES256", {"iat": {"function": "time"}}, ` + inText(clientCertificate) + `]},
      "signed": {"function": "jwt", "args": ["HS256", {"sub": {"request": "path"}}, "` + jsonCanary("app") + `"]}}}`},
	"login by GET": {login: true, authentication: pairOfCanaries},
	"basic":        {authentication: `{"type": "basic"}`},
	"query": {knows: []string{"literal", "inner"}, authentication: `{"type": "query", "query": {"api_key": {"attr": "#key"}, "literal": "` + jsonCanary("literal") + `", "list": ["` + jsonCanary("inner") + `"],
      "mac": {"function": "hash_hmac", "args": ["sha256", {"request": "resource"}, {"attr": "#password"}]}}}`},
	"oauth10": {knows: []string{"app", "data", "more"}, authentication: `{"type": "oauth10"}`,
		root: oauth(inText(`{"oauth_token": "` + jsonCanary("data") + `", "oauth_token_secret": "` + jsonCanary("more") + `"}`))},
	"oauth20, text": {knows: []string{"app", "data"}, root: oauth(`"` + jsonCanary("data") + `"`), authentication: `{"type": "oauth20", "format": "text",
      "headers": {"Authorization": {"function": "concat", "args": ["Bearer ", {"authorization": "data"}]}}}`},
	"oauth20, signed": {knows: []string{"app", "data", "more"}, root: oauth(inText(`{"id": "` + jsonCanary("data") + `", "deep": {"secret": "` + jsonCanary("more") + `"}}`)),
		authentication: `{"type": "oauth20", "format": "json", "query": {"t": {"authorization": "data.id"}}, "headers": {"Authorization": {"function": "concat", "args": ["MAC id=\"", {"authorization": "data.id"}, "\", mac=\"",
      {"function": "hash_hmac", "args": ["sha256", {"function": "implode", "args": ["\n", [{"authorization": "nonce"}, {"request": "resource"}]]}, {"authorization": "data.deep.secret"}]}, "\""]}}}`},
	"oauth20, object": {knows: []string{"app", "data", "literal"}, root: oauth(`{"access_token": "` + jsonCanary("data") + `"}`), authentication: `{"type": "oauth20",
      "headers": {"X-Open": {"authorization": "data.access_token"}}, "query": {"api_key": "` + jsonCanary("literal") + `"}}`},
	"oauth20.login, refresh": {login: true, knows: []string{"app", "data"}, root: oauth(inText(`{"refresh_token": "` + jsonCanary("data") + `"}`)), authentication: `{"type": "oauth20.login",
      "loginRequest": {"endpoint": "login", "method": "FORM", "params": {"grant_type": "refresh_token", "refresh_token": {"user": "refresh_token"}, "client_id": {"consumer": "client_id"}, "client_secret": {"consumer": "client_secret"}}},
      "apiRequest": {"headers": {"Authorization": {"function": "concat", "args": ["Bearer ", {"response": "token"}]}, "X-Session": {"response": "data.session"}}}, "expires": {"response": "ends"}}`},
	"oauth20.login, client": {login: true, knows: []string{"app"}, root: oauth(`"{}"`), authentication: `{"type": "oauth20.login",
      "loginRequest": {"endpoint": "login", "method": "FORM", "params": {"grant_type": "client_credentials"}, "headers": {"Authorization": {"function": "concat", "args": ["Basic ",
         {"function": "base64_encode", "args": [{"function": "concat", "args": [{"consumer": "client_id"}, ":", {"consumer": "client_secret"}]}]}]}}},
      "apiRequest": {"query": {"t": {"response": "token"}, "s": {"response": "data.list.0"}}}}`},
	"aws":                {knows: []string{"aws"}, root: aws},
	"aws over a login":   {knows: []string{"aws"}, root: aws, login: true, authentication: pairOfCanaries},
	"client certificate": {api: with("#clientCertificate", inText(clientCertificate)), others: keyLines()},
}

// clientCertificate is a certificate and its key, in PEM.
var clientCertificate = func() string {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	secret, _ := x509.MarshalPKCS8PrivateKey(key)
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	open, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: open})) + string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}()

// keyLines are those of the key.
func keyLines() []string {
	_, key, _ := strings.Cut(clientCertificate, "-----BEGIN PRIVATE KEY-----\n")
	key, _, _ = strings.Cut(key, "\n-----END")
	return strings.Split(key, "\n")
}

func jsonCanary(kind string) string {
	text, _ := json.Marshal(canary(kind))
	return string(text[1 : len(text)-1])
}

var leakyCommands = map[string][]string{
	"run":           {"run", "-", "--log-level", "debug", "-o", "DIR/out/", "--summary", "DIR/summary.json", "--trace", "DIR/trace.json", "--report", "DIR/page.html", "--record", "DIR/traffic", "--concurrency", "2"},
	"run json":      {"run", "-", "--log-level", "debug", "--log-format", "json", "-o", "DIR/out/", "--format", "csv", "--job", "a", "--summary", "DIR/summary.json", "--progress", "always"},
	"check":         {"check", "-", "--log-level", "debug"},
	"plan":          {"plan", "-"},
	"plan json":     {"plan", "-", "--format", "json"},
	"jobs":          {"jobs", "-"},
	"validate":      {"validate", "-"},
	"validate json": {"validate", "-", "--format", "json"},
}

// leakStep is how many cases stand for one that is tried, which are others each time:
// make faults tries all of them.
func leakStep() int {
	if os.Getenv("FAULT_PLANS") == "" {
		return 12
	}
	return 1
}

func TestNoSecretIsShownWhateverHappens(t *testing.T) {
	n := 0
	for kind, g := range authentications {
		for command, args := range leakyCommands {
			isOffline := !slices.Contains([]string{"run", "run json", "check"}, command)
			for fault, f := range echoes {
				// A login has most kinds of secrets: it meets every fault under every
				// command, any other type under run.
				if isOffline && fault != "none" || f.login && !g.login || kind != "login" && command != "run" && fault != "none" {
					continue
				}
				if n++; n%leakStep() > 0 {
					continue
				}
				for _, pad := range padsOf(kind, fault) {
					e := &echo{kind: g, fault: fault, pad: pad}
					for where, text := range shownBy(t, g.config(), args, e) {
						if where == "stderr" && fault == "none" && !strings.HasSuffix(text, "status 0") {
							t.Errorf("%s, %s: the configuration is of no use: %.2000s", kind, command, text)
						}
						if found := leaks(text, append(e.sums, g.others...)...); found != nil {
							t.Errorf("%s, %s, fault %q, pad %d: %s shows %.300s\n%.2000s", kind, command, fault, pad, where, strings.Join(found, ", "), text)
						}
					}
				}
			}
		}
	}
}

// TestNoSecretIsShownOfABadConfiguration breaks configurations at many places.
func TestNoSecretIsShownOfABadConfiguration(t *testing.T) {
	began := 0
	for kind, g := range authentications {
		step := 61
		if kind == "login" {
			step = 5
		}
		step *= leakStep()
		// A job without a data type is called like its endpoint.
		good := strings.Replace(g.config(), "?k="+url.QueryEscape(canary("key")), "", 1)
		began = (began + 5) % step
		for at := began; at < len(good); at += step {
			for _, bad := range []string{good[:at], good[:at] + "!" + good[at:], good[:at] + `"` + good[at:], good[:at] + "{" + good[at+1:], good[:at] + good[at+1:]} {
				for where, text := range shownBy(t, bad, []string{"validate", "-"}, &echo{}) {
					if found := leaks(text, g.others...); found != nil {
						t.Fatalf("%s: %s shows %s\n%s", kind, where, strings.Join(found, ", "), text)
					}
				}
			}
		}
	}
}

// TestNoSecretIsShownOfAWrongFlag gives secrets where they are not understood.
func TestNoSecretIsShownOfAWrongFlag(t *testing.T) {
	secret := "#password=" + canary("flag")
	for _, args := range [][]string{
		{"run", "-", "-attr=" + secret}, {"run", "-", "-a" + secret}, {"run", "-", "--atr=" + secret}, {"jobs", "-", "--attr", canary("flag")}, {"jobs", "-", "--attr", "=" + canary("flag")}, {"jobs", "-", "--attr", url.PathEscape(canary("flag"))},
		{"validate", "-", "--attr", "#a.b=" + canary("flag")}, {"plan", "-", "--attr", "#list.-1=" + canary("flag")}, {"jobs", "-", "--attr", secret, "--attr", "#password.x=" + canary("flag")},
		{"run", "-", "--attr", "#password", canary("flag")}, {"run", "-", canary("flag"), "--attr"}, {"run", "-", "--attr-env", secret}, {"run", "-", "--attr-file", secret},
	} {
		for where, text := range shownBy(t, guarded{}.config(), args, &echo{}) {
			if found := leaks(text); found != nil {
				t.Errorf("%q: %s shows %s", args, where, text)
			}
		}
	}
}

// described are descriptions of APIs with secrets, on stdin, and the flags of init that read them.
func described() map[string][]string {
	address := "https://" + url.UserPassword("ann", canary("pair")).String() + "@a.test/?token=" + url.QueryEscape(canary("token")) +
		"#access_token=" + url.QueryEscape(canary("access")) + "&to=" + url.QueryEscape("https://b.test/?key="+url.QueryEscape(canary("key")))
	header, _ := json.Marshal(address)
	return map[string][]string{
		"curl '" + address + "' -H 'Referer: " + address + "' -H 'X-Callback: " + address + "'":     {},
		"curl --aws-sigv4 aws:amz:eu-west-1:execute-api -u AKID:CanarysecretcanarY https://a.test/": {},
		`{"log": {"entries": [{"request": {"method": "GET", "url": "https://a.test/b", "headers": [{"name": "Referer", "value": ` + string(header) +
			`}]}, "response": {"status": 200, "content": {"text": "[{\"id\": 1}]"}}}]}}`: {"--from-har", "-"},
		manifestOf(`{"type": "BearerAuthenticator", "api_token": "` + jsonCanary("bearer") + `"}`):                    {"--from-airbyte", "-"},
		manifestOf(`{"type": "ApiKeyAuthenticator", "header": "X-Key", "api_token": "` + jsonCanary("key") + `"}`):    {"--from-airbyte", "-"},
		manifestOf(`{"type": "BasicHttpAuthenticator", "username": "ann", "password": "` + jsonCanary("pair") + `"}`): {"--from-airbyte", "-"},
		manifestOf(`{"type": "OAuthAuthenticator", "token_refresh_endpoint": "https://a.test/token", "client_id": "me", "client_secret": "` +
			jsonCanary("client") + `", "refresh_token": "` + jsonCanary("refresh") + `"}`): {"--from-airbyte", "-"},
		manifestOf(`{"type": "OAuthAuthenticator", "token_refresh_endpoint": "https://a.test/token?api_key=` + url.QueryEscape(canary("key")) +
			`", "client_id": "me", "client_secret": "{{ config['secret'] }}", "refresh_token": "{{ config['refresh'] }}"}`): {"--from-airbyte", "-"},
		manifestOf(`{"type": "OAuthAuthenticator", "access_token_value": "` + jsonCanary("access") + `"}`):          {"--from-airbyte", "-"},
		manifestOf(`{"type": "JwtAuthenticator", "algorithm": "HS256", "secret_key": "` + jsonCanary("jwt") + `"}`): {"--from-airbyte", "-"},
		manifestOf(`{"type": "SessionTokenAuthenticator", "expiration_duration": "PT1H", "session_token_path": ["id"],
			"request_authentication": {"type": "Bearer"}, "login_requester": {"type": "HttpRequester", "url_base": "https://a.test", "path": "login",
			"http_method": "POST", "request_headers": {"X-Api-Key": "` + jsonCanary("header") + `"},
			"request_body_json": {"user": "ann", "password": "` + jsonCanary("password") + `"}}}`): {"--from-airbyte", "-"},
	}
}

// manifestOf is a manifest of Airbyte whose only stream has the authenticator.
func manifestOf(authenticator string) string {
	return `{"version": "6.0.0", "type": "DeclarativeSource", "streams": [{"type": "DeclarativeStream", "name": "a", "retriever": {
		"type": "SimpleRetriever", "record_selector": {"type": "RecordSelector", "extractor": {"type": "DpathExtractor", "field_path": []}},
		"requester": {"type": "HttpRequester", "url_base": "https://a.test", "path": "a", "authenticator": ` + authenticator + `}}}]}`
}

// TestNoSecretOfADescriptionIsWritten makes configurations of what people and browsers have written down.
func TestNoSecretOfADescriptionIsWritten(t *testing.T) {
	for text, flags := range described() {
		args := slices.Concat([]string{"init", "-o", "DIR/api.json"}, flags)
		if !slices.Contains(flags, "--from-airbyte") {
			args = append(args, "--no-requests")
		}
		for where, shown := range shownBy(t, text, args, &echo{}) {
			if where == "stderr" && !strings.HasSuffix(shown, "status 0") {
				t.Errorf("%.200s: it is refused: %s", text, shown)
			}
			if found := leaks(shown); found != nil {
				t.Errorf("%.200s: %s shows %s\n%s", text, where, strings.Join(found, ", "), shown)
			}
		}
	}
}

// TestNoSecretOfABucketIsShown is refused by a bucket that says all it knows.
func TestNoSecretOfABucketIsShown(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
	t.Setenv("AWS_SECRET_ACCESS_KEY", canary("s3"))
	t.Setenv("AWS_SESSION_TOKEN", "CanarytokenOfTheBucketcanarY")
	t.Setenv("AWS_REGION", "eu-west-1")
	for i, status := range []int{200, 301, 307, 400, 403, 404, 412, 500, 503} {
		for j, form := range []string{"<Error><Code>%[1]s</Code><Message>%[1]s</Message><Token-0>%[1]s</Token-0></Error>", "<Error><Code>AccessDenied</Code><Message>%s", "%s"} {
			if leakStep() > 1 && j != i%3 {
				continue
			}
			bucket := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				text := canary("s3") + r.Header.Get("X-Amz-Security-Token") + " " + base64.StdEncoding.EncodeToString([]byte(canary("s3")))
				w.Header().Set("X-Amz-Request-Id", text)
				w.Header().Set("Location", "http://third.test/"+text)
				w.WriteHeader(status)
				fmt.Fprintf(w, form, strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text))
			})
			for _, args := range [][]string{
				{"run", "-", "-o", "s3://bucket/out.ndjson", "--s3-endpoint", "http://bucket.test", "--log-level", "debug", "--summary", "DIR/summary.json", "--report", "DIR/page.html", "--trace", "DIR/trace.json"},
				{"sweep", "s3://bucket/", "--s3-endpoint", "http://bucket.test"},
			} {
				for where, text := range shownBy(t, guarded{}.config(), args, &echo{bucket: bucket}) {
					if found := leaks(text); found != nil {
						t.Errorf("%d %s, %s: %s shows %s\n%s", status, form, args[0], where, strings.Join(found, ", "), text)
					}
				}
			}
		}
	}
}

// padsOf is how far from the beginning of an answer its secrets are, at most:
// where an answer is cut, that makes a difference.
func padsOf(kind, fault string) []int {
	if kind != "login" {
		return []int{0}
	}
	switch fault {
	case "error", "unavailable", "arrays", "deep", "broken JSON":
		return []int{0, 17, 60, 333, 490}
	}
	return []int{0}
}

// shownBy runs a command and returns all that it shows to people and programs,
// but for data, by where that is.
func shownBy(t *testing.T, config string, args []string, e *echo) map[string]string {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var command []string
	for _, arg := range args {
		command = append(command, strings.Replace(arg, "DIR", dir, 1))
	}
	if command[0] != "sweep" && command[0] != "init" {
		command = append(command, "--attr-env", "#password=PASSWORD")
	}
	var stdout, stderr bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		network := api.NewNetwork()
		for host, handler := range map[string]http.Handler{"api.test": e, "other.test": e, "bucket.test": e.bucket} {
			stop, err := network.Serve(host, handler)
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
		}
		environment := func(name string) string {
			if name == "PASSWORD" {
				return canary("password")
			}
			return ""
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		w := &world{Stdin: strings.NewReader(config), Stdout: &stdout, Stderr: &stderr, Getenv: environment, Now: time.Now, Dial: network.Dial}
		if e.fault == "network down" {
			w.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, syscall.ENETUNREACH }
		}
		status := invoke(ctx, w, append([]string{"sluice"}, command...))
		stderr.WriteString("status " + strconv.Itoa(status))
	})
	shown := map[string]string{"stderr": stderr.String(), "stdout": stdout.String()}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path, filepath.Join(dir, "out")) && filepath.Base(path) != "_manifest.json" {
			return err // out is data
		}
		text, err := os.ReadFile(path)
		shown[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	return shown
}
