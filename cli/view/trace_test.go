package view_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

// traced is an event of the Trace Event format as any reader has it.
type traced struct {
	Name *string        `json:"name"`
	Ph   string         `json:"ph"`
	At   *float64       `json:"ts"`
	Dur  *float64       `json:"dur"`
	Pid  *int           `json:"pid"`
	Tid  *int           `json:"tid"`
	S    string         `json:"s"`
	Args map[string]any `json:"args"`
}

// create begins a trace in a file.
func create(t *testing.T, name string, began time.Time, secrets *secret.Set) *view.TraceWriter {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	return view.NewTrace(file, began, secrets)
}

// readTrace reads a trace by the rules of the format.
func readTrace(t *testing.T, file string) []traced {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []traced
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	lanes := map[int]string{}
	spans := map[int][]traced{}
	for i, e := range all {
		if e.Name == nil || e.At == nil || e.Pid == nil || e.Tid == nil || *e.At < 0 {
			t.Fatalf("event %d has not all that an event must have: %+v", i, e)
		}
		switch e.Ph {
		case "M":
			if *e.Name == "thread_sort_index" {
				if rank, ok := e.Args["sort_index"].(float64); !ok || int(rank)/10_000 != 1+slices.Index([]string{"login", "request", "wait", "write"}, strings.Fields(lanes[*e.Tid])[0]) {
					t.Errorf("event %d puts the lane %q at %v", i, lanes[*e.Tid], e.Args)
				}
			} else if name, ok := e.Args["name"].(string); !ok {
				t.Errorf("event %d names nothing", i)
			} else if *e.Name == "thread_name" {
				lanes[*e.Tid] = name
			}
		case "X":
			if e.Dur == nil || *e.Dur < 0 {
				t.Errorf("event %d has no duration", i)
			}
			spans[*e.Tid] = append(spans[*e.Tid], e)
		case "i":
			if e.S != "p" && e.S != "t" && e.S != "g" {
				t.Errorf("event %d is of scope %q", i, e.S)
			}
		case "C":
			for name, value := range e.Args {
				if _, ok := value.(float64); !ok {
					t.Errorf("event %d: the counter %s is no number", i, name)
				}
			}
		default:
			t.Errorf("event %d is of phase %q", i, e.Ph)
		}
		if _, named := lanes[*e.Tid]; !named && e.Ph != "M" {
			t.Errorf("event %d is in lane %d, which has no name yet", i, *e.Tid)
		}
	}
	for tid, lane := range spans {
		slices.SortFunc(lane, func(a, b traced) int { return int(*a.At - *b.At) })
		for i := 1; i < len(lane); i++ {
			if end := *lane[i-1].At + *lane[i-1].Dur; *lane[i].At < end {
				t.Errorf("in lane %s %s begins at %v, before %s ends at %v", lanes[tid], *lane[i].Name, *lane[i].At, *lane[i-1].Name, end)
			}
		}
	}
	return all
}

func TestTheTraceOf16RequestsAtATimeFollowsTheRulesOfItsFormat(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tr := create(t, file, began, nil)
	at := began
	var flying []pipeline.RequestSent
	for id := range uint64(100) {
		at = at.Add(time.Duration(id*7919%13) * 100 * time.Microsecond)
		if len(flying) == 16 {
			i := int(id*31) % 16
			done := flying[i]
			tr.Observe(pipeline.ResponseDone{Call: done.Call, Status: 200, Total: at.Sub(done.At), At: at})
			tr.Observe(pipeline.PageJudged{Job: "users", Page: done.Page, Items: 20, At: at})
			tr.Observe(pipeline.BatchWritten{Job: "users", DataType: "users", Items: 20, Took: 50 * time.Microsecond, At: at})
			flying = slices.Delete(flying, i, i+1)
		}
		flying = append(flying, pipeline.RequestSent{Call: pipeline.Call{ID: id, Job: "users", Page: int(id), Attempt: 1}, At: at}) // the first is a login
	}
	for _, done := range flying {
		tr.Observe(pipeline.ResponseDone{Call: done.Call, Total: at.Sub(done.At), At: at})
	}
	tr.Observe(pipeline.WalkEnded{Job: "users", Pages: 84, Stop: report.Stop{Reason: "underflow"}, At: at})
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	lanes := map[int]bool{}
	for _, e := range readTrace(t, file) {
		if e.Ph != "X" {
			continue
		}
		kind, _, _ := strings.Cut(*e.Name, " ")
		kinds[kind]++
		lanes[*e.Tid] = true
	}
	if kinds["login"] != 1 || kinds["users"] != 99 || kinds["write"] != 84 || len(lanes) < 17 || len(lanes) > 20 {
		t.Errorf("%v in %d lanes", kinds, len(lanes))
	}
}

func TestATraceHidesSecretsAndGivesWhatOverlapsLanes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	secrets := &secret.Set{}
	secrets.Add("hidden-name", `","ph":"`)
	tr := create(t, file, began, secrets)
	call := pipeline.Call{ID: 1, Job: "hidden-name", Page: 1, Attempt: 1, Method: "GET", URL: "http://api.test/hidden-name"}
	tr.Observe(pipeline.ResponseDone{Call: call, Status: 200, Err: errors.New(`cut "hidden-name"`), Total: 3 * time.Second, At: began.Add(3 * time.Second)})
	tr.Observe(pipeline.Retrying{Call: call, Delay: time.Hour, Reason: "503", At: began.Add(3 * time.Second)})
	tr.Observe(pipeline.Retrying{Call: call, Delay: time.Second, Reason: "503", At: began.Add(4 * time.Second)})
	tr.Observe(pipeline.BudgetSpent{Until: began.Add(5 * time.Second), At: began.Add(4 * time.Second)})
	tr.Observe(pipeline.Warned{Job: "j", Text: "odd", At: began})
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	tids := map[int]bool{}
	for _, e := range readTrace(t, file) {
		if e.Ph == "X" {
			tids[*e.Tid] = true
		}
	}
	if len(tids) != 4 {
		t.Errorf("%d lanes, want one for the request and three for the waits", len(tids))
	}
	if text, _ := os.ReadFile(file); strings.Contains(string(text), "hidden-name") {
		t.Errorf("a secret in %s", text)
	}
}

func TestATraceThatCannotBeWrittenIsAnErrorOfTheRun(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	if err := view.NewTrace(writer, time.Now(), nil).Close(); err == nil {
		t.Error("no error")
	}
}
