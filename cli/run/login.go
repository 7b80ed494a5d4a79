package run

import (
	"context"
	"fmt"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

// A LoggingIn is what a command needs that has a person log in.
type LoggingIn struct {
	// Told what happens.
	Observer pipeline.Observer

	// Ready refuses, before anything is asked for, what does not go together.
	Ready func(*source.Consent) error

	// Ask has the person log in.
	Ask func(context.Context, *source.Consent) error

	// Try does what a run begins with; what the login gave is at --tokens then.
	Try func(context.Context, *source.Source) error
}

// Login has a person log in. What that gives goes to --tokens, where a run finds it, and is tried.
func Login(
	ctx context.Context,
	w *World,
	secrets *secret.Set,
	o Options,
	l LoggingIn,
	p *config.Problems,
) error {
	tokens, err := OpenTokens(ctx, w, secrets, o)
	if err != nil {
		return err
	}
	defer tokens.Close()
	looking := LookOptions{Observer: l.Observer, Asks: true, Tokens: tokens}
	src, err := Look(ctx, w, secrets, o, looking, p)
	if err != nil {
		return err
	}
	c := src.Consent(ctx)
	if c == nil {
		return Usagef("%s does not say how a person logs in: it needs api.authentication.authorize", o.Input.name())
	}
	if err := l.Ready(c); err != nil {
		return AsUsage(err)
	}
	if err := c.Rehearse(); err != nil {
		return err
	}
	if err := l.Ask(ctx, c); err != nil {
		return err
	}
	if err := l.Try(ctx, src); err != nil {
		return fmt.Errorf("the login worked, and what it gave is at --tokens, but a run would fail: %w", err)
	}
	return nil
}
