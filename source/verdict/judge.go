package verdict

import "sluice/pipeline/report"

// Trust is what the configuration and the command line say of ends.
type Trust struct {
	// End: the end counts whatever the answers say (trustEnd).
	End bool `json:"end,omitempty"`
	// Unique: nothing tells items apart, and they may come again ("unique": false).
	Unique bool `json:"unique,omitempty"`
	// FailOn: the configuration says which answers are errors.
	FailOn bool `json:"failOn,omitempty"`
	// Proof: what is only assumed is not complete (--proof).
	Proof bool `json:"proof,omitempty"`
}

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

// grounds are those of all walks that nothing speaks against.
func (j *Job) grounds() (all report.Grounds) {
	for shape, walks := range j.Walks {
		if !shape.Doubted {
			all.Add(report.Grounds{j.groundOf(shape): walks})
		}
	}
	return all
}
