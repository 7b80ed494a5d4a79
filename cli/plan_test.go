package cli

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/cli/run"

	"github.com/google/go-cmp/cmp"
)

// nasty means something to a shell, to JSON, to URLs and to curl.
const nasty = "p\"a's`s$HOME \\n!w%41+&=ö\t#@{[]}\n$(exit 1)"

// How nasty stands in a URL, and in JSON.
var (
	inURL  = url.QueryEscape(nasty)
	inJSON = func() string {
		var text strings.Builder
		_ = run.WriteJSON(&text, nil, nasty, "")
		return strings.Trim(text.String(), "\"\n")
	}()
)

// coded and hashed are what functions make of a text.
func coded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func hashed(h hash.Hash, text string) string {
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// planCases are configurations by what is hard about them, with the variables of
// their plans. BASE stands for the address of the API.
var planCases = map[string]struct {
	config string
	set    map[string]string
}{
	"a secret in the JSON of a login": {
		`{"api": {"baseUrl": "BASE", "authentication": {"type": "login",
		   "loginRequest": {"endpoint": "login", "method": "POST", "params": {"user": "it's me", "password": {"attr": "#password"}, "deep": {"pin": {"attr": "#pin"}, "list": ["NASTY"]}, "on": true}},
		   "apiRequest": {"headers": {"X-Token": {"response": "token"}}, "query": {"t": {"response": "list.0.key"}}}}},
		  "config": {"#password": "NASTY", "#pin": 1234, "jobs": [{"endpoint": "a b?x=1", "params": {"t": 5, "q": "it's [1]"}}]}}`,
		map[string]string{"PASSWORD": inJSON, "API_USER": "it's me", "PIN": "1234", "LOGIN_TOKEN": "tok $1", "LOGIN_LIST_0_KEY": "k%261"},
	},
	"a secret in a form": {
		`{"api": {"baseUrl": "BASE", "authentication": {"type": "login",
		   "loginRequest": {"endpoint": "login", "method": "FORM", "params": {"grant_type": "password", "secret": {"attr": "#secret"}}},
		   "apiRequest": {"headers": {"Authorization": {"function": "concat", "args": ["Bearer ", {"response": "token"}]}}}}},
		  "config": {"#secret": "NASTY", "jobs": [{"endpoint": "a", "method": "FORM", "params": {"x": "@x", "s": {"attr": "#secret"}, "y": 1}}, {"endpoint": "b", "method": "FORM"}]}}`,
		map[string]string{"SECRET": inURL, "LOGIN_TOKEN": "tok $1"},
	},
	"a secret in the query, with parameters before and behind it": {
		`{"api": {"baseUrl": "BASE", "pagination": {"method": "offset", "limit": 3}},
		  "config": {"#key": "NASTY", "jobs": [{"endpoint": "a?z=%20", "params": {"a": "1 2", "key": {"attr": "#key"}, "l": [1, {"attr": "#key"}]}}]}}`,
		map[string]string{"KEY": inURL},
	},
	"a secret in the query of a POST": {
		`{"api": {"baseUrl": "BASE", "authentication": {"type": "query", "query": {"sig": {"attr": "#sig"}, "plain": "yes"}}},
		  "config": {"#sig": "NASTY", "jobs": [{"endpoint": "a?z=1", "method": "POST", "params": {"m": {"s": "a\\b"}}}, {"endpoint": "b", "method": "POST"}]}}`,
		map[string]string{"SIG": inURL, "PLAIN": "yes"},
	},
	"what functions make of a secret": {
		`{"api": {"baseUrl": "BASE", "authentication": {"type": "login",
		   "loginRequest": {"endpoint": "login", "headers": {"Authorization": {"function": "concat", "args": ["Basic ", {"function": "base64_encode", "args": [{"function": "concat", "args": [{"attr": "user"}, ":", {"attr": "#password"}]}]}]}}},
		   "apiRequest": {"query": {"sign": {"function": "sha1", "args": [{"function": "concat", "args": [{"attr": "user"}, ":", {"response": "token"}, ":", {"attr": "#password"}]}]}}}}},
		  "config": {"user": "j$e \"x\"", "#password": "NASTY", "jobs": [
		    {"endpoint": "a", "headers": {"X-Hash": {"function": "hash", "args": ["sha256", {"attr": "#password"}]}, "X-Md5": {"function": "md5", "args": [{"attr": "#password"}]}}},
		    {"endpoint": "b", "headers": {"X-Mac": {"function": "hash_hmac", "args": ["sha256", "data", {"attr": "#password"}]}}}]}}`,
		map[string]string{
			"AUTHORIZATION": coded(`j$e "x":` + nasty), "SIGN": hashed(sha1.New(), `j$e "x":tok $1:`+nasty),
			"X_HASH": hashed(sha256.New(), nasty), "X_MD5": hashed(md5.New(), nasty), "X_MAC": hashed(hmac.New(sha256.New, []byte(nasty)), "data"),
		},
	},
	"a text of another length": {
		`{"api": {"baseUrl": "BASE"}, "config": {"#s": "12345", "jobs": [{"endpoint": "a", "headers": {"X-Padded": {"function": "sprintf", "args": ["<%09d>", {"attr": "#s"}]}}}]}}`,
		map[string]string{"X_PADDED": "<000012345>"},
	},
	"literal secrets in headers, and empty ones": {
		`{"api": {"baseUrl": "BASE", "http": {"headers": {"X-Api-Key": "k'$1", "X-Empty": "", "Cookie": "a=b; c=d"}}}, "config": {"jobs": [{"endpoint": "a"}]}}`,
		map[string]string{"X_API_KEY": "k'$1", "COOKIE": "a=b; c=d"},
	},
	"basic authentication": {
		`{"api": {"baseUrl": "BASE", "authentication": {"type": "basic"}}, "config": {"username": "joe", "#password": "NASTY", "jobs": [{"endpoint": "a"}]}}`,
		map[string]string{"AUTHORIZATION": coded("joe:" + nasty)},
	},
	"a token of OAuth": {
		`{"authorization": {"oauth_api": {"credentials": {"#data": "{\"access_token\": \"abcd'ef\"}"}}},
		  "api": {"baseUrl": "BASE", "authentication": {"type": "oauth20", "headers": {"Authorization": {"function": "concat", "args": ["Bearer ", {"authorization": "data.access_token"}]}}}},
		  "config": {"jobs": [{"endpoint": "a"}]}}`,
		map[string]string{"ACCESS_TOKEN": "abcd'ef"},
	},
	"a child job": {
		`{"api": {"baseUrl": "BASE"}, "config": {"#key": "NASTY", "jobs": [{"endpoint": "parents", "children": [{"endpoint": "parents/{id}/x", "params": {"k": {"attr": "#key"}}, "placeholders": {"id": "id"}}]}]}}`,
		map[string]string{"KEY": inURL, "PARENT_ID": "a-7"},
	},
	"a text that looks like a placeholder": {
		`{"api": {"baseUrl": "BASE"}, "config": {"jobs": [{"endpoint": "a", "params": {"x": "qzx7xzq"}}]}}`, nil,
	},
	"a secret in the address": {
		`{"api": {"baseUrl": {"function": "concat", "args": ["BASE", {"attr": "#tenant"}]}}, "config": {"#tenant": "acme", "jobs": [{"endpoint": "a{b}"}]}}`,
		map[string]string{"URL": "BASEacme"},
	},
}

// seeing is an API that notes what it is asked, and answers so that each job has one
// page.
type seeing struct {
	mu   sync.Mutex
	seen []string
}

func (s *seeing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := string(body)
	if r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		text = fmt.Sprint(pairs(text))
	}
	header := r.Header.Clone()
	for _, name := range []string{"Accept-Encoding", "Content-Length", "Connection"} {
		header.Del(name)
	}
	s.mu.Lock()
	s.seen = append(s.seen, fmt.Sprintf("%s %s %q\n%q\n%s", r.Method, r.URL.EscapedPath(), pairs(r.URL.RawQuery), header, text))
	s.mu.Unlock()
	switch r.URL.Path {
	case "/login":
		_, _ = io.WriteString(w, `{"token": "tok $1", "list": [{"key": "k&1"}]}`)
	case "/parents":
		_, _ = io.WriteString(w, `[{"id": "a-7"}]`)
	default:
		_, _ = io.WriteString(w, `[]`)
	}
}

func (s *seeing) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return seen
}

// pairs are the parameters in order: a blank may be + or %20.
func pairs(query string) []string {
	var all []string
	for part := range strings.SplitSeq(query, "&") {
		plain, err := url.QueryUnescape(part)
		if err != nil {
			plain = "bad: " + part
		}
		all = append(all, plain)
	}
	return all
}

func TestThePlannedCommandsSendWhatARunSends(t *testing.T) {
	for name, c := range planCases {
		t.Run(name, func(t *testing.T) {
			api := &seeing{}
			server := httptest.NewServer(api)
			defer server.Close()
			base := strings.NewReplacer("BASE", server.URL+"/", "NASTY", inJSON)
			file := filepath.Join(t.TempDir(), "api.json")
			if err := os.WriteFile(file, []byte(base.Replace(c.config)), 0o600); err != nil {
				t.Fatal(err)
			}
			status, plan, stderr := online(t, "plan", file)
			if status != statusOK || len(api.take()) > 0 {
				t.Fatalf("status %d: %s", status, stderr)
			}
			for _, secret := range append(slices.Collect(maps.Values(c.set)), nasty, inURL, inJSON, coded(nasty)) {
				if len(secret) > 3 && strings.Contains(plan, base.Replace(secret)) {
					t.Errorf("the plan shows %q", secret)
				}
			}
			if status, _, stderr := online(t, "run", file, "--log-level", "error"); status != statusOK {
				t.Fatalf("run: status %d: %s", status, stderr)
			}
			want := api.take()
			cmd := exec.CommandContext(t.Context(), "bash", "-eu", "-o", "pipefail")
			cmd.Stdin = strings.NewReader(plan)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere"}
			for name, value := range c.set {
				cmd.Env = append(cmd.Env, name+"="+base.Replace(value))
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s\n%s", err, out, plan)
			}
			if diff := cmp.Diff(want, api.take()); diff != "" {
				t.Errorf("-run +plan:\n%s\n%s", diff, plan)
			}
		})
	}
}

// online runs the program in a world with a network.
func online(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log, Getenv: func(string) string { return "" }, Now: time.Now,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}
	status = invoke(t.Context(), w, append([]string{"sluice"}, args...))
	return status, out.String(), log.String()
}
