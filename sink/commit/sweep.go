package commit

import (
	"context"
	"errors"
	"fmt"
	"maps"
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

// Abandon ends objects that are sealed, or are about to be.
func Abandon(ctx context.Context, store target.Store, objects []target.Sealed) error {
	return each(ctx, objects, func(ctx context.Context, _ int, o target.Sealed) error {
		return store.Abandon(ctx, o)
	})
}
