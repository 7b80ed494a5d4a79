//go:build unix

package cli

import (
	"bufio"
	"crypto/x509"
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
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sluice/fixtures/api"
	s3store "sluice/fixtures/s3"
	"sluice/fixtures/s3/gateway"
)

// A story is what a page works with: a folder, a bash, an S3, and an API whose answers
// the page says.
type story struct {
	t       *testing.T
	dir     string
	replace *strings.Replacer
	script  atomic.Pointer[api.Script]
	env     []string

	foreseen [][2]string // a request, and a line that it must have

	in      io.Writer
	out     *bufio.Reader
	stop    func()
	asked   bool     // for a database
	leftOut []string // why blocks were not run
}

func newStory(t *testing.T) *story {
	t.Helper()
	s := &story{t: t, dir: t.TempDir()}
	store := httptest.NewServer(s3store.New("my-bucket"))
	t.Cleanup(store.Close)
	s.replace = strings.NewReplacer("127.0.0.1:8080", gateway.Reserve(t), "127.0.0.1:7070", store.Listener.Addr().String())
	s.env = append(os.Environ(), "SLUICE_CACHE=", "TZ=UTC", "HTTP_PROXY=", "NO_PROXY=", "PYTHONWARNINGS=ignore", "AWS_ENDPOINT_URL_S3="+store.URL, "AWS_REGION=eu-west-1",
		"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_CONFIG_FILE=/dev/null", "AWS_SHARED_CREDENTIALS_FILE=/dev/null")
	s.serve()
	return s
}

// localised gives the addresses that a page names to servers of this test.
func (s *story) localised(text string) string { return s.replace.Replace(text) }

// serve makes the hosts of example.com, and whatever name is asked for, one server
// behind a proxy: programs reach it by its proper https address.
func (s *story) serve() {
	s.answers("")
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.script.Load().ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	s.t.Cleanup(server.Close)
	tunnels := httptest.NewServer(&proxyServer{to: server.Listener.Addr().String()})
	s.t.Cleanup(tunnels.Close)
	authority := filepath.Join(s.t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.env = append(s.env, "SSL_CERT_FILE="+authority, "HTTPS_PROXY="+strings.Replace(tunnels.URL, "http://", "http://joe:canary@", 1))
}

// answers begins a new script, when the one before is used up. Lines below the first of
// a request are headers, or the body, that it must have.
func (s *story) answers(text string) {
	s.t.Helper()
	s.endOfAnswers()
	var answers strings.Builder
	request := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "> "):
			request = strings.TrimSpace(line[2:])
		case strings.HasPrefix(line, "< "):
			request = ""
		case request != "" && strings.TrimSpace(line) != "":
			s.foreseen = append(s.foreseen, [2]string{request, strings.TrimSpace(line)})
			continue
		}
		answers.WriteString(line)
	}
	script, err := api.ParseScript(answers.String())
	if err != nil {
		s.t.Fatal(err)
	}
	s.script.Store(script)
}

// endOfAnswers tells what was asked for without an answer, the answers that nobody
// asked for, and what requests did not have.
func (s *story) endOfAnswers() {
	s.t.Helper()
	script := s.script.Load()
	if script == nil {
		return
	}
	asked := api.Transcript(script.Requests())
	for _, text := range append(script.Unexpected(), script.Unused()...) {
		s.t.Errorf("https://api.example.com: %s; it was asked:\n%s", text, asked)
	}
	for _, f := range s.foreseen {
		has := func(r api.Request) bool {
			text := api.Transcript([]api.Request{r})
			return strings.HasPrefix(text, f[0]+"\n") && strings.Contains(text, "\n"+f[1]+"\n")
		}
		if !slices.ContainsFunc(script.Requests(), has) {
			s.t.Errorf("no %s had %s; it was asked:\n%s", f[0], f[1], asked)
		}
	}
	s.foreseen = nil
}

// start starts the bash of the page. Commands come from files, so that they have no
// stdin of commands to eat.
func (s *story) start() {
	bash := exec.CommandContext(s.t.Context(), "bash", "--norc")
	bash.Dir, bash.Env = s.dir, s.env
	bash.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := bash.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	bash.Stdout, bash.Stderr = w, w
	if err := bash.Start(); err != nil {
		s.t.Fatal(err)
	}
	w.Close()
	s.in, s.out = in, bufio.NewReader(r)
	s.stop = func() { _ = syscall.Kill(-bash.Process.Pid, syscall.SIGKILL) }
	s.t.Cleanup(func() {
		s.stop()
		_ = bash.Wait()
		r.Close()
	})
	s.command("set -o pipefail\n" + readersGo)
}

// readersGo stands for Go where a page builds and tests the program: it is built, and
// this is its test.
const readersGo = `go() {
  case "$*" in
  "build .") ln -sf "$(type -P sluice)" sluice ;;
  "run . "*) shift 2; sluice "$@" ;;
  "test ./...") ;;
  *) echo "no stand-in for go $*"; return 1 ;;
  esac
}`

// command runs one and returns what it showed, and its status. What serves until it is
// interrupted goes to the background, and is waited for.
func (s *story) command(line string) (stdout, stderr string, status int) {
	s.t.Helper()
	if s.in == nil {
		s.start()
	}
	_, address, serves := strings.Cut(line, " --listen ")
	if serves && !strings.HasSuffix(line, "&") {
		line += " >/dev/null &"
	}
	file := filepath.Join(s.t.TempDir(), "command")
	if err := os.WriteFile(file, []byte(line+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	late := time.AfterFunc(time.Minute, s.stop)
	defer late.Stop()
	fmt.Fprintf(s.in, "(exit $s); . %s </dev/null 2>%s; s=$?; printf '\\001%%d\\001' $s\n", file, file+".err")
	stdout, err := s.out.ReadString(1)
	complaints, _ := os.ReadFile(file + ".err")
	if err != nil {
		s.t.Fatalf("$ %s\ndoes not end, or ended the shell: %v\n%s%s", line, err, complaints, stdout)
	}
	text, _ := s.out.ReadString(1)
	_, _ = fmt.Sscanf(text, "%d", &status)
	if serves {
		listening(s.t, strings.Fields(address)[0])
	}
	return strings.TrimSuffix(stdout, "\x01"), string(complaints), status
}

// lacks says why a block that needs something is left out, "" if it is there.
func (s *story) lacks(need string) string {
	if _, err := exec.LookPath(need); err != nil {
		return "a block that needs " + need
	}
	if need == "psql" && !s.asked {
		s.asked = true
		host, why := postgres(s.t)
		if why != "" {
			return "a block that needs psql: " + why
		}
		s.command("export PGHOST=" + host + " PGUSER=postgres PGDATABASE=postgres")
	}
	return ""
}

// listening waits until what listens at the address answers: what it has to say is
// written then.
func listening(t *testing.T, address string) {
	t.Helper()
	for range 2400 { // a minute
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err == nil {
			answer.Body.Close()
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("nothing answers at %s", address)
}

// certificateFiles writes a certificate in PEM, and it with its key.
func certificateFiles(t *testing.T) (certificate, both string) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	server.Close()
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})
	dir := t.TempDir()
	certificate, both = filepath.Join(dir, "ca.pem"), filepath.Join(dir, "client.pem")
	for name, content := range map[string][]byte{
		certificate: text,
		both:        append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...),
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, both
}
