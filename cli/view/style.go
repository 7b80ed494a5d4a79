package view

import "time"

const (
	bold   = "\x1b[1m"
	yellow = "\x1b[33m"
	// Ends a colour.
	plain = "\x1b[0m"

	// The most jobs that are shown.
	mostJobs = 20
	// The most columns of a job's id, and the fewest that are set aside for it.
	widestJob, narrowestJob = 24, 8
	// How long a job is shown when nothing happens to it.
	shownIdle = time.Second
)
