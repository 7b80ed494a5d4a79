package source

import (
	"context"
	"slices"

	"sluice/pipeline"
)

var _ pipeline.Source = Sequence{}

// A Sequence runs sources one after the other, into the same outputs: the
// iterations of a configuration, each with its own login.
type Sequence []*Source

// Outputs implements [pipeline.Source]: those of all, each once.
func (q Sequence) Outputs() []pipeline.Output { return q.union((*Source).Outputs) }

// Rest is what the jobs that Options.Jobs leaves out would fill.
func (q Sequence) Rest() []pipeline.Output { return q.union((*Source).Rest) }

func (q Sequence) union(outputs func(*Source) []pipeline.Output) []pipeline.Output {
	var all []pipeline.Output
	for _, s := range q {
		for _, o := range outputs(s) {
			i := slices.IndexFunc(all, func(have pipeline.Output) bool { return have.DataType == o.DataType })
			if i < 0 {
				all = append(all, o)
				continue
			}
			for _, job := range o.Jobs {
				if !slices.Contains(all[i].Jobs, job) {
					all[i].Jobs = append(all[i].Jobs, job)
				}
			}
		}
	}
	return all
}

// Roots returns the ids of the jobs of all that are below no other, each once.
func (q Sequence) Roots() []string {
	var ids []string
	for _, s := range q {
		for _, id := range s.Roots() {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Jobs returns the jobs of all, each once, for the head of the report.
func (q Sequence) Jobs() []pipeline.JobReport {
	var all []pipeline.JobReport
	for _, s := range q {
		for _, j := range s.Jobs() {
			if !slices.ContainsFunc(all, func(have pipeline.JobReport) bool { return have.ID == j.ID }) {
				all = append(all, j)
			}
		}
	}
	return all
}

// Extract implements [pipeline.Source].
func (q Sequence) Extract(ctx context.Context, emit func(*pipeline.Batch) error) error {
	for _, s := range q {
		if err := s.Extract(ctx, emit); err != nil {
			return err
		}
	}
	return nil
}
