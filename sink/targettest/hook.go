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
	return &hooked{t, func(ctx context.Context, operation string) error {
		counts[operation]++
		return h(ctx, operation, counts[operation])
	}}
}

type hooked struct {
	target.Target
	before func(ctx context.Context, operation string) error
}

func (h *hooked) Create(ctx context.Context, name string) (target.Object, error) {
	if err := h.before(ctx, "create"); err != nil {
		return nil, err
	}
	o, err := h.Target.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	return object{o, h.before}, nil
}

func (h *hooked) Remove(ctx context.Context, name string) error {
	if err := h.before(ctx, "remove"); err != nil {
		return err
	}
	return h.Target.Remove(ctx, name)
}

func (h *hooked) Close() error {
	if c, ok := h.Target.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

type object struct {
	target.Object
	before func(ctx context.Context, operation string) error
}

func (o object) Write(ctx context.Context, p []byte) error {
	if err := o.before(ctx, "write"); err != nil {
		return err
	}
	return o.Object.Write(ctx, p)
}

func (o object) Seal(ctx context.Context) error {
	if err := o.before(ctx, "seal"); err != nil {
		return err
	}
	return o.Object.Seal(ctx)
}

func (o object) Publish(ctx context.Context) error {
	if err := o.before(ctx, "publish"); err != nil {
		return err
	}
	return o.Object.Publish(ctx)
}
