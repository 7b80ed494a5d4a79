package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// A Draft is a report that is being written. It is used by one goroutine at a time.
type Draft struct {
	// As it was begun; of its jobs only ids and order count.
	head Report

	// By id; what is of no known job under the empty id.
	jobs map[string]*Tally

	// The source is.
	done bool
}

// A Tally is what is known of one job so far.
type Tally struct {
	JobReport

	// Warned are its warnings, and Told what nobody needs to look into.
	Warned, Told Warnings

	// Findings of a shard, for each document of the configuration that has the job.
	Findings []Findings

	// What a shard tells of the answers of its walks, likewise.
	Facts []json.RawMessage

	// Of the walk that the stop reason is of.
	stop Verdict

	// What was known of it before: when the run began, or by a shard.
	known Warning
}

// NewDraft begins a report with its jobs, in order, of which only ID and DataType need to be set. A verdict is
// that of the configuration, with its reason, or else that of the warnings of no job.
func NewDraft(head Report) *Draft {
	head.Format = Format
	d := &Draft{head: head, jobs: map[string]*Tally{"": {}}}
	for _, j := range head.Jobs {
		d.jobs[j.ID] = &Tally{JobReport: j, known: Warning{Text: j.Reason, Verdict: j.Verdict}}
	}
	return d
}

// Job returns the tally of a job, or that of what is of no known job.
func (d *Draft) Job(id string) *Tally { return cmp.Or(d.jobs[id], d.jobs[""]) }

// Warn enters something that a person should know about the job.
func (t *Tally) Warn(r Remark) {
	if r.Expected {
		t.Told.add(Warning{Text: r.Text, Times: 1})
		return
	}
	t.Warned.add(Warning{r.Text, 1, r.Verdict})
	t.Verdict = max(t.Verdict, r.Verdict)
}

// End enters how a walk of the job has ended.
func (t *Tally) End(s Stop) {
	if s.Proof != "" {
		t.Told.add(Warning{Text: s.Proof, Times: 1})
	}
	t.ended(s.Reason, s.Verdict)
}

// ended enters how a walk has ended, or a part of the job: of the worst the greatest gives the reason, in whatever
// order they end.
func (t *Tally) ended(reason StopReason, v Verdict) {
	v = reason.AtLeast(v)
	isGreater := v == t.stop && reason > t.StopReason
	isWorse := t.StopReason == "" || v > t.stop
	if isWorse || isGreater {
		t.StopReason = reason
		t.stop = v
	}
	t.Verdict = max(t.Verdict, v)
}

// EndWalk enters where a shard has ended a root walk. The report of a run that is not divided does not have it.
func (d *Draft) EndWalk(e WalkEnd) {
	if d.head.Shard != nil {
		d.head.Shard.Walks = append(d.head.Shard.Walks, e)
	}
}

// Counts returns what each job has cost so far, by its id.
func (d *Draft) Counts() map[string]Costs {
	all := map[string]Costs{}
	for _, j := range d.head.Jobs {
		all[j.ID] = d.jobs[j.ID].Costs
	}
	return all
}

// Succeeded returns the report of a run whose source is done.
func (d *Draft) Succeeded(at time.Time) *Report {
	d.done = true
	return d.snapshot(Succeeded, "", at)
}

// Failed returns the report of a run that failed; reason must carry no secret. If the source was not done the
// run is incomplete, and so is each job that had not ended; else the verdict is that of the jobs.
func (d *Draft) Failed(reason string, at time.Time) *Report { return d.snapshot(Failed, reason, at) }

func (d *Draft) snapshot(status, reason string, at time.Time) *Report {
	s := d.head
	s.Status = status
	s.Error = reason
	s.FinishedAt = at
	run := d.jobs[""]
	s.Warnings = run.Warned.list()
	// Empty rather than null.
	s.Jobs = []JobReport{}
	s.Outputs = append([]OutputReport{}, d.head.Outputs...)
	for _, job := range d.head.Jobs {
		known := d.jobs[job.ID]
		j := known.JobReport
		j.Warnings = known.Warned.list()
		j.Expected = known.Told.list()
		if j.StopReason == "" && !d.done {
			j.StopReason = StopFailed
			j.Verdict = StopFailed.Rule().Verdict
		}
		j.Ground = j.Grounds.Weakest()
		j.Reason = known.reason(&j, run)
		if run.Verdict > j.Verdict {
			// What is doubted of the run is doubted of each of its jobs.
			j.Verdict, j.Reason = run.Verdict, run.Warned.reason()
		}
		s.Jobs = append(s.Jobs, j)
	}
	s.Verdict, s.Reason = d.verdict(s.Jobs)
	if s.Shard != nil {
		s.Shard = d.shard()
	}
	return &s
}

// shard is what the report of a shard has for publishing.
func (d *Draft) shard() *ShardReport {
	s := *d.head.Shard
	s.Walks = slices.Clone(s.Walks)
	s.Warnings = d.jobs[""].Warned
	s.Jobs = nil
	for _, j := range d.head.Jobs {
		known := d.jobs[j.ID]
		s.Jobs = append(s.Jobs, ShardJob{j.ID, known.Warned, known.Told, known.Findings, known.Facts})
	}
	return &s
}

// verdict is that of the run, and what made it.
func (d *Draft) verdict(jobs []JobReport) (Verdict, string) {
	run := d.jobs[""]
	if !d.done {
		return Incomplete, ""
	}
	worst := run.Verdict
	for _, j := range jobs {
		worst = max(worst, j.Verdict)
	}
	if worst == Complete {
		return worst, ""
	}
	if run.Verdict == worst {
		return worst, run.Warned.reason()
	}
	for _, j := range jobs {
		if j.Verdict == worst {
			return worst, j.ID + ": " + j.Reason
		}
	}
	return worst, ""
}

// reason says what made the verdict of a job, as it is reported: the first of its warnings that mean it, how it
// ended, or what was known before. run has the warnings of no job.
func (t *Tally) reason(j *JobReport, run *Tally) string {
	own, stop := t.Warned.worst(), j.StopReason.Rule()
	isDoubted := t.known.Verdict == j.Verdict
	switch {
	case j.Verdict == Complete, stop.CutShort:
		return ""
	case own.Verdict == j.Verdict:
		return t.Warned.reason()
	case stop.Verdict == j.Verdict:
		return j.StopReason.Ended()
	case isDoubted && t.known.Text == "":
		return run.Warned.reason()
	case isDoubted:
		return t.known.Text
	case own.Text != "":
		// Those that another version has left do not say what they mean.
		return t.Warned.reason()
	}
	return j.StopReason.Ended()
}
