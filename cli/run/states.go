package run

import (
	"encoding/json"
	"time"

	"sluice/cli/view"
	"sluice/source"
)

// states is what --state holds: when the last complete run of each job began, and what it saw.
type states struct {
	// Of the last run in which all jobs were complete.
	Time *startedAt `json:"time,omitempty"`

	// By id; nil in a file of the old form.
	Jobs map[string]jobState `json:"jobs"`
}

type startedAt struct {
	// Unix seconds.
	PreviousStart int64 `json:"previousStart"`
}

// jobState is what the last run of a job saw that was complete.
type jobState struct {
	startedAt

	// The greatest number of items that a page had which was no doubtful one; 0: none had any, or an older program
	// wrote this.
	Most int `json:"most,omitempty"`

	// The greatest values of its items, by path.
	Last map[string]json.RawMessage `json:"last,omitempty"`

	// Of a child job that follows something: those of the items below each parent. nil: it follows nothing.
	Parents *source.Parents `json:"parents,omitempty"`
}

// stateInput is what a run has for the state; a shard leaves it for publishing.
type stateInput struct {
	StartedAt time.Time `json:"startedAt"`

	// Of source.Source.
	Trees [][]string `json:"trees"`

	Rest  [][]string                            `json:"rest"`
	Lasts map[string]map[string]json.RawMessage `json:"lasts"`

	// By the id of the child job.
	Parents map[string]*source.Parents `json:"parents,omitempty"`

	// By the id of the job, as jobState has it.
	Most map[string]int `json:"most,omitempty"`

	// What the page names that publishing makes.
	Subject *view.Subject `json:"subject,omitempty"`
}

// shorten leaves to a shard the part of parents that it may tell of.
func (p *stateInput) shorten(shards int) {
	for _, parents := range p.Parents {
		parents.Keep(mostOfShards / (shards * len(p.Parents)))
	}
}

// mostOfShards is of how many parents all shards of a run tell at most, so that publishing can read it.
const mostOfShards = 500_000
