package verdict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/report"
	"sluice/source/verdict"
)

func TestEachDoubtHasARowOfItsOwn(t *testing.T) {
	scopes := map[verdict.DoubtScope]bool{verdict.OfAnswer: true, verdict.OfWalk: true, verdict.OfJob: true, verdict.OfRun: true}
	names := map[string]bool{}
	for _, d := range verdict.Doubts() {
		rule := d.Rule()
		if rule.Name == "" || names[rule.Name] || !scopes[rule.Scope] || rule.Verdict == report.Complete {
			t.Errorf("doubt %d: %+v", d, rule)
		}
		names[rule.Name] = true
	}
	if none := verdict.NoDoubt.Rule(); none.Verdict != report.Complete || none.Name != "" {
		t.Errorf("what is no doubt has a row: %+v", none)
	}
}

func TestOnlyWhatIsNotSilencedLowersAVerdict(t *testing.T) {
	lost := verdict.FewerThanLimit.Raise(4, "5", "total")
	odd := verdict.NullAtEnd.Told("null")
	note := verdict.Note("%d pages", 3)
	for name, c := range map[string]struct {
		raised  []verdict.Raised
		trust   verdict.Trust
		worst   report.Verdict
		told    string
		remarks int
	}{
		"nothing":                         {},
		"a note":                          {raised: []verdict.Raised{note}, told: "3 pages", remarks: 1},
		"a doubt":                         {raised: []verdict.Raised{odd}, worst: report.Unverified, told: "null", remarks: 1},
		"one that is silenced":            {raised: []verdict.Raised{odd}, trust: verdict.Trust{End: true}},
		"one that nothing silences":       {raised: []verdict.Raised{lost}, trust: verdict.Trust{End: true, Unique: true, FailOn: true}, worst: report.Incomplete, told: lost.Text, remarks: 1},
		"the worst first":                 {raised: []verdict.Raised{note, odd, lost, odd}, worst: report.Incomplete, told: lost.Text + "; null; 3 pages; null", remarks: 4},
		"one that is told in another way": {raised: []verdict.Raised{verdict.ItemsTwice.Told("")}, worst: report.Unverified},
		"one that is harmless":            {raised: []verdict.Raised{verdict.OtherOrigin.Told("elsewhere").Harmless()}, told: "elsewhere", remarks: 1},
	} {
		worst, remarks := verdict.Weigh(c.trust, c.raised...)
		joined, text := verdict.Joined(c.trust, c.raised...)
		got := []any{worst, joined, text, len(remarks)}
		if diff := cmp.Diff([]any{c.worst, c.worst, c.told, c.remarks}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
