package run

import (
	"fmt"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source"
)

// mostOfShards is of how many parents all shards of a run tell at most, so that publishing can read it.
const mostOfShards = 500_000

// shorten leaves to a shard the part of parents that it may tell of.
func (p *stateInput) shorten(shards int) {
	for _, parents := range p.Parents {
		parents.Keep(mostOfShards / (shards * len(p.Parents)))
	}
}

// warnFull tells of jobs that have more parents than the state keeps.
func (s *state) warnFull(r *report.Report, jobs []string) {
	for _, id := range jobs {
		text := fmt.Sprintf("last: there are more parents than --state has room for, %d for each job: "+
			"the others begin at the default each night", source.MostParents)
		at := slices.IndexFunc(r.Jobs, func(j report.JobReport) bool { return j.ID == id })
		if at >= 0 {
			r.Jobs[at].Warnings = append(r.Jobs[at].Warnings, text)
		}
		s.log.Observe(pipeline.Warned{Job: id, Text: text, At: s.world.Now()})
	}
}
