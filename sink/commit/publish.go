package commit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/target"
)

// NotReady says that shards are missing.
type NotReady struct {
	// Shards are their numbers, for people.
	Shards string
	// Status is the exit status of a shard that has failed for good; 0: all may still come.
	Status int
}

func (n *NotReady) Error() string {
	if n.Status == 0 {
		return "nothing is published: these shards have not ended: " + n.Shards
	}
	return fmt.Sprintf(
		"nothing is published: shard %s has failed with status %d: look into its log, and run it again",
		n.Shards, n.Status,
	)
}

// ErrShards says that a run has more shards than are to be published, or fewer.
var ErrShards = errors.New("nothing is published: --shards is not the number of shards that the run was started with")

// Ready is told the report of the run before any of it becomes visible, with what the shards know for --state.
// Its error ends publishing.
type Ready func(r *report.Report, progress []json.RawMessage) error

// Publish makes visible what all shards of a run have sealed, or nothing, and the manifest last. Each step may be repeated,
// and two processes may do it at the same time. With an error the report lists the outputs that are visible.
func (s *Shared) Publish(
	ctx context.Context, shards int, want pipeline.Options, ready Ready,
) (*report.Report, error) {
	isUnready := false
	r, err := s.publish(ctx, shards, want, func(r *report.Report, progress []json.RawMessage) error {
		err := ready(r, progress)
		isUnready = err != nil
		return err
	})
	if err == nil || isUnready {
		return r, err
	}
	if isVerdict(err) || ctx.Err() != nil {
		return r, err
	}
	// Another process that has published the run has removed what this one looked for.
	there, _ := s.published(ctx)
	if there != nil {
		return there, nil
	}
	return r, err
}

// isVerdict tells whether an error holds even if another process has published the run meanwhile.
func isVerdict(err error) bool {
	verdicts := []error{ErrShards, errDamaged, target.ErrChanged, report.ErrNotComplete, report.ErrUnexpected}
	if slices.ContainsFunc(verdicts, func(verdict error) bool { return errors.Is(err, verdict) }) {
		return true
	}
	return errors.As(err, new(*Taken)) || errors.As(err, new(*pipeline.Panic))
}

// publish is what Publish does where no other process does the same.
func (s *Shared) publish(
	ctx context.Context, shards int, want pipeline.Options, ready Ready,
) (*report.Report, error) {
	c := &commit{}
	if err := s.read(ctx, s.commitName(), c); err != nil {
		return nil, ifDamaged(err, "remove it, and publish again")
	}
	manifests, err := s.manifests(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.checkFlags(manifests); err != nil {
		return nil, err
	}
	name, there := s.among(manifests)
	isOwn := false
	if there == nil && c.Report == nil {
		isOwn, err = s.decide(ctx, shards, want, manifests, c)
	}
	if err != nil {
		return c.failed(nil), err
	}
	s.findEmpty(ctx, cmp.Or(name, c.Manifest))
	if c.Report == nil {
		return there, nil
	}
	if err := c.check(s.id); err != nil {
		return nil, fmt.Errorf("%s: %w", s.commitName(), err)
	}
	if err := s.checkObjects(&c.Fragment); err != nil {
		return c.failed(nil), err
	}
	if err := ready(c.Report, c.Progress); err != nil {
		return c.failed(nil), err
	}
	if there != nil {
		return c.Report, nil
	}
	visible := make([]bool, len(c.Objects))
	if err := s.show(ctx, c, isOwn, visible); err != nil {
		return c.failed(visible), err
	}
	return c.Report, nil
}

// findEmpty looks for what [target.Target.Probe] leaves under the name of the manifest where it is killed.
// [Shared.Forget] ends it.
func (s *Shared) findEmpty(ctx context.Context, manifest string) {
	s.manifest = manifest
	s.empty = FindEmpty(ctx, s.store, manifest, func(name string) bool { return name == manifest })
}

// decide judges all shards together, and enters the commit. It tells whether the commit is its own, not that of
// another process which was faster.
func (s *Shared) decide(
	ctx context.Context, shards int, want pipeline.Options, manifests map[string]*Manifest, c *commit,
) (bool, error) {
	reports, err := s.gather(ctx, shards, manifests, c)
	if err != nil {
		return false, err
	}
	c.Report, err = report.Merge(reports, want.Judge, want.Tell)
	if err == nil {
		err = want.Accept(c.Report)
	}
	if err == nil {
		err = s.placeManifest(c)
	}
	if err == nil {
		err = c.check(s.id)
	}
	if err == nil && want.Strict {
		err = KeepFull(ctx, s.store, c.empty())
	}
	if err == nil {
		err = s.store.Probe(ctx, []string{c.Manifest})
	}
	if err == nil {
		err = s.stand(ctx, c, s.anew())
	}
	if err != nil {
		return false, err
	}
	earlier, err := readManifest(ctx, s.store, c.Manifest)
	if err == nil && earlier != nil {
		err = s.checkFlags(map[string]*Manifest{c.Manifest: earlier})
	}
	if err != nil {
		return false, err
	}
	if want.Compare != nil {
		err = want.Compare(c.Report, earlier.report())
	}
	if err != nil {
		return false, err
	}
	c.Shards = shards
	c.replaces(earlier, s.id)
	if earlier == nil {
		err = s.replacesBegun(ctx, c)
	}
	if err != nil {
		return false, err
	}
	return s.enter(ctx, c)
}

// replacesBegun enters what runs may have made visible, or left from those before them, whose publishing has begun and
// has not ended: there is no manifest that lists it.
func (s *Shared) replacesBegun(ctx context.Context, c *commit) error {
	runs, err := s.begun(ctx, c.Manifest)
	if err != nil {
		return err
	}
	for _, begun := range runs {
		var names []string
		for _, o := range slices.Concat(begun.Objects, begun.Stale) {
			names = append(names, o.Name)
		}
		c.addStale(names)
	}
	return nil
}

// begun returns what other runs have decided to publish with this manifest, and have not ended. What is damaged counts
// for nothing.
func (s *Shared) begun(ctx context.Context, manifest string) (all []*commit, err error) {
	runs, err := s.store.List(ctx, texts)
	if err != nil {
		return nil, err
	}
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		// Beside the texts of runs there is where the manifests of some are.
		isOther := strings.HasSuffix(run, "/") && run != s.names
		if !isOther {
			continue
		}
		other := Shared{store: s.store, names: run}
		var begun commit
		err := other.read(ctx, other.commitName(), &begun)
		if err != nil && !errors.Is(err, errDamaged) {
			return nil, err
		}
		if begun.Manifest == manifest {
			all = append(all, &begun)
		}
	}
	return all, nil
}

// placeManifest enters where --manifest says that the manifest is to be, if that is not as the shards have it.
func (s *Shared) placeManifest(c *commit) error {
	if s.place.Manifest == nil {
		return s.checkManifest(c.Manifest)
	}
	name, err := s.place.Manifest(c.Report.Date)
	if err != nil {
		return err
	}
	c.Manifest = name
	path := s.place.Path(name)
	for i, o := range c.Objects {
		if s.place.Path(o.Name) == path {
			return Takenf("--manifest names %s, which holds items of this run: name another file", o.Name)
		}
		c.Report.Outputs[i].Path = PathFrom(name, o.Name)
	}
	return s.checkManifest(name)
}

// enter writes the commit, or reads that of another process, and tells whether it is its own.
func (s *Shared) enter(ctx context.Context, c *commit) (bool, error) {
	var first commit
	err := s.write(ctx, s.commitName(), c, &first)
	if first.Report != nil {
		*c = first
		return false, err
	}
	return true, err
}

// gather reads the fragments of all shards, and enters into the commit what they have sealed.
func (s *Shared) gather(
	ctx context.Context, shards int, manifests map[string]*Manifest, c *commit,
) ([]*report.Report, error) {
	names, err := s.store.List(ctx, s.names)
	if err != nil {
		return nil, err
	}
	var reports []*report.Report
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
		if err := s.checkObjects(f); err != nil {
			return nil, err
		}
		if err := c.add(f); err != nil {
			return nil, err
		}
		reports = append(reports, f.Report)
	}
	if missing == nil {
		return reports, nil
	}
	if len(names) == 0 {
		if err := s.replaced(manifests); err != nil {
			return nil, err
		}
	}
	return nil, &NotReady{Shards: strings.Join(missing, ", ")}
}

// replaced tells which later run stands in the place of this one, if it was published before.
func (s *Shared) replaced(manifests map[string]*Manifest) error {
	for _, m := range manifests {
		if slices.Contains(m.Replaced, s.id) {
			return fmt.Errorf(
				"nothing is published: this run was published, and another one has replaced it since: %s",
				m.RunID,
			)
		}
	}
	return nil
}

// fragment reads what a shard has left; it has no report if the shard has not ended.
func (s *Shared) fragment(
	ctx context.Context, i, shards int, names map[string]time.Time,
) (*Fragment, error) {
	f, name := &Fragment{}, s.of(i, ".json")
	if _, isThere := names[name]; !isThere {
		return f, s.failure(ctx, i, names)
	}
	if err := s.read(ctx, name, f); err != nil {
		return nil, ifDamaged(err, s.anew())
	}
	if f.Report == nil {
		// It has just gone.
		return f, nil
	}
	if f.Shards != shards {
		return nil, fmt.Errorf("%w: %d, not %d", ErrShards, f.Shards, shards)
	}
	if f.Shard != i {
		return nil, fmt.Errorf("%s: it belongs to shard %d; %s", name, f.Shard, s.anew())
	}
	if err := f.check(s.id); err != nil {
		return nil, fmt.Errorf("%s: %w; %s", name, err, s.anew())
	}
	return f, nil
}

// failure is how a shard without a fragment has failed for good, nil if it has not.
func (s *Shared) failure(ctx context.Context, i int, names map[string]time.Time) error {
	name := s.of(i, ".failed")
	if _, hasFailed := names[name]; !hasFailed {
		return nil
	}
	n := &NotReady{Shards: strconv.Itoa(i)}
	if err := s.read(ctx, name, &n.Status); err != nil {
		return err
	}
	return n
}

// ifDamaged adds to an error what to do about a text that was changed or cut. A text that cannot be read at the moment is
// a good one: nobody is to remove it.
func ifDamaged(err error, advice string) error {
	if errors.Is(err, errDamaged) {
		return fmt.Errorf("%w; %s", err, advice)
	}
	return err
}

// anew says how a run whose publishing has not begun can be done again.
func (s *Shared) anew() string {
	return fmt.Sprintf(
		"nothing is published: remove what is left with sluice sweep %s --abort --run-id %s, "+
			"and run all shards again",
		s.place.URI, s.id,
	)
}
