package sink

import (
	"cmp"
	"fmt"

	"sluice/sink/commit"
	"sluice/sink/target"
)

// Share returns what the run of these options shares. It does no I/O.
func Share(o Options) (*commit.Shared, error) {
	p := &plan{options: &o, flags: map[string]string{}}
	p.locate(o.Output)
	if p.single != "" {
		return nil, fmt.Errorf(
			"%s: the shards of a run write to a folder (DIR/) or below a prefix (s3://bucket/prefix/)",
			cmp.Or(o.Output, "-"),
		)
	}
	p.reserve()
	to, err := p.open()
	if err != nil {
		return nil, err
	}
	return p.share(to), nil
}

func (p *plan) share(to target.Target) *commit.Shared {
	return commit.New(to.(target.Store), p.options.RunID, commit.Place{
		URI:   p.folder,
		Flags: p.flags,
		Path:  p.path,
	})
}
