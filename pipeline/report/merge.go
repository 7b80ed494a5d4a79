package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// ShardForm is the form in which shards of this program tell of their answers: it counts up when a member of that changes its
// meaning, or goes, or when judging needs another one.
const ShardForm = 1

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
	Seams *Seams `json:"seams,omitempty"`

	// What its answers were and said.
	Facts json.RawMessage `json:"facts,omitempty"`

	// Of a window: hash of the first page that the shard asked for; 0: it says nothing.
	Opening uint64 `json:"opening,omitempty"`
}

// refused is the report of shards that must not be published. Where nothing else lowers its verdict it is that of a run that
// failed: it is not complete.
func (d *Draft) refused(at time.Time) *Report {
	if r := d.Succeeded(at); r.Verdict != Complete {
		return r
	}
	return d.failed(at)
}

// failed is the report of a run that failed when all its shards had ended.
func (d *Draft) failed(at time.Time) *Report {
	d.done = false
	return d.Failed("", at)
}

// Merge is the report of a run of which each of all is that of a shard: their counts are summed, and their walks,
// findings and facts judged together by judge, if it is not nil. warn is told what no shard alone could know, of
// which job, and when the last of them ended. An error says that the run must not be published: its report is that of a
// run that failed.
func Merge(all []*Report, judge Judge, warn func(job string, r Remark, at time.Time)) (*Report, error) {
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
	slices.SortStableFunc(head.Resumed, func(a, b Continuation) int { return a.At.Compare(b.At) })
	d := NewDraft(head)
	for i, part := range all {
		if judge != nil && part.isSilent() {
			return d.refused(last.FinishedAt), fmt.Errorf("shard %d was run by sluice %s, which tells nothing of its answers: "+
				"publish with that version, or run all shards again with this one", i, part.Version)
		}
		if judge != nil && part.isOfOtherForm() {
			return d.refused(last.FinishedAt), fmt.Errorf("shard %d was run by sluice %s, which tells of its answers in form %d, and "+
				"this one reads form %d: publish with that version, or run all shards again with this one",
				i, part.Version, part.Shard.Form, ShardForm)
		}
		d.sum(part)
	}
	for _, j := range head.Jobs {
		tally := d.Job(j.ID)
		if judge != nil {
			grounds, err := judge(tally.shared(all), tally.endedBy, func(r Remark) {
				tally.Warn(r)
				warn(j.ID, r, last.FinishedAt)
			})
			if err != nil {
				return d.refused(last.FinishedAt), fmt.Errorf("%w: job %s: %w", ErrNotComplete, j.ID, err)
			}
			tally.Grounds.Add(grounds)
		}
		if err := tally.lost(); err != nil {
			// So does a process alone.
			return d.failed(last.FinishedAt), fmt.Errorf("job %s: %w", j.ID, err)
		}
	}
	return d.Succeeded(last.FinishedAt), nil
}

// isSilent tells whether a shard has jobs and tells nothing of their answers, as those of older versions.
func (r *Report) isSilent() bool {
	if r.Shard == nil || len(r.Shard.Jobs) == 0 {
		return false
	}
	isTold := func(j ShardJob) bool { return len(j.Facts) > 0 }
	return !slices.ContainsFunc(r.Shard.Jobs, isTold)
}

// isOfOtherForm tells whether a shard tells of its answers in a form that this program does not judge.
func (r *Report) isOfOtherForm() bool {
	return r.Shard != nil && len(r.Shard.Jobs) > 0 && r.Shard.Form != ShardForm
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
		j.Facts = append(j.Facts, p.Facts...)
	}
}

// shared is what all shards tell of the job.
func (t *Tally) shared(all []*Report) *SharedJob {
	j := &SharedJob{ID: t.ID, Shards: len(all)}
	for shard, part := range all {
		if part.Shard == nil {
			continue
		}
		for _, e := range part.Shard.Walks {
			if e.Job == t.ID {
				j.Walks = append(j.Walks, ShardWalk{WalkEnd: e, Shard: shard})
			}
		}
		for _, p := range part.Shard.Jobs {
			if p.ID == t.ID {
				j.add(p)
			}
		}
	}
	return j
}

// endedBy enters how a walk ended, by the shard that saw its end.
func (t *Tally) endedBy(s Stop) {
	v := s.Reason.AtLeast(s.Verdict)
	if v >= t.Verdict {
		t.StopReason = s.Reason
	}
	t.Verdict = max(t.Verdict, v)
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
