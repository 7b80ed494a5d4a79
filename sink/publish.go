package sink

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
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/target"
)

// NotReady says that shards are missing, with the exit status of one that failed for good, 0 if all may still come.
type NotReady struct {
	Shards string
	Status int
}

func (n *NotReady) Error() string {
	if n.Status == 0 {
		return "nothing is published: these shards have not ended: " + n.Shards
	}
	return fmt.Sprintf(
		"nothing is published: shard %s has failed with status %d: look into its log, and run it again",
		n.Shards,
		n.Status,
	)
}

// ErrShards says that a run has more shards than are to be published, or fewer.
var ErrShards = errors.New("nothing is published: this run has another number of shards")

// Publish makes visible what all shards of a run have sealed, or nothing, and the manifest last. Each step may be
// repeated, and be done by two processes at a time. ready is told before any of it becomes visible, with what the shards
// know for --state; its error ends publishing. With an error the outputs of the report are those that are visible.
func (s *Shared) Publish(
	ctx context.Context,
	shards int,
	want pipeline.Options,
	ready func(*report.Report, []json.RawMessage) error,
) (*report.Report, error) {
	unready := false
	r, err := s.publish(ctx, shards, want, func(r *report.Report, progress []json.RawMessage) error {
		err := ready(r, progress)
		unready = err != nil
		return err
	})
	if err == nil || unready || isVerdict(err) || ctx.Err() != nil {
		return r, err
	}
	// Another process that has published the run has removed what this one looked for.
	there, _ := s.published(ctx)
	if there != nil {
		return there, nil
	}
	return r, err
}

// isVerdict tells whether an error holds whatever another process has done meanwhile.
func isVerdict(err error) bool {
	verdicts := []error{ErrShards, errDamaged, target.ErrChanged, report.ErrNotComplete}
	if slices.ContainsFunc(verdicts, func(verdict error) bool { return errors.Is(err, verdict) }) {
		return true
	}
	return errors.As(err, new(*Taken)) || errors.As(err, new(*pipeline.Panic))
}

// publish is what Publish does where no other process does the same.
func (s *Shared) publish(
	ctx context.Context,
	shards int,
	want pipeline.Options,
	ready func(*report.Report, []json.RawMessage) error,
) (*report.Report, error) {
	c := &fragment{}
	if err := s.read(ctx, s.commit(), c); err != nil {
		return nil, fmt.Errorf("%w: remove it, and publish again", err)
	}
	manifests, err := s.manifests(ctx)
	if err == nil {
		err = s.keepApart(manifests)
	}
	if err != nil {
		return nil, err
	}
	there, own := s.among(manifests), false
	if there == nil && c.Report == nil {
		own, err = s.decide(ctx, shards, want, manifests, c)
	}
	if err != nil {
		return c.failed(nil), err
	}
	if c.Report == nil {
		return there, nil
	}
	if err = c.check(s.id); err != nil {
		return nil, fmt.Errorf("%s: %w", s.commit(), err)
	}
	if err = s.apart(c); err == nil {
		err = ready(c.Report, c.Progress)
	}
	visible := make([]bool, len(c.Objects))
	if err == nil && there == nil {
		err = s.show(ctx, c, own, visible)
	}
	if err != nil {
		return c.failed(visible), err
	}
	return c.Report, nil
}

func (s *Shared) commit() string { return s.names + "commit.json" }

// among returns the manifest of the run, nil if it is not among them.
func (s *Shared) among(manifests map[string]*manifest) *report.Report {
	for _, m := range manifests {
		if m.RunID == s.id {
			return m.Report
		}
	}
	return nil
}

// failed is the report of publishing that failed, with the outputs that are visible.
func (f *fragment) failed(visible []bool) *report.Report {
	if f.Report == nil {
		return nil
	}
	r := *f.Report
	r.Outputs = []report.OutputReport{}
	for i, shows := range visible {
		if shows {
			r.Outputs = append(r.Outputs, f.Report.Outputs[i])
		}
	}
	return &r
}

// apart refuses a file of a flag that publishing would replace, or be replaced by.
func (s *Shared) apart(f *fragment) error {
	for _, o := range f.Objects {
		if flag := s.plan.flags[s.plan.path(o.Name)]; flag != "" {
			return &Taken{
				fmt.Errorf("%s names %s, which holds items of this run: name another file", flag, o.Name),
			}
		}
	}
	return nil
}

// keepApart refuses a file of a flag that an earlier run has listed, or that is one of those that make a run whole.
func (s *Shared) keepApart(manifests map[string]*manifest) error {
	if s.plan.scheme != "" {
		return nil
	}
	place := filepath.Dir(s.plan.path(manifestStem+".json")) + string(filepath.Separator)
	for path, flag := range s.plan.flags {
		name, below := strings.CutPrefix(path, place)
		name = filepath.ToSlash(name)
		if !below {
			continue
		}
		if strings.HasPrefix(name, manifestStem) || strings.HasPrefix(name, texts) {
			return &Taken{
				fmt.Errorf(
					"%s names %s, which is for what publishing writes itself: name another file",
					flag,
					name,
				),
			}
		}
		for _, m := range manifests {
			if m.lists(name) {
				return &Taken{
					fmt.Errorf(
						"%s names %s, which holds items of the run %s: name another file",
						flag,
						name,
						m.RunID,
					),
				}
			}
		}
	}
	return nil
}

// lists tells whether the run has an output of a name, whatever the case of its letters.
func (m *manifest) lists(name string) bool {
	return slices.ContainsFunc(m.Outputs, func(o report.OutputReport) bool {
		uri := "/" + strings.ToLower(filepath.ToSlash(o.URI))
		return strings.HasSuffix(uri, "/"+name)
	})
}

// decide judges all shards together, and enters the commit. It tells whether the commit is its own, not that of another
// process which was faster.
func (s *Shared) decide(
	ctx context.Context,
	shards int,
	want pipeline.Options,
	manifests map[string]*manifest,
	c *fragment,
) (bool, error) {
	reports, err := s.gather(ctx, shards, manifests, c)
	if err != nil {
		return false, err
	}
	c.Report, err = report.Merge(reports, want.Tell)
	if err == nil {
		err = want.Accept(c.Report)
	}
	if err == nil {
		err = c.check(s.id)
	}
	if err == nil {
		err = keeps(ctx, s, c.empty(), want.Strict)
	}
	if err == nil {
		err = s.Probe(ctx, []string{c.Manifest})
	}
	if err == nil {
		err = s.stand(ctx, c, s.anew())
	}
	if err != nil {
		return false, err
	}
	c.Shards = shards
	c.replaces(manifests[c.Manifest], s.id)
	first := fragment{}
	err = s.write(ctx, s.commit(), c, &first)
	if first.Report != nil {
		*c = first
		return false, err
	}
	return true, err
}

// gather reads the fragments of all shards, and enters into the commit what they have sealed.
func (s *Shared) gather(
	ctx context.Context,
	shards int,
	manifests map[string]*manifest,
	c *fragment,
) (reports []*report.Report, err error) {
	names, err := s.List(ctx, s.names)
	if err != nil {
		return nil, err
	}
	var missing []string
	for i := range shards {
		f, err := s.fragment(ctx, i, shards, names)
		if err != nil {
			return nil, err
		}
		if f.Report == nil {
			missing = append(missing, strconv.Itoa(i))
			continue
		}
		if err := cmp.Or(s.apart(f), c.add(f)); err != nil {
			return nil, err
		}
		reports = append(reports, f.Report)
	}
	if missing == nil {
		return reports, nil
	}
	for _, m := range manifests {
		if len(names) == 0 && slices.Contains(m.Replaced, s.id) {
			return nil, fmt.Errorf(
				"nothing is published: this run was published, and another one has replaced it since: %s",
				m.RunID,
			)
		}
	}
	return nil, &NotReady{Shards: strings.Join(missing, ", ")}
}

// fragment reads what a shard has left; it has no report if the shard has not ended.
func (s *Shared) fragment(ctx context.Context, i, shards int, names map[string]time.Time) (*fragment, error) {
	f, name := &fragment{}, s.of(i, ".json")
	if _, there := names[name]; !there {
		return f, s.failure(ctx, i, names)
	}
	err := s.read(ctx, name, f)
	switch {
	case err != nil:
	case f.Report == nil:
		// It has just gone.
		return f, nil
	case f.Shards != shards:
		return nil, fmt.Errorf("%w: %d, not %d", ErrShards, f.Shards, shards)
	case f.Shard != i:
		err = fmt.Errorf("%s: it is of shard %d", name, f.Shard)
	default:
		err = f.check(s.id)
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, s.anew())
	}
	return f, nil
}

// failure is how a shard without a fragment has failed for good, nil if it has not.
func (s *Shared) failure(ctx context.Context, i int, names map[string]time.Time) error {
	name := s.of(i, ".failed")
	if _, failed := names[name]; !failed {
		return nil
	}
	n := &NotReady{Shards: strconv.Itoa(i)}
	if err := s.read(ctx, name, &n.Status); err != nil {
		return err
	}
	return n
}

// anew says how a run whose publishing has not begun can be done again.
func (s *Shared) anew() string {
	return fmt.Sprintf(
		"nothing is published: remove what is left with sluice sweep %s --abort --run-id %s, and run all shards again",
		s.place,
		s.id,
	)
}

// stand tells whether all that shards have sealed can be published, or is; if not, advice says what to do.
func (s *Shared) stand(ctx context.Context, c *fragment, advice string) error {
	return each(ctx, c.Objects, func(ctx context.Context, _ int, o target.Sealed) error {
		stands, err := s.Stands(ctx, o)
		if err == nil && !stands {
			return fmt.Errorf(
				"%s: what a shard has sealed is gone: a sweep or a lifecycle rule has ended it, or another run has replaced it; %s",
				o.Name,
				advice,
			)
		}
		if err == nil && s.Verify {
			err = s.verify(ctx, o)
		}
		if errors.Is(err, fs.ErrNotExist) {
			// An upload can be read once it is complete.
			return nil
		}
		if errors.Is(err, target.ErrChanged) {
			return fmt.Errorf("%w; %s", err, advice)
		}
		return err
	})
}

// verify reads back what a shard has sealed.
func (s *Shared) verify(ctx context.Context, o target.Sealed) error {
	sum, err := s.Sum(ctx, o)
	if err == nil && sum != o.SHA256 {
		return fmt.Errorf(
			"%s: its SHA-256 is %s, and %s was sealed: %w",
			o.Name,
			sum,
			o.SHA256,
			target.ErrChanged,
		)
	}
	return err
}

// show makes visible what was decided, by this very process if own, and enters what is.
func (s *Shared) show(ctx context.Context, c *fragment, own bool, visible []bool) error {
	if !own {
		// What this process has not looked at may be gone since.
		if err := s.stand(ctx, c, "begin anew with another --run-id"); err != nil {
			return err
		}
	}
	look := s.committed
	if own {
		look = func(ctx context.Context) (bool, error) { return s.alone(ctx, c) }
	}
	going, err := look(ctx)
	if err != nil || !going {
		return cmp.Or(err, s.overtaken(ctx))
	}
	earlier, err := s.manifest(ctx, c.Manifest)
	if err == nil && (earlier == nil || earlier.RunID != s.id) {
		err = s.Remove(ctx, c.Manifest)
	}
	if err != nil {
		return err
	}
	text, err := manifestText(manifest{c.Report, c.Replaced})
	if err == nil {
		err = each(ctx, c.Objects, func(ctx context.Context, i int, o target.Sealed) error {
			err := s.Finish(ctx, o)
			visible[i] = err == nil
			if err == nil && s.Verify {
				err = s.verify(ctx, o)
			}
			return err
		})
	}
	if err == nil {
		err = s.removeStale(ctx, c)
	}
	if err == nil {
		err = s.Put(ctx, c.Manifest, text)
	}
	if errors.Is(err, fs.ErrExist) {
		return s.overtaken(ctx)
	}
	return err
}

// committed tells whether the commit is there: who publishes removes it at the end.
func (s *Shared) committed(ctx context.Context) (bool, error) {
	names, err := s.List(ctx, s.commit())
	return len(names) > 0, err
}

// alone tells whether nobody had published the run before this process entered its commit: who does so removes the
// fragments. Else the commit goes again.
func (s *Shared) alone(ctx context.Context, c *fragment) (bool, error) {
	names, err := s.List(ctx, s.names)
	for i := range c.Shards {
		if _, there := names[s.of(i, ".json")]; err == nil && !there {
			return false, s.Remove(ctx, s.commit())
		}
	}
	return true, err
}

// removeStale removes what an earlier run has under the names of this one with other numbers.
func (s *Shared) removeStale(ctx context.Context, c *fragment) error {
	return each(ctx, c.Stale, func(ctx context.Context, _ int, o target.Sealed) error {
		going, err := s.committed(ctx)
		if err != nil || !going {
			// Then it is removed, and what is there is a later run's.
			return err
		}
		return s.Remove(ctx, o.Name)
	})
}

// overtaken tells whether it is this run that another process has published meanwhile.
func (s *Shared) overtaken(ctx context.Context) error {
	r, err := s.published(ctx)
	if r == nil && err == nil {
		err = errors.New(
			"another process has published this run meanwhile, and another run has replaced it since",
		)
	}
	return err
}

// Forget removes all texts of the run, the commit last: nobody needs them once everything is in place.
func (s *Shared) Forget(ctx context.Context) error {
	names, err := s.List(ctx, s.names)
	delete(names, s.commit())
	for _, name := range append(slices.Collect(maps.Keys(names)), s.commit()) {
		if err == nil {
			err = s.Remove(ctx, name)
		}
	}
	folder, isFolder := s.Store.(*target.Folder)
	if err == nil && isFolder {
		// What publishing that was killed has left beside the manifest and the texts.
		err = folder.EndEarlier(ctx, []string{manifestStem + ".json", s.names + "run.json"})
	}
	if err == nil && !strings.Contains(s.place, "://") {
		// They may hold what another process writes.
		_ = os.Remove(filepath.Join(s.place, s.names))
		_ = os.Remove(filepath.Join(s.place, texts))
	}
	return err
}

// each does something with all objects, several at a time.
func each(
	ctx context.Context,
	objects []target.Sealed,
	do func(ctx context.Context, i int, o target.Sealed) error,
) error {
	const atOnce = 16
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	slots := make(chan struct{}, atOnce)
	var working sync.WaitGroup
	for i, o := range objects {
		slots <- struct{}{}
		working.Go(func() {
			err := cmp.Or(context.Cause(ctx), checkName(o.Name))
			if err == nil {
				err = pipeline.Guard(func() error { return do(ctx, i, o) })
			}
			if err != nil {
				fail(err)
			}
			<-slots
		})
	}
	working.Wait()
	return context.Cause(ctx)
}
