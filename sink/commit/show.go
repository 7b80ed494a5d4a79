package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/sink/target"
)

// stand tells whether all that shards have sealed can be published, or is; if not, advice says what to do.
func (s *Shared) stand(ctx context.Context, c *commit, advice string) error {
	return each(ctx, c.Objects, func(ctx context.Context, _ int, o target.Sealed) error {
		err := s.stands(ctx, o)
		if errors.Is(err, errGone) || errors.Is(err, target.ErrChanged) {
			return fmt.Errorf("%w; %s", err, advice)
		}
		return err
	})
}

var errGone = errors.New(
	"what a shard has sealed is gone: a sweep or a lifecycle rule has ended it, or another run has replaced it")

// stands is stand for one object.
func (s *Shared) stands(ctx context.Context, o target.Sealed) error {
	isThere, err := s.store.Stands(ctx, o)
	if err != nil {
		return err
	}
	if !isThere {
		return fmt.Errorf("%s: %w", o.Name, errGone)
	}
	if !s.Verify {
		return nil
	}
	err = s.verify(ctx, o)
	if errors.Is(err, fs.ErrNotExist) {
		// An upload can be read once it is complete.
		return nil
	}
	return err
}

// verify reads back what a shard has sealed.
func (s *Shared) verify(ctx context.Context, o target.Sealed) error {
	sum, err := s.store.Sum(ctx, o)
	if err == nil && sum != o.SHA256 {
		return fmt.Errorf(
			"%s: its SHA-256 is %s, and %s was sealed: %w", o.Name, sum, o.SHA256, target.ErrChanged)
	}
	return err
}

// show makes visible what was decided, by this very process if isOwn, and enters what is. If that fails, no manifest
// of another run stays that lists what this one has replaced.
func (s *Shared) show(ctx context.Context, c *commit, isOwn bool, visible []bool) error {
	err := s.showAll(ctx, c, isOwn, visible)
	if err == nil {
		return nil
	}
	const patience = 10 * time.Second
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer stop()
	return errors.Join(err, s.takeBack(ctx, c))
}

// showAll is show for where nobody else publishes at the same place.
func (s *Shared) showAll(ctx context.Context, c *commit, isOwn bool, visible []bool) error {
	if !isOwn {
		// What this process has not looked at may be gone since.
		if err := s.stand(ctx, c, s.startOver()); err != nil {
			return err
		}
	}
	goesOn, err := s.goesOn(ctx, c, isOwn)
	if err != nil {
		return err
	}
	if !goesOn {
		return s.overtaken(ctx)
	}
	m := Manifest{c.Report, c.Replaced}
	text, err := m.Text()
	if err != nil {
		return err
	}
	if err := s.removeEarlier(ctx, c.Manifest); err != nil {
		return err
	}
	err = s.finish(ctx, c, visible)
	if errors.Is(err, target.ErrChanged) {
		return fmt.Errorf("%w; %s; %s", err, c.shown(visible), s.startOver())
	}
	if err != nil {
		return err
	}
	if err := s.removeStale(ctx, c); err != nil {
		return err
	}
	if err := s.noteManifest(ctx, c.Manifest); err != nil {
		return err
	}
	err = s.store.Put(ctx, c.Manifest, text)
	if errors.Is(err, fs.ErrExist) {
		return s.overtaken(ctx)
	}
	if err != nil {
		return err
	}
	return s.unmixed(ctx, c, visible)
}

// unmixed makes sure, once the manifest stands, that all objects are still those of this run where another one is
// being published, too. If not, no manifest stays. A run that replaces one later finds the manifest, see takeBack.
func (s *Shared) unmixed(ctx context.Context, c *commit, visible []bool) error {
	others, err := s.begun(ctx, c.Manifest)
	if err != nil || len(others) == 0 {
		return err
	}
	isMixed := false
	var mu sync.Mutex
	err = each(ctx, c.Objects, func(ctx context.Context, i int, o target.Sealed) error {
		shows, err := s.store.Shows(ctx, o)
		mu.Lock()
		defer mu.Unlock()
		visible[i] = shows
		isMixed = isMixed || !shows
		return err
	})
	if err != nil || !isMixed {
		return err
	}
	if err := s.store.Remove(ctx, c.Manifest); err != nil {
		return err
	}
	return fmt.Errorf("another run has replaced outputs while this one was published; %s; %s",
		c.shown(visible), s.startOver())
}

// takeBack removes the manifest of another run if this one has shown or removed outputs since that one was published.
func (s *Shared) takeBack(ctx context.Context, c *commit) error {
	other, err := readManifest(ctx, s.store, c.Manifest)
	if err != nil || other == nil || other.RunID == s.id {
		return err
	}
	isMixed, err := s.isMixed(ctx, c, other)
	if err != nil || !isMixed {
		return err
	}
	if err := s.store.Remove(ctx, c.Manifest); err != nil {
		return err
	}
	return fmt.Errorf("what is visible is of this run and of %s, which was published meanwhile: the manifest %s is "+
		"removed, and the next published run replaces all of it", other.RunID, c.Manifest)
}

// isMixed tells whether outputs of this run are visible beside those of the manifest of another one, or in their place,
// or whether this one has removed some of these.
func (s *Shared) isMixed(ctx context.Context, c *commit, other *Manifest) (bool, error) {
	sums := map[string]string{}
	isAlike := false
	likeOwn := c.likeNames()
	for _, o := range other.Outputs {
		name := c.nameOf(o)
		sums[name] = o.SHA256
		isAlike = isAlike || likeOwn.MatchString(name)
	}
	for _, o := range c.Objects {
		sum, isListed := sums[o.Name]
		isOther := isListed && sum != o.SHA256
		isBeside := !isListed && isAlike
		if !isOther && !isBeside {
			continue
		}
		shows, err := s.store.Shows(ctx, o)
		if err != nil || shows {
			return shows, err
		}
	}
	for _, o := range c.Stale {
		if _, isListed := sums[o.Name]; !isListed {
			continue
		}
		there, err := s.store.Head(ctx, o.Name, 1)
		if err != nil || there == nil {
			return there == nil, err
		}
	}
	return false, nil
}

// startOver says what to do about a run whose publishing has begun and cannot be finished.
func (s *Shared) startOver() string {
	return fmt.Sprintf(
		"this run can no longer be published, and its visible outputs have no manifest: run all shards again "+
			"with another --run-id, and publish that. To clean up, remove %[3]s%[4]s, then run sluice sweep "+
			"%[1]s --abort --run-id %[2]s",
		s.place.URI, s.id, s.place.URI, s.commitName(),
	)
}

// shown says which objects are visible.
func (c *commit) shown(visible []bool) string {
	var names []string
	for i, o := range c.Objects {
		if visible[i] {
			names = append(names, o.Name)
		}
	}
	if names == nil {
		return "no output is visible"
	}
	return fmt.Sprintf(
		"%d of %d outputs are visible: %s",
		len(names), len(visible), pipeline.Shorten(strings.Join(names, ", "), 300))
}

// goesOn tells whether no other process has published the run since this one has read or written the commit.
func (s *Shared) goesOn(ctx context.Context, c *commit, isOwn bool) (bool, error) {
	if isOwn {
		return s.alone(ctx, c)
	}
	return s.committed(ctx)
}

// removeEarlier makes the manifest of an earlier run go away. Where nothing is, another process may put that of
// this very run at any moment, so nothing is removed. Where one is, another process may replace it between the
// two requests: then this process takes away the manifest of this run, and puts it again at the end, unless it
// dies before that.
func (s *Shared) removeEarlier(ctx context.Context, name string) error {
	text, err := s.store.Head(ctx, name, longestText)
	if err != nil || text == nil {
		return err
	}
	earlier := parseManifest(text)
	if earlier != nil && earlier.RunID == s.id {
		return nil
	}
	return s.store.Remove(ctx, name)
}

// finish makes all objects visible, and enters those that are.
func (s *Shared) finish(ctx context.Context, c *commit, visible []bool) error {
	return each(ctx, c.Objects, func(ctx context.Context, i int, o target.Sealed) error {
		if err := s.store.Finish(ctx, o); err != nil {
			return err
		}
		visible[i] = true
		if s.Verify {
			return s.verify(ctx, o)
		}
		return nil
	})
}

// committed tells whether the commit is there: who publishes removes it at the end.
func (s *Shared) committed(ctx context.Context) (bool, error) {
	return s.isThere(ctx, s.commitName())
}

// alone tells whether no other process had published the run before this one wrote its commit. A process that publishes
// removes the fragments. If they are gone, the commit is removed again.
func (s *Shared) alone(ctx context.Context, c *commit) (bool, error) {
	names, err := s.store.List(ctx, s.names)
	if err != nil {
		return false, err
	}
	for i := range c.Shards {
		if _, isThere := names[s.of(i, ".json")]; !isThere {
			return false, s.store.Remove(ctx, s.commitName())
		}
	}
	return true, nil
}

// removeStale removes what an earlier run has under the names of this one with other numbers.
func (s *Shared) removeStale(ctx context.Context, c *commit) error {
	return each(ctx, c.Stale, func(ctx context.Context, _ int, o target.Sealed) error {
		goesOn, err := s.committed(ctx)
		if err != nil || !goesOn {
			// If the commit is gone, another process has removed these objects, and what has their names now belongs to
			// a later run.
			return err
		}
		return s.store.Remove(ctx, o.Name)
	})
}

// overtaken tells whether it is this run that another process has published meanwhile.
func (s *Shared) overtaken(ctx context.Context) error {
	r, err := s.published(ctx)
	if err != nil || r != nil {
		return err
	}
	return errors.New(
		"another process has published this run meanwhile, and another run has replaced it since")
}
