package run

import (
	"context"
	"sync/atomic"

	"sluice/pipeline"
	"sluice/sink/commit"
)

// An extraction is one run of a configuration into an output.
type extraction struct {
	process *process
	console *console
	options *Options
	beside  *beside
	journal *journal

	// Of a run of several shards, once it is joined.
	shared atomic.Pointer[commit.Shared]

	// Once the run has begun.
	reporter atomic.Pointer[pipeline.Reporter]
}

func newExtraction(p *process) *extraction {
	x := &extraction{process: p, console: p.console, options: p.options}
	x.journal = &journal{
		console:   p.console,
		path:      p.options.journalPlace(),
		every:     p.options.Journal.Every,
		streams:   isStdout(p.options.Data.Output, p.world.Stdout),
		endBeside: func(ctx context.Context) error { return x.beside.endBeside(ctx) },
	}
	return x
}
