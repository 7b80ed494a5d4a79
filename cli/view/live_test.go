package view_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
)

const (
	bold   = "\x1b[1m"
	yellow = "\x1b[33m"
)

// terminal keeps what is written to it; the view draws while a test reads.
type terminal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// usual is the size of a terminal that nobody has changed.
func usual() (width, height int) { return 80, 24 }

// roots are jobs that are below no other.
func roots(ids ...string) (all []pipeline.Outline) {
	for _, id := range ids {
		all = append(all, pipeline.Outline{Job: id, Documents: 1})
	}
	return all
}

// busyRun draws a run of n jobs after 90 seconds: the first waits before another
// attempt, the second logs in, the third has ended, the others fetch.
func busyRun(n int, v *view.Live) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(s int) time.Time { return began.Add(time.Duration(s) * time.Second) }
	v.Now = func() time.Time { return at(0) }
	var names []string
	for k := range n {
		names = append(names, fmt.Sprintf("日本語の長い名前-of-many-%d", k))
	}
	v.Start(roots(names...), 64)
	id := uint64(0)
	for k, job := range names {
		for page := range 12 {
			v.Observe(pipeline.PageJudged{Job: job, Page: page + 1, Items: 1000, At: at(page * 7)})
			v.Observe(
				pipeline.ResponseDone{
					Call:  pipeline.Call{Job: job, Page: page + 1},
					Bytes: 123_456,
					At:    at(page * 7),
				},
			)
		}
		id++
		call := pipeline.Call{ID: id, Job: job, Page: 13, Attempt: 1}
		switch k {
		case 0:
			v.Observe(
				pipeline.Retrying{
					Call:   call,
					Delay:  42 * time.Second,
					Reason: "429 Too Many Requests",
					At:     at(80),
				},
			)
		case 1:
			v.Observe(pipeline.RequestSent{Call: pipeline.Call{ID: id, Job: job}, At: at(89)})
		case 2:
			v.Observe(pipeline.WalkEnded{Job: job, At: at(85)})
		default:
			v.Observe(pipeline.RequestSent{Call: call, At: at(85)})
			id++
			v.Observe(pipeline.RequestSent{Call: pipeline.Call{ID: id, Job: job, Page: 14}, At: at(88)})
		}
	}
	v.Now = func() time.Time { return at(90) }
	_, _ = v.Write(nil) // draws
}

// drawn is what a view of a busy run shows. It is called in a bubble, in which nothing
// is drawn by the clock meanwhile.
func drawn(t *testing.T, n, width, height int) []string {
	var out terminal
	v := &view.Live{W: &out, Size: func() (int, int) { return width, height }}
	busyRun(n, v)
	defer v.Close()
	return screen(t, out.String())
}

func TestTheViewShowsWhatThereIsRoomFor(t *testing.T) {
	for width, want := range map[int][]string{
		120: {
			"1m30s  48,000 items  1 of 4 jobs done  0.0/s  5.7 MiB  3 in flight",
			"日本語の長…前-of-many-0   page 12       12,000 items     1.4 MiB     0.0/s  again in 32s: 429 Too Many Requests",
			"日本語の長…前-of-many-1   page 12       12,000 items     1.4 MiB     0.0/s  waiting 1s for the login",
			"日本語の長…前-of-many-3   page 12       12,000 items     1.4 MiB     0.0/s  waiting 5s for page 13 and 1 more",
		},
		80: {
			"1m30s  48,000 items  1 of 4 jobs done  0.0/s  5.7 MiB  3 in flight",
			"日本語の長… -of-many-0      12,000 items     0.0/s  again in 32s: 429 Too Many…",
			"日本語の長… -of-many-1      12,000 items     0.0/s  waiting 1s for the login",
			"日本語の長… -of-many-3      12,000 items     0.0/s  waiting 5s for page 13 and…",
		},
		40: {
			"1m30s  48,000 items  1 of 4 jobs done",
			"日本…any-0   again in 32s: 429 Too Man…",
			"日本…any-1   waiting 1s for the login",
			"日本…any-3   waiting 5s for page 13 an…",
		},
		10: {
			"1m30s",
			"日…ny-0 …",
			"日…ny-1 …",
			"日…ny-3 …",
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			if diff := cmp.Diff(want, drawn(t, 4, width, 24)); diff != "" {
				t.Errorf("%d columns (-want +got):\n%s", width, diff)
			}
		})
	}
}

func TestTheViewShowsHowMuchHasComeAndWhatTheRunWaitsFor(t *testing.T) {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(s int) time.Time { return began.Add(time.Duration(s) * time.Second) }
	page := func(job string, share float64) []pipeline.Event {
		return []pipeline.Event{
			pipeline.RequestSent{
				Call: pipeline.Call{ID: 1, Job: job, Page: 1},
				At:   at(0),
			}, pipeline.ResponseDone{Call: pipeline.Call{ID: 1, Job: job, Page: 1}, At: at(1)},
			pipeline.PageJudged{Job: job, Page: 1, Items: 200, At: at(1), Share: share / 2},
			pipeline.PageJudged{
				Job:   job,
				Page:  1,
				Items: 220,
				At:    at(1),
				Share: share,
			}, pipeline.RequestSent{Call: pipeline.Call{ID: 2, Job: job, Page: 2}, At: at(40)},
		}
	}
	retry := pipeline.Retrying{
		Call:   pipeline.Call{ID: 2, Job: "orders", Page: 2},
		Delay:  5 * time.Minute,
		Reason: "429 Too Many Requests",
		At:     at(41),
	}
	for _, c := range []struct {
		width, roots int
		events       []pipeline.Event
		want         []string
	}{
		{90, 1, append(page("orders", 0.42), pipeline.SeamJudged{Job: "orders", Seams: report.SeamCounts{Repaired: 2}}), []string{
			"42 %, 58s left  42s  420 items  0.0/s  0 bytes  1 in flight, went back 2 times",
			"orders        420 items     0.0/s  waiting 2s for page 2",
		}},
		{80, 1, page("orders", 0.42), []string{
			"42 %, 58s left  42s  420 items  0.0/s  0 bytes  1 in flight",
			"orders        420 items     0.0/s  waiting 2s for page 2",
		}},
		{40, 1, page("orders", 0.42), []string{"42 %, 58s left  42s  420 items  0.0/s", "orders  waiting 2s for page 2"}},
		{40, 2, page("orders", 0.999), []string{"42s  420 items  0 of 2 jobs done  0.0/s", "orders  99 %, 0s left; waiting 2s for …"}},
		{80, 2, append(page("orders", 0), retry, pipeline.ResponseDone{Call: retry.Call, At: at(41)}), []string{
			"42s  420 items  0 of 2 jobs done  0.0/s  0 bytes  0 in flight",
			"orders        420 items     0.0/s  again in 4m59s: 429 Too Many Requests",
		}},
		{40, 2, append(page("orders", 0), retry, pipeline.ResponseDone{Call: retry.Call, At: at(41)}), []string{
			"42s  420 items  0 of 2 jobs done  0.0/s", "orders  again in 4m59s: 429 Too Many R…",
		}},
		{40, 1, []pipeline.Event{pipeline.BudgetSpent{Reason: "--rate", Until: at(60), At: at(30)}}, []string{
			"42s  0 items  0.0/s  0 bytes", "waiting until 03:05:05 UTC: --rate",
		}},
		{40, 1, []pipeline.Event{pipeline.Storing{What: "it accepts no more data now", At: at(30)}}, []string{
			"42s  0 items  0.0/s  0 bytes", "waiting for the destination for 12s: i…",
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out terminal
			v := &view.Live{
				W:    &out,
				Size: func() (int, int) { return c.width, 24 },
				Now:  func() time.Time { return at(0) },
			}
			v.Start(roots([]string{"orders", "users"}[:c.roots]...), 8)
			defer v.Close()
			for _, e := range c.events {
				v.Observe(e)
			}
			v.Now = func() time.Time { return at(42) }
			_, _ = v.Write(nil) // draws
			if diff := cmp.Diff(c.want, screen(t, out.String())); diff != "" {
				t.Errorf("%d columns (-want +got):\n%s", c.width, diff)
			}
		})
	}
}

func TestTheViewFitsAnyTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 3, 30} {
			for width := 1; width < 130; width += 3 {
				for _, height := range []int{1, 2, 3, 24, 60} {
					lines := drawn(t, n, width, height)
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
	})
}

func TestOfThirtyJobsTheViewShowsTwentyLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := drawn(t, 30, 80, 40)
		if len(lines) != 21 || lines[20] != "… and 10 jobs more" {
			t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
		}
	})
}

func TestTheRateIsThatOfTheLastSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out terminal
		v := &view.Live{W: &out, Size: usual, Now: time.Now}
		v.Start(roots("a"), 8)
		defer v.Close()
		time.Sleep(50 * time.Millisecond) // the view is drawn at the full tenths
		for range 100 {                   // ten times a second
			time.Sleep(100 * time.Millisecond)
			v.Observe(pipeline.PageJudged{Job: "a", Items: 10, At: time.Now()})
		}
		synctest.Wait()
		_, _ = v.Write(nil)
		if got := screen(t, out.String())[0]; got != "10s  1,000 items  100/s  0 bytes  0 in flight" {
			t.Errorf("%q", got)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := screen(t, out.String())[0]; got != "1m10s  1,000 items  0.0/s  0 bytes  0 in flight" {
			t.Errorf("a minute later %q", got)
		}
	})
}

// screen shows what a terminal would after the escapes of a view.
func screen(t *testing.T, text string) []string {
	t.Helper()
	var lines []string
	at := 0
	for len(text) > 0 {
		if rest, found := strings.CutPrefix(text, "\r"); found {
			number, rest, found := strings.Cut(strings.TrimPrefix(rest, "\x1b["), "A\x1b[J")
			up, err := strconv.Atoi(number)
			if !found || err != nil {
				t.Fatalf("%q does not go up and clear", text)
			}
			text = rest
			if at -= up; at < 0 {
				t.Fatalf("the cursor goes %d lines above the screen", -at)
			}
			lines = lines[:at]
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
		var out terminal
		v := &view.Live{W: &out, Size: usual, Now: time.Now}
		_, _ = v.Write([]byte("before\n"))
		v.Start(roots("a", "b"), 8)
		v.Observe(pipeline.RequestSent{Call: pipeline.Call{ID: 1, Job: "a", Page: 1}, At: time.Now()})
		time.Sleep(time.Second)
		_, _ = v.Write([]byte("first\n"))
		time.Sleep(time.Second)
		_, _ = v.Write([]byte("second\nthird\n"))
		want := []string{
			"before",
			"first",
			"second",
			"third",
			"2s  0 items  0 of 2 jobs done  0.0/s  0 bytes  1 in flight",
			"a          0 items     0.0/s  waiting 2s for page 1",
		}
		if diff := cmp.Diff(want, screen(t, out.String())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		v.Close()
		v.Close()
		_, _ = v.Write([]byte("after\n"))
		if diff := cmp.Diff([]string{"before", "first", "second", "third", "after"}, screen(t, out.String())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if strings.Contains(out.String(), "\x1b[3") {
			t.Error("there are colours")
		}
	})
}

func TestAViewHasColoursOnlyWhereTheyAreWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out terminal
		v := &view.Live{W: &out, Size: usual, Colours: true}
		busyRun(1, v)
		v.Close()
		if got := out.String(); !strings.Contains(got, yellow+"日本語") ||
			strings.Count(got, "\x1b[0m") != strings.Count(got, yellow)+strings.Count(got, bold) {
			t.Errorf("%q", got)
		}
	})
}
