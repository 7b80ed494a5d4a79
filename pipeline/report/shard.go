package report

import "encoding/json"

// ShardForm is the number of the format in which shards of this program record what answers say. It grows when a member
// of that changes its meaning or is removed, or when judging needs another one.
const ShardForm = 2

// A ShardReport is what a shard leaves beside its report, for who judges all shards together ([Merge]).
type ShardReport struct {
	// Form is [ShardForm], or that of the program which has written it; 0: of before there were forms.
	Form int `json:"form,omitempty"`

	Walks []WalkEnd `json:"walks,omitempty"`

	// As those of the report.
	Jobs []ShardJob `json:"jobs"`

	// Of no job.
	Warnings Warnings `json:"warnings"`

	// What it knows for --state.
	Progress json.RawMessage `json:"progress,omitempty"`
}

// A ShardJob has the warnings of a job as values, and what is no warning before all shards have ended.
type ShardJob struct {
	ID       string   `json:"id"`
	Warnings Warnings `json:"warnings"`
	Expected Warnings `json:"expected"`

	// For each document of the configuration that has the job.
	Findings []Findings `json:"findings,omitempty"`

	// What the answers of its walks were and said, likewise, but for root walks.
	Facts []json.RawMessage `json:"facts,omitempty"`
}

// A WalkEnd says where one shard of a run ended a root walk, which is judged by those of all.
type WalkEnd struct {
	// Its id.
	Job string `json:"job"`

	// Place among the root walks of the run, the same in every shard.
	Walk int `json:"walk"`

	// How it is divided: Whole is walked by every shard, Stride by its pages, any other by one shard alone.
	Whole  bool `json:"whole,omitempty"`
	Stride bool `json:"stride,omitempty"`

	Stop Stop `json:"stop"`

	// Of a page beyond the last of a stride, which count if the walk ends there.
	Warnings []Warning `json:"told,omitempty"`

	// Why page End of a stride could not be had, which may be the end of the walk.
	Provisional string `json:"provisional,omitempty"`

	// The last with items; 0: none had any.
	Page int `json:"page"`

	// The page that ended it, in a stride by which it has ended at the latest.
	End int `json:"end"`

	// That came, of a whole walk those of other shards too.
	Items int64 `json:"items"`

	// In a stride of the items of Page, of a whole walk of what its items are divided by, whatever their
	// order.
	Hash uint64 `json:"hash,omitempty"`

	// Of a stride: what its items were, for comparing with those of the other shards; nil: they say nothing.
	ShardItems *ShardItems `json:"seams,omitempty"`

	// What its answers were and said.
	Facts json.RawMessage `json:"facts,omitempty"`

	// Of a window: hash of the first page that the shard asked for; 0: it says nothing.
	Opening uint64 `json:"opening,omitempty"`
}
