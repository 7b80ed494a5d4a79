//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sluice/fixtures/cases"
	s3store "sluice/fixtures/s3"
)

// tokenLife is how long an access token is good.
const tokenLife = 20 * time.Millisecond

// lastPage is the last one with an item.
const lastPage = 200

// A grant is an API whose refresh tokens can be used only once: one that was used stays good until what the login gave is,
// be it the next refresh token or the access token that came with it.
type grant struct {
	mu sync.Mutex

	// The last refresh token of which something was used, and what logins with it gave since.
	good  string
	after map[string]bool

	access map[string]access
	users  map[string]string // of refresh tokens: the process that has used it
	gone   map[string]bool   // processes that are killed
	n      int
	calm   bool // access tokens live for ever

	// A refresh token is void as soon as it was used, whoever gets the next one; access tokens stay good.
	strict bool

	// Kills a process at an event, which it is told before it is answered and behind that.
	kill func(process string, login, answered bool)

	refused, shared []string // what must not be
}

// access is what an access token came with, and when.
type access struct {
	refresh string
	since   time.Time
}

func (g *grant) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	process, isLogin := r.Header.Get("X-Process"), r.URL.Path == "/token"
	g.kill(process, isLogin, false)
	g.mu.Lock()
	status, body := g.answer(process, isLogin, r)
	g.mu.Unlock()
	if isLogin && g.strict {
		// The token is void, and nobody has the next one yet.
		time.Sleep(5 * time.Millisecond)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
	_ = http.NewResponseController(w).Flush()
	g.kill(process, isLogin, true)
}

func (g *grant) answer(process string, isLogin bool, r *http.Request) (status int, body string) {
	if isLogin {
		return g.login(process, r.FormValue("refresh_token"))
	}
	a, known := g.access[r.Header.Get("X-Token")]
	isOld := !g.calm && time.Since(a.since) > tokenLife
	isOther := a.refresh != g.good && !g.after[a.refresh]
	if !known || isOld || isOther && !g.strict {
		return http.StatusUnauthorized, `{}`
	}
	if !g.strict {
		g.use(a.refresh)
	}
	if page, _ := strconv.Atoi(r.FormValue("page")); page > lastPage {
		return http.StatusOK, `[]`
	}
	return http.StatusOK, `[{"page": ` + strconv.Quote(r.FormValue("page")) + `}]`
}

func (g *grant) login(process, refresh string) (status int, body string) {
	if refresh != g.good && !g.after[refresh] {
		g.refused = append(g.refused, fmt.Sprintf("%s by %s, good is %s", refresh, process, g.good))
		return http.StatusBadRequest, `{"error": "invalid_grant"}`
	}
	user := g.users[refresh]
	if user != "" && user != process && !g.gone[user] {
		g.shared = append(g.shared, fmt.Sprintf("%s by %s and %s", refresh, user, process))
	}
	g.users[refresh] = process
	g.use(refresh)
	g.n++
	next, token := fmt.Sprint("refresh-", g.n), fmt.Sprint("access-", g.n)
	g.after[next], g.access[token] = true, access{next, time.Now()}
	if g.strict {
		g.use(next)
	}
	return http.StatusOK, fmt.Sprintf(`{"access_token": %q, "refresh_token": %q, "expires_in": %g}`, token, next, tokenLife.Seconds())
}

// use makes the refresh token before this one, and others that came of it, void.
func (g *grant) use(refresh string) {
	if refresh != g.good {
		g.good, g.after = refresh, map[string]bool{}
	}
}

// onceConfig has a refresh token that can be used only once.
const onceConfig = `{"api": {"baseUrl": %q, "pagination": {"method": "pagenum", "limit": 1},
  "http": {"headers": {"X-Process": {"attr": "#process"}}},
  "authentication": {"type": "login", "keep": {"refresh": {"response": "refresh_token"}},
    "loginRequest": {"endpoint": "token", "method": "FORM", "params": {"refresh_token": {"function": "ifempty", "args": [{"kept": "refresh"}, {"attr": "#refresh"}]}}},
    "apiRequest": {"headers": {"X-Token": {"response": "access_token"}}}, "expires": {"response": "expires_in", "relative": true}}},
 "config": {"#refresh": "refresh-0", "jobs": [{"endpoint": "a"}]}}`

// A siege is runs with one --tokens, which are killed.
type siege struct {
	t      *testing.T
	api    *grant
	dir    string
	random *rand.Rand
	place  string // of --tokens
	bucket string // the address of an S3; empty: the place is a file
	n      int    // processes so far
	waited int    // of them, for a login
	id     int    // of the run that is continued

	mu      sync.Mutex
	running map[string]*exec.Cmd
	after   int  // events
	login   bool // of logins only
	behind  bool // when they are answered
	delay   time.Duration

	// Those that end a process; nil: it is killed.
	signals []os.Signal
	signal  os.Signal // the next one
}

// onEvent kills the process whose request is the one that was drawn.
func (s *siege) onEvent(process string, login, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.login && !login || s.behind != answered {
		return
	}
	s.after--
	if s.after != 0 {
		return
	}
	cmd, delay := s.running[process], s.delay
	if cmd == nil {
		return
	}
	go s.strike(cmd, process, delay, s.signal)
}

// strike ends a process after a delay, by a signal unless that is nil.
func (s *siege) strike(cmd *exec.Cmd, process string, delay time.Duration, signal os.Signal) {
	time.Sleep(delay)
	if signal != nil {
		// It may have ended.
		_ = cmd.Process.Signal(signal)
		return
	}
	s.api.mu.Lock()
	s.api.gone[process] = true
	s.api.mu.Unlock()
	_ = cmd.Process.Kill()
}

// draw says when the next process is killed.
func (s *siege) draw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.login, s.behind = s.random.IntN(3) > 0, s.random.IntN(3) > 0
	s.after = 1 + s.random.IntN(4)
	if !s.login {
		s.after = 1 + s.random.IntN(80)
	}
	s.delay = []time.Duration{0, time.Duration(s.random.IntN(3000)) * time.Microsecond}[s.random.IntN(2)]
	if len(s.signals) > 0 {
		s.signal = s.signals[s.random.IntN(len(s.signals))]
	}
}

// start begins a process; continued says that it goes on with what the last such one has begun.
func (s *siege) start(continued bool, concurrency int) (*exec.Cmd, *lockedText) {
	s.n++
	name := fmt.Sprint("p", s.n)
	args := []string{
		"run", filepath.Join(s.dir, "config.json"), "--tokens", s.place, "--attr", "#process=" + name,
		"-o", filepath.Join(s.dir, name+".ndjson"), "--log-level", "warn", "--concurrency", strconv.Itoa(concurrency),
	}
	if continued {
		args = append(args, "--checkpoint", filepath.Join(s.dir, "journal")+"/", "--run-id", strconv.Itoa(s.id), "--checkpoint-every", "1ms", "-o", filepath.Join(s.dir, "out.ndjson"))
	}
	cmd, stderr := exec.Command("sluice", args...), &lockedText{}
	cmd.Stderr = stderr
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_ENDPOINT_URL_S3="+s.bucket, "AWS_EC2_METADATA_DISABLED=true")
	s.mu.Lock()
	s.running[name] = cmd
	err := cmd.Start()
	s.mu.Unlock()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Process.Kill() })
	if s.signal != nil && s.random.IntN(2) == 0 {
		// At any moment, also before its first request.
		go s.strike(cmd, name, time.Duration(s.random.IntN(400_000))*time.Microsecond, s.signal)
	}
	return cmd, stderr
}

// ended tells how a process has: killed, or by a signal, or with one of the statuses that it may have.
func (s *siege) ended(cmd *exec.Cmd, stderr *lockedText) (killed bool, status int) {
	_ = cmd.Wait() // the status says it
	status = cmd.ProcessState.ExitCode()
	isSignalled := status == statusInterrupted || status == statusTerminated
	if isSignalled && len(s.signals) > 0 {
		if strings.Contains(stderr.text.String(), "the run ends only when the login is answered") {
			s.waited++
		}
		return true, status
	}
	// The access token of a login was too old when it came.
	wasSlow := status == 1 && strings.Contains(stderr.text.String(), "401 Unauthorized, and a new login did not help")
	if status > 0 && status != statusTemporary && !wasSlow {
		s.t.Fatalf("status %d: %s", status, stderr.text.String())
	}
	return status < 0, status
}

// TestNoKillLocksOutAndNoTokenIsUsedTwice kills runs with --tokens, which are continued, and pairs of processes at
// once.
func TestNoKillLocksOutAndNoTokenIsUsedTwice(t *testing.T) {
	t.Parallel()
	most := cases.Number("KILLS", cases.Few(8, 300))
	s := newSiege(t)
	s.place = filepath.Join(s.dir, "kept", "tokens.json")
	s.killMany(most)
	s.leavesNothing()
}

// TestNoSignalLocksOut is the same with signals, of an API that voids a token at once.
func TestNoSignalLocksOut(t *testing.T) {
	t.Parallel()
	s := newSiege(t)
	s.signals = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	s.api.strict = true
	s.place = filepath.Join(s.dir, "kept", "tokens.json")
	s.killMany(cases.Number("KILLS", cases.Few(6, 300)))
	s.leavesNothing()
	t.Logf("signals of which %d came while a login was under way", s.waited)
}

// Of a process that held an object of a bucket nobody knows that it was killed: ten minutes pass.
func TestNoKillLocksOutOfABucket(t *testing.T) {
	t.Parallel()
	s := newSiege(t)
	store, one := s3store.New("bucket"), sync.Mutex{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one.Lock() // it looks, and then it writes
		defer one.Unlock()
		store.ServeHTTP(w, r)
	}))
	defer server.Close()
	s.bucket, s.place = server.URL, "s3://bucket/kept/tokens.json"
	s.killMany(cases.Few(4, 100))
}

// later makes ten minutes pass for the object of --tokens.
func (s *siege) later() {
	at := s.bucket + "/bucket/kept/tokens.json"
	answer, err := http.Get(at)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	text, err := io.ReadAll(answer.Body)
	found := regexp.MustCompile(`"time":"([^"]*)"`).FindSubmatch(text)
	if err != nil || found == nil {
		return
	}
	text = bytes.Replace(text, found[1], []byte("2020-01-01T00:00:00Z"), 1)
	put, err := http.NewRequest(http.MethodPut, at, bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err = http.DefaultClient.Do(put)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatal(answer, err)
	}
	_ = answer.Body.Close() // there is nothing in it
}

func newSiege(t *testing.T) *siege {
	s := &siege{t: t, dir: t.TempDir(), random: rand.New(rand.NewPCG(18, 9)), running: map[string]*exec.Cmd{}}
	s.api = &grant{good: "refresh-0", after: map[string]bool{}, access: map[string]access{}, users: map[string]string{}, gone: map[string]bool{}, kill: s.onEvent}
	server := httptest.NewServer(s.api)
	t.Cleanup(server.Close)
	if err := os.WriteFile(filepath.Join(s.dir, "config.json"), []byte(fmt.Sprintf(onceConfig, server.URL+"/")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.dir, "kept"), 0o700); err != nil {
		t.Fatal(err)
	}
	return s
}

// killMany runs the program until so many processes were killed, alone and in pairs.
func (s *siege) killMany(most int) {
	kills, temporary, rounds := 0, 0, 0
	for ; kills < most; rounds++ {
		s.draw()
		isPair := rounds%2 == 1
		cmds, texts := []*exec.Cmd{}, []*lockedText{}
		for range 1 + rounds%2 {
			cmd, stderr := s.start(!isPair, 1+7*s.random.IntN(2))
			cmds, texts = append(cmds, cmd), append(texts, stderr)
		}
		for i, cmd := range cmds {
			killed, status := s.ended(cmd, texts[i])
			if killed {
				kills++
			}
			if status == statusTemporary {
				temporary++
			}
			if status == 0 && !isPair {
				s.id++
			}
		}
		if s.bucket != "" {
			s.later()
		}
	}
	s.mu.Lock()
	s.after, s.signal = 0, nil
	s.mu.Unlock()
	s.api.mu.Lock()
	s.api.calm = true
	s.api.mu.Unlock()
	cmd, stderr := s.start(false, 1) // no request has an older access token than another
	if _, status := s.ended(cmd, stderr); status != 0 {
		s.t.Errorf("what is kept is good for nothing: %s", stderr.text.String())
	}
	if len(s.api.refused)+len(s.api.shared) > 0 {
		s.t.Errorf("refused: %q\nused twice: %q", s.api.refused, s.api.shared)
	}
	s.t.Logf("%d kills of %d processes, %d logins, %d processes ended with 75", kills, s.n, s.api.n, temporary)
}

// leavesNothing looks at the place of --tokens.
func (s *siege) leavesNothing() {
	entries, err := os.ReadDir(filepath.Join(s.dir, "kept"))
	if err != nil || len(entries) != 1 {
		s.t.Errorf("left: %v, %v", entries, err)
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "kept", "tokens.json"))
	var there struct{ Tokens, Intent any }
	if err == nil {
		err = json.Unmarshal(text, &there)
	}
	if err != nil || there.Intent != nil {
		s.t.Errorf("kept: %s, %v", text, err)
	}
}
