package main

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
)

// canary is a secret whose every part can be told from other texts, and which
// looks different in every encoding.
func canary(kind string) string { return "Canary" + kind + `/ü+"&=%<'> ` + kind + "canarY" }

// sung finds canaries that are not encoded, and what functions make of them.
var sung = regexp.MustCompile(`Canary|canarY|` + fmt.Sprintf("%x", sha1.Sum([]byte(canary("password")))))

// leaks returns what text shows of a canary, also encoded once or twice. It does
// not ask the program how.
func leaks(text string) []string {
	var all []string
	for _, once := range decoded(text) {
		for _, twice := range decoded(once) {
			if at := sung.FindStringIndex(twice); at != nil {
				all = append(all, fmt.Sprintf("%.60q", twice[max(0, at[0]-20):]))
			}
		}
	}
	return all
}

var (
	percent = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	escape  = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\.`)
	base64s = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}`)
)

// decoded is text, and what it is as a URL, as JSON and in base64.
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
	for _, run := range base64s.FindAllString(text, -1) {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
		for at := range 4 {
			part := run[at:]
			plain, _ := base64.RawStdEncoding.DecodeString(part[:len(part)/4*4])
			b.Write(plain)
			b.WriteByte('\n')
		}
	}
	return append(all, b.String())
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
	fault string
	pad   int  // before the secrets in an answer
	token bool // there are secrets that a login gives
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	login := strings.HasSuffix(r.URL.Path, "/login")
	secret, kinds := canary("password"), []string{"key", "password", "header"}
	if !login && e.token { // what a login has not given yet nobody can know
		secret, kinds = canary("token"), append(kinds, "token", "session")
	}
	told := ""
	for _, kind := range kinds {
		told += canary(kind) + " "
	}
	quoted, _ := json.Marshal(told)
	all := strings.Repeat("-", e.pad) + r.RequestURI + " " + string(body)
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
		fmt.Fprintf(w, `{"token":%s,"data":{"session":%s,"list":[%s]},"refresh":%s,"ends":"2000-01-01 01:00:00"}`, token, session, session, token)
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

// leaky is a configuration with a canary of every kind, and an authentication.
func leaky(authentication string) string {
	text, _ := json.Marshal(canary("key"))
	header, _ := json.Marshal(canary("header"))
	return fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/v1/", "retryConfig": {"maxRetries": 1}, "http": {"requestTimeout": 5,
    "headers": {"X-Api-Key": %[2]s, "Authorization": {"attr": "#deep.er"}},
    "defaultOptions": {"params": {"key": {"attr": "#key"}, "mac": {"function": "sha1", "args": [{"attr": "#password"}]}}}},
  "pagination": {"method": "pagenum", "limit": 2}, "authentication": %[3]s},
 "config": {"#key": %[1]s, "#deep": {"er": %[1]s}, "username": "someone", "jobs": [
   {"endpoint": "a?k=%[4]s", "dataType": "a", "params": {"own": {"attr": "#key"}}, "children": [
      {"endpoint": "b/{id}", "dataType": "b", "method": "POST", "params": {"own": {"attr": "#key"}}, "placeholders": {"id": "id"}, "recursionFilter": "id == 1"}]}]}}`,
		text, header, authentication, url.QueryEscape(canary("key")))
}

var authentications = map[string]string{
	"login": `{"type": "login", "loginRequest": {"endpoint": "login", "method": "POST",
      "params": {"password": {"attr": "#password"}, "more": {"in": ["` + jsonCanary("inner") + `"]}, "mac": {"function": "base64_encode", "args": [{"attr": "#password"}]}},
      "headers": {"X-Login": "` + jsonCanary("login") + `"}},
    "apiRequest": {"headers": {"X-Token": {"response": "token"}, "X-Path": "data.session"},
                   "query": {"sig": {"function": "concat", "args": ["x", {"response": "data.list.0"}, {"attr": "#password"}]}}},
    "expires": {"response": "ends"}}`,
	"login by GET": `{"type": "login", "loginRequest": {"endpoint": "login", "params": {"password": {"attr": "#password"}}},
    "apiRequest": {"query": {"key": {"response": "token"}, "s": {"response": "data.list.0"}}}, "expires": 0}`,
	"basic": `{"type": "basic"}`,
}

func jsonCanary(kind string) string {
	text, _ := json.Marshal(canary(kind))
	return string(text[1 : len(text)-1])
}

func TestNoSecretIsShownWhateverHappens(t *testing.T) {
	commands := map[string][]string{
		"run":      {"run", "-", "--log-level", "debug", "-o", "DIR/out/", "--summary", "DIR/summary.json", "--trace", "DIR/trace.json", "--record", "DIR/traffic", "--concurrency", "2"},
		"run json": {"run", "-", "--log-level", "debug", "--log-format", "json", "-o", "DIR/out.csv", "--job", "a", "--columns", "id", "--summary", "DIR/summary.json", "--progress", "always"},
		"check":    {"check", "-", "--log-level", "debug"},
		"plan":     {"plan", "-", "--format", "json"},
		"jobs":     {"jobs", "-"},
		"validate": {"validate", "-"},
	}
	for kind, authentication := range authentications {
		for command, args := range commands {
			for fault := range echoes {
				if isOffline := command != "run" && command != "run json" && command != "check"; isOffline && fault != "none" {
					continue
				}
				for _, pad := range padsOf(fault) {
					what := fmt.Sprintf("%s, %s, fault %q, pad %d", kind, command, fault, pad)
					shown := shownBy(t, leaky(authentication), args, &echo{fault, pad, kind != "basic"})
					for where, text := range shown {
						if found := leaks(text); found != nil {
							t.Errorf("%s: %s shows %.300s\n%.2000s", what, where, strings.Join(found, ", "), text)
						}
					}
				}
			}
		}
	}
}

// TestNoSecretIsShownOfABadConfiguration breaks a configuration at every place.
func TestNoSecretIsShownOfABadConfiguration(t *testing.T) {
	// A job without a data type is called like its endpoint.
	good := strings.Replace(leaky(authentications["login"]), "?k="+url.QueryEscape(canary("key")), "", 1)
	for at := 0; at < len(good); at += 3 {
		for _, bad := range []string{good[:at], good[:at] + "!" + good[at:], good[:at] + `"` + good[at:], good[:at] + "{" + good[at+1:], good[:at] + good[at+1:]} {
			for where, text := range shownBy(t, bad, []string{"validate", "-"}, &echo{}) {
				if found := leaks(text); found != nil {
					t.Fatalf("%s shows %s\n%s", where, strings.Join(found, ", "), text)
				}
			}
		}
	}
}

// padsOf is how far from the beginning of an answer its secrets are, at most:
// where an answer is cut, that makes a difference.
func padsOf(fault string) []int {
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
	if command[0] == "validate" || command[0] == "jobs" || command[0] == "plan" || command[0] == "run" || command[0] == "check" {
		command = append(command, "--attr-env", "#password=PASSWORD")
	}
	var stdout, stderr bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		network := api.NewNetwork()
		for _, host := range []string{"api.test", "other.test"} {
			stop, err := network.Serve(host, e)
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
		w := &world{stdin: strings.NewReader(config), stdout: &stdout, stderr: &stderr, getenv: environment, now: time.Now, dial: network.Dial}
		status := run(ctx, w, append([]string{"sluice"}, command...))
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
