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
func Judge(j *Job, trust Trust) Judgement {
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
