package report

import "encoding/json"

// A SharedJob is what all shards of a run report about one job, for source/verdict, which judges it. This package only
// keeps it.
type SharedJob struct {
	ID string

	// How many there are.
	Shards int

	// What each of them tells of the root walks.
	Walks []ShardWalk

	// Of each document of the configuration that has the job.
	Documents []SharedDocument
}

// A ShardWalk is what one shard tells of a root walk.
type ShardWalk struct {
	WalkEnd
	Shard int
}

// A SharedDocument is what all shards tell of a job of one document.
type SharedDocument struct {
	Findings Findings

	// What the answers of its walks were and said, but for root walks.
	Facts []json.RawMessage
}

// add enters what one shard tells.
func (j *SharedJob) add(p ShardJob) {
	for i := range max(len(p.Findings), len(p.Facts)) {
		if i == len(j.Documents) {
			j.Documents = append(j.Documents, SharedDocument{})
		}
		if i < len(p.Findings) {
			j.Documents[i].Findings.Add(p.Findings[i])
		}
		if i < len(p.Facts) {
			j.Documents[i].Facts = append(j.Documents[i].Facts, p.Facts[i])
		}
	}
}

// A Judge judges a job by what all shards report about it, and returns the grounds of its ends. ended is told how each
// root walk has ended, and warn what is to be known. Its error says why the run must not be published.
type Judge func(job *SharedJob, ended func(Stop), warn func(Remark)) (Grounds, error)
