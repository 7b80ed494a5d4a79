package commit

import (
	"context"
	"slices"

	"sluice/sink/target"
)

// EmptyUploads are open uploads without parts, of any process. A process leaves one if it is killed after it has begun
// an upload and before it has noted that. The zero value has none.
type EmptyUploads struct {
	store target.Store
	find  func(ctx context.Context) ([]target.Sealed, error)
	found []target.Sealed
}

// FindEmpty returns those whose names begin as prefix says and match. Those that cannot be listed stay: they
// cost nothing, and a run may not be allowed to list them.
func FindEmpty(
	ctx context.Context, t target.Target, prefix string, match func(name string) bool,
) EmptyUploads {
	b, ok := t.(interface {
		target.Store
		Empty(ctx context.Context, prefix string, match func(name string) bool) ([]target.Sealed, error)
	})
	if !ok {
		return EmptyUploads{}
	}
	e := EmptyUploads{store: b, find: func(ctx context.Context) ([]target.Sealed, error) {
		return b.Empty(ctx, prefix, match)
	}}
	e.found, _ = e.find(ctx)
	return e
}

// End ends those that had no parts when they were found, and have none now. A process that is alive has sent parts
// meanwhile.
func (e EmptyUploads) End(ctx context.Context) error {
	if len(e.found) == 0 {
		return nil
	}
	now, err := e.find(ctx)
	if err != nil {
		return err
	}
	was := map[string]bool{}
	for _, u := range e.found {
		was[u.Hidden] = true
	}
	now = slices.DeleteFunc(now, func(u target.Sealed) bool { return !was[u.Hidden] })
	return Abandon(ctx, e.store, now)
}
