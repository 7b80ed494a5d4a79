package job

// An EarlierRuns is what earlier runs have left in --state for this one. Nothing changes it.
type EarlierRuns struct {
	// PreviousStarts are in Unix seconds by the id of the job, under the empty one
	// those of all others; nil: no --state.
	PreviousStarts map[string]int64 `json:"previousStarts"`
	// Lasts are values of the function last; nil: no --state.
	Lasts Lasts `json:"lasts"`
	// Parents have those of child jobs, by the id of the job.
	Parents map[string]*Parents `json:"parents,omitempty"`
	// Most are items of one page, by the id of the job: so many an API can give at once.
	Most map[string]int `json:"most,omitempty"`
	// Salt is for the parents of jobs that have none yet.
	Salt string `json:"salt,omitempty"`
}
