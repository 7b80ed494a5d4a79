// Package verdict says how complete the data of a job is, and on what that rests. Facts of answers fold into
// those of a walk, these into those of a job; [Judge] is a pure function of the facts and of what the
// configuration trusts. It is the same for a run, for one that continues another, and for shards that are
// published together: folding is associative, and the order in which answers arrive decides nothing. What speaks against
// the word complete, wherever it is seen, is a [Doubt]: a row of one table.
package verdict

import "sluice/pipeline/report"

// A Judgement is what the facts of a job mean.
type Judgement struct {
	// Grounds are those of its walks that nothing speaks against.
	Grounds report.Grounds
	// Verdict is the worst of what speaks against the job, and Doubts what is told of it.
	Verdict report.Verdict
	Doubts  []report.Remark
}

// Judge judges a job by its facts. It is pure.
func Judge(j *JobFacts, trust Trust) Judgement {
	var raised []Raised
	for _, d := range Doubts() {
		raise := rules[d].facts
		if raise == nil || d.Silenced(trust) {
			continue
		}
		if args := raise(j); args != nil {
			raised = append(raised, d.Raise(args...))
		}
	}
	out := Judgement{Grounds: j.grounds()}
	out.Verdict, out.Doubts = Weigh(trust, raised...)
	return out
}
