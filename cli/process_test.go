package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sluice/fixtures/api"
	s3store "sluice/fixtures/s3"
	"sluice/pipeline/report"
)

// slow leaves out, with a word about it, what waits for real time to pass.
func slow(t *testing.T) {
	if os.Getenv("FAULT_PLANS") == "" {
		t.Skip("takes half a minute or more: make faults runs it")
	}
	t.Parallel()
}

// process starts the program as a process that reads the demo API at baseURL.
func process(t *testing.T, baseURL string, args ...string) (*exec.Cmd, *lockedText) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, api.Config(baseURL, api.MaxLimit), 0o600); err != nil {
		t.Fatal(err)
	}
	stderr := &lockedText{}
	cmd := exec.Command("sluice", append([]string{"run", file}, args...)...)
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=us-east-1", "AWS_EC2_METADATA_DISABLED=true")
	cmd.Stderr = stderr
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, stderr
}

// lockedText is what a process has written so far.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestAStuckPipeEndsAfterTheGrace(t *testing.T) {
	slow(t)
	server := httptest.NewServer(api.New(api.Options{Items: 100_000}))
	defer server.Close()
	summary := filepath.Join(t.TempDir(), "report.json")
	cmd, stderr := process(t, server.URL+"/", "--summary", summary)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	if _, err := io.ReadFull(read, make([]byte, 1)); err != nil { // of a page that is more than the pipe holds
		t.Fatalf("%v\n%s", err, stderr)
	}
	began := time.Now()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if took := time.Since(began); cmd.ProcessState.ExitCode() != statusTerminated || took < grace-time.Second || took > grace+5*time.Second {
		t.Errorf("status %d after %s\n%s", cmd.ProcessState.ExitCode(), took, stderr)
	}
	text, err := os.ReadFile(summary)
	var told report.Report
	if err = errors.Join(err, json.Unmarshal(text, &told)); err != nil || told.Error != "terminated" || told.Jobs[0].Requests == 0 {
		t.Errorf("the report: %v\n%s", err, text)
	}
}

func TestAnS3ThatStopsIsTemporary(t *testing.T) {
	slow(t)
	server := httptest.NewServer(api.New(api.Options{Items: 100_000}))
	defer server.Close()
	store := s3store.New("bucket")
	var parts atomic.Int32
	var bucket *httptest.Server
	bucket = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			parts.Add(1)
		}
		if parts.Load() > 1 {
			go bucket.CloseClientConnections()
			_ = bucket.Listener.Close() // for good
			return
		}
		store.ServeHTTP(w, r)
	}))
	cmd, stderr := process(t, server.URL+"/", "-o", "s3://bucket/out.ndjson", "--s3-endpoint", bucket.URL, "--s3-part-size", "5MiB")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != statusTemporary || !strings.Contains(stderr.String(), "s3://bucket/out.ndjson") {
		t.Errorf("status %d\n%s", cmd.ProcessState.ExitCode(), stderr)
	}
	if all, err := store.Objects("bucket"); err != nil || len(all) > 0 {
		t.Errorf("visible: %v, %v", all, err)
	}
}

func TestASilentBucketLeavesTheCommandThatEndsWhatIsOpen(t *testing.T) {
	slow(t)
	server := httptest.NewServer(api.New(api.Options{Items: 100_000}))
	defer server.Close()
	store := s3store.New("bucket")
	var silent atomic.Bool
	stored := make(chan struct{}, 100)
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if silent.Load() {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		store.ServeHTTP(w, r)
		if r.Method == http.MethodPut {
			stored <- struct{}{}
		}
	}))
	defer bucket.Close()
	summary := filepath.Join(t.TempDir(), "report.json")
	cmd, stderr := process(t, server.URL+"/", "-o", "s3://bucket/out.ndjson", "--s3-endpoint", bucket.URL, "--s3-part-size", "5MiB", "--rate", "10/s", "--summary", summary)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-stored
	silent.Store(true)
	began := time.Now()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if took := time.Since(began); cmd.ProcessState.ExitCode() != statusTerminated || took > grace {
		t.Errorf("status %d after %s", cmd.ProcessState.ExitCode(), took)
	}
	const want = `s3://bucket/out.ndjson: its upload is still open \(no answer within 15s\); once no run writes there: (sluice sweep 's3://bucket/out.ndjson' --s3-endpoint http://\S+ --abort --older-than 0s)`
	told, err := os.ReadFile(summary)
	pasted := regexp.MustCompile(want).FindStringSubmatch(stderr.String())
	if err != nil || pasted == nil || !regexp.MustCompile(want).Match(told) {
		t.Fatalf("stderr %s\nreport %s, %v", stderr, told, err)
	}
	silent.Store(false)
	sweep := exec.Command("bash", "-c", pasted[1])
	sweep.Env = cmd.Env
	if out, err := sweep.CombinedOutput(); err != nil || !strings.Contains(string(out), "0 uploads open, 1 ended") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestARecordingThatCannotBeWrittenFailsTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traffic")
	served := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served++; served == 2 {
			_ = os.RemoveAll(dir)
		}
		fmt.Fprintf(w, `{"token":"abcd","users":[%d]}`, served)
	}))
	defer server.Close()
	out := filepath.Join(t.TempDir(), "out.ndjson")
	cmd, stderr := process(t, server.URL+"/", "-o", out, "--record", dir)
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != statusFailed || !strings.Contains(stderr.String(), "the recording: open ") {
		t.Errorf("status %d\n%s", cmd.ProcessState.ExitCode(), stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the output is visible")
	}
}
