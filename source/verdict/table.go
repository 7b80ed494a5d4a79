package verdict

import (
	"fmt"
	"strings"

	"sluice/pipeline/report"
)

// A Doubt is something that speaks against the word complete: a row of the one table of doubts (doubts.go). Whoever
// sees it raises it, and only [Weigh] says what it means.
type Doubt uint8

// A DoubtScope is what a doubt is about.
type DoubtScope string

// The scopes.
const (
	// OfAnswer is one answer, by itself or beside those before it.
	OfAnswer DoubtScope = "answer"
	// OfWalk is a list, from its first page to its end.
	OfWalk DoubtScope = "walk"
	// OfJob is all walks of a job, whatever the order in which they came.
	OfJob DoubtScope = "job"
	// OfRun is what shards have seen of each other, and the configuration.
	OfRun DoubtScope = "run"
)

// A DoubtRule says what a doubt means.
type DoubtRule struct {
	// Name is the doubt in docs/missing-data.md.
	Name string
	// Scope is told by the table in which the row stands.
	Scope DoubtScope
	// Verdict is [report.Unverified] where the row says none.
	Verdict report.Verdict
	// Silenced tells whether the configuration silences the doubt; nil: it cannot.
	Silenced func(Trust) bool
	// Words are a format of what people are told; empty: whoever raises the doubt has its words already ([Doubt.Told]).
	Words string

	// facts returns the arguments of Words if the facts of a job raise the doubt, else nil. Where facts is nil itself, the
	// doubt is raised elsewhere.
	facts func(*JobFacts) []any
}

// doubtRows are those of the doubts of one scope.
type doubtRows map[Doubt]DoubtRule

// rules are the rows of the one table.
var rules = tableOf(map[DoubtScope]doubtRows{OfAnswer: answerDoubts, OfWalk: walkDoubts, OfJob: jobDoubts, OfRun: runDoubts})

func tableOf(scopes map[DoubtScope]doubtRows) (all [lastDoubt]DoubtRule) {
	for scope, rows := range scopes {
		for d, row := range rows {
			row.Scope, row.Verdict = scope, max(row.Verdict, report.Unverified)
			all[d] = row
		}
	}
	return all
}

// Rule returns what the doubt means.
func (d Doubt) Rule() DoubtRule { return rules[d] }

// Doubts are all doubts, in the order of the table.
func Doubts() (all []Doubt) {
	for d := NoDoubt + 1; d < lastDoubt; d++ {
		all = append(all, d)
	}
	return all
}

// Words are those of the doubt.
func (d Doubt) Words(args ...any) string { return fmt.Sprintf(rules[d].Words, args...) }

// Raise raises the doubt, with the arguments of its words.
func (d Doubt) Raise(args ...any) Raised { return Raised{Doubt: d, Text: d.Words(args...)} }

// Told raises the doubt with words that exist already. If text is empty it lowers the verdict, and people are told of it
// elsewhere.
func (d Doubt) Told(text string) Raised { return Raised{Doubt: d, Text: text} }

// Silenced tells whether the configuration silences the doubt.
func (d Doubt) Silenced(trust Trust) bool {
	rule := rules[d].Silenced
	return rule != nil && rule(trust)
}

// A Raised is a doubt that was raised, with its words. The zero value is none.
type Raised struct {
	Doubt Doubt
	Text  string
}

// Note is something to be told that speaks against nothing.
func Note(format string, args ...any) Raised { return Raised{Text: fmt.Sprintf(format, args...)} }

// Harmless is a [Note] with the same words.
func (r Raised) Harmless() Raised { return Raised{Text: r.Text} }

// Weigh says what doubts mean: the worst verdict, and what people are told, but for what the configuration silences. It
// is the only place where a doubt lowers a verdict.
func Weigh(trust Trust, all ...Raised) (worst report.Verdict, told []report.Remark) {
	for _, r := range all {
		if r.Doubt.Silenced(trust) {
			continue
		}
		own := rules[r.Doubt].Verdict
		worst = max(worst, own)
		if r.Text != "" {
			told = append(told, report.Remark{Text: r.Text, Verdict: own})
		}
	}
	return worst, told
}

// Joined is [Weigh] in one text: a worse doubt than those before it is put in front of them.
func Joined(trust Trust, all ...Raised) (worst report.Verdict, text string) {
	worst, told := Weigh(trust, all...)
	if len(told) == 0 {
		return worst, ""
	}
	var ordered []string
	known := report.Complete
	for _, r := range told {
		if r.Verdict > known {
			ordered = append([]string{r.Text}, ordered...)
			known = r.Verdict
			continue
		}
		ordered = append(ordered, r.Text)
	}
	return worst, strings.Join(ordered, "; ")
}

// What silences doubts.

func byTrustEnd(t Trust) bool { return t.End }

func byUnique(t Trust) bool { return t.Unique }

func byFailOn(t Trust) bool { return t.FailOn }

func byTrustEndOrUnique(t Trust) bool { return t.End || t.Unique }

func byTrustEndOrNoProof(t Trust) bool { return t.End || !t.Proof }

func byUniqueOrNoProof(t Trust) bool { return t.End || t.Unique || !t.Proof }

func byNoProof(t Trust) bool { return !t.Proof }

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
