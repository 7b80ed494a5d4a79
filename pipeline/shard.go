package pipeline

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// A WalkEnd says where one shard of a run ended a root walk, which is judged by those of all ([JudgeShards]).
type WalkEnd struct {
	Job  string `json:"job"`  // its id
	Walk int    `json:"walk"` // place among the root walks of the run, the same in every shard

	// How it is divided: Whole is walked by every shard, Stride by its pages, any other by one shard alone.
	Whole  bool `json:"whole,omitempty"`
	Stride bool `json:"stride,omitempty"`

	Stop        Stop     `json:"stop"`
	Warnings    []string `json:"warnings,omitempty"`    // of a page beyond the last of a stride, which count if the walk ends there
	Provisional string   `json:"provisional,omitempty"` // why page End of a stride could not be had, which may be the end of the walk

	Page  int    `json:"page"`           // the last with items; 0: none had any
	End   int    `json:"end"`            // the page that ended it, in a stride by which it has ended at the latest
	Items int64  `json:"items"`          // that came, of a whole walk those of other shards too
	Hash  uint64 `json:"hash,omitempty"` // in a stride of the items of Page, of a whole walk of what its items are divided by, whatever their order, of another one's window of its first page
}

// SameWindows is the warning of a job all of whose windows begin alike.
const SameWindows = "all windows begin with the same items: the API may ignore the parameters that have the window, and items come twice; if they are the same, set trustEnd"

// JudgeShards judges the walks of all shards by their ends, and enters that into r, the sum of all reports. An error
// says that the run must not be published.
func JudgeShards(r *Report, ends [][]WalkEnd) error {
	for i := range r.Jobs {
		j, walks, openings := &r.Jobs[i], map[int][]WalkEnd{}, map[uint64]bool{}
		for _, e := range slices.Concat(ends...) {
			if e.Job == j.ID {
				walks[e.Walk] = append(walks[e.Walk], e)
				if openings[e.Hash] = true; e.Whole { // each shard saw all windows
					openings[0] = true
				}
			}
		}
		for _, place := range slices.Sorted(maps.Keys(walks)) {
			if err := j.judge(walks[place], len(ends)); err != nil {
				return fmt.Errorf("%w: job %s: %w", ErrNotComplete, j.ID, err)
			}
		}
		if len(walks) > 1 && len(openings) == 1 && !openings[0] {
			j.learn(Unverified, SameWindows)
		}
		r.Verdict = max(r.Verdict, j.Verdict)
	}
	return nil
}

// judge judges one walk of the job.
func (j *JobReport) judge(walk []WalkEnd, shards int) error {
	slices.SortFunc(walk, func(a, b WalkEnd) int { return a.Page - b.Page })
	end, differs := math.MaxInt, func(s WalkEnd) bool { return s.Items != walk[0].Items || s.Hash != walk[0].Hash }
	if walk[0].Whole && (len(walk) != shards || slices.ContainsFunc(walk, differs)) {
		j.learn(Unverified, "the shards read other items than each other: some were added or removed meanwhile, so items and what is below them may be missing or come twice")
	}
	for _, s := range walk {
		if s.Provisional == "" {
			end = min(end, s.End)
		}
	}
	for i, s := range walk {
		switch {
		case s.Stride && s.Page > 0 && i > 0 && s.Hash == walk[i-1].Hash:
			return fmt.Errorf("pages %d and %d hold the same items, which stand in the data twice: where an API gives its last page again, run without --shard", walk[i-1].Page, s.Page)
		case s.Provisional != "" && s.End <= end:
			j.learn(Incomplete, fmt.Sprintf("page %d could not be had, and no shard saw the end before it: %s", s.End, s.Provisional))
		case s.Stride && s.Page > end:
			j.learn(Incomplete, fmt.Sprintf("page %d holds items too, although page %d ended the walk: items are missing", s.Page, end))
		case s.End == end:
			if s.Stop.Verdict >= j.Verdict {
				j.StopReason = s.Stop.Reason
			}
			j.learn(s.Stop.Verdict, s.Warnings...)
		}
	}
	return nil
}

// learn enters what is known only when all shards have ended.
func (j *JobReport) learn(v Verdict, warnings ...string) {
	j.Verdict, j.Warnings = max(j.Verdict, v), append(j.Warnings, warnings...)
}
