package cli

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/proxyserver"
)

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
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Now: time.Now,
		Getenv: func(name string) string { return environment[name] },
	}
	status = invoke(t.Context(), w, []string{"sluice", "run", file, "--log-level", "debug"})
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
			p := &proxyserver.Server{To: c.to.Listener.Addr().String()}
			server := httptest.NewServer(p)
			defer server.Close()
			environment := c.environment(strings.Replace(server.URL, "http://", "http://joe:canary@", 1))
			status, stdout, stderr := throughProxy(t, c.base, c.ca, environment)
			if status != statusOK || stdout != c.stdout || !slices.Equal(p.Seen(), c.seen) {
				t.Errorf("status %d, stdout %q, the proxy saw %q\n%s", status, stdout, p.Seen(), stderr)
			}
			if strings.Contains(stderr, "canary") {
				t.Errorf("the password of the proxy is shown:\n%s", stderr)
			}
		})
	}
}

func TestNoProxyNamesHostsThatAreReachedDirectly(t *testing.T) {
	p := &proxyserver.Server{}
	server := httptest.NewServer(p)
	defer server.Close()
	status, _, stderr := throughProxy(t, "http://api.invalid/", "", map[string]string{"HTTP_PROXY": server.URL, "NO_PROXY": ".invalid"})
	if status != statusFailed || len(p.Seen()) > 0 || !strings.Contains(stderr, `there is no host named "api.invalid"`) {
		t.Errorf("status %d, the proxy saw %q\n%s", status, p.Seen(), stderr)
	}
}

func TestAProxyThatAcceptsNoConnectionIsNamed(t *testing.T) {
	gone := httptest.NewServer(nil)
	address := gone.URL
	gone.Close()
	status, _, stderr := throughProxy(t, "https://api.invalid/", "", map[string]string{"HTTPS_PROXY": address})
	if status != statusTemporary || !strings.Contains(stderr, "this is the proxy that HTTPS_PROXY or HTTP_PROXY of the environment names") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

func TestAProxyThatRefusesIsAskedOnce(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		p := &proxyserver.Server{}
		server := httptest.NewServer(p)
		address := strings.Replace(server.URL, "http://", "http://joe:canary2@", 1)
		environment := map[string]string{"HTTP_PROXY": address, "HTTPS_PROXY": address}
		status, _, stderr := throughProxy(t, scheme+"://api.invalid/", "", environment)
		server.Close()
		says := "407 Proxy Authentication Required: write user and password into HTTPS_PROXY or HTTP_PROXY"
		if status != statusFailed || len(p.Seen()) != 1 || !strings.Contains(stderr, says) || strings.Contains(stderr, "canary2") {
			t.Errorf("%s: status %d, the proxy saw %q\n%s", scheme, status, p.Seen(), stderr)
		}
	}
}

func TestAProxyThatForbidsAHostIsNamedWithIt(t *testing.T) {
	for answer, want := range map[int]int{403: statusFailed, 503: statusTemporary} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(answer) }))
		status, _, stderr := throughProxy(t, "https://api.invalid/", "", map[string]string{"HTTPS_PROXY": server.URL})
		host := strings.TrimPrefix(server.URL, "http://")
		server.Close()
		says := "the proxy " + host + " refuses to connect to api.invalid:443: " + strconv.Itoa(answer)
		if status != want || !strings.Contains(stderr, says) {
			t.Errorf("%d: status %d\n%s", answer, status, stderr)
		}
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

// Of two mistakes it tells the one that it always told: scripts go by the status.
func TestCheckTellsOfTheProxyBeforeTheState(t *testing.T) {
	var stderr bytes.Buffer
	w := &world{
		Stdin: strings.NewReader("{}"), Stdout: io.Discard, Stderr: &stderr, Now: time.Now,
		Getenv: func(name string) string { return map[string]string{"HTTP_PROXY": "://canary"}[name] },
	}
	status := invoke(t.Context(), w, []string{"sluice", "check", "-", "--state", t.TempDir()})
	if status != statusUsage || !strings.Contains(stderr.String(), "HTTP_PROXY of the environment is no address of a proxy") {
		t.Errorf("status %d, %s", status, &stderr)
	}
}
