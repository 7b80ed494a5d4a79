//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A personLogin is a login by the program, as a process, with a browser that the test is.
type personLogin struct {
	t       *testing.T
	api     *oauthServer
	base    string
	dir     string
	args    []string
	process *os.Process
	status  int
	stderr  string

	// The status and the text of the page that the browser ends at.
	page string
}

// newPersonLogin begins nothing yet; more is added to authorize.
func newPersonLogin(t *testing.T, api *oauthServer, more string) *personLogin {
	t.Helper()
	api.prepare()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	l := &personLogin{t: t, api: api, base: server.URL + "/", dir: t.TempDir()}
	if err := os.WriteFile(l.file("api.json"), fmt.Appendf(nil, personConfig, l.base, more), 0o600); err != nil {
		t.Fatal(err)
	}
	l.args = []string{"login", l.file("api.json"), "--tokens", l.file("tokens.json"), "--attr", "#secret=secret-1", "--log-level", "debug"}
	return l
}

func (l *personLogin) file(name string) string { return filepath.Join(l.dir, name) }

// addressShown is the line of its own that has the address to open.
var addressShown = regexp.MustCompile(`(?m)^(https?://\S+/authorize\?\S+)$`)

// run logs in, and has the browser do what it does with the address that is shown. stdin is where it may paste.
func (l *personLogin) run(browse func(address string, stdin io.Writer), more ...string) {
	l.t.Helper()
	cmd := exec.Command("sluice", append(l.args, more...)...)
	cmd.Env = append(os.Environ(), "BROWSER=", "DISPLAY=", "WAYLAND_DISPLAY=", "SSH_TTY=none")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.process = cmd.Process
	var all bytes.Buffer
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		all.WriteString(lines.Text() + "\n")
		if found := addressShown.FindString(lines.Text()); found != "" && browse != nil {
			browse(found, stdin)
		}
	}
	_ = cmd.Wait() // the status says it
	l.status, l.stderr = cmd.ProcessState.ExitCode(), all.String()
}

// follow is a browser in which the person agrees, as the server has it.
func (l *personLogin) follow(address string, _ io.Writer) { l.page = pageAt(address) }

// pageAt is the status and the text of a page.
func pageAt(address string) string {
	answer, err := http.Get(address)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	text, _ := io.ReadAll(answer.Body)
	return answer.Status + "\n" + string(text)
}

// answerTo is the address that the server sends a browser to.
func (l *personLogin) answerTo(address string) string {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(address)
	if err != nil {
		l.t.Fatal(err)
	}
	_ = answer.Body.Close() // only the header counts
	return answer.Header.Get("Location")
}

// paste copies the address that the browser could not reach.
func (l *personLogin) paste(address string, stdin io.Writer) {
	_, _ = fmt.Fprintf(stdin, "what?\n\n%s\n", l.answerTo(address))
}

// want says how the login has ended.
func (l *personLogin) want(status int, texts ...string) {
	l.t.Helper()
	if l.status != status {
		l.t.Errorf("status %d, want %d", l.status, status)
	}
	for _, text := range texts {
		if !strings.Contains(l.stderr, text) {
			l.t.Errorf("stderr lacks %q", text)
		}
	}
	l.hidesSecrets()
	if l.t.Failed() {
		l.t.Fatalf("%s\npage: %s\nwrong: %v", l.stderr, l.page, l.api.seen().wrong)
	}
}

// hidesSecrets looks for what nobody may see. Only the address has the state.
func (l *personLogin) hidesSecrets() {
	l.t.Helper()
	rest := addressShown.ReplaceAllString(l.stderr, "")
	secrets := []string{"secret-1", "secretcode", "secretdevice", "secretaccess", "secretrefresh"}
	for _, q := range l.api.seen().asked {
		if q.Get("state") != "" {
			secrets = append(secrets, q.Get("state"))
		}
	}
	for _, q := range l.api.seen().tokens {
		if q.Get("code_verifier") != "" {
			secrets = append(secrets, q.Get("code_verifier"))
			if strings.Contains(l.stderr, q.Get("code_verifier")) {
				l.t.Error("the verifier is shown")
			}
		}
	}
	for _, s := range secrets {
		if strings.Contains(rest, s) || strings.Contains(l.page, s) {
			l.t.Errorf("%s is shown", s)
		}
	}
}

func TestAPersonLogsInAndRunsGoOnUnattended(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	l.run(l.follow)
	l.want(0, "logged in: ", "tokens.json has what the next login needs",
		"checked: a login with it worked, and job orders got 200 OK and 2 items",
		"from now on: sluice run ")
	if !strings.HasPrefix(l.page, "200 OK") || !strings.Contains(l.page, "Logged in") {
		t.Error(l.page)
	}
	q := l.api.seen().asked[0]
	for name, want := range map[string]string{
		"audience": "orders", "access_type": "offline", "scope": "orders.read offline_access", "response_type": "code",
	} {
		if q.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	exchange := l.api.seen().tokens[0]
	if exchange.Has("refresh_token") || exchange.Get("grant_type") != "authorization_code" {
		t.Error(exchange)
	}
	info, err := os.Stat(l.file("tokens.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	for range 2 {
		out, err := exec.Command("sluice", "run", l.file("api.json"), "--tokens", l.file("tokens.json"), "--attr", "#secret=secret-1").CombinedOutput()
		if err != nil || !strings.Contains(string(out), `{"id":2}`) {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if len(l.api.seen().wrong) > 0 {
		t.Error(l.api.seen().wrong)
	}
}

func TestAnAnswerIsPasted(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	l.run(l.paste, "--paste")
	l.want(0, "that is not the address: it begins with http://127.0.0.1", "logged in: ")
	if got := l.api.seen().asked[0].Get("redirect_uri"); got != "http://127.0.0.1" {
		t.Error(got)
	}
}

// Some APIs take only an address of https, where nothing of this machine answers.
func TestAnAnswerToAnAddressElsewhereIsPasted(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{redirects: []string{"https://app.test/done"}}, `, "redirect": "https://app.test/done"`)
	l.run(l.paste)
	l.want(0, "goes to an address that begins with https://app.test/done", "logged in: ")
}

func TestALoginEndsWhereNothingIsPasted(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	l.run(func(_ string, stdin io.Writer) { _ = stdin.(io.Closer).Close() }, "--paste")
	l.want(1, "stdin ended before the address was pasted")
}

func TestTheRedirectAddressIsTheOneThatIsRegistered(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	redirect := "http://localhost:" + port + "/callback"
	l := newPersonLogin(t, &oauthServer{redirects: []string{redirect}}, fmt.Sprintf(`, "redirect": %q`, redirect))
	l.run(l.follow)
	l.want(0, "logged in: ")
}

func TestAnotherRedirectAddressEndsInTime(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{redirects: []string{"http://127.0.0.1/callback"}}, "")
	l.run(l.follow, "--timeout", "1s")
	l.want(75, "no answer came within 1s", "register http://127.0.0.1:", "with the API")
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }() // nobody used it
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

func TestWhatEndsALoginOfAPerson(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		api    *oauthServer
		more   []string
		status int
		want   string
		page   string
	}{
		"the person refuses": {&oauthServer{refuses: true}, nil, 1, "login: it was refused: access_denied: The person said no", "400 Bad Request"},
		"another state":      {&oauthServer{forgetsState: true}, nil, 1, "the answer is not for this login, its state differs", "400 Bad Request"},
		"no refresh token": {&oauthServer{givesNoRefresh: true}, nil, 1,
			"the API gave no refresh: many APIs want the scope offline_access", "400 Bad Request"},
		"wrong secret": {&oauthServer{}, []string{"--attr", "#secret=secret-2"}, 1,
			"invalid_client: wrong secret", "400 Bad Request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newPersonLogin(t, c.api, "")
			l.run(l.follow, c.more...)
			l.want(c.status, c.want)
			if !strings.HasPrefix(l.page, c.page) || !strings.Contains(l.page, "The login failed") {
				t.Error(l.page)
			}
			text, _ := os.ReadFile(l.file("tokens.json"))
			if strings.Contains(string(text), "secret") || strings.Contains(string(text), "intent") {
				t.Errorf("at --tokens: %s", text)
			}
		})
	}
}

// What comes before the answer, or after it, is none; a code is asked for once.
func TestOneAnswerIsTaken(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	l.run(func(address string, stdin io.Writer) {
		u, _ := url.Parse(l.answerTo(address))
		for _, early := range []string{"http://" + u.Host + "/favicon.ico", "http://" + u.Host + "/", "http://" + u.Host + "/other?state=x&code=y"} {
			l.follow(early, nil)
			if strings.HasPrefix(l.page, "200") {
				t.Error(early, l.page)
			}
		}
		l.api.change(func() {
			l.api.during = func() {
				page := pageAt(u.String())
				if !strings.HasPrefix(page, "410 Gone") || !strings.Contains(page, "Answered already") {
					t.Error(page)
				}
			}
		})
		l.follow(u.String(), nil)
	})
	l.want(0, "logged in: ")
	if n := len(l.api.seen().tokens); n != 2 {
		t.Errorf("%d requests for tokens, want that of the code and that of the check", n)
	}
}

func TestAPortThatIsTakenIsSaidBeforeThePersonLogsIn(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }() // nobody used it
	redirect := "http://" + listener.Addr().String() + "/"
	l := newPersonLogin(t, &oauthServer{}, fmt.Sprintf(`, "redirect": %q`, redirect))
	l.run(l.follow)
	l.want(75, "the answer is to come to "+listener.Addr().String()+", which cannot be opened", "address already in use")
	if len(l.api.seen().asked) > 0 {
		t.Error(l.api.seen().asked)
	}
}

func TestAPlaceThatCannotBeWrittenIsSaidBeforeThePersonLogsIn(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	l.run(l.follow, "--tokens", l.file("nowhere/tokens.json"))
	l.want(1, "there is no such folder; make it first")
	if addressShown.MatchString(l.stderr) {
		t.Error(l.stderr)
	}
}

func TestAFailedCheckSaysThatTheLoginWorked(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{forbids: true}, "")
	l.run(l.follow)
	l.want(1, "logged in: ", "the login worked, and what it gave is at --tokens, but a run would fail: job orders: ",
		"403 Forbidden", "the scope orders.read is missing")
	if !strings.HasPrefix(l.page, "200 OK") {
		t.Error(l.page)
	}
}

func TestALaterRefusalSaysWhoMustLogInAgain(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	l.run(l.follow)
	l.want(0)
	l.api.change(func() { l.api.refresh = "" })
	out, err := exec.Command("sluice", "run", l.file("api.json"), "--tokens", l.file("tokens.json"), "--attr", "#secret=secret-1").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a person must log in again, with sluice login") {
		t.Errorf("%v: %s", err, out)
	}
	l.run(l.follow)
	l.want(0, "logged in: ")
}

func TestASignalEndsALoginOfAPerson(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	l.run(func(string, io.Writer) { _ = l.process.Signal(os.Interrupt) })
	l.want(statusInterrupted, "interrupted")
}

func TestNobodyHasLoggedInYet(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	out, err := exec.Command("sluice", "run", l.file("api.json"), "--tokens", l.file("tokens.json"), "--attr", "#secret=secret-1").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "login: nobody has logged in yet: run sluice login with this configuration") {
		t.Errorf("%v: %s", err, out)
	}
	if len(l.api.seen().tokens) > 0 {
		t.Error(l.api.seen().tokens)
	}
}

// The variable BROWSER says what opens an address.
func TestABrowserIsOpened(t *testing.T) {
	t.Parallel()
	l := newPersonLogin(t, &oauthServer{}, "")
	browser := l.file("browser")
	script := fmt.Sprintf("#!/bin/sh\nprintf '%%s' \"$1\" >%s.new && mv %[1]s.new %[1]s\n", l.file("opened"))
	if err := os.WriteFile(browser, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sluice", append(l.args, "--timeout", "1s")...)
	cmd.Env = append(os.Environ(), "BROWSER="+browser)
	out, _ := cmd.CombinedOutput()
	if !strings.Contains(string(out), "a browser is opened with it") {
		t.Errorf("%s", out)
	}
	opened, err := os.ReadFile(l.file("opened"))
	if err != nil || addressShown.FindString(string(out)) != string(opened) {
		t.Errorf("%s, %v: %s", opened, err, out)
	}
}
