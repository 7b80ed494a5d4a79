package report

import (
	"fmt"
	"slices"
	"time"
)

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
			return d.refused(last.FinishedAt), fmt.Errorf("shard %d was run by sluice %s, which does not record what the "+
				"answers say: publish with that version, or run all shards again with this one", i, part.Version)
		}
		if judge != nil && part.isOfOtherForm() {
			return d.refused(last.FinishedAt), fmt.Errorf("shard %d was run by sluice %s, which records what "+
				"the answers say in format %d. This version reads format %d: publish with that version, "+
				"or run all shards again with this one",
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

// isSilent tells whether a shard has jobs but no record of their answers, as shards of older versions.
func (r *Report) isSilent() bool {
	if r.Shard == nil || len(r.Shard.Jobs) == 0 {
		return false
	}
	isTold := func(j ShardJob) bool { return len(j.Facts) > 0 }
	return !slices.ContainsFunc(r.Shard.Jobs, isTold)
}

// isOfOtherForm tells whether a shard has recorded its answers in a format that this program cannot judge.
func (r *Report) isOfOtherForm() bool {
	return r.Shard != nil && len(r.Shard.Jobs) > 0 && r.Shard.Form != ShardForm
}

// sum adds what a shard reports.
func (d *Draft) sum(part *Report) {
	for _, p := range part.Jobs {
		j := d.Job(p.ID)
		j.Add(p)
		j.ended(p.StopReason, p.Verdict)
		if p.Reason != "" && p.Verdict > j.known.Verdict {
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

// lost says why the job has failed although no shard has; nil: it has not.
func (t *Tally) lost() error {
	for i := range t.Findings {
		if err := t.Findings[i].Err(); err != nil {
			return err
		}
	}
	return nil
}
