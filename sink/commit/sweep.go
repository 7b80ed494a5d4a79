package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sluice/sink/target"
)

// Sweep lists the sharded runs that nobody has published, or that of an id alone. It ends those of which the
// last text was written before a time, with what is sealed, unless their publishing has begun. What was found
// is returned also with an error.
func Sweep(
	ctx context.Context, at target.Store, place, id string, before time.Time,
) ([]target.Leftover, error) {
	runs, err := at.List(ctx, texts)
	if err != nil {
		return nil, err
	}
	var found []target.Leftover
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		isWanted := id == "" || run == textsOf(id)
		if !isWanted || !strings.HasSuffix(run, "/") {
			continue
		}
		s := &Shared{store: at, place: SharedPlace{URI: place}, names: run}
		left, err := s.sweep(ctx, before, id != "")
		found = append(found, left)
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// sweep ends one run. That its publishing has begun is an error if somebody has named it.
func (s *Shared) sweep(ctx context.Context, before time.Time, isNamed bool) (target.Leftover, error) {
	left := target.Leftover{URI: strings.TrimSuffix(s.place.URI, "/") + "/" + s.names}
	names, err := s.store.List(ctx, s.names)
	if err != nil {
		return left, err
	}
	if len(names) > 0 {
		left.Since = slices.MaxFunc(slices.Collect(maps.Values(names)), time.Time.Compare)
	}
	if !left.Since.Before(before) {
		return left, nil
	}
	_, isPublishing := names[s.commitName()]
	switch {
	case !isPublishing:
		err = s.abandon(ctx, names)
		left.Removed = err == nil
	case isNamed:
		err = fmt.Errorf("%s: its publishing has begun, and only sluice publish can end that", left.URI)
	}
	return left, err
}

// abandon ends what the shards of a run have sealed, and its texts.
func (s *Shared) abandon(ctx context.Context, names map[string]time.Time) error {
	for name := range names {
		if err := s.abandonIn(ctx, name); err != nil {
			return err
		}
	}
	return s.Forget(ctx)
}

// abandonIn ends what a text of the run names. What a damaged one names goes by its age.
func (s *Shared) abandonIn(ctx context.Context, name string) error {
	objects, err := s.objects(ctx, name)
	if errors.Is(err, errDamaged) {
		return nil
	}
	if err != nil {
		return err
	}
	return Abandon(ctx, s.store, objects)
}

// objects are those that a text of the run names.
func (s *Shared) objects(ctx context.Context, name string) ([]target.Sealed, error) {
	switch {
	case strings.HasSuffix(name, ".json"):
		var f Fragment
		err := s.read(ctx, name, &f)
		return f.Objects, err
	case strings.HasSuffix(name, ".upload"):
		var u target.Sealed
		err := s.read(ctx, name, &u)
		if u.Name == "" {
			// It has just gone, or cannot be read.
			return nil, err
		}
		return []target.Sealed{u}, err
	}
	return nil, nil
}

// Forget removes all texts of the run, the commit last: nobody needs them once everything is in place. It ends
// what publishing that was killed has left of its own, and the uploads that attempts at shards have noted and
// left.
func (s *Shared) Forget(ctx context.Context) error {
	// This text goes first: a shard that notes an upload later then sees that the run is over, see Note.
	if err := s.store.Remove(ctx, s.runName()); err != nil {
		return err
	}
	if err := s.forgetTexts(ctx); err != nil {
		return err
	}
	if err := s.empty.End(ctx); err != nil {
		return err
	}
	// Hidden files beside the manifest and the texts.
	manifest := cmp.Or(s.manifest, manifestStem+".json")
	if err := target.EndEarlier(ctx, s.store, manifest, s.runName(), s.noteName()); err != nil {
		return err
	}
	if !strings.Contains(s.place.URI, "://") {
		// A folder in which another process writes stays: it is not empty.
		_ = os.Remove(filepath.Join(s.place.URI, s.names))
		_ = os.Remove(filepath.Join(s.place.URI, texts))
	}
	return nil
}

// forgetTexts removes the texts, and ends the uploads that they note.
func (s *Shared) forgetTexts(ctx context.Context) error {
	names, err := s.store.List(ctx, s.names)
	if err != nil {
		return err
	}
	delete(names, s.commitName())
	for name := range names {
		if strings.HasSuffix(name, ".upload") {
			if err := s.abandonIn(ctx, name); err != nil {
				return err
			}
		}
		if err := s.store.Remove(ctx, name); err != nil {
			return err
		}
	}
	return s.store.Remove(ctx, s.commitName())
}
