package walk

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/verdict"
)

// What a walk tells verdict of its answers, and what verdict says of the job.

// record adds an answer to the facts of the walk.
func (w *Walk) record(number int, came *Fetched, out *paginate.PageOutcome) {
	p := came.Page
	r := &w.recorded
	*r = verdict.Record{Members: r.Members[:0], Around: r.Around[:0]}
	r.Page = number
	// Items that are dropped, since they all came before, count once.
	if out.Emit {
		r.Items, r.Nulls, r.Usual = p.Items, p.Nulls, evidence.Round(p.Items)
	}
	if whole := &out.Whole; w.Child == nil && !whole.Own {
		r.Announced = verdict.Announced{Number: whole.Items, Place: whole.At, Single: whole.Weak}
	}
	r.Limit = verdict.Announced{Number: out.Limit.Items, Place: out.Limit.At}
	r.Asked, r.Says, r.Led = w.sizeAsked(number, came), out.Says, out.Led
	if out.Note != nil {
		redact := w.options.redact
		r.Caveat = verdict.Caveat{Place: redact(out.Note.At), Value: out.Note.Quoted(redact)}
	}
	r.Object = number == 1 && w.isAddressed && p.Selected == '{' && !came.Items.first.hasList
	if isHolder := p.Items == 1 && came.Items.first.hasList; isHolder {
		r.Holder = w.readInItems()
	}
	r.Compared = w.Job.Spec.Format.Document() && !came.end.isEmpty() && came.end.by == ""
	if r.Compared {
		r.NoContent = came.Status == http.StatusNoContent
		w.apart(came)
		r.Body = verdict.BodyKinds{Root: byte(p.Root), Field: byte(p.Selected)}
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

// Facts is what paging needs to know of a page, which has come now.
func (s *Assignment) Facts(came *Fetched) *paginate.Facts {
	p := came.Page
	evidence.AddHeaders(p.Wanted, s.Job.Paging.Needs.Values, came.Header)
	return &paginate.Facts{
		Answer: evidence.Answer{
			Items:  p.Items,
			Bytes:  p.Bytes,
			Hash:   p.Hash,
			First:  p.First,
			Last:   p.Last,
			Texts:  p.Texts,
			Set:    p.Set,
			Varied: p.Varied,
			Each:   came.Items.tellApart(),
			Keys:   came.Items.keys(),
			Marks:  came.Items.marks(),
			Field:  p.Field,
			Array:  p.Selected == '[' || came.end.isHeard(),
			Listed: p.Selected == '[' && s.Job.Spec.Listed(),
			Around: p.Beside.Notable,
			Status: came.Status,
			Header: came.Header,
			Asked:  came,
		},
		Values:   p.Wanted,
		Range:    came.Items.numbers,
		Changes:  came.Items.changed(),
		Falling:  came.Items.falling,
		End:      came.end.by,
		Ends:     came.end.reads,
		Lone:     p.Selected == '{' && p.Items == 1,
		Beside:   came.Items.first.holds || slices.ContainsFunc(p.Beside.Arrays, mayBeList),
		Filtered: came.Items.filtered.count,
		At:       s.options.now(),
		Spread:   slices.Contains(s.Job.Spec.Select, page.Every),
		Root:     s.Child == nil,
		Windowed: s.Job.Windowed(),
		Names:    p.Beside.Names,
	}
}

// mayBeList tells whether an array may have the items of a page with one object.
func mayBeList(a page.Array) bool { return a.Items > 1 && evidence.MayHaveItems(a.Path) }

// facts are those that the last answer was added to.
func (w *Walk) facts() *verdict.WalkFacts {
	if w.isDivided() {
		return &w.State.Part.Final
	}
	return &w.State.Facts
}

// readInItems is the first path of paging that leads below dataField; empty: none does.
func (w *Walk) readInItems() string {
	field := w.Job.Spec.Select
	if w.Job.Spec.Detect || len(field) == 0 {
		return ""
	}
	for _, path := range w.Job.Paging.Needs.Values {
		if len(path) > len(field) && slices.Equal(path[:len(field)], field) {
			return path.String()
		}
	}
	return ""
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

// apart enters what tells the items of the walk apart, and whether the only item of a page has it.
func (w *Walk) apart(came *Fetched) {
	p, r := came.Page, &w.recorded
	lone := &w.facts().Around.Lone
	isOpening := lone.Opening == 0
	own := func() []uint64 { return evidence.NamesOf(came.Items.keys(), came.Items.marks()) }
	switch {
	case p.Items == 1 && p.Selected == '{':
		r.Keyed = w.State.Seen.IsTold(own())
	case p.Items == 1 && p.Selected == '[' && (isOpening || len(lone.Apart) > 0):
		r.Lone, r.Own = came.Items.filtered.count == 0, own()
	case isOpening:
		r.Apart = w.State.Seen.Telling()
	}
}

// members enters what stands beside the items.
func (w *Walk) members(p *page.Page) {
	r := &w.recorded
	for _, m := range p.Beside.Members {
		r.Names = item.Mixed(r.Names, m.Name)
		r.Members = append(r.Members, verdict.BesideMember{
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
	at := slices.IndexFunc(p.Beside.Members, func(m page.HashedMember) bool { return m.Name == name })
	if at >= 0 {
		w.recorded.Body.Field, w.recorded.Field = evidence.KindOf(p.Beside.Members[at].Says), field
	}
}

// written is how facts are told.
func written(facts any) json.RawMessage {
	text, err := json.Marshal(facts)
	if err != nil {
		// They are plain data.
		panic(err)
	}
	return text
}

// Rest enters on what the end of a walk rests that has ended with its first page, as far as that shows it.
func (w *Walk) Rest(came *Fetched, out *paginate.PageOutcome) {
	w.record(1, came, out)
	out.Stop.Ground = w.groundAlone(out.Stop)
	if total := w.State.Facts.Whole(); total != nil {
		out.Stop.Total = total.Number
	}
}

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

// arraysNamed is how many arrays a message names at most.
const arraysNamed = 3

// arrayPaths are those of arrays.
func arrayPaths(arrays []page.Array) (all []string) {
	for _, a := range arrays {
		all = append(all, a.Path)
	}
	return all
}

// trust is what the configuration and the command line say of ends, items and errors.
func (o *Options) trust(j *job.Job) verdict.Trust {
	trust := j.Paging.Trust()
	trust.FailOn, trust.Proof = j.Conditions.FailOn, o.Proof
	return trust
}

func (p *progress) trust() verdict.Trust { return p.options.trust(p.job) }

func (s *Assignment) trust() verdict.Trust { return s.options.trust(s.Job) }
