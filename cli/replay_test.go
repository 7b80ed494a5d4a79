package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/cases"
)

// TestAReplayGivesWhatTheRecordedRunGave records runs on which plans are carried
// out, and runs again from the recordings alone.
func TestAReplayGivesWhatTheRecordedRunGave(t *testing.T) {
	for seed := range cases.Raced(3, 8, 40) {
		for _, concurrency := range []int{1, 8} {
			dir := filepath.Join(t.TempDir(), "recording")
			b := &broken{destination: &destination{name: "stdout", output: func(string) string { return "-" }, flags: []string{"--record", dir}}, concurrency: concurrency, network: newFaulty(newPlan(seed))}
			synctest.Test(t, func(t *testing.T) { b.run(t, true) })
			if b.stopped {
				continue
			}
			var status int
			var stdout, stderr string
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(1000 * time.Hour) // a session that was good then must be good now
				status, stdout, stderr = replay(t, dir, newPlan(seed).config(), concurrency)
			})
			if stdout != b.stdout || status != b.status {
				t.Fatalf("plan %d, concurrency %d: status %d, recorded %d:\n%s\nrecorded:\n%s\n%s\n%s", seed, concurrency, status, b.status, stderr, b.stderr,
					strings.Join(b.network.story, "\n"), listing(dir))
			}
		}
	}
}

// replay runs from a recording, in a world without a network.
func replay(t *testing.T, dir, config string, concurrency int) (status int, stdout, stderr string) {
	var out, log bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(config), Stdout: &out, Stderr: &log, Getenv: func(string) string { return "" }, Now: time.Now,
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			t.Errorf("a connection to %s", address)
			return nil, errors.New("there is no network here")
		},
	}
	began := time.Now()
	status = invoke(t.Context(), w, []string{"sluice", "run", "-", "--replay", dir, "--concurrency", strconv.Itoa(concurrency)})
	if took := time.Since(began); took > 0 {
		t.Errorf("the replay waited for %s", took)
	}
	return status, out.String(), log.String()
}

func listing(dir string) string {
	var b strings.Builder
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		fmt.Fprintf(&b, "%s:\n%.400s\n", filepath.Base(file), text)
	}
	return b.String()
}
