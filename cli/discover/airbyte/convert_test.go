package airbyte_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"sluice/cli/discover/airbyte"
)

// clock is the time of a conversion in tests.
var clock = time.Date(2026, time.November, 23, 12, 0, 0, 0, time.UTC)

// A madeJob is the first job of a converted manifest that has items, with what it shares with all jobs.
type madeJob struct {
	members map[string]json.RawMessage
	api     map[string]json.RawMessage
	outcome airbyte.StreamOutcome
}

// made converts a manifest; the job is the innermost one of its last stream.
func made(t *testing.T, manifest, values string) madeJob {
	t.Helper()
	r, err := airbyte.Convert(airbyte.Input{Manifest: []byte(manifest), Values: []byte(values), Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	m := madeJob{outcome: r.Streams[len(r.Streams)-1]}
	if r.Configuration == nil {
		return m
	}
	var document struct {
		API    map[string]json.RawMessage
		Config struct{ Jobs []map[string]json.RawMessage }
	}
	if err := json.Unmarshal(r.Configuration, &document); err != nil {
		t.Fatal(err)
	}
	m.api = document.API
	jobs := document.Config.Jobs
	for len(jobs) > 0 {
		m.members = jobs[len(jobs)-1]
		jobs = nil
		if children := m.members["children"]; children != nil {
			if err := json.Unmarshal(children, &jobs); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

// member is one of the job, or of what all jobs share, on one line; empty: there is none.
func (m madeJob) member(path ...string) string {
	of := m.members
	if path[0] == "api" {
		of, path = m.api, path[1:]
	}
	for _, name := range path[:len(path)-1] {
		var within map[string]json.RawMessage
		_ = json.Unmarshal(of[name], &within)
		of = within
	}
	return onOneLine(of[path[len(path)-1]])
}

// onOneLine is a JSON text with a blank behind each colon and comma.
func onOneLine(text []byte) string {
	var spaced bytes.Buffer
	if json.Indent(&spaced, text, "", "") != nil {
		return ""
	}
	return strings.ReplaceAll(strings.ReplaceAll(spaced.String(), ",\n", ", "), "\n", "")
}

// reasons are why the stream is not whole, each behind the last step of its place.
func (m madeJob) reasons() (refused, more []string) {
	for _, r := range m.outcome.Reasons {
		text := r.Place[strings.LastIndexByte(r.Place, '.')+1:] + ": " + r.Text
		if m.outcome.Verdict == airbyte.Refused {
			refused = append(refused, text)
		} else {
			more = append(more, text)
		}
	}
	return refused, more
}

// retrieved is what the job of a manifest without values has beside its address, what is refused, what is widened or left,
// and the filter of jq.
func retrieved(t *testing.T, manifest string) (job string, refused, more []string, jq string) {
	t.Helper()
	m := made(t, manifest, "")
	var all []string
	for _, name := range []string{"method", "params", "query", "body", "headers", "pagination", "userData", "dataField", "where"} {
		value := m.member(name)
		if name == "pagination" {
			value = m.member("api", name)
		}
		isDefault := name == "dataField" && value == `"."`
		if value != "" && !isDefault {
			all = append(all, `"`+name+`": `+value)
		}
	}
	refused, more = m.reasons()
	return "{" + strings.Join(all, ", ") + "}", refused, more, m.outcome.JQ
}

func TestOfTwoMistakesAlwaysTheSameIsNamed(t *testing.T) {
	const values = "spec: {connection_specification: {required: [a, b], properties: {a: {type: string}, b: {type: string}}}}\n"
	for template, want := range map[string]string{
		"{{ config | string }}":                  "depends on a: give it by --values",
		"{{ day_delta(1, one=2, another=3) }}":   "its argument another is not supported",
		"{{ 1 | default(2, one=2, another=3) }}": "its argument another is not supported",
	} {
		for range 20 {
			m := made(t, values+retrieverWith("", "{type: NoPagination}", ", request_headers: {h: \""+template+"\"}", ""), "")
			refused, _ := m.reasons()
			if len(refused) != 1 || !strings.Contains(refused[0], want) {
				t.Fatalf("%s: refused %q, want %s", template, refused, want)
			}
		}
	}
}
