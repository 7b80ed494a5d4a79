package targettest

import (
	"context"
	"io"

	"sluice/sink/target"
)

// A Hook is called before each operation on a target and its objects: "create",
// "write", "seal", "publish", "remove". n counts the calls of that operation, from
// 1. If it returns an error, that is what the operation returns, undone.
type Hook func(ctx context.Context, operation string, n int) error

// Hooked returns t with a hook before each operation.
func Hooked(t target.Target, h Hook) target.Target {
	counts := map[string]int{}
	return &hooked{t, func(ctx context.Context, operation string, do func() error) error {
		counts[operation]++
		if err := h(ctx, operation, counts[operation]); err != nil {
			return err
		}
		return do()
	}}
}

type hooked struct {
	target.Target
	with func(ctx context.Context, operation string, do func() error) error
}

func (h *hooked) Create(ctx context.Context, name string) (o target.Object, err error) {
	err = h.with(ctx, "create", func() (err error) {
		o, err = h.Target.Create(ctx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &object{o, h}, nil
}

func (h *hooked) Remove(ctx context.Context, name string) error {
	return h.with(ctx, "remove", func() error { return h.Target.Remove(ctx, name) })
}

func (h *hooked) Close() error {
	if c, ok := h.Target.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

type object struct {
	target.Object
	hooked *hooked
}

func (o *object) Write(ctx context.Context, p []byte) error {
	return o.hooked.with(ctx, "write", func() error { return o.Object.Write(ctx, p) })
}

func (o *object) Seal(ctx context.Context) error {
	return o.hooked.with(ctx, "seal", func() error { return o.Object.Seal(ctx) })
}

func (o *object) Publish(ctx context.Context) error {
	return o.hooked.with(ctx, "publish", func() error { return o.Object.Publish(ctx) })
}
