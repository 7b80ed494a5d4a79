package commit

import (
	"context"
	"sync"

	"sluice/pipeline"
	"sluice/sink/target"
)

// Abandon ends objects that are sealed, or are about to be.
func Abandon(ctx context.Context, store target.Store, objects []target.Sealed) error {
	return each(ctx, objects, func(ctx context.Context, _ int, o target.Sealed) error {
		return store.Abandon(ctx, o)
	})
}

// each does something with all objects, several at a time.
func each(
	ctx context.Context, objects []target.Sealed, do func(ctx context.Context, i int, o target.Sealed) error,
) error {
	const atOnce = 16
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	slots := make(chan struct{}, atOnce)
	var working sync.WaitGroup
	for i, o := range objects {
		slots <- struct{}{}
		working.Go(func() {
			defer func() { <-slots }()
			err := context.Cause(ctx)
			if err == nil {
				err = CheckName(o.Name)
			}
			if err == nil {
				err = pipeline.Guard(func() error { return do(ctx, i, o) })
			}
			if err != nil {
				fail(err)
			}
		})
	}
	working.Wait()
	return context.Cause(ctx)
}
