package commit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/commit"
	"sluice/sink/target"
)

// runAlone is a run of one process into a folder.
func runAlone(t *testing.T, dir, id string) {
	t.Helper()
	all := []pipeline.Output{{DataType: "a", Name: "a", Jobs: []string{"a"}}}
	s, err := sink.New(sink.Options{Output: dir + string(filepath.Separator)}, all)
	must(t, err)
	must(t, s.Probe(t.Context()))
	must(t, s.Commit(t.Context(), func(outputs []report.OutputReport) (*report.Report, error) {
		return &report.Report{RunID: id, Outputs: outputs}, nil
	}))
	must(t, s.Close())
}

func readManifest(t *testing.T, dir string) *commit.Manifest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "_manifest.json"))
	must(t, err)
	m := &commit.Manifest{}
	must(t, json.Unmarshal(text, m))
	return m
}

// A run of shards stays replaced whoever writes the next manifests.
func TestARunOfShardsThatARunAloneHasReplacedDoesNotComeBack(t *testing.T) {
	dir := t.TempDir()
	p := &sharedPlace{t: t, open: func() target.Store { return target.NewFolder(dir, true) }}
	p.seal()
	_, err := p.publish(goesOn)
	must(t, err)
	for _, id := range []string{"alone", "alone again", "alone again"} {
		runAlone(t, dir, id)
		_, err := p.publish(goesOn)
		want := "another one has replaced it since: " + id
		if err == nil || errors.As(err, new(*commit.NotReady)) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	}
	want := []string{"alone", "run 1"}
	if got := readManifest(t, dir).Replaced; !slices.Equal(got, want) {
		t.Errorf("replaced are %q", got)
	}
	p.seal()
	_, err = p.publish(goesOn)
	must(t, err)
	want = []string{"alone again", "alone", "run 1"}
	if got := readManifest(t, dir).Replaced; !slices.Equal(got, want) {
		t.Errorf("replaced are %q", got)
	}
}

func TestAManifestRemembersTheLastHundredRuns(t *testing.T) {
	dir := t.TempDir()
	for i := range 103 {
		runAlone(t, dir, fmt.Sprint(i))
	}
	got := readManifest(t, dir).Replaced
	if len(got) != 100 || got[0] != "101" || got[99] != "2" {
		t.Errorf("replaced are %q", got)
	}
}

func TestWhatIsNoManifestIsReplacedByOne(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "_manifest.json"), []byte("no manifest"), 0o600))
	runAlone(t, dir, "alone")
	if m := readManifest(t, dir); m.RunID != "alone" || m.Replaced != nil {
		t.Errorf("got %+v", m)
	}
}
