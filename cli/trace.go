package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// tracer is the observer that writes a timeline in the Trace Event format, which
// ui.perfetto.dev and chrome://tracing open: an array of events, each with a
// lane (tid). Logins, requests, waits before a retry and writes have lanes of
// their own, as many as are busy at a time, so that within a lane nothing
// overlaps. Whole as JSON once it is closed, and readable by the viewers if the
// program is killed before.
type tracer struct {
	secrets *secret.Set
	began   time.Time

	mu    sync.Mutex
	file  *os.File
	w     *bufio.Writer
	err   error // the first one; nothing is written after it
	more  bool  // an event has been written
	kinds map[string]*laneKind
	lanes int             // so many there are
	open  map[uint64]span // by Call.ID
	items int64
}

// laneKind is the lanes of one kind of thing.
type laneKind struct {
	name string
	tids []int
	busy []time.Time // until when; the zero time is free, a far one open
}

// laneRank is where the lanes of a kind stand, from the top. They are made when
// they are needed, so their numbers do not say it.
var laneRank = map[string]int{"login": 10_000, "request": 20_000, "wait": 30_000, "write": 40_000}

// span is a request on its way.
type span struct {
	lane  int
	kind  *laneKind
	began time.Time
	call  pipeline.Call
}

var _ pipeline.Observer = &tracer{}

// traceEvent is one event of the format. Times are microseconds.
type traceEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"` // X complete, i instant, C counter, M metadata
	Time  int64          `json:"ts"`
	Took  *int64         `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// newTracer creates the file; an empty name is no trace, a nil tracer.
func newTracer(name string, began time.Time, secrets *secret.Set) (*tracer, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	t := &tracer{secrets: secrets, began: began, file: file, w: bufio.NewWriter(file), kinds: map[string]*laneKind{}, open: map[uint64]span{}}
	t.put(traceEvent{Name: "process_name", Phase: "M", Args: map[string]any{"name": "sluice"}})
	t.put(traceEvent{Name: "thread_name", Phase: "M", Args: map[string]any{"name": "events"}})
	return t, nil
}

// far is the end of what is open.
var far = time.Unix(1<<40, 0)

// Observe implements [pipeline.Observer].
func (t *tracer) Observe(e pipeline.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := e.(type) {
	case pipeline.RequestSent:
		kind := t.kind("request")
		if e.Login() {
			kind = t.kind("login")
		}
		t.open[e.ID] = span{t.take(kind, e.At, far), kind, e.At, e.Call}
	case pipeline.ResponseDone:
		s, ok := t.open[e.ID]
		if !ok {
			return
		}
		delete(t.open, e.ID)
		args := callArgs(e.Call)
		args["status"], args["bytes"], args["firstByteMs"] = e.Status, e.Bytes, milliseconds(e.FirstByte)
		if e.Err != nil {
			args["error"] = e.Err.Error()
		}
		t.end(s, e.At, args)
	case pipeline.Retrying:
		kind := t.kind("wait")
		args := callArgs(e.Call)
		args["reason"] = e.Reason
		t.span("wait: "+e.Reason, kind, t.take(kind, e.At, e.At.Add(e.Delay)), e.At, e.Delay, args)
	case pipeline.BatchWritten:
		kind := t.kind("write")
		began := e.At.Add(-e.Took)
		t.span("write "+e.DataType, kind, t.take(kind, began, e.At), began, e.Took, map[string]any{"job": e.Job, "items": e.Items, "bytes": e.Bytes})
	case pipeline.LoggedIn:
		t.instant("logged in", "login", e.At, map[string]any{"job": e.Job})
	case pipeline.PageJudged:
		t.items += int64(e.Items)
		t.put(traceEvent{Name: "items", Phase: "C", Time: t.micros(e.At), Args: map[string]any{"items": t.items}})
	case pipeline.WalkEnded:
		if e.Depth == 0 {
			t.instant("end of "+e.Job+": "+e.Stop.Reason, "walk", e.At, map[string]any{"pages": e.Pages, "items": e.Items, "verdict": e.Stop.Verdict.String()})
		}
	case pipeline.Warned:
		t.instant("warning", "warning", e.At, map[string]any{"job": e.Job, "text": e.Text})
	}
}

func callArgs(c pipeline.Call) map[string]any {
	return map[string]any{"job": c.Job, "page": c.Page, "attempt": c.Attempt, "method": c.Method, "url": c.URL}
}

// end writes a request that is over.
func (t *tracer) end(s span, at time.Time, args map[string]any) {
	name := s.call.Job + " page " + strconv.Itoa(s.call.Page)
	if s.call.Login() {
		name = "login"
	}
	s.kind.busy[s.lane] = at
	t.span(name, s.kind, s.lane, s.began, at.Sub(s.began), args)
}

// kind returns the lanes of that name.
func (t *tracer) kind(name string) *laneKind {
	if t.kinds[name] == nil {
		t.kinds[name] = &laneKind{name: name}
	}
	return t.kinds[name]
}

// take returns a lane that is free at from, and makes one if there is none.
func (t *tracer) take(k *laneKind, from, until time.Time) int {
	for i, busy := range k.busy {
		if !busy.After(from) {
			k.busy[i] = until
			return i
		}
	}
	t.lanes++
	k.tids, k.busy = append(k.tids, t.lanes), append(k.busy, until)
	name := k.name
	if len(k.tids) > 1 {
		name = fmt.Sprintf("%s %d", k.name, len(k.tids))
	}
	t.put(traceEvent{Name: "thread_name", Phase: "M", Tid: t.lanes, Args: map[string]any{"name": name}})
	t.put(traceEvent{Name: "thread_sort_index", Phase: "M", Tid: t.lanes, Args: map[string]any{"sort_index": laneRank[k.name] + len(k.tids)}})
	return len(k.tids) - 1
}

func (t *tracer) span(name string, k *laneKind, lane int, began time.Time, took time.Duration, args map[string]any) {
	from := t.micros(began)
	dur := t.micros(began.Add(took)) - from // both ends are cut, so that neighbours do not overlap
	t.put(traceEvent{Name: name, Cat: k.name, Phase: "X", Time: from, Took: &dur, Tid: k.tids[lane], Args: args})
}

func (t *tracer) instant(name, cat string, at time.Time, args map[string]any) {
	t.put(traceEvent{Name: name, Cat: cat, Phase: "i", Time: t.micros(at), Scope: "p", Args: args})
}

func (t *tracer) micros(at time.Time) int64 { return max(0, at.Sub(t.began).Microseconds()) }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// put writes an event.
func (t *tracer) put(e traceEvent) {
	if t.err != nil {
		return
	}
	e.Pid, e.Name = 1, t.secrets.Redact(e.Name)
	for name, value := range e.Args {
		if text, ok := value.(string); ok {
			e.Args[name] = t.secrets.Redact(text)
		}
	}
	text, err := json.Marshal(e)
	if err != nil {
		t.err = err
		return
	}
	begin := ",\n"
	if !t.more {
		begin, t.more = "[\n", true
	}
	_, t.err = t.w.WriteString(begin + string(text))
}

// close ends what is open at now, and the file. The error is the first that
// writing met.
func (t *tracer) close(now time.Time) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, s := range t.open {
		delete(t.open, id)
		args := callArgs(s.call)
		args["error"] = "the run ended"
		t.end(s, now, args)
	}
	if t.err == nil {
		_, t.err = t.w.WriteString("\n]\n")
	}
	if err := t.w.Flush(); t.err == nil {
		t.err = err
	}
	if err := t.file.Close(); t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fmt.Errorf("--trace: %w", t.err)
	}
	return nil
}
