package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// proxyServer is a real proxy: it forwards what is asked in plain text, and opens
// tunnels, all to one server whatever their names are.
type proxyServer struct {
	to string // host:port of that server

	mu   sync.Mutex
	seen []string
}

func (p *proxyServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.seen = append(p.seen, r.Method+" "+r.RequestURI)
	p.mu.Unlock()
	_, coded, _ := strings.Cut(r.Header.Get("Proxy-Authorization"), " ")
	if who, _ := base64.StdEncoding.DecodeString(coded); string(who) != "joe:canary" {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if r.Method == http.MethodConnect {
		p.tunnel(w)
		return
	}
	h := r.Clone(r.Context())
	h.RequestURI, h.URL.Host = "", p.to
	answer, err := http.DefaultTransport.RoundTrip(h)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body)
}

func (p *proxyServer) tunnel(w http.ResponseWriter) {
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusOK)
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		server.Close()
		return
	}
	go func() {
		io.Copy(server, buffered)
		server.Close()
	}()
	go func() {
		io.Copy(client, server)
		client.Close()
	}()
}

// throughProxy runs a configuration whose API is at base, with an environment.
func throughProxy(t *testing.T, base, ca string, environment map[string]string) (status int, stdout, stderr string) {
	t.Helper()
	api := map[string]any{"baseUrl": base, "retryConfig": map[string]any{"maxRetries": 0}}
	if ca != "" {
		api["caCertificate"] = ca
	}
	text, err := json.Marshal(map[string]any{"api": api, "config": map[string]any{"jobs": []any{map[string]any{"endpoint": "a"}}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "api.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	w := &world{
		stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: time.Now,
		getenv: func(name string) string { return environment[name] },
	}
	status = run(t.Context(), w, []string{"sluice", "run", file, "--log-level", "debug"})
	return status, out.String(), errs.String()
}

func TestRequestsGoThroughTheProxyOfTheEnvironment(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `["`+r.Host+`"]`) })
	plain, secure := httptest.NewServer(handler), httptest.NewUnstartedServer(handler)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	ca := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}))
	for name, c := range map[string]struct {
		base, ca    string
		to          *httptest.Server
		environment func(proxy string) map[string]string
		seen        []string
		stdout      string
	}{
		"http": {"http://api.invalid/", "", plain,
			func(p string) map[string]string { return map[string]string{"HTTP_PROXY": p} },
			[]string{"GET http://api.invalid/a"}, "\"api.invalid\"\n"},
		"http, in small letters and without a scheme": {"http://api.invalid/", "", plain,
			func(p string) map[string]string {
				return map[string]string{"http_proxy": strings.TrimPrefix(p, "http://")}
			},
			[]string{"GET http://api.invalid/a"}, "\"api.invalid\"\n"},
		"https, in a tunnel": {"https://example.com/", ca, secure,
			func(p string) map[string]string { return map[string]string{"HTTPS_PROXY": p} },
			[]string{"CONNECT example.com:443"}, "\"example.com\"\n"},
		"the other scheme goes directly": {plain.URL + "/", "", plain,
			func(p string) map[string]string { return map[string]string{"HTTPS_PROXY": p} },
			nil, "\"" + plain.Listener.Addr().String() + "\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &proxyServer{to: c.to.Listener.Addr().String()}
			server := httptest.NewServer(p)
			defer server.Close()
			environment := c.environment(strings.Replace(server.URL, "http://", "http://joe:canary@", 1))
			status, stdout, stderr := throughProxy(t, c.base, c.ca, environment)
			if status != statusOK || stdout != c.stdout || !slices.Equal(p.seen, c.seen) {
				t.Errorf("status %d, stdout %q, the proxy saw %q\n%s", status, stdout, p.seen, stderr)
			}
			if strings.Contains(stderr, "canary") {
				t.Errorf("the password of the proxy is shown:\n%s", stderr)
			}
		})
	}
}

func TestNoProxyNamesHostsThatAreReachedDirectly(t *testing.T) {
	p := &proxyServer{}
	server := httptest.NewServer(p)
	defer server.Close()
	status, _, stderr := throughProxy(t, "http://api.invalid/", "", map[string]string{"HTTP_PROXY": server.URL, "NO_PROXY": ".invalid"})
	if status != statusFailed || len(p.seen) > 0 || !strings.Contains(stderr, `there is no host named "api.invalid"`) {
		t.Errorf("status %d, the proxy saw %q\n%s", status, p.seen, stderr)
	}
}

func TestAProxyThatIsNoneIsToldBeforeTheFirstRequest(t *testing.T) {
	for _, address := range []string{"http://joe:canary@", "ftp://joe:canary@proxy.example.com", "http://joe:canary@proxy example", "://canary"} {
		status, _, stderr := throughProxy(t, "http://api.invalid/", "", map[string]string{"HTTP_PROXY": address})
		if status != statusUsage || !strings.Contains(stderr, "HTTP_PROXY of the environment is no address of a proxy") || strings.Contains(stderr, "canary") {
			t.Errorf("%s: status %d, %s", address, status, stderr)
		}
	}
}
