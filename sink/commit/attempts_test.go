package commit_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/commit"
	"sluice/sink/target"
)

// An attempt is a process that does the only shard of a run.
type attempt struct {
	t       *testing.T
	options sink.Options
	sink    *sink.Sink
}

// begins returns an attempt that has written an item.
func begins(t *testing.T, to func(target.Mark) target.Store) *attempt {
	t.Helper()
	a := &attempt{t: t, options: sink.Options{
		Output:     "test://place/",
		RunDetails: sink.RunDetails{RunID: "run", Shards: 1, Mark: target.NewMark("run", "0/1")},
	}}
	store := to(a.options.Mark)
	a.options.Environment = opens(store)
	var err error
	a.sink, err = sink.New(a.options, []pipeline.Output{{DataType: "a", Name: "a", Jobs: []string{"a"}}})
	must(t, err)
	return a
}

func (a *attempt) writes() {
	a.t.Helper()
	must(a.t, a.sink.Probe(a.t.Context()))
	must(a.t, a.sink.Write(a.t.Context(), &pipeline.Batch{Job: "a", DataType: "a", Page: 1, Items: 1, Text: []byte("1\n")}))
}

// seals ends it.
func (a *attempt) seals() error {
	err := a.sink.Commit(a.t.Context(), func(outputs []report.OutputReport) (*report.Report, error) {
		return &report.Report{RunID: "run", Jobs: []report.JobReport{{ID: "a", Items: 1}}, Outputs: outputs}, nil
	})
	return errors.Join(err, a.sink.Close())
}

// Of two attempts at a shard the later may end what the earlier has, but nothing that is sealed.
func TestAnAttemptSealsOrIsEnded(t *testing.T) {
	dir := t.TempDir()
	open := func(m target.Mark) target.Store {
		folder := target.NewFolder(dir, true)
		folder.Mark = m
		return folder
	}
	hidden := func() int {
		all, err := filepath.Glob(filepath.Join(dir, ".sluice-*"))
		must(t, err)
		return len(all)
	}
	first := begins(t, open)
	must(t, first.sink.EndEarlier(t.Context(), false, nil))
	first.writes()
	second := begins(t, open)
	must(t, second.sink.EndEarlier(t.Context(), false, nil))
	if hidden() != 2 { // with that of its lock
		t.Fatalf("%d hidden files of what lives", hidden())
	}
	must(t, second.sink.EndEarlier(t.Context(), true, nil))
	if hidden() != 0 {
		t.Fatalf("%d hidden files of what has lost its claim", hidden())
	}
	if err := first.seals(); !errors.Is(err, commit.ErrOvertaken) || !pipeline.IsTemporary(err) {
		t.Errorf("got %v", err)
	}
	second.writes()
	must(t, second.seals())
	if hidden() != 1 {
		t.Fatalf("%d hidden files of what is sealed", hidden())
	}
	third := begins(t, open)
	must(t, third.sink.EndEarlier(t.Context(), true, nil))
	third.sink.EndShard(t.Context())
	must(t, third.sink.Close())
	shared, err := sink.Share(third.options)
	must(t, err)
	ready := func(*report.Report, []json.RawMessage) error { return nil }
	_, err = shared.Publish(t.Context(), 1, pipeline.Options{}, ready)
	must(t, err)
	must(t, shared.Forget(t.Context()))
	texts, err := os.ReadDir(filepath.Join(dir, "_sluice", "run"))
	if !errors.Is(err, fs.ErrNotExist) {
		must(t, err)
	}
	if len(texts) > 0 || hidden() > 0 {
		t.Errorf("left: %v, and %d hidden files", texts, hidden())
	}
}

// What publishing writes itself goes when the run is published again.
func TestPublishEndsWhatOneThatWasKilledHasLeft(t *testing.T) {
	p := sealFolder(t)
	const shards = 3
	o := sink.Options{Output: p.dir + string(filepath.Separator), RunDetails: sink.RunDetails{RunID: "run 1", Shards: shards}}
	for _, name := range []string{"_manifest.json", "_sluice/run+1/commit.json"} {
		killed := target.NewFolder(p.dir, true)
		killed.Mark = target.NewMark(o.RunID, "publish")
		_, err := killed.Create(t.Context(), name)
		must(t, err)
	}
	o.Mark = target.NewMark(o.RunID, "publish")
	shared, err := sink.Share(o)
	must(t, err)
	ready := func(*report.Report, []json.RawMessage) error { return nil }
	_, err = shared.Publish(t.Context(), shards, pipeline.Options{}, ready)
	must(t, err)
	must(t, shared.Forget(t.Context()))
	for name := range p.files() {
		if target.IsHidden(filepath.Base(name)) || strings.HasPrefix(name, "_sluice/") {
			t.Errorf("%s is left", name)
		}
	}
}
