package view_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
)

var midnight = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

func second(s float64) time.Time { return midnight.Add(time.Duration(s * float64(time.Second))) }

// asked is so many requests of a job that begin, and stay in flight.
func asked(job string, n int) (all []pipeline.Event) {
	for i := range n {
		all = append(all, pipeline.RequestSent{
			Call: pipeline.Call{ID: uint64(i), Job: job, Page: 100 + i},
			At:   second(0),
		})
	}
	return all
}

// pages are so many of a job, after which a share has come.
func pages(job string, n int, share float64, at float64) (all []pipeline.Event) {
	for i := range n {
		all = append(all, pipeline.PageJudged{
			Job:   job,
			Page:  i + 1,
			Share: share * float64(i+1) / float64(n),
			At:    second(at),
		})
	}
	return all
}

// kept are pages that an earlier process of the run asked for.
func kept(all []pipeline.Event) []pipeline.Event {
	for i := range all {
		p := all[i].(pipeline.PageJudged)
		p.Kept = true
		all[i] = p
	}
	return all
}

func ended(job string) []pipeline.Event {
	return []pipeline.Event{pipeline.WalkEnded{Job: job, At: second(1)}}
}

// drawnAt is what a view shows ten seconds after a run began, after events.
func drawnAt(t *testing.T, jobs []pipeline.Outline, concurrency int, events ...[]pipeline.Event) []string {
	t.Helper()
	var out terminal
	v := &view.Live{
		W:    &out,
		Size: func() (int, int) { return 112, 24 },
		Now:  func() time.Time { return second(0) },
	}
	v.Start(jobs, concurrency)
	defer v.Close()
	for _, some := range events {
		for _, e := range some {
			v.Observe(e)
		}
	}
	v.Now = func() time.Time { return second(10) }
	_, _ = v.Write(nil)
	return screen(t, out.String())
}

func TestOfTheWholeRunIsSaidOnlyWhatEachJobKnowsOfItself(t *testing.T) {
	two := roots("a", "b")
	below := []pipeline.Outline{{Job: "a", Documents: 1}, {Job: "b", Parent: "a", Documents: 1}}
	twice := []pipeline.Outline{{Job: "a", Documents: 2}}
	for name, c := range map[string]struct {
		jobs   []pipeline.Outline
		events [][]pipeline.Event
		want   string
	}{
		"all know":      {two, [][]pipeline.Event{asked("a", 2), asked("b", 2), pages("a", 5, 0.5, 9), pages("b", 5, 0.25, 9)}, "33 %, 20s left"},
		"one does not":  {two, [][]pipeline.Event{asked("a", 2), asked("b", 2), pages("a", 5, 0.5, 9), pages("b", 5, 0, 9)}, ""},
		"one to come":   {two, [][]pipeline.Event{asked("a", 2), pages("a", 5, 0.5, 9)}, ""},
		"one has ended": {two, [][]pipeline.Event{asked("b", 2), pages("a", 15, 0, 1), ended("a"), pages("b", 5, 0.25, 9)}, "57 %, 8s left"},
		"all have":      {two, [][]pipeline.Event{pages("a", 5, 1, 1), ended("a"), pages("b", 5, 1, 1), ended("b")}, ""},
		"one is below":  {below, [][]pipeline.Event{asked("a", 2), pages("a", 5, 0.5, 9), pages("b", 5, 0, 9)}, ""},
		"one document":  {twice, [][]pipeline.Event{pages("a", 5, 0, 1), ended("a")}, ""},
		"more than all": {roots("a"), [][]pipeline.Event{asked("a", 1), pages("a", 5, 1.5, 9)}, "99 %, 0s left"},
		"hours":         {roots("a"), [][]pipeline.Event{asked("a", 1), pages("a", 5, 0.002, 9)}, "0 %, 1h23m left"},
		// Of 100 pages 56 came in 10 s, but the other job is asked for one page after another.
		"one by one": {two, [][]pipeline.Event{asked("b", 1), pages("a", 50, 1, 5), ended("a"), pages("b", 6, 0.12, 9)}, "56 %, 1m13s left"},
		"it is held": {two, [][]pipeline.Event{asked("a", 2), asked("b", 2), pages("a", 5, 0.5, 9), pages("b", 5, 0.25, 9), {pipeline.BudgetSpent{Reason: "--rate", Until: second(70)}}}, "33 %, 1m0s left"},
		"one waits":  {roots("a"), [][]pipeline.Event{pages("a", 5, 0.5, 9), {pipeline.Retrying{Call: pipeline.Call{Job: "a", Page: 6}, Delay: time.Minute, At: second(10)}}}, "50 %, 1m0s left"},
		"no rate":    {roots("a"), [][]pipeline.Event{asked("a", 1), pages("a", 1, 0.5, 9)}, "50 %"},
		// What came in no time makes no rate: 2 of 10 pages in 8 s, after 90 of 100.
		"continued":     {roots("a"), [][]pipeline.Event{asked("a", 1), kept(pages("a", 90, 0.9, 2)), pages("a", 2, 0.92, 9)}, "92 %, 32s left"},
		"continued now": {roots("a"), [][]pipeline.Event{asked("a", 1), kept(pages("a", 90, 0.9, 2)), pages("a", 1, 0.91, 9)}, "91 %"},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := drawnAt(t, c.jobs, 8, c.events...)[0]
			if want := strings.TrimPrefix(c.want+"  10s  0 items  ", "  "); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		})
	}
}

func TestAJobThatWaitsForOthersStaysInTheView(t *testing.T) {
	two := roots("first", "second")
	below := []pipeline.Outline{{Job: "first", Documents: 1}, {Job: "second", Parent: "first", Documents: 1}}
	begun, unknown := pages("second", 3, 0.5, 1), pages("second", 3, 0, 1)
	login := []pipeline.Event{pipeline.RequestSent{Call: pipeline.Call{ID: 9, Job: "first"}, At: second(9)}}
	for name, c := range map[string]struct {
		jobs        []pipeline.Outline
		concurrency int
		events      [][]pipeline.Event
		want        string
	}{
		"for the one before": {two, 8, [][]pipeline.Event{begun, asked("first", 1)}, "50 %; waiting for first, which comes first"},
		"for the login":      {two, 8, [][]pipeline.Event{begun, login}, "50 %; waiting for the login"},
		"for its parent":     {below, 8, [][]pipeline.Event{unknown, asked("first", 1)}, "waiting for items of first"},
		"for the budget": {two, 8, [][]pipeline.Event{begun, {
			pipeline.BudgetSpent{Reason: "--rate", Until: second(11)},
		}}, "50 %; waiting: --rate"},
		"for the destination": {two, 8, [][]pipeline.Event{begun, {
			pipeline.Storing{What: "it accepts no more data now", At: second(2)},
		}}, "50 %; waiting for the destination"},
		"for the ones behind": {roots("second", "first"), 2, [][]pipeline.Event{begun, asked("first", 2)}, "50 %; waiting for a free request, of 2"},
		"for those below": {
			[]pipeline.Outline{{Job: "second", Documents: 1}, {Job: "first", Parent: "second", Documents: 1}},
			8,
			[][]pipeline.Event{begun, asked("first", 1)},
			"50 %; waiting for first, which comes first",
		},
		"its parent ended, and all wait": {below, 8, [][]pipeline.Event{ended("first"), unknown, {
			pipeline.BudgetSpent{Reason: "--rate", Until: second(11)},
		}}, "waiting: --rate"},
		"for nothing":      {two, 8, [][]pipeline.Event{begun}, ""},
		"it has ended":     {two, 8, [][]pipeline.Event{begun, ended("second"), asked("first", 1)}, ""},
		"its parent ended": {below, 8, [][]pipeline.Event{unknown, ended("first"), asked("first", 1)}, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := ""
			for _, line := range drawnAt(t, c.jobs, c.concurrency, c.events...) {
				if rest, isIts := strings.CutPrefix(line, "second "); isIts {
					got = rest
				}
			}
			isShown := c.want != "" && strings.HasSuffix(got, "  "+c.want)
			if !isShown && got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		})
	}
}

func TestWhereThereIsNoRoomJobsThatWaitAreLeftOutFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var names []string
		var events [][]pipeline.Event
		for _, c := range "abcdefghijklmnopqrstuvwxyz" {
			names = append(names, string(c))
			events = append(events, pages(string(c), 1, 0, 1))
		}
		events = append(events, asked("a", 1), asked("z", 1))
		lines := drawnAt(t, roots(names...), 8, events...)
		shown := ""
		last := len(lines) - 1
		for _, line := range lines[1:last] {
			shown += line[:1]
		}
		if shown != "abcdefghijklmnopqrz" || lines[last] != "… and 7 jobs more" {
			t.Errorf("%s, %q", shown, lines[last])
		}
	})
}

func TestTheLogSaysHowMuchHasComeWhereItSaysHowFarTheRunIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := &view.Log{W: &out}
		stop := l.Watch(roots("a"), false)
		now := time.Now()
		for i := range 4 {
			l.Observe(pipeline.PageJudged{
				Job: "a", Page: 9, Items: 10, Share: 0.1 * float64(i+1), Kept: i < 2, At: now,
			})
		}
		l.Observe(pipeline.RequestSent{Call: pipeline.Call{Job: "a", Page: 10}, At: now.Add(8 * time.Second)})
		time.Sleep(10 * time.Second)
		stop()
		const want = "sluice: so far 40 items in 10s, now 2.1/s, 40 %, 29s left"
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s, want %s", out.String(), want)
		}
	})
}

func TestNoJobEndsAfterTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := drawnAt(
			t,
			roots("a", "b"),
			8,
			asked("a", 2),
			asked("b", 2),
			pages("a", 5, 0.5, 9),
			pages("b", 5, 0.25, 9),
		)
		want := []string{"33 %, 20s left  ", "50 %, 10s left; ", "25 %, 20s left; "}
		for i, text := range want {
			if !strings.Contains(got[i], text) {
				t.Errorf("no %q in %q", text, got[i])
			}
		}
	})
}
