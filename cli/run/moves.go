package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
)

const (
	// The most jobs of which is told what became of their state.
	mostMoves = 10
	// How much of a value is shown, in bytes.
	mostOfValue = 200
)

// stays says what a state means that did not move.
const stays = "state: stays as it was, so the next run asks for the same again"

// A move says what a run means for the state of a job, and of those below it.
type move struct {
	job   string
	moved bool

	// The function last follows something in its items.
	follows bool

	text string
}

// moves says for each job below no other what became of it, from before to the state: first those that stay as
// they were, then those that the function last follows. Nothing that redact hides is in it.
func (s *states) moves(
	before map[string]jobState, trees [][]string, r *report.Report, redact func(string) string,
) []move {
	all := []move{}
	for _, ids := range trees {
		root := ids[0]
		if slices.ContainsFunc(all, func(m move) bool { return m.job == root }) {
			// Of another document.
			continue
		}
		below := s.below(ids)
		m := move{job: root, follows: len(s.Jobs[root].Last) > 0 || below != ""}
		if doubt := doubtOf(ids, r); doubt != "" {
			m.text = stays + ": " + doubt
		} else {
			m.moved = true
			m.text = "state: " + s.Jobs[root].since(before[root], redact) + below
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b move) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}

func (m *move) rank() int {
	switch {
	case !m.moved:
		return 0
	case m.follows:
		return 1
	}
	return 2
}

// doubtOf says why jobs that move together do not; empty: they do.
func doubtOf(ids []string, r *report.Report) string {
	for _, j := range r.Jobs {
		if j.Verdict == report.Complete || !slices.Contains(ids, j.ID) {
			continue
		}
		if j.ID != ids[0] {
			return j.ID + ", below it, is " + j.Verdict.String()
		}
		return "it is " + j.Verdict.String()
	}
	return ""
}

// since says what a job knows now, and whether it knew that before.
func (j jobState) since(before jobState, redact func(string) string) string {
	if len(j.Last) == 0 {
		return "previousStart is now " + time.Unix(j.PreviousStart, 0).UTC().Format(time.RFC3339)
	}
	var all []string
	for _, path := range slices.Sorted(maps.Keys(j.Last)) {
		word := "now"
		if string(j.Last[path]) == string(before.Last[path]) {
			word = "still"
		}
		value := pipeline.Shorten(redact(string(j.Last[path])), mostOfValue)
		all = append(all, fmt.Sprintf("%s is %s %s", redact(path), word, value))
	}
	return strings.Join(all, ", ")
}

// below says of how many parents the jobs below one another know something now.
func (s *states) below(ids []string) string {
	all := ""
	for _, id := range ids {
		if parents := s.Jobs[id].Parents; parents != nil {
			all += fmt.Sprintf(", %s has values for %s", id, view.Count(parents.Len(), "parent"))
		}
	}
	return all
}

// tellState tells what became of the state, when all is in place.
func (p *process) tellState(s *stateFile, r *report.Report) {
	switch {
	case s.name == "":
	case s.isPart():
		p.console.log.Tell("", "state: sluice publish moves it, when all shards have ended")
	case r.StateSaved != nil:
		p.console.log.Tell("", stays)
	case s.moves == nil:
		p.console.log.Tell("", "state: not touched, for this run was published before")
	default:
		p.tellMoves(s.moves)
	}
}

func (p *process) tellMoves(all []move) {
	first := min(len(all), mostMoves)
	for _, m := range all[:first] {
		p.console.log.Tell(m.job, m.text)
	}
	rest := all[first:]
	if len(rest) == 0 {
		return
	}
	moved := 0
	for _, m := range rest {
		if m.moved {
			moved++
		}
	}
	p.console.log.Tell("", fmt.Sprintf("state: of %d more jobs %d moved, and %d stay as they were",
		len(rest), moved, len(rest)-moved))
}

// tellStays tells that a run that came to requests, and failed, leaves the state as it was.
func (p *process) tellStays(s *stateFile, r *report.Report) {
	asked := func(j report.JobReport) bool { return j.Requests+j.Logins > 0 }
	if s.name != "" && !s.isPart() && slices.ContainsFunc(r.Jobs, asked) {
		p.console.log.Tell("", stays)
	}
}
