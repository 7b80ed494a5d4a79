package verdict

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sluice/pipeline/report"
)

// Told is what a shard tells of all walks of a job that are its own, and of how the job is judged.
type Told struct {
	Job   JobFacts `json:"job"`
	Trust Trust    `json:"trust"`
}

// JudgeShards judges a job of which shards had the walks and pages, as [Judge] judges one process: it is a
// [report.Judge], but for proof, which wants the end to be proven.
func JudgeShards(
	shared *report.SharedJob, proof bool, ended func(report.Stop), warn func(report.Remark),
) (report.Grounds, error) {
	all := jobJudge{SharedJob: shared, ended: ended, warn: warn}
	var job JobFacts
	if err := all.read(&job, proof); err != nil {
		return nil, err
	}
	walks := map[int][]report.ShardWalk{}
	for _, w := range shared.Walks {
		walks[w.Walk] = append(walks[w.Walk], w)
	}
	var again int64
	for _, place := range slices.Sorted(maps.Keys(walks)) {
		came, err := all.judgeWalk(walks[place], &job)
		if err != nil {
			return nil, err
		}
		again += came
	}
	own := Judge(&job, all.trust)
	all.tell(own.Doubts)
	if len(walks) > 1 && beginAlike(shared.Walks) {
		all.raise(SameWindows.Raise(""))
	}
	if again > 0 {
		// Of several documents together.
		all.raise(ItemsTwice.Raise(Counted(again)))
	}
	for i := range shared.Documents {
		all.tell(OfFindings(&shared.Documents[i].Findings, all.trusts[i]))
	}
	return own.Grounds, nil
}

// A jobJudge judges a job of several shards.
type jobJudge struct {
	*report.SharedJob
	ended func(report.Stop)
	warn  func(report.Remark)
	// trusts are those of the documents, trust what one of them trusts.
	trusts []Trust
	trust  Trust
	// worst is what speaks against the walk that is being judged.
	worst report.Verdict
}

// read reads what the shards tell of the walks that are their own.
func (s *jobJudge) read(job *JobFacts, proof bool) error {
	s.trust.Proof = proof
	for _, document := range s.Documents {
		trust := Trust{Proof: proof}
		for _, text := range document.Facts {
			// An older version told none.
			if len(text) == 0 {
				continue
			}
			var one Told
			if err := json.Unmarshal(text, &one); err != nil {
				return unreadable(err)
			}
			job.Fold(&one.Job)
			trust = trust.or(one.Trust)
		}
		s.trusts = append(s.trusts, trust)
		s.trust = s.trust.or(trust)
	}
	return nil
}

func unreadable(err error) error {
	return fmt.Errorf("what a shard has recorded about its answers: %w", err)
}

// or is what one of both trusts.
func (t Trust) or(other Trust) Trust {
	return Trust{
		End:    t.End || other.End,
		Unique: t.Unique || other.Unique,
		FailOn: t.FailOn || other.FailOn,
		Proof:  t.Proof || other.Proof,
	}
}

// raise raises a doubt about the walk that is being judged, or about the job.
func (s *jobJudge) raise(raised Raised) {
	_, told := Weigh(s.trust, raised)
	s.tell(told)
}

func (s *jobJudge) tell(all []report.Remark) {
	for _, r := range all {
		s.worst = max(s.worst, r.Verdict)
		s.warn(r)
	}
}

// judgeWalk judges one walk, folds its facts into those of the job, and returns how many items came on pages of
// several shards.
func (s *jobJudge) judgeWalk(walk []report.ShardWalk, job *JobFacts) (again int64, err error) {
	s.worst = report.Complete
	slices.SortFunc(walk, func(a, b report.ShardWalk) int { return a.Page - b.Page })
	if err := s.judgeEnd(walk); err != nil {
		return 0, err
	}
	l := listener{trust: s.trust}
	again = compareShards(walk, &l)
	s.tell(l.told)
	whole, err := joined(walk)
	if err != nil {
		return 0, err
	}
	if whole != nil {
		whole.Again = max(whole.Again, again)
		job.Add(whole, s.worst)
	}
	return again, nil
}

// judgeEnd judges how a walk has ended.
func (s *jobJudge) judgeEnd(walk []report.ShardWalk) error {
	if walk[0].Whole && !readAlike(walk, s.Shards) {
		s.raise(ShardsDiffer.Raise())
	}
	end := endOf(walk)
	for i, one := range walk {
		if i > 0 && repeats(&one, &walk[i-1]) {
			return fmt.Errorf("pages %d and %d have the same items, so they are in the data twice: "+
				"if the API repeats its last page, run without --shard", walk[i-1].Page, one.Page)
		}
		switch {
		case one.Provisional != "" && one.End <= end:
			s.raise(PageNotHad.Raise(one.End, one.Provisional))
		case one.Stride && one.Page > end:
			s.raise(PageBeyondEnd.Raise(one.Page, end))
		case one.End == end:
			s.ended(one.Stop)
			s.worst = max(s.worst, one.Stop.Reason.AtLeast(one.Stop.Verdict))
			for _, r := range one.Warnings {
				s.tell([]report.Remark{{Text: r.Text, Verdict: r.Verdict}})
			}
		}
	}
	return nil
}

// readAlike tells whether every shard read the same items of a walk that is not divided.
func readAlike(walk []report.ShardWalk, shards int) bool {
	differs := func(w report.ShardWalk) bool { return w.Items != walk[0].Items || w.Hash != walk[0].Hash }
	return len(walk) == shards && !slices.ContainsFunc(walk, differs)
}

// repeats tells whether the last page of a stride has the items of that of another.
func repeats(w, other *report.ShardWalk) bool {
	if !w.Stride || w.Page <= 0 {
		return false
	}
	return w.Hash == other.Hash
}

// beginAlike tells whether all windows begin with the same items, wherever the same pages of them were seen.
func beginAlike(walks []report.ShardWalk) bool {
	// By the shards whose first pages are to be compared.
	openings := map[int]map[uint64]bool{}
	for _, w := range walks {
		lane := -1
		if w.Stride || w.Whole {
			lane = w.Shard
		}
		if openings[lane] == nil {
			openings[lane] = map[uint64]bool{}
		}
		openings[lane][w.Opening] = true
	}
	known := false
	for _, seen := range openings {
		if len(seen) > 1 {
			return false
		}
		known = known || !seen[0]
	}
	return known
}

// joined is the facts of a walk, from those that shards have of its pages up to its end; of one that every shard
// walks those of one count. nil: none tells any.
func joined(walk []report.ShardWalk) (*WalkFacts, error) {
	var whole *WalkFacts
	end := endOf(walk)
	for _, w := range walk {
		if w.Facts != nil {
			if whole == nil {
				whole = &WalkFacts{}
			}
			var part ShardFacts
			if err := json.Unmarshal(w.Facts, &part); err != nil {
				return nil, unreadable(err)
			}
			whole.join(&part, end)
		}
		if w.Whole {
			break
		}
	}
	return whole, nil
}

// join folds the pages that a shard has of the walk, which ends at that page.
func (w *WalkFacts) join(part *ShardFacts, end int) {
	if part.Before.Pages > 0 {
		w.Fold(&part.Before)
	}
	if part.Final.Last <= end {
		w.Fold(&part.Final)
	}
	w.Ahead = max(w.Ahead, part.Ahead)
	if part.Final.Last == end {
		w.End = part.Final.End
	}
}
