package pipeline

// Merge is the report of a run of which all have done a part.
func Merge(all []*Report) *Report {
	head := Report{Version: all[0].Version, RunID: all[0].RunID, Incremental: all[0].Incremental, StartedAt: all[0].StartedAt}
	for _, j := range all[0].Jobs {
		head.Jobs = append(head.Jobs, JobReport{ID: j.ID, DataType: j.DataType})
	}
	r, finished := NewReporter(head), all[0].FinishedAt
	for _, part := range all {
		if part.StartedAt.Before(r.report.StartedAt) {
			r.report.StartedAt = part.StartedAt
		}
		if part.FinishedAt.After(finished) {
			finished = part.FinishedAt
		}
		r.report.Outputs = append(r.report.Outputs, part.Outputs...)
		r.note("", part.Warnings, nil)
		for _, j := range part.Jobs {
			r.job(j.ID).sum(j)
			r.note(j.ID, j.Warnings, j.Expected)
		}
	}
	return r.Succeeded(finished)
}

func (r *Reporter) note(job string, warned, expected []string) {
	for _, text := range warned {
		r.notes[job].warned.add(text)
	}
	for _, text := range expected {
		r.notes[job].expected.add(text)
	}
}

// sum enters a part. Of all the first of the worst gives the reason.
func (j *JobReport) sum(part JobReport) {
	if j.StopReason == "" || part.Verdict > j.Verdict {
		j.StopReason, j.Verdict = part.StopReason, part.Verdict
	}
	j.Add(part)
}
