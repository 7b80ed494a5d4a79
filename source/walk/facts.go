package walk

import (
	"encoding/json"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/verdict"
)

// What a walk tells verdict of its answers, and what verdict says of the job.

// record folds an answer into the facts of the walk.
func (w *Walk) record(number int, came *Fetched, out *paginate.Outcome) {
	p := came.Page
	r := &w.recorded
	*r = verdict.Record{Members: r.Members[:0], Around: r.Around[:0]}
	r.Page, r.Items, r.Nulls, r.Usual = number, p.Items, p.Nulls, evidence.Round(p.Items)
	if whole := &out.Whole; w.Child == nil && !whole.Own {
		r.Announced = verdict.Announced{Number: whole.Items, Place: whole.At, Single: whole.Weak}
	}
	r.Limit = verdict.Announced{Number: out.Limit.Items, Place: out.Limit.At}
	r.Asked, r.Says, r.Led = w.sizeAsked(number, came), out.Says, out.Led
	if out.Note != nil {
		redact := w.options.redact
		r.Caveat = verdict.Caveat{Place: redact(out.Note.At), Value: out.Note.Quoted(redact)}
	}
	isOne := p.Selected == '{' && !came.Items.hasList
	r.Object = number == 1 && w.isAddressed && isOne
	isAnswer := !came.end.isEmpty() && came.end.by == ""
	r.Compared = w.Job.Spec.Format.Document() && isAnswer
	if r.Compared {
		r.Body = verdict.Body{Root: byte(p.Root), Field: byte(p.Selected)}
		r.Field, r.Quote = p.Field, came.quote
		r.Around = appendSaid(r.Around, p)
		w.members(p)
		w.otherAtField(p)
	}
	r.Stripped = came.full != nil && came.full.Stripped
	if out.Emit && w.State.Seen.Settled() == "" {
		r.Texts = came.Items.texts[min(out.Front, len(came.Items.texts)):]
	}
	if w.options.Shards > 0 {
		w.redactRecord()
	}
	if w.isDivided() {
		w.State.Part.Add(r)
	} else {
		w.State.Facts.Add(r)
	}
}

// facts are those that the last answer was folded into.
func (w *Walk) facts() *verdict.Walk {
	if w.isDivided() {
		return &w.State.Part.Final
	}
	return &w.State.Facts
}

// redactRecord removes secrets from what another process reads.
func (w *Walk) redactRecord() {
	r, redact := &w.recorded, w.options.redact
	r.Field, r.Quote = redact(r.Field), redact(r.Quote)
	r.Announced.Place, r.Limit.Place = redact(r.Announced.Place), redact(r.Limit.Place)
	for i := range r.Says {
		r.Says[i].Place = redact(r.Says[i].Place)
	}
}

// sizeAsked is how many items a page was asked for with, as far as the first request shows it; 0: it is not known.
func (w *Walk) sizeAsked(number int, came *Fetched) int64 {
	if limit := w.State.Own.Limit; limit > 0 {
		return limit
	}
	if number > 1 || came.asked == nil {
		return 0
	}
	numbers := came.asked.Numbers()
	at := slices.IndexFunc(numbers, func(n evidence.Number) bool { return evidence.IsSize(n.Name) })
	if at < 0 {
		return 0
	}
	return numbers[at].Value
}

// members enters what stands beside the items.
func (w *Walk) members(p *page.Page) {
	r := &w.recorded
	for _, m := range p.Beside.Members {
		r.Names = item.Mixed(r.Names, m.Name)
		r.Members = append(r.Members, verdict.Member{
			Name:      m.Name,
			Statement: evidence.Counts(m.Says),
			Telling:   !m.Hollow && evidence.Tells(m.Says),
		})
	}
}

// otherAtField enters what a page without an array has at the member that had the items of pages before, where dataField names
// none.
func (w *Walk) otherAtField(p *page.Page) {
	field := w.State.Shape.Member
	if !p.NoArray || field == "" {
		return
	}
	name := xxhash.Sum64(item.Quote(field))
	at := slices.IndexFunc(p.Beside.Members, func(m page.Member) bool { return m.Name == name })
	if at >= 0 {
		w.recorded.Body.Field, w.recorded.Field = evidence.KindOf(p.Beside.Members[at].Says), field
	}
}

// conclude enters how the walk has ended.
func (w *Walk) conclude(stop *report.Stop) {
	f, paging := w.facts(), w.Job.Paging
	rule := stop.Reason.Rule()
	f.Again = w.State.Seen.Items.Again + w.State.Seen.Items.Moved
	f.Skipped = w.State.Own.Skipped
	f.End.Reason = stop.Reason
	f.End.Root = w.isAlone()
	f.End.Counted = paging.ComparesTotals()
	f.End.Changes = paging.Overlaps()
	f.End.Refused = f.End.Refused || rule.Refused
	f.End.Later = w.State.Own.Later
	f.End.Declared = paging.TrustEnd || paging.Declared() || rule.Refused
	f.End.Beyond = f.End.Beyond || rule.Shown
	f.End.Single = rule.Single
	f.End.Limit = rule.Counted
	f.End.Exact = rule.Counted && w.State.Bounds.Exact
	f.End.Wanted = rule.Unled
}

// concluded folds the facts of a walk that has ended into those of the job, and judges these if no other walk of the job is to
// come.
func (w *Walk) concluded(stop *report.Stop) {
	if stop.Reason.Rule().CutShort {
		return
	}
	w.conclude(stop)
	p := w.progress
	if w.isDivided() {
		w.told.Facts = written(&w.State.Part)
		return
	}
	p.facts.Add(&w.State.Facts, stop.Verdict)
	if w.options.Shards > 0 {
		return
	}
	isLast := w.isAlone() || w.Child == nil && w.windows.walks+1 == w.windows.of
	if !isLast {
		return
	}
	judged := p.judge()
	w.lower(stop, judged.Verdict, judged.Doubts)
	stop.Ground = judged.Grounds.Weakest()
	if total := w.State.Facts.Whole(); total != nil {
		stop.Total = total.Number
	}
}

// isDivided tells whether the walk is at the root of a run of shards: publishing judges it.
func (w *Walk) isDivided() bool { return w.options.Shards > 0 && w.Child == nil }

// written is how facts are told.
func written(facts any) json.RawMessage {
	text, err := json.Marshal(facts)
	if err != nil {
		// They are plain data.
		panic(err)
	}
	return text
}

// groundAlone is on what the end of the walk rests by what it has itself.
func (w *Walk) groundAlone(stop *report.Stop) report.Ground {
	w.conclude(stop)
	var alone verdict.Job
	alone.Add(&w.State.Facts, report.Complete)
	judged := verdict.Judge(&alone, verdict.Trust{})
	return judged.Grounds.Weakest()
}

// Rest enters on what the end of a walk rests that has ended with its first page, as far as that shows it.
func (w *Walk) Rest(came *Fetched, out *paginate.Outcome) {
	w.record(1, came, out)
	out.Stop.Ground = w.groundAlone(out.Stop)
	if total := w.State.Facts.Whole(); total != nil {
		out.Stop.Total = total.Number
	}
}

// trust is what the configuration and the command line say of ends, items and errors.
func (o *Options) trust(j *job.Job) verdict.Trust {
	trust := j.Paging.Trust()
	trust.FailOn, trust.Proof = j.Conditions.FailOn, o.Proof
	return trust
}

func (p *progress) trust() verdict.Trust { return p.options.trust(p.job) }

func (s *Scope) trust() verdict.Trust { return s.options.trust(s.Job) }

// judge judges the facts of all walks of the job, once, and tells on what their ends rest.
func (p *progress) judge() (judged verdict.Judgement) {
	if p.isJudged {
		return judged
	}
	p.isJudged = true
	judged = verdict.Judge(&p.facts, p.trust())
	if len(judged.Grounds) > 0 {
		p.options.Observer.Observe(pipeline.Grounded{Job: p.job.ID, Grounds: judged.Grounds})
	}
	return judged
}
