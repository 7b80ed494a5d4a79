package verdict_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/fixtures/cases"
	"sluice/pipeline/report"
	"sluice/source/verdict"
)

// drawnRecords are the answers of one walk, of which most look like those of APIs.
func drawnRecords(r *rand.Rand) (all []verdict.Record) {
	pages := 1 + r.IntN(8)
	for page := 1; page <= pages; page++ {
		one := verdict.Record{Page: page, Items: []int{0, 1, 2, 3, 10}[r.IntN(5)], Asked: 3, Compared: true, Field: "rows"}
		one.Body = verdict.BodyKinds{Root: '{', Field: '['}
		if r.IntN(9) == 0 {
			one.Body = verdict.BodyKinds{Root: []byte{'[', '{'}[r.IntN(2)], Field: '{'}
		}
		if one.Items == 0 {
			one.Body.Field = []byte{0, '[', 'n', 'f'}[r.IntN(4)]
			one.Quote = fmt.Sprint("answer ", page)
		}
		one.NoContent, one.Keyed = one.Items == 0 && r.IntN(3) == 0, r.IntN(2) == 0
		one.Nulls = min(one.Items, r.IntN(9)/8)
		one.Led, one.Stripped = r.IntN(3) > 0, r.IntN(5) == 0
		if r.IntN(9) == 0 {
			one.Caveat = verdict.Caveat{Place: []string{"note", "warnings"}[r.IntN(2)], Value: fmt.Sprint("note on page ", page)}
		}
		for _, place := range []string{"more", "next", "total", "pages", "guess", "may be pages", "hint", "left", "full", "echoed"} {
			if r.IntN(2) == 0 {
				one.Says = append(one.Says, statement(r, place, page, pages))
			}
		}
		if r.IntN(9) == 0 {
			one.Body = verdict.BodyKinds{Root: []byte{0, 'n'}[r.IntN(2)]}
		}
		for range one.Items {
			one.Texts = append(one.Texts, r.Uint64N(60))
		}
		for name := range uint64(3) {
			if r.IntN(4) > 0 {
				one.Own = append(one.Own, name)
			}
			one.Lone = one.Items == 1 && one.Body.Field == '['
			if one.Items > 1 {
				one.Apart = append(one.Apart, name)
			}
		}
		for name := range uint64(4) {
			if r.IntN(8) > 0 {
				one.Members = append(one.Members, verdict.BesideMember{Name: name, Statement: name == 0, Telling: r.IntN(2) == 0})
				one.Names = one.Names*31 + name + 1
			}
		}
		all = append(all, one)
	}
	return all
}

func statement(r *rand.Rand, place string, page, pages int) verdict.Statement {
	isLast := page == pages
	s := verdict.Statement{Place: place}
	switch place {
	case "more":
		s.Kind = verdict.More
		if isLast || r.IntN(9) == 0 {
			s.Kind = verdict.NoMore
		}
		s.Named = r.IntN(2) == 0
	case "next":
		s.Kind = verdict.Next
		if isLast || r.IntN(9) == 0 {
			s.Kind = verdict.NoNext
		}
	case "total":
		s.Kind, s.Number, s.Named = verdict.Total, int64(10-r.IntN(2)), true
	case "guess":
		s.Kind, s.Number, s.Named = verdict.Guess, int64(12-r.IntN(3)), r.IntN(2) == 0
	case "may be pages":
		s.Kind, s.Number = verdict.GuessedPages, int64(pages+r.IntN(2))
	case "hint":
		s.Kind = []verdict.StatementKind{verdict.MayMore, verdict.MayEnd}[r.IntN(2)]
	case "echoed":
		s.Kind, s.Number, s.Position, s.Pages = verdict.Echoed, int64(10+r.IntN(2)), int64(page), r.IntN(2) == 0
	case "full":
		s.Kind = verdict.Full
	case "left":
		s.Kind, s.Number = verdict.Left, int64(r.IntN(3))
	default:
		s.Kind, s.Number = verdict.PageCount, int64(pages)
	}
	return s
}

// told is what is said of a job, as JSON.
func told(t *testing.T, j *verdict.JobFacts) string {
	t.Helper()
	text, err := json.Marshal(verdict.Judge(j, verdict.Trust{Proof: true}))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// again is a value as another process reads it.
func again[T any](t *testing.T, v *T) *T {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	read := new(T)
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestWhoHasSeenWhichAnswersAndWhenDecidesNothing(t *testing.T) {
	for seed := range uint64(cases.Few(500, 3000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		var walks [][]verdict.Record
		for range 1 + r.IntN(5) {
			walks = append(walks, drawnRecords(r))
		}
		end := verdict.End{Reason: report.StopUnderflow, Root: len(walks) == 1, Flagged: r.IntN(2) == 0, Behind: r.IntN(4) == 0}

		var alone verdict.JobFacts
		for _, records := range walks {
			var w verdict.WalkFacts
			for i := range records {
				w.Add(&records[i])
			}
			w.End = end
			alone.Add(&w, report.Complete)
		}

		shards := 2 + r.IntN(4)
		jobs := make([]verdict.JobFacts, shards)
		for _, records := range walks {
			parts := make([]verdict.WalkFacts, shards)
			for i := range records {
				parts[r.IntN(shards)].Add(&records[i])
			}
			var whole verdict.WalkFacts
			for _, i := range r.Perm(shards) {
				whole.Fold(again(t, &parts[i]))
			}
			whole.End = end
			jobs[r.IntN(shards)].Add(&whole, report.Complete)
		}
		var together verdict.JobFacts
		for _, i := range r.Perm(shards) {
			together.Fold(again(t, &jobs[i]))
		}
		if diff := cmp.Diff(told(t, &alone), told(t, &together)); diff != "" {
			t.Fatalf("seed %d (-alone +together):\n%s", seed, diff)
		}
	}
}

// judgedWalk is the judgement of a job of one walk at the root, whose pages have so many items and say that.
func judgedWalk(items []int, says ...[]verdict.Statement) verdict.Judgement {
	var w verdict.WalkFacts
	for i, n := range items {
		w.Add(&verdict.Record{Page: i + 1, Items: n, Asked: 3, Says: says[i]})
	}
	w.End = verdict.End{Reason: report.StopUnderflow, Root: true}
	var j verdict.JobFacts
	j.Add(&w, report.Complete)
	return verdict.Judge(&j, verdict.Trust{})
}

func TestANumberThatMayBeThatOfAllIsAGroundAndNoDoubt(t *testing.T) {
	guess := func(n int64) []verdict.Statement {
		return []verdict.Statement{{Kind: verdict.Total, Place: "X-Hits", Number: n, Guessed: true}}
	}
	for n, want := range map[int64]report.Ground{5: report.GroundTotal, 6: report.GroundShort, 4: report.GroundShort} {
		got := judgedWalk([]int{3, 2}, guess(n), guess(n))
		if got.Grounds[want] != 1 || len(got.Doubts) > 0 {
			t.Errorf("%d: %v", n, got)
		}
	}
	if got := judgedWalk([]int{2}, guess(2)); got.Grounds[report.GroundShort] != 1 {
		t.Errorf("one page: %v", got)
	}
}

func TestALowerBoundOnAnyAnswerIsNoGroundAndADoubtWhereItWasJustReached(t *testing.T) {
	says := func(kind verdict.StatementKind, n int64) []verdict.Statement {
		return []verdict.Statement{{Kind: kind, Place: "found", Number: n, Named: true}}
	}
	got := judgedWalk([]int{3, 2}, says(verdict.AtLeast, 6), nil)
	if len(got.Doubts) != 1 || got.Doubts[0].Text != "5 items came, and an answer says 6 at found; if that number is not the total, set \"trustEnd\": true in the job" {
		t.Errorf("just reached: %v", got.Doubts)
	}
	got = judgedWalk([]int{3, 2}, says(verdict.AtLeast, 4), nil)
	if got.Grounds[report.GroundShort] != 1 || len(got.Doubts) > 0 {
		t.Errorf("passed: %v", got)
	}
	got = judgedWalk([]int{3, 2}, says(verdict.AtLeast, 6), says(verdict.Total, 5))
	if len(got.Doubts) != 1 || got.Grounds[report.GroundTotal] > 0 {
		t.Errorf("beside a number: %v", got)
	}
}
