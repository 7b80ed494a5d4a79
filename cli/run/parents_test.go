package run

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/source"
)

// parentsOf are n parents that a run has found.
func parentsOf(t *testing.T, n int) *source.Parents {
	t.Helper()
	text := []byte(`{"salt":"s","seen":{"0":{`)
	for i := range n {
		hash := binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i))
		text = fmt.Appendf(text, `"%s":{"at":%d},`, base64.RawURLEncoding.EncodeToString(hash), i)
	}
	text = append(bytes.TrimSuffix(text, []byte(",")), `}}}`...)
	p := &source.Parents{}
	if err := json.Unmarshal(text, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAllShardsTogetherTellOfNoMoreParentsThanPublishingCanRead(t *testing.T) {
	for shards, want := range map[int]int{1: 30_000, 100: 2_500, 500: 500} {
		p := &stateInput{Parents: map[string]*source.Parents{"a": parentsOf(t, 30_000), "b": parentsOf(t, 10)}}
		p.shorten(shards)
		if got := p.Parents["a"].Len(); got != want || p.Parents["b"].Len() != 10 {
			t.Errorf("%d shards: %d parents, want %d, and %d of the other job", shards, got, want, p.Parents["b"].Len())
		}
	}
}

func TestPublishingKnowsTheParentsOfAllShards(t *testing.T) {
	var shards []json.RawMessage
	for _, parents := range []map[string]*source.Parents{
		nil, {"a": parentsOf(t, 3)}, {"a": parentsOf(t, 5), "b": parentsOf(t, 1)}, nil,
	} {
		text, err := json.Marshal(stateInput{Parents: parents})
		if err != nil {
			t.Fatal(err)
		}
		shards = append(shards, text)
	}
	all, err := seenByAll(shards)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := all.Parents["a"].Len(), all.Parents["b"].Len(); a != 5 || b != 1 {
		t.Errorf("%d parents of a, and %d of b", a, b)
	}
}

func TestAStateThatNobodyCouldReadIsNotWritten(t *testing.T) {
	long, err := json.Marshal(strings.Repeat("x", maxFile))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "state.json")
	c := &console{world: &World{Now: time.Now}, secrets: &secret.Set{}, log: &view.Log{W: io.Discard}}
	s := newState(&process{world: c.world, secrets: c.secrets, console: c, options: &Options{Beside: SideFiles{State: name}}})
	if err := os.WriteFile(name, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.seen = func(*report.Report) (*stateInput, error) {
		return &stateInput{
			Trees: [][]string{{"a"}},
			Lasts: map[string]map[string]json.RawMessage{"a": {"at": long}},
		}, nil
	}
	r := &report.Report{Jobs: []report.JobReport{{ID: "a"}}}
	err = s.ready(t.Context(), r)
	if err == nil || !strings.Contains(err.Error(), "--state: it would have more than 64 MiB") {
		t.Errorf("got %v", err)
	}
}
