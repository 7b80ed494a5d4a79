package verdict

import "sluice/pipeline/report"

// The grounds: on what the end of a walk rests. A walk has the first that holds; what each means to people stands in
// the table of pipeline/report. A ground rests on what the walk itself had, and on what other answers of its job said at the same
// place: a flag that always says "no more" says nothing.

// grounds are all the grounds, the strongest first.
var grounds = []struct {
	ground report.Ground
	holds  func(s WalkShape, j *JobFacts) bool
}{
	{report.GroundTotal, func(s WalkShape, _ *JobFacts) bool { return s.Total }},
	{report.GroundPages, func(s WalkShape, _ *JobFacts) bool { return s.Count && !s.Uneven }},
	{report.GroundFlag, func(s WalkShape, j *JobFacts) bool { return isFlagged(s, j) && !s.Uneven }},
	{report.GroundNext, func(s WalkShape, j *JobFacts) bool { return hasNoNext(s, j) && !s.Uneven }},
	{report.GroundBeyond, func(s WalkShape, j *JobFacts) bool { return s.End.Beyond || s.Empty >= 2 && !j.isOther(s) }},
	{report.GroundObject, func(s WalkShape, _ *JobFacts) bool { return s.Object }},
	{report.GroundDeclared, func(s WalkShape, _ *JobFacts) bool { return s.End.Declared }},
	{report.GroundEmpty, func(s WalkShape, j *JobFacts) bool { return s.Empty > 0 && !j.isOther(s) }},
	{report.GroundUneven, func(s WalkShape, j *JobFacts) bool { return s.Count || isFlagged(s, j) || hasNoNext(s, j) }},
	{report.GroundShort, func(s WalkShape, _ *JobFacts) bool { return s.Short }},
	{report.GroundAlone, func(s WalkShape, _ *JobFacts) bool { return s.End.Single }},
	{report.GroundUnseen, func(s WalkShape, _ *JobFacts) bool { return s.Unled }},
	{report.GroundEnded, func(WalkShape, *JobFacts) bool { return true }},
}

// groundOf is the ground of a walk of the job.
func (j *JobFacts) groundOf(s WalkShape) report.Ground {
	for _, g := range grounds {
		if g.holds(s, j) {
			return g.ground
		}
	}
	return report.GroundEnded
}

// isOther tells whether an answer after the last page with items was null or nothing as a whole, where answers of the job
// have items: it is no page as these are.
func (j *JobFacts) isOther(s WalkShape) bool { return s.Void && j.Around.Filled > 0 }

// counts tells whether what says at a place that there is no more means it: not if new items followed anywhere in the job. No place
// means nothing.
func (j *JobFacts) counts(place string) bool { return place != "" && !j.Places[place].Followed }

// isFlagged tells whether a flag says that there is no more, and is known to mean it: it said the contrary on another page
// of the job, or the walk itself shows it. One after which new items came means nothing.
func isFlagged(s WalkShape, j *JobFacts) bool {
	if !j.counts(s.Flag) {
		return false
	}
	return s.FlagSure || j.Places[s.Flag].Value
}

// hasNoNext tells whether the last answer has an empty place for the next page, or names no next page anywhere, where
// other answers of the job name one.
func hasNoNext(s WalkShape, j *JobFacts) bool {
	if j.counts(s.Next) {
		return true
	}
	return s.Gone && j.leads()
}

// leads tells whether answers of the job named a next page, at a place that was never empty before new items came.
func (j *JobFacts) leads() bool {
	for _, bits := range j.Places {
		if bits.Next && !bits.Followed {
			return true
		}
	}
	return false
}

// grounds are those of all walks that nothing speaks against.
func (j *JobFacts) grounds() (all report.Grounds) {
	for shape, walks := range j.Walks {
		if !shape.Doubted {
			all.Add(report.Grounds{j.groundOf(shape): walks})
		}
	}
	return all
}
