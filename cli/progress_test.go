package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// busyRun is a run of n jobs after 90 seconds: the first waits before another
// attempt, the second logs in, the third has ended, the others fetch.
func busyRun(n int) (standing, time.Time) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(s int) time.Time { return began.Add(time.Duration(s) * time.Second) }
	s := standing{began: began, jobs: map[string]*jobStanding{}}
	id := uint64(0)
	for k := range n {
		job := fmt.Sprintf("日本語の長い名前-of-many-%d", k)
		s.roots = append(s.roots, job)
		for page := range 12 {
			s.observe(pipeline.PageJudged{Job: job, Page: page + 1, Items: 1000, At: at(page * 7)})
			s.observe(pipeline.ResponseDone{Call: pipeline.Call{Job: job, Page: page + 1}, Bytes: 123_456, At: at(page * 7)})
		}
		id++
		call := pipeline.Call{ID: id, Job: job, Page: 13, Attempt: 1}
		switch k {
		case 0:
			s.observe(pipeline.Retrying{Call: call, Delay: 42 * time.Second, Reason: "429 Too Many Requests", At: at(80)})
		case 1:
			s.observe(pipeline.RequestSent{Call: pipeline.Call{ID: id, Job: job}, At: at(89)})
		case 2:
			s.observe(pipeline.WalkEnded{Job: job, At: at(85)})
		default:
			s.observe(pipeline.RequestSent{Call: call, At: at(85)})
			id++
			s.observe(pipeline.RequestSent{Call: pipeline.Call{ID: id, Job: job, Page: 14}, At: at(88)})
		}
	}
	return s, at(90)
}

func drawn(s *standing, now time.Time, width, height int) []string {
	var all []string
	for _, l := range s.lines(now, width, height) {
		all = append(all, l.text)
	}
	return all
}

func TestTheViewShowsWhatThereIsRoomFor(t *testing.T) {
	s, now := busyRun(4)
	for width, want := range map[int][]string{
		120: {
			"1m30s  48,000 items  5.7 MiB  0.0/s  3 in flight  1 of 4 jobs done",
			"日本語の長…前-of-many-0   page 12       12,000 items     1.4 MiB     0.0/s  waiting 32s: 429 Too Many Requests",
			"日本語の長…前-of-many-1   page 12       12,000 items     1.4 MiB     0.0/s  waiting for login, 1s",
			"日本語の長…前-of-many-3   page 12       12,000 items     1.4 MiB     0.0/s  waiting for page 13 +1, 5s",
		},
		80: {
			"1m30s  48,000 items  5.7 MiB  0.0/s  3 in flight  1 of 4 jobs done",
			"日本語の長… -of-many-0      12,000 items     0.0/s  waiting 32s: 429 Too Many …",
			"日本語の長… -of-many-1      12,000 items     0.0/s  waiting for login, 1s",
			"日本語の長… -of-many-3      12,000 items     0.0/s  waiting for page 13 +1, 5s",
		},
		40: {
			"1m30s  48,000 items  1 of 4 jobs done",
			"日本…any-0   waiting 32s: 429 Too Many…",
			"日本…any-1   waiting for login, 1s",
			"日本…any-3   waiting for page 13 +1, 5s",
		},
		10: {
			"1m30s  4…",
			"日…ny-0 …",
			"日…ny-1 …",
			"日…ny-3 …",
		},
	} {
		if diff := cmp.Diff(want, drawn(&s, now, width, 24)); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
	}
}

func TestTheViewFitsAnyTerminal(t *testing.T) {
	for _, n := range []int{0, 1, 3, 30} {
		s, now := busyRun(n)
		for width := 1; width < 130; width += 3 {
			for _, height := range []int{1, 2, 3, 24, 60} {
				lines := drawn(&s, now, width, height)
				if len(lines) > max(height-1, 1) {
					t.Fatalf("%d jobs: %d lines in %d", n, len(lines), height)
				}
				for _, l := range lines {
					if runewidth.StringWidth(l) > max(width-1, 1) {
						t.Fatalf("%d jobs: %q is wider than %d", n, l, width-1)
					}
				}
			}
		}
	}
}

func TestOfThirtyJobsTheViewShowsTwentyLines(t *testing.T) {
	s, now := busyRun(30)
	lines := drawn(&s, now, 80, 40)
	if len(lines) != 1+mostJobs || lines[mostJobs] != "… and 10 jobs more" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

func TestTheRateIsThatOfTheLastSeconds(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var all []sample
	items := int64(0)
	for s := range 100 { // ten times a second
		items += 10
		all = sampled(all, began.Add(time.Duration(s)*100*time.Millisecond), items)
	}
	now := began.Add(10 * time.Second)
	if got := recently(all, began, now, items); got < 90 || got > 110 {
		t.Errorf("%.1f a second, want 100", got)
	}
	if got := recently(all, began, now.Add(time.Minute), items); got != 0 {
		t.Errorf("%.1f a second a minute later", got)
	}
	if len(all) > 10 {
		t.Errorf("%d samples", len(all))
	}
}

// screen shows what a terminal would after the escapes of a view.
func screen(t *testing.T, text string) []string {
	t.Helper()
	var lines []string
	at := 0
	for len(text) > 0 {
		var up int
		if n, _ := fmt.Sscanf(text, "\x1b[%dA\x1b[J", &up); n == 1 {
			text = strings.TrimPrefix(text, fmt.Sprintf("\x1b[%dA\x1b[J", up))
			if at -= up; at < 0 {
				t.Fatalf("the cursor goes %d lines above the screen", -at)
			}
			lines = lines[:at]
			continue
		}
		if rest, found := strings.CutPrefix(text, lineStart); found {
			text = rest
			continue
		}
		line, rest, found := strings.Cut(text, "\n")
		if !found {
			t.Fatalf("%q does not end its line", text)
		}
		lines, text = append(lines, line), rest
		at++
	}
	return lines
}

func TestLogLinesStandAboveTheViewAndStayWhenItIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var terminal lockedText // it is drawn anew at the very moment
		v := &view{now: time.Now, under: &terminal}
		_, _ = v.Write([]byte("before\n"))
		v.start([]string{"a", "b"})
		v.Observe(pipeline.RequestSent{Call: pipeline.Call{ID: 1, Job: "a", Page: 1}, At: time.Now()})
		time.Sleep(time.Second)
		_, _ = v.Write([]byte("first\n"))
		time.Sleep(time.Second)
		_, _ = v.Write([]byte("second\nthird\n"))
		want := []string{"before", "first", "second", "third", "2s  0 items  0 bytes  0.0/s  1 in flight  0 of 2 jobs done", "a          0 items     0.0/s  waiting for page 1, 2s"}
		if diff := cmp.Diff(want, screen(t, terminal.String())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		v.close()
		v.close()
		_, _ = v.Write([]byte("after\n"))
		if diff := cmp.Diff([]string{"before", "first", "second", "third", "after"}, screen(t, terminal.String())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if strings.Contains(terminal.String(), "\x1b[3") {
			t.Error("there are colours")
		}
	})
}

func TestAViewHasColoursOnlyWhereTheyAreWanted(t *testing.T) {
	s, _ := busyRun(1)
	var terminal bytes.Buffer
	v := &view{now: time.Now, under: &terminal, colours: true}
	v.start(nil)
	v.mu.Lock()
	v.at = s
	v.draw()
	v.mu.Unlock()
	v.close()
	if got := terminal.String(); !strings.Contains(got, yellow+"日本語") || strings.Count(got, "\x1b[0m") != strings.Count(got, yellow)+strings.Count(got, bold) {
		t.Errorf("%q", got)
	}
}

func TestAViewThatANarrowerTerminalWrapsIsTakenAwayWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // so that nothing is drawn before
		var terminal bytes.Buffer
		v := &view{now: time.Now, under: &terminal}
		v.start(nil)
		v.mu.Lock()
		v.drawn = []int{79, 80, 81, 200} // of 80 columns
		v.rewrapped()
		_ = v.out.Flush(0)
		v.mu.Unlock()
		v.close()
		if got := terminal.String(); !strings.HasPrefix(got, "\x1b[3A"+lineStart) {
			t.Errorf("%q", got)
		}
	})
}

// TestTheViewStaysAwayFromDataOnTheSameTerminal: what jq shows behind a pipe must
// not be drawn over.
func TestTheViewStaysAwayFromDataOnTheSameTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	defer terminal.Close()
	_, behind, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer behind.Close()
	regular, err := os.Create(filepath.Join(t.TempDir(), "items"))
	if err != nil {
		t.Fatal(err)
	}
	defer regular.Close()
	for name, k := range map[string]struct {
		stdout *os.File
		output string
		want   bool
	}{
		"a pipe":           {behind, "-", false},
		"the terminal":     {terminal, "-", false},
		"a regular file":   {regular, "-", true},
		"--output, a pipe": {behind, "items.ndjson", true},
	} {
		w := &world{stdout: pipe{k.stdout}, stderr: terminal, now: time.Now, getenv: func(string) string { return "" }}
		c := invocation{Command: runCommand(w, &secret.Set{})}
		if err := c.Flags().Set("output", k.output); err != nil {
			t.Fatal(err)
		}
		if v, err := progressFlag(c, w); err != nil || (v != nil) != k.want {
			t.Errorf("items into %s: a view: %v, want %v, %v", name, v != nil, k.want, err)
		}
	}
}
