package run

import (
	"context"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
	"sluice/source/plan"
)

// LookOptions are what a command needs that only looks at a configuration.
type LookOptions struct {
	// Told what happens; nil: nobody is.
	Observer pipeline.Observer

	// What the source adds its first requests to; nil: nothing.
	Plan *plan.Plan

	// Requests will be sent.
	Asks bool

	// nil: what a login gives for the next one goes with the process.
	Tokens *Tokens
}

// Look reads a configuration up to the point where it could run. What is wrong goes to p; errors are returned too: a
// source that comes with one is of no use but for the problems.
func Look(
	ctx context.Context,
	w *World,
	secrets *secret.Set,
	o Options,
	l LookOptions,
	p *config.Problems,
) (*source.Source, error) {
	options := sourceOptions(w, secrets, o.Version)
	if l.Asks {
		var err error
		options, err = SourceOptions(w, secrets, o.Version)
		if err != nil {
			return nil, err
		}
	}
	s := &stateFile{world: w, name: o.Beside.State}
	bucket := s3Options(w, secrets, o.Bucket)
	if err := s.open(bucket); err != nil {
		return nil, err
	}
	defer s.file.close()
	remembered, err := s.memory(ctx)
	if err != nil {
		return nil, err
	}
	options.Observer, options.Plan, options.Jobs = l.Observer, l.Plan, o.Input.Jobs
	options.EarlierRuns = remembered
	docs, err := loadDocuments(ctx, w, secrets, o.Input, l.Asks, p)
	if err != nil {
		return nil, err
	}
	l.Tokens.wanted(docs, p)
	options.Tokens = l.Tokens.keeper()
	src := source.New(docs, options, p)
	return src, p.Err()
}

// SourceOptions are those of a source that is asked for no more than a look.
func SourceOptions(w *World, secrets *secret.Set, version string) (source.Options, error) {
	o := sourceOptions(w, secrets, version)
	var err error
	o.Proxy, err = findProxy(w.Getenv, secrets)
	return o, err
}

// sourceOptions are what each source gets of the world.
func sourceOptions(w *World, secrets *secret.Set, version string) source.Options {
	return source.Options{
		Network: source.Network{Secrets: secrets, Dial: w.Dial, UserAgent: "sluice/" + version},
		Now:     w.Now,
	}
}
