package cli

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sluice/cli/run"
	"sluice/fixtures/api"
	"sluice/fixtures/testmain"
)

func TestMain(m *testing.M) { os.Exit(testmain.Run(m, Main)) }

// TestScenarios runs fixtures/scenarios. In them, `sluice` runs the program in
// this process, in a bubble whose clock jumps, against the servers that `serve`
// put on a network of its own; `exec sluice` runs it as a process of its own.
func TestScenarios(t *testing.T) {
	runScenarios(t, filepath.Join("fixtures", "scenarios"))
}

func runScenarios(t *testing.T, dir string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	update := os.Getenv("UPDATE") != ""
	for _, d := range dirs {
		if scripts, err := filepath.Glob(filepath.Join(d, "*.txtar")); err != nil || len(scripts) == 0 {
			continue
		}
		t.Run(filepath.Base(d), func(t *testing.T) {
			t.Parallel()
			testscript.RunT(scenarioT{t}, testscript.Params{
				Dir:                d,
				UpdateScripts:      update,
				ContinueOnError:    os.Getenv("SCENARIO_CONCURRENCY") != "", // make race-64 wants every run of a scenario
				RequireUniqueNames: true,
				Setup: func(e *testscript.Env) error {
					e.Values[benchKey{}] = &bench{t: e.T().(scenarioT).T}
					if n := os.Getenv("SCENARIO_CONCURRENCY"); n != "" { // make race-64
						e.Setenv("SLUICE_CONCURRENCY", n)
					}
					for _, name := range []string{"TZ", "CLOCK_OFFSET"} { // make clock
						if value := os.Getenv(name); value != "" {
							e.Setenv(name, value)
						}
					}
					return nil
				},
				Condition: condition,
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"serve":    serveCmd,
					"listen":   listenCmd,
					"seen":     seenCmd,
					"gateway":  gatewayCmd,
					"sluice":   sluiceCmd,
					"status":   statusCmd,
					"took":     tookCmd,
					"halt":     haltCmd,
					"lines":    linesCmd,
					"envsubst": envsubstCmd,
				},
			})
		})
	}
}

// condition is `[tmpfs]`: a small file system can be mounted, in a namespace that
// goes away with its process.
func condition(name string) (bool, error) {
	if name != "tmpfs" {
		return false, fmt.Errorf("unknown condition %s", name)
	}
	return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).Run() == nil, nil
}

// scenarioT lets a script's commands reach its *testing.T, which a bubble needs.
type scenarioT struct{ *testing.T }

func (s scenarioT) Run(name string, f func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { f(scenarioT{t}) })
}

func (s scenarioT) Verbose() bool { return testing.Verbose() }

// bench is what a scenario works with.
type bench struct {
	t       *testing.T
	servers []server
	ports   []server // by their variable, for programs that are processes
	status  int
	took    time.Duration
	stop    func(*world) (context.Context, context.CancelCauseFunc)
	signals []any // as those of signalled; nil: none
}

// benchKey is where a script's environment has its bench.
type benchKey struct{}

// server is a script by the host that it answers for.
type server struct {
	host   string
	script *api.Script
}

func benchOf(ts *testscript.TestScript) *bench { return ts.Value(benchKey{}).(*bench) }

// serveCmd is `serve HOST FILE`: from now on HOST answers as the script in FILE
// says.
func serveCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: serve HOST FILE")
	}
	script, err := api.ParseScript(ts.ReadFile(args[1]))
	ts.Check(err)
	b := benchOf(ts)
	b.servers = append(b.servers, server{args[0], script})
}

// listenCmd is `listen VARIABLE FILE`, or `listen VARIABLE demo N`: a server at
// a port of this machine, for programs that are processes, answers as the script
// in FILE says, or is the demo API with N items. VARIABLE is its base URL. The file
// asked-VARIABLE gets a line for each request to a script whose answer is chosen, so
// that a shell can wait for it; no answer is sent while there is a file hold-VARIABLE.
// `listen VARIABLE FILE PROTOCOL…` listens over TLS and offers these protocols, such as h2 and
// http/1.1. The file ca-VARIABLE has its certificate, spoken-VARIABLE the version of each request.
func listenCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: listen VARIABLE FILE [PROTOCOL...] | listen VARIABLE demo N")
	}
	hold := ts.MkAbs("hold-" + args[0])
	var handler http.Handler
	if args[1] == "demo" {
		items, err := strconv.Atoi(args[2])
		ts.Check(err)
		handler = api.New(api.Options{Items: items})
	} else {
		script, err := api.ParseScript(ts.ReadFile(args[1]))
		ts.Check(err)
		handler = script
		asked, err := os.Create(ts.MkAbs("asked-" + args[0]))
		ts.Check(err)
		// The server ends before.
		ts.Defer(func() { _ = asked.Close() })
		script.Asked = func() {
			_, _ = asked.WriteString("\n")
			for isThere(hold) {
				time.Sleep(10 * time.Millisecond)
			}
		}
		b := benchOf(ts)
		b.ports = append(b.ports, server{args[0], script})
	}
	server := httptest.NewUnstartedServer(handler)
	if protocols := args[2:]; args[1] != "demo" && len(protocols) > 0 {
		startTLS(ts, server, args[0], protocols)
	} else {
		server.Start()
	}
	ts.Defer(func() {
		// Of a scenario that has failed.
		_ = os.Remove(hold)
		server.CloseClientConnections()
		server.Close()
	})
	ts.Setenv(args[0], server.URL+"/")
}

// startTLS starts a server that offers these protocols.
func startTLS(ts *testscript.TestScript, s *httptest.Server, name string, protocols []string) {
	spoken, err := os.Create(ts.MkAbs("spoken-" + name))
	ts.Check(err)
	// The server ends before.
	ts.Defer(func() { _ = spoken.Close() })
	answer := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = spoken.WriteString(r.Proto + "\n")
		answer.ServeHTTP(w, r)
	})
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = slices.Contains(protocols, "h2")
	s.TLS = &tls.Config{NextProtos: protocols, MinVersion: tls.VersionTLS12}
	s.StartTLS()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	ts.Check(os.WriteFile(ts.MkAbs("ca-"+name), certificate, 0o600))
}

func isThere(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// seenCmd is `seen`: the files requests-VARIABLE hold what the scripts that listen
// saw.
func seenCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: seen")
	}
	for _, p := range benchOf(ts).ports {
		ts.Check(os.WriteFile(ts.MkAbs("requests-"+p.host), []byte(api.Transcript(p.script.Requests())), 0o600))
	}
}

// where is held while a scenario runs the program in this process, since there
// is one working directory for all.
var where sync.Mutex

// sluiceCmd is `[!] sluice ARGS…`. Afterwards stdout and stderr are as after
// exec, the file requests holds what all servers saw, requests-sorted the same
// whatever the order was, requests-HOST what one saw, and every request must have been one that its script foresees.
func sluiceCmd(ts *testscript.TestScript, neg bool, args []string) {
	where.Lock()
	defer where.Unlock()
	b := benchOf(ts)
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(back)) }()

	var stdout, stderr bytes.Buffer
	synctest.Test(b.t, func(*testing.T) {
		b.run(ts, args, &stdout, &stderr)
	})
	_, _ = ts.Stdout().Write(stdout.Bytes())
	_, _ = ts.Stderr().Write(stderr.Bytes())
	ts.Logf("[status %d after %s]\n%s%s", b.status, b.took, stdout.String(), stderr.String())
	b.account(ts)
	if neg == (b.status == 0) {
		ts.Fatalf("status %d", b.status)
	}
}

func (b *bench) run(ts *testscript.TestScript, args []string, stdout, stderr io.Writer) {
	network := api.NewNetwork()
	for _, s := range b.servers {
		stop, err := network.Serve(s.host, s.script)
		ts.Check(err)
		defer stop()
	}
	w := &world{Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Getenv: ts.Getenv, Now: time.Now, Dial: network.Dial}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if b.stop != nil {
		ctx, cancel = b.stop(w)
		defer cancel(nil)
	}
	began := time.Now()
	args = append([]string{"sluice"}, args...)
	if b.signals != nil {
		b.status = b.stuck(ctx, cancel, w, args)
	} else {
		b.status = invoke(ctx, w, args)
	}
	b.took = time.Since(began)
	http.DefaultClient.CloseIdleConnections()
}

// stuck runs the program while nobody takes what it writes. The signals come when that shows.
func (b *bench) stuck(ctx context.Context, cancel context.CancelCauseFunc, w *world, args []string) int {
	said := &lockedText{}
	defer func(to io.Writer) { _, _ = io.WriteString(to, said.String()) }(w.Stderr)
	reader := full{tried: make(chan struct{}, 1), gone: make(chan struct{})}
	// The write that is stuck ends with the bubble.
	defer close(reader.gone)
	w.Stdout, w.Stderr, w.Hurry = reader, said, make(chan struct{})
	signals, done := make(chan os.Signal, len(b.signals)), make(chan int, 1)
	go func() {
		<-reader.tried
		send(signals, b.signals)
	}()
	go func() { done <- invoke(ctx, w, args) }()
	return attend(w, cancel, signals, done)
}

// full is a pipe that has no room.
type full struct{ tried, gone chan struct{} }

func (f full) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	select {
	case f.tried <- struct{}{}:
	default:
	}
	<-f.gone
	return 0, run.ErrReaderGone
}

// account writes down what the servers saw.
func (b *bench) account(ts *testscript.TestScript) {
	var all []api.Request
	for _, s := range b.servers {
		requests := s.script.Requests()
		all = append(all, requests...)
		ts.Check(os.WriteFile(ts.MkAbs("requests-"+s.host), []byte(api.Transcript(requests)), 0o600))
		if surprises := s.script.Unexpected(); len(surprises) > 0 && os.Getenv("SCENARIO_CONCURRENCY") == "" {
			ts.Fatalf("%s: unexpected requests:\n%s", s.host, strings.Join(surprises, "\n"))
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs("requests"), []byte(api.Transcript(all)), 0o600))
	slices.SortFunc(all, func(a, b api.Request) int {
		return strings.Compare(api.Transcript([]api.Request{a}), api.Transcript([]api.Request{b}))
	})
	ts.Check(os.WriteFile(ts.MkAbs("requests-sorted"), []byte(api.Transcript(all)), 0o600))
}

// statusCmd is `status N`: the last run ended with N.
func statusCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: status N")
	}
	if got := benchOf(ts).status; strconv.Itoa(got) != args[0] {
		ts.Fatalf("status %d, want %s", got, args[0])
	}
}

// tookCmd is `took MIN [MAX]`: so long the last run was, by the bubble's clock.
func tookCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: took MIN [MAX]")
	}
	least, err := time.ParseDuration(args[0])
	ts.Check(err)
	most := least
	if len(args) == 2 {
		most, err = time.ParseDuration(args[1])
		ts.Check(err)
	}
	if got := benchOf(ts).took; got < least || got > most {
		ts.Fatalf("took %s, want %s", got, strings.Join(args, " to "))
	}
}

// haltCmd is `halt after=DURATION` (SIGTERM comes then), `halt stdout=N` (the
// reader of stdout goes away after N bytes) or `halt stuck=TERM,1s,INT` (the reader
// takes nothing, and these signals come, a duration after those before): it holds for
// the runs that follow. The name stop is taken: it ends a script there, as passed.
func haltCmd(ts *testscript.TestScript, neg bool, args []string) {
	b := benchOf(ts)
	kind, value, ok := strings.Cut(strings.Join(args, " "), "=")
	switch {
	case neg || !ok:
		ts.Fatalf("usage: halt after=DURATION | halt stdout=BYTES | halt stuck=SIGNAL,DURATION,SIGNAL…")
	case kind == "after":
		d, err := time.ParseDuration(value)
		ts.Check(err)
		b.stop = func(*world) (context.Context, context.CancelCauseFunc) {
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(d, func() { cancel(interrupted(syscall.SIGTERM)) })
			return ctx, cancel
		}
	case kind == "stdout":
		n, err := strconv.Atoi(value)
		ts.Check(err)
		b.stop = func(w *world) (context.Context, context.CancelCauseFunc) {
			w.Stdout = &leaving{w: w.Stdout, left: n}
			return context.WithCancelCause(context.Background())
		}
	case kind == "stuck":
		b.signals = nil
		for _, word := range strings.Split(value, ",") {
			what, isSignal := map[string]any{"TERM": syscall.SIGTERM, "INT": os.Interrupt}[word]
			if !isSignal {
				d, err := time.ParseDuration(word)
				ts.Check(err)
				what = d
			}
			b.signals = append(b.signals, what)
		}
	default:
		ts.Fatalf("halt: unknown %s", kind)
	}
}

// leaving is a reader that goes away after some bytes.
type leaving struct {
	w    io.Writer
	left int
}

func (l *leaving) Write(b []byte) (int, error) {
	if len(b) > l.left {
		n, _ := l.w.Write(b[:l.left])
		l.left = 0
		return n, run.ErrReaderGone
	}
	l.left -= len(b)
	return l.w.Write(b)
}

// linesCmd is `lines FILE N`: so many lines FILE has; stdout is a FILE too.
func linesCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// envsubstCmd is `envsubst FILE…`: variables in the files are replaced.
func envsubstCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: envsubst FILE...")
	}
	for _, file := range args {
		text := os.Expand(ts.ReadFile(file), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o600))
	}
}
