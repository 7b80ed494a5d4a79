package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// A ShardReport is what a shard leaves beside its report, for who judges all shards together ([Merge]).
type ShardReport struct {
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
	Seams *Seams `json:"seams,omitempty"`

	// Of a window: hash of the first page that the shard asked for; 0: it says nothing.
	Opening uint64 `json:"opening,omitempty"`
}

// SameWindows is the warning of a job all of whose windows begin alike.
const SameWindows = "all windows begin with the same items: the API may ignore the parameters that have " +
	"the window, and items come twice; if they are the same, set trustEnd"

// Merge is the report of a run of which each of all is that of a shard: their counts are summed, and their
// walks and findings judged together. warn is told what no shard alone could know, of which job, and when the
// last of them ended. An error says that the run must not be published.
func Merge(all []*Report, warn func(job string, r Remark, at time.Time)) (*Report, error) {
	first := slices.MinFunc(all, func(a, b *Report) int { return a.StartedAt.Compare(b.StartedAt) })
	last := slices.MaxFunc(all, func(a, b *Report) int { return a.FinishedAt.Compare(b.FinishedAt) })
	head := Report{
		Version:     all[0].Version,
		RunID:       all[0].RunID,
		Date:        all[0].Date,
		Incremental: all[0].Incremental,
		StartedAt:   first.StartedAt,
	}
	for _, j := range all[0].Jobs {
		head.Jobs = append(head.Jobs, JobReport{ID: j.ID, DataType: j.DataType})
	}
	for _, part := range all {
		head.Resumed = append(head.Resumed, part.Resumed...)
		head.Outputs = append(head.Outputs, part.Outputs...)
	}
	slices.SortStableFunc(head.Resumed, func(a, b Attempt) int { return a.At.Compare(b.At) })
	d := NewDraft(head)
	for _, part := range all {
		d.sum(part)
	}
	for _, j := range head.Jobs {
		tally := d.Job(j.ID)
		err := tally.judge(all, func(r Remark) {
			tally.Warn(r)
			warn(j.ID, r, last.FinishedAt)
		})
		if err != nil {
			return d.Succeeded(last.FinishedAt), fmt.Errorf("%w: job %s: %w", ErrNotComplete, j.ID, err)
		}
		if err := tally.lost(); err != nil {
			return d.Succeeded(last.FinishedAt), fmt.Errorf("job %s: %w", j.ID, err)
		}
	}
	return d.Succeeded(last.FinishedAt), nil
}

// sum adds what a shard reports.
func (d *Draft) sum(part *Report) {
	for _, p := range part.Jobs {
		j := d.Job(p.ID)
		j.Add(p)
		j.ended(p.StopReason, p.Verdict)
		isWorse := p.Reason != "" && p.Verdict > j.known.Verdict
		if isWorse {
			j.known = Warning{Text: p.Reason, Verdict: p.Verdict}
		}
	}
	if part.Shard == nil {
		return
	}
	run := d.Job("")
	run.Warned.merge(part.Shard.Warnings)
	run.Verdict = max(run.Verdict, run.Warned.worst().Verdict)
	for _, p := range part.Shard.Jobs {
		j := d.Job(p.ID)
		j.Warned.merge(p.Warnings)
		j.Told.merge(p.Expected)
		for i, f := range p.Findings {
			if i == len(j.Findings) {
				j.Findings = append(j.Findings, Findings{})
			}
			j.Findings[i].Add(f)
		}
	}
}

// judge judges a job by the walks and findings of all shards.
func (t *Tally) judge(all []*Report, warn func(Remark)) error {
	walks := map[int][]WalkEnd{}
	// By the shards whose first pages are to be compared.
	openings := map[int]map[uint64]bool{}
	for shard, part := range all {
		if part.Shard == nil {
			continue
		}
		for _, e := range part.Shard.Walks {
			if e.Job != t.ID {
				continue
			}
			walks[e.Walk] = append(walks[e.Walk], e)
			lane := -1
			if e.Stride || e.Whole {
				lane = shard
			}
			if openings[lane] == nil {
				openings[lane] = map[uint64]bool{}
			}
			openings[lane][e.Opening] = true
		}
	}
	var again int64
	for _, place := range slices.Sorted(maps.Keys(walks)) {
		if err := t.judgeWalk(walks[place], len(all), warn); err != nil {
			return err
		}
		again += judgeSeams(walks[place], warn)
	}
	if again > 0 {
		// Of several documents together.
		t.Findings = slices.Insert(t.Findings, 0, Findings{Again: again})
	}
	if len(walks) > 1 && alike(openings) {
		warn(Remark{Text: SameWindows, Verdict: Unverified})
	}
	for _, f := range t.Findings {
		for _, w := range f.Warnings() {
			warn(w)
		}
	}
	return nil
}

// lost is why the job has failed although each shard ended well.
func (t *Tally) lost() error {
	for i := range t.Findings {
		if err := t.Findings[i].Err(); err != nil {
			return err
		}
	}
	return nil
}

// alike tells whether all windows begin with the same items, wherever the same pages of them were seen.
func alike(openings map[int]map[uint64]bool) bool {
	known := false
	for _, seen := range openings {
		if len(seen) > 1 {
			return false
		}
		known = known || !seen[0]
	}
	return known
}

// judgeWalk judges one walk of the job.
func (t *Tally) judgeWalk(walk []WalkEnd, shards int, warn func(Remark)) error {
	slices.SortFunc(walk, func(a, b WalkEnd) int { return a.Page - b.Page })
	if walk[0].Whole && !readAlike(walk, shards) {
		warn(Remark{Verdict: Unverified, Text: "the shards read other items than each other: some were added " +
			"or removed meanwhile, so items and what is below them may be missing or come twice"})
	}
	end := endOf(walk)
	for i, s := range walk {
		if i > 0 && s.repeats(walk[i-1]) {
			return fmt.Errorf("pages %d and %d hold the same items, which stand in the data twice: "+
				"where an API gives its last page again, run without --shard", walk[i-1].Page, s.Page)
		}
		switch {
		case s.Provisional != "" && s.End <= end:
			text := fmt.Sprintf("page %d could not be had, and no shard saw the end before it: %s",
				s.End, s.Provisional)
			warn(Remark{Verdict: Incomplete, Text: text})
		case s.Stride && s.Page > end:
			text := fmt.Sprintf("page %d holds items too, although page %d ended the walk: items are missing",
				s.Page, end)
			warn(Remark{Verdict: Incomplete, Text: text})
		case s.End == end:
			t.endsBy(s, warn)
		}
	}
	return nil
}

// readAlike tells whether every shard read the same items of a walk that is not divided.
func readAlike(walk []WalkEnd, shards int) bool {
	differs := func(e WalkEnd) bool { return e.Items != walk[0].Items || e.Hash != walk[0].Hash }
	return len(walk) == shards && !slices.ContainsFunc(walk, differs)
}

// endOf is the first page that ended a walk, the greatest number there is if no shard is sure of one.
func endOf(walk []WalkEnd) int {
	end := math.MaxInt
	for _, e := range walk {
		if e.Provisional == "" {
			end = min(end, e.End)
		}
	}
	return end
}

// repeats tells whether the last page of a stride has the items of that of another.
func (e *WalkEnd) repeats(other WalkEnd) bool {
	if !e.Stride || e.Page <= 0 {
		return false
	}
	return e.Hash == other.Hash
}

// endsBy enters how the walk ended, by the shard that saw its end.
func (t *Tally) endsBy(s WalkEnd, warn func(Remark)) {
	v := s.Stop.Reason.atLeast(s.Stop.Verdict)
	if v >= t.Verdict {
		t.StopReason = s.Stop.Reason
	}
	t.Verdict = max(t.Verdict, v)
	for _, one := range s.Warnings {
		warn(Remark{Text: one.Text, Verdict: one.Verdict})
	}
}
