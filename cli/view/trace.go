package view

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// TraceWriter is the observer that writes a timeline in the Trace Event format, which ui.perfetto.dev and
// chrome://tracing open, even if the program is killed: an array of events, each in a lane (tid), in which nothing overlaps. What it writes it
// enters into a chart, which [TraceWriter.Page] shows.
type TraceWriter struct {
	secrets *secret.Set

	mu    sync.Mutex
	chart chart
	file  io.Closer

	// nil: there is only the chart.
	w *bufio.Writer

	// The first that writing met; nothing is written after it.
	err error

	closed bool

	// An event has been written.
	begun bool

	// When each lane of a kind is free again.
	lanes map[string][]time.Time

	items int64
}

// firstLane is the number of the first lane of a kind, less one. Lanes stand in the order of their numbers.
var firstLane = map[string]int{"login": 10_000, "request": 20_000, "wait": 30_000, "write": 40_000}

// traceEvent is one event of the format. Times are microseconds.
type traceEvent struct {
	Name string `json:"name"`
	Cat  string `json:"cat,omitempty"`

	// X complete, i instant, C counter, M metadata.
	Phase string `json:"ph"`

	Time  int64          `json:"ts"`
	Took  *int64         `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// NewTrace begins the timeline of a run that began at a time. Without a file there is only its chart.
func NewTrace(file io.WriteCloser, began time.Time, secrets *secret.Set) *TraceWriter {
	t := &TraceWriter{
		secrets: secrets,
		lanes:   map[string][]time.Time{},
		chart:   chart{Began: began.UTC(), Step: 1000, Series: []*series{}, named: map[[2]string]*series{}},
	}
	if file != nil {
		t.file, t.w = file, bufio.NewWriter(file)
	}
	t.describe(0, "process_name", "name", "sluice")
	t.describe(0, "thread_name", "name", "events")
	return t
}

// Observe implements [pipeline.Observer].
func (t *TraceWriter) Observe(e pipeline.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := e.(type) {
	// Each request that was sent comes to this before the run ends.
	case pipeline.ResponseDone:
		t.answered(e)
	case pipeline.Retrying:
		args := callArgs(e.Call)
		args["reason"] = e.Reason
		t.span("wait", "wait: "+e.Reason, e.At, e.At.Add(e.Delay), args)
		t.chart.count("retry", e.Reason, t.micros(e.At), 1)
	case pipeline.BudgetSpent:
		t.span("wait", "wait: "+e.Reason, e.At, e.Until, map[string]any{"reason": e.Reason})
	case pipeline.BatchWritten:
		args := map[string]any{"job": e.Job, "items": e.Items, "bytes": e.Bytes}
		t.span("write", "write "+e.DataType, e.At.Add(-e.Took), e.At, args)
	case pipeline.LoggedIn:
		t.instant("logged in", "login", e.At, map[string]any{"job": e.Job})
	case pipeline.PageJudged:
		t.judged(e)
	case pipeline.GuessedInVain:
		args := map[string]any{"job": e.Job, "page": e.Page, "requests": e.Requests}
		t.instant(fmt.Sprintf("not needed: %s page %d", e.Job, e.Page), "guess", e.At, args)
	case pipeline.WalkEnded:
		if e.Depth == 0 {
			args := map[string]any{"pages": e.Pages, "items": e.Items, "verdict": e.Stop.Verdict.String()}
			t.instant("end of "+e.Job+": "+string(e.Stop.Reason), "walk", e.At, args)
		}
	case pipeline.Warned:
		t.instant("warning", "warning", e.At, map[string]any{"job": e.Job, "text": e.Text})
	}
}

func (t *TraceWriter) answered(e pipeline.ResponseDone) {
	args := callArgs(e.Call)
	args["status"] = e.Status
	args["bytes"] = e.Bytes
	args["firstByteMs"] = float64(e.FirstByte.Microseconds()) / 1000
	if e.Err != nil {
		args["error"] = e.Err.Error()
	}
	kind, name := "request", e.Job+" page "+strconv.Itoa(e.Page)
	if e.Login() {
		kind, name = "login", "login"
	}
	t.span(kind, name, e.At.Add(-e.Total), e.At, args)
}

func (t *TraceWriter) judged(e pipeline.PageJudged) {
	at := t.micros(e.At)
	t.items += int64(e.Items)
	t.chart.count("items", "", at, int64(e.Items))
	t.chart.count("pages", e.Job, at, 1)
	t.put(traceEvent{Name: "items", Phase: "C", Time: at, Args: map[string]any{"items": t.items}})
}

func callArgs(c pipeline.Call) map[string]any {
	return map[string]any{"job": c.Job, "page": c.Page, "attempt": c.Attempt, "method": c.Method, "url": c.URL}
}

// take returns a lane of a kind that is free at from, the one that has been free for the shortest time, or a new one.
func (t *TraceWriter) take(kind string, from, until time.Time) (tid int) {
	lanes := t.lanes[kind]
	lane := -1
	for i, free := range lanes {
		if free.After(from) {
			continue
		}
		if lane < 0 || free.After(lanes[lane]) {
			lane = i
		}
	}
	if lane >= 0 {
		lanes[lane] = until
		return firstLane[kind] + lane + 1
	}
	t.lanes[kind] = append(lanes, until)
	number := len(lanes) + 1
	tid = firstLane[kind] + number
	t.describe(tid, "thread_name", "name", fmt.Sprint(kind, " ", number))
	t.describe(tid, "thread_sort_index", "sort_index", tid)
	return tid
}

// describe writes what is said of a lane, or of the process.
func (t *TraceWriter) describe(tid int, what, key string, value any) {
	t.put(traceEvent{Name: what, Phase: "M", Tid: tid, Args: map[string]any{key: value}})
}

func (t *TraceWriter) span(kind, name string, began, ended time.Time, args map[string]any) {
	lane := t.take(kind, began, ended)
	from := t.micros(began)
	// Both ends are cut, so that neighbours do not overlap.
	took := t.micros(ended) - from
	// Only waits have one.
	reason, _ := args["reason"].(string)
	t.chart.span(kind, reason, from, from+took)
	t.put(traceEvent{Name: name, Cat: kind, Phase: "X", Time: from, Took: &took, Tid: lane, Args: args})
}

func (t *TraceWriter) instant(name, cat string, at time.Time, args map[string]any) {
	t.put(traceEvent{Name: name, Cat: cat, Phase: "i", Time: t.micros(at), Scope: "p", Args: args})
}

func (t *TraceWriter) micros(at time.Time) int64 { return max(0, at.Sub(t.chart.Began).Microseconds()) }

// ended tells whether there is no file to write to, or not any more.
func (t *TraceWriter) ended() bool { return t.w == nil || t.closed }

func (t *TraceWriter) put(e traceEvent) {
	if t.ended() || t.err != nil {
		return
	}
	e.Pid = 1
	text, err := json.Marshal(e)
	if err != nil {
		t.err = err
		return
	}
	between := ",\n"
	if !t.begun {
		between = "[\n"
	}
	t.begun = true
	// The next write returns its error too.
	_, _ = t.w.WriteString(between)
	_, t.err = t.w.Write(t.secrets.RedactJSON(text))
}

// Close ends the file. The error is the first that writing met. A second time it does nothing.
func (t *TraceWriter) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended() {
		return nil
	}
	t.closed = true
	// Flush returns its error too.
	_, _ = t.w.WriteString("\n]\n")
	flushed := t.w.Flush()
	closed := t.file.Close()
	t.err = cmp.Or(t.err, flushed, closed)
	if t.err != nil {
		t.err = fmt.Errorf("--trace: %w", t.err)
	}
	return t.err
}
