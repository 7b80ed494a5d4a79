package commit_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/fixtures/cases"
	"sluice/fixtures/s3/gateway"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/commit"
	"sluice/sink/s3"
	"sluice/sink/target"
)

// A process is one that publishes: before each of its operations on the store step is
// told its number, and may be the end of the process.
type process struct {
	target.Store
	step func(n int) error

	mu sync.Mutex
	n  int
}

func (p *process) next() error {
	p.mu.Lock()
	p.n++
	n := p.n
	p.mu.Unlock()
	return p.step(n)
}

func (p *process) Head(ctx context.Context, name string, n int64) (text []byte, err error) {
	if err = p.next(); err == nil {
		text, err = p.Store.Head(ctx, name, n)
	}
	return text, err
}

func (p *process) List(ctx context.Context, prefix string) (names map[string]time.Time, err error) {
	if err = p.next(); err == nil {
		names, err = p.Store.List(ctx, prefix)
	}
	return names, err
}

func (p *process) Stands(ctx context.Context, s target.Sealed) (stands bool, err error) {
	if err = p.next(); err == nil {
		stands, err = p.Store.Stands(ctx, s)
	}
	return stands, err
}

func (p *process) Shows(ctx context.Context, s target.Sealed) (shows bool, err error) {
	if err = p.next(); err == nil {
		shows, err = p.Store.Shows(ctx, s)
	}
	return shows, err
}

func (p *process) does(do func() error) error {
	if err := p.next(); err != nil {
		return err
	}
	return do()
}

func (p *process) Put(ctx context.Context, name string, text []byte) error {
	return p.does(func() error { return p.Store.Put(ctx, name, text) })
}

func (p *process) Remove(ctx context.Context, name string) error {
	return p.does(func() error { return p.Store.Remove(ctx, name) })
}

func (p *process) Finish(ctx context.Context, s target.Sealed) error {
	return p.does(func() error { return p.Store.Finish(ctx, s) })
}

var errKilled = errors.New("killed")

// killed is the end of a process at the operation n, which may be done or not.
func killed(n int) func(int) error {
	return func(at int) error {
		if at >= n {
			return errKilled
		}
		return nil
	}
}

// opens lets test://place/ be a store.
func opens(store target.Store) sink.Environment {
	open := func(string) (target.Target, error) { return store, nil }
	return sink.Environment{Targets: map[string]func(string) (target.Target, error){"test": open}}
}

func goesOn(int) error { return nil }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A sharedPlace is one where two shards of a run publish, and an earlier run has.
type sharedPlace struct {
	t    *testing.T
	open func() target.Store
	run  int

	// --manifest; empty: _manifest.json.
	manifest string

	// dir is that of a folder: what a run leaves empty there is removed after it, as the program does; empty: it is none.
	dir string
}

// shards alternate, so that each run has names that the one before it has not.
func (p *sharedPlace) shards() int { return 2 + p.run%2 }

func (p *sharedPlace) options(step func(int) error) (sink.Options, *process) {
	w := &process{Store: p.open(), step: step}
	return sink.Options{
		Output:      "test://place/",
		Manifest:    p.manifest,
		RunDetails:  sink.RunDetails{RunID: fmt.Sprint("run ", p.run), Shards: p.shards()},
		Environment: opens(w),
	}, w
}

// seal lets the shards of the next run end.
func (p *sharedPlace) seal() {
	p.t.Helper()
	p.run++
	for i := range p.shards() {
		o, _ := p.options(goesOn)
		o.Shard = i
		s, err := sink.New(o, []pipeline.Output{{DataType: "a", Name: "a", Jobs: []string{"a"}}})
		p.must(err)
		p.must(s.Probe(p.t.Context()))
		p.must(s.Write(p.t.Context(), &pipeline.Batch{Job: "a", DataType: "a", Page: 1, Items: 1, Text: fmt.Appendf(nil, "%d\n", p.run)}))
		p.must(s.Commit(p.t.Context(), func(outputs []report.OutputReport) (*report.Report, error) {
			return &report.Report{RunID: o.RunID, Jobs: []report.JobReport{{ID: "a", Items: 1}}, Outputs: outputs}, nil
		}))
		p.must(s.Close())
	}
}

// publish is the end of a process, and how many operations it took.
func (p *sharedPlace) publish(step func(int) error) (int, error) {
	o, w := p.options(step)
	shared, err := sink.Share(o)
	p.must(err)
	want := pipeline.Options{Observer: pipeline.Observers{}}
	_, err = shared.Publish(p.t.Context(), p.shards(), want, func(*report.Report, []json.RawMessage) error { return nil })
	if err == nil {
		err = shared.Forget(p.t.Context())
	}
	if p.dir != "" {
		// Not what still has something.
		_ = os.Remove(filepath.Join(p.dir, "_sluice", fmt.Sprintf("run+%d", p.run)))
	}
	return w.n, err
}

// whole checks that a manifest, if there is one, is that of what stands there; done, that
// it is that of the last run, and nothing else is left.
func (p *sharedPlace) whole(done bool, what string) {
	p.t.Helper()
	to := p.open()
	ctx := p.t.Context()
	text, err := to.Head(ctx, cmp.Or(p.manifest, "_manifest.json"), 1<<20)
	p.must(err)
	var r report.Report
	if len(text) > 0 {
		p.must(json.Unmarshal(text, &r))
		var n int
		_, err = fmt.Sscanf(r.RunID, "run %d", &n)
		p.must(err)
		of := (&sharedPlace{run: n}).shards()
		for i := range of {
			item, err := to.Head(ctx, fmt.Sprintf("a-%05d-of-%05d.ndjson", i, of), 100)
			if got := "run " + strings.TrimSpace(string(item)); got != r.RunID || err != nil {
				p.t.Errorf("%s: shard %d shows %s, %v, and the manifest is of %s", what, i, got, err, r.RunID)
			}
		}
		if all, err := to.List(ctx, "a-"); err != nil || len(all) != of {
			p.t.Errorf("%s: there are %v, %v", what, all, err)
		}
	}
	if !done {
		return
	}
	left, err := to.List(ctx, fmt.Sprintf("_sluice/run+%d/", p.run))
	if r.RunID != fmt.Sprint("run ", p.run) || err != nil || len(left) > 0 {
		p.t.Errorf("%s: the manifest is of %s, and there are %v, %v", what, r.RunID, left, err)
	}
}

// clean removes what a run has left whose publishing cannot be finished.
func (p *sharedPlace) clean(run int) {
	p.t.Helper()
	to := p.open()
	names, err := to.List(p.t.Context(), fmt.Sprintf("_sluice/run+%d/", run))
	p.must(err)
	for name := range names {
		p.must(to.Remove(p.t.Context(), name))
	}
}

func (p *sharedPlace) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func sharedPlaces(t *testing.T, test func(t *testing.T, p *sharedPlace)) {
	t.Run("folder", func(t *testing.T) {
		dir := t.TempDir()
		test(t, &sharedPlace{t: t, dir: dir, open: func() target.Store { return target.NewFolder(dir, true) }})
	})
	t.Run("manifest elsewhere", func(t *testing.T) {
		dir := t.TempDir()
		open := func() target.Store { return target.NewFolder(dir, true) }
		test(t, &sharedPlace{t: t, dir: dir, open: open, manifest: "runs/all.json"})
	})
	t.Run("gateway", func(t *testing.T) {
		root := t.TempDir()
		must(t, os.Mkdir(filepath.Join(root, "bucket"), 0o700))
		for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret-0123456789"} {
			t.Setenv(name, value)
		}
		address, _ := gateway.Start(t, root, "key", "secret-0123456789")
		test(t, &sharedPlace{t: t, open: func() target.Store {
			to, err := s3.New(s3.Options{Endpoint: "http://" + address, Uploads: true}, "s3://bucket/")
			must(t, err)
			t.Cleanup(func() { to.Close() })
			return to
		}})
	})
}

// by is how many steps a test goes on: every one counts, and a gateway takes seconds for a few.
func (p *sharedPlace) by() int {
	if strings.HasSuffix(p.t.Name(), "gateway") {
		return cases.Few(9, 1)
	}
	return 1
}

func TestPublishThatIsKilledAtAnyStepAndRepeatedShowsAllOrNothing(t *testing.T) {
	sharedPlaces(t, func(t *testing.T, p *sharedPlace) {
		p.seal()
		_, err := p.publish(goesOn)
		p.must(err)
		for n, ended := 1, 0; ended < 2; n += p.by() {
			for range 2 { // of two shards, and of three
				p.seal()
				if _, err := p.publish(killed(n)); err == nil {
					ended++
				} else if !errors.Is(err, errKilled) {
					t.Fatalf("killed at %d: %v", n, err)
				}
				p.whole(false, fmt.Sprint("killed at ", n))
				if _, err := p.publish(goesOn); err != nil {
					t.Fatalf("repeated after %d: %v", n, err)
				}
				p.whole(true, fmt.Sprint("repeated after ", n))
			}
		}
	})
}

func TestTheRunAfterOneWhosePublishingWasGivenUpShowsItsOwnAlone(t *testing.T) {
	for n, given := 1, true; given; n += cases.Few(5, 1) {
		dir := t.TempDir()
		p := &sharedPlace{t: t, dir: dir, open: func() target.Store { return target.NewFolder(dir, true) }}
		p.seal()
		_, err := p.publish(goesOn)
		p.must(err)
		p.seal()
		_, err = p.publish(killed(n))
		given = errors.Is(err, errKilled)
		// It has the names of the first run, or of the one that was given up.
		p.run += n % 2
		p.seal()
		_, err = p.publish(goesOn)
		p.must(err)
		p.whole(true, fmt.Sprint("after one that was killed at ", n))
	}
}

func TestWhatFailsSinceAnotherHasPublishedTheRunSucceeds(t *testing.T) {
	for n, reached := 1, true; reached; n++ {
		dir := t.TempDir()
		p := &sharedPlace{t: t, dir: dir, open: func() target.Store { return target.NewFolder(dir, true) }}
		reached = false
		published := false
		p.seal()
		o, _ := p.options(func(at int) error {
			if at != n || published {
				return nil
			}
			reached = true
			_, err := p.publish(goesOn)
			p.must(err)
			return fs.ErrNotExist
		})
		shared, err := sink.Share(o)
		p.must(err)
		ready := func(*report.Report, []json.RawMessage) error { return nil }
		r, err := shared.Publish(t.Context(), p.shards(), pipeline.Options{}, ready)
		if err != nil || r.RunID != o.RunID {
			t.Fatalf("at %d: %v, %v", n, r, err)
		}
		published = true
		p.must(shared.Forget(t.Context()))
		p.whole(true, fmt.Sprint("beside one that fails at ", n))
	}
}

func TestAShardThatJoinsWhileItsRunIsPublishedIsOvertaken(t *testing.T) {
	dir := t.TempDir()
	p := &sharedPlace{t: t, dir: dir, open: func() target.Store { return target.NewFolder(dir, true) }}
	p.seal()
	o, _ := p.options(func(at int) error {
		if at > 1 {
			return nil
		}
		_, err := p.publish(goesOn)
		p.must(err)
		return fs.ErrNotExist
	})
	shared, err := sink.Share(o)
	p.must(err)
	err = shared.Join(t.Context(), "this one", new(string))
	if !errors.Is(err, commit.ErrOvertaken) {
		t.Errorf("got %v", err)
	}
}

func TestTwoThatPublishAtATimeBothSucceedAtEachStep(t *testing.T) {
	sharedPlaces(t, func(t *testing.T, p *sharedPlace) {
		p.seal()
		steps, err := p.publish(goesOn)
		p.must(err)
		for n := 1; n <= steps+1; n += p.by() {
			p.seal()
			var once sync.Once
			_, err := p.publish(func(at int) error {
				if at == n {
					once.Do(func() {
						_, err := p.publish(goesOn)
						p.must(err)
						p.whole(true, fmt.Sprint("beside one that stands at ", n))
					})
				}
				return nil
			})
			if err != nil {
				t.Errorf("another has published when it stood at %d: %v", n, err)
			}
			p.whole(true, fmt.Sprint("after both, ", n))
		}
	})
}

// The second run has the names of the first, or has a shard more. Or it has the names, and is killed.
func TestOneOfTwoRunsThatPublishAtATimeIsWholeOrNeither(t *testing.T) {
	sharedPlaces(t, func(t *testing.T, p *sharedPlace) {
		p.seal()
		steps, err := p.publish(goesOn)
		p.must(err)
		for n := 1; n <= steps; n += max(p.by(), cases.Few(5, 1)) {
			for kind, second := range []func(int) error{goesOn, goesOn, killed(steps / 2), killed(steps * 3 / 4)} {
				p.seal()
				first := p.run
				if kind != 0 {
					p.run++
				}
				p.seal()
				last := p.run
				p.run = first
				var failed error
				_, err := p.publish(func(at int) error {
					if at == n {
						p.run = last
						_, failed = p.publish(second)
						p.run = first
					}
					return nil
				})
				what := fmt.Sprintf("one stands at %d and ends with %v, another one ends with %v", n, err, failed)
				p.whole(false, what)
				p.run = last
				p.seal()
				_, err = p.publish(goesOn)
				p.must(err)
				p.whole(true, what+", and the next one")
				p.clean(first)
				p.clean(last)
			}
		}
	})
}

func TestNobodyIsToldToRemoveATextThatCannotBeReadNow(t *testing.T) {
	dir := t.TempDir()
	p := &sharedPlace{t: t, dir: dir, open: func() target.Store { return target.NewFolder(dir, true) }}
	p.seal()
	steps, err := p.publish(goesOn)
	p.must(err)
	for n := 1; n <= steps; n++ {
		p.seal()
		_, err := p.publish(killed(n))
		if err != nil && strings.Contains(err.Error(), "remove") {
			t.Errorf("at %d: %v", n, err)
		}
		_, err = p.publish(goesOn)
		p.must(err)
	}
}

// lagging lists no commit, as a store may for a while after it was written.
type lagging struct{ target.Store }

func (l lagging) List(ctx context.Context, prefix string) (map[string]time.Time, error) {
	names, err := l.Store.List(ctx, prefix)
	maps.DeleteFunc(names, func(name string, _ time.Time) bool { return strings.HasSuffix(name, "/commit.json") })
	return names, err
}

func TestAStoreThatListsTheCommitLateKeepsNothingOfAnEarlierRun(t *testing.T) {
	dir := t.TempDir()
	p := &sharedPlace{t: t, dir: dir, open: func() target.Store { return lagging{target.NewFolder(dir, true)} }}
	// One has two shards, the other one three.
	for range 2 {
		p.seal()
		_, err := p.publish(goesOn)
		p.must(err)
		p.whole(true, "listed late")
	}
}

// A killer is a process that ends before it publishes a certain object, and lets another one act before it puts a text.
type killer struct {
	target.Store
	last   string
	before func(name string)

	// It gets one for each other object that is visible.
	others chan struct{}
}

func (k killer) Finish(ctx context.Context, s target.Sealed) error {
	if s.Name == k.last {
		<-k.others
		return errKilled
	}
	err := k.Store.Finish(ctx, s)
	k.others <- struct{}{}
	return err
}

func (k killer) Put(ctx context.Context, name string, text []byte) error {
	k.before(name)
	return k.Store.Put(ctx, name, text)
}

func TestAManifestGoesIfAnotherRunHasReplacedSomeOfItAndDied(t *testing.T) {
	sharedPlaces(t, func(t *testing.T, p *sharedPlace) {
		manifest := cmp.Or(p.manifest, "_manifest.json")
		p.seal()
		first := p.run
		p.run++
		p.seal()
		publish := func(run int, k killer) error {
			p.run, k.Store = run, p.open()
			o, _ := p.options(goesOn)
			o.Environment = opens(k)
			shared, err := sink.Share(o)
			p.must(err)
			ready := func(*report.Report, []json.RawMessage) error { return nil }
			_, err = shared.Publish(t.Context(), p.shards(), pipeline.Options{Observer: pipeline.Observers{}}, ready)
			return err
		}
		died := errKilled
		const objects = 3
		err := publish(first, killer{others: make(chan struct{}, objects), before: func(name string) {
			if name == manifest {
				dies := killer{last: "a-00001-of-00003.ndjson", others: make(chan struct{}, objects), before: func(string) {}}
				died = publish(first+2, dies)
			}
		}})
		if err == nil || !errors.Is(died, errKilled) {
			t.Errorf("the first run ends with %v, the other one with %v", err, died)
		}
		p.whole(false, "after both")
	})
}

func TestTwoThatPublishAtATimeMayBothBeKilled(t *testing.T) {
	sharedPlaces(t, func(t *testing.T, p *sharedPlace) {
		p.seal()
		steps, err := p.publish(goesOn)
		p.must(err)
		by := cases.Few(4, 2)
		if strings.HasSuffix(t.Name(), "gateway") {
			by = cases.Few(13, 5)
		}
		for n := 1; n <= steps+1; n += by {
			for m := 1; m <= steps+1; m += by {
				p.seal()
				what := fmt.Sprintf("one stands at %d, another is killed at %d", n, m)
				_, err := p.publish(func(at int) error {
					if at == n {
						_, _ = p.publish(killed(m))
						p.whole(false, what)
					}
					return nil
				})
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
				p.whole(true, what)
			}
		}
	})
}

// A process that stood still before one of its operations does that, and dies. The other one has said that all is
// published, and removed what the shards have left.
func TestOneThatDiesTakesNothingAwayFromOneThatHasPublished(t *testing.T) {
	for n, reached := 1, true; reached; n++ {
		reached = false
		dir := t.TempDir()
		p := &sharedPlace{t: t, dir: dir, open: func() target.Store { return target.NewFolder(dir, true) }}
		p.seal()
		_, _ = p.publish(func(at int) error {
			if at == n {
				reached = true
				_, err := p.publish(goesOn)
				p.must(err)
			}
			return killed(n + 1)(at)
		})
		p.whole(false, fmt.Sprint("died after ", n))
		if reached && readManifest(t, dir).RunID != "run 1" {
			t.Errorf("died after %d: the manifest is another one", n)
		}
	}
}

// A role without s3:DeleteObject is one whose removals fail.
type keeper struct{ target.Store }

func (k keeper) Remove(ctx context.Context, name string) error {
	if there, err := k.Head(ctx, name, 1); there == nil && err == nil {
		return nil
	}
	return errors.New("it may not remove " + name)
}

func TestPublishThatMayRemoveNothingHasMadeAllVisible(t *testing.T) {
	sharedPlaces(t, func(t *testing.T, p *sharedPlace) {
		p.seal()
		shared, err := sink.Share(sink.Options{
			Output:      "test://place/",
			RunDetails:  sink.RunDetails{RunID: "run 1"},
			Environment: opens(keeper{p.open()}),
		})
		must(t, err)
		for range 2 {
			r, err := shared.Publish(t.Context(), p.shards(), pipeline.Options{}, func(*report.Report, []json.RawMessage) error { return nil })
			if err != nil || len(r.Outputs) != p.shards() {
				t.Errorf("it is published: %v, %+v", err, r)
			}
			p.whole(false, "without removals")
			if err := shared.Forget(t.Context()); err == nil {
				t.Error("the texts that stay are no error of their own")
			}
		}
	})
}
