package walk

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/verdict"
)

func newProgress(o *Options, j *job.Job) *progress {
	p := &progress{
		options: o,
		job:     j,
		shared:  &jobShared{collectors: collectorsOf(j)},
		lasts:   slices.Clone(j.Lasts),
		windows: endedWindows{of: len(j.Windows)},
	}
	if j.Known != nil {
		p.parents = j.Known.Anew()
	}
	return p
}

// evaluate evaluates what all walks share once per job, and once per walk where these
// vary.
func (p *progress) evaluate(own job.Own) (*walkValues, error) {
	if p.values != nil && !p.job.Request.Varies() {
		return p.values, nil
	}
	e, err := p.job.Evaluate(own)
	if err != nil {
		return nil, err
	}
	p.values = newWalkValues(p.options, e)
	return p.values, nil
}

// see notes a parent when a walk below it begins. Earlier runs may have left values of it for the function last.
func (p *progress) see(placeholders []jsontext.Value) error {
	if p.parents == nil {
		return nil
	}
	known, err := p.job.Begin(placeholders)
	if err != nil {
		return err
	}
	return p.parents.Saw(placeholders, known)
}

// follow takes the values that a good page of a walk has for the function last.
func (p *progress) follow(w *Walk, page []job.Greatest) error {
	has := func(g job.Greatest) bool { return g.Text != nil }
	p.found.Followed = p.found.Followed || slices.ContainsFunc(page, has)
	if p.parents != nil {
		return p.parents.Saw(w.Above.Values, page)
	}
	for i := range page {
		if err := p.lasts[i].Add(page[i].Text); err != nil {
			return err
		}
	}
	return nil
}

// key notes whether the items of a page have a value at the paths of unique.
func (p *progress) key(items int, seen *Seen) {
	unique := p.job.Paging.Unique
	if len(unique.Paths) == 0 || !p.job.Paging.Keyed() || items == 0 {
		return
	}
	if seen.keys().Of(evidence.Configured) != nil {
		p.found.Keyed = true
		return
	}
	p.found.Unkeyed = verdict.NoKey.Words(unique.Shown(""))
}

// locate notes at which paths a page had items or arrays.
func (p *progress) locate(page *page.Page) {
	if page.Selected == 0 || isBlank(page) {
		return
	}
	p.found.Located = true
	p.found.SawBeside(arrayPaths(page.Beside.Arrays))
}

// isBlank tells whether a response is null or empty as a whole: that says nothing of
// where items are.
func isBlank(p *page.Page) bool {
	return p.Selected == 'n' && p.Bytes <= int64(len("null"))
}

// lacks enters the warning of a page without items.
func (p *progress) lacks(text string, astray report.Astray) {
	if text == "" || len(astray.Paths) == 0 {
		// The longest counts, so that the order of the walks does not matter.
		p.found.Missing = max(p.found.Missing, text+astray.Quote)
		return
	}
	p.found.WentAstray(text, astray)
}

// link enters whether the answer led to a next page.
func (p *progress) link(page *page.Page, out *paginate.PageOutcome) {
	p.found.Led = p.found.Led || out.Led
	if out.NoLink == "" {
		p.found.Linked = true
		return
	}
	if page.Items > 0 {
		near := evidence.Near(p.job.Paging.Needs.Values[0], page.Beside.Names)
		p.found.Add(report.Findings{Leads: report.Leads{NoLink: out.NoLink + near}})
	}
}

// suspect returns the suspicion about the end of a walk, if it means something by
// itself. Else it is entered, and judged beside the other walks of the job: of many
// some have a usual size of a page by chance.
func (p *progress) suspect(w *Walk) verdict.Raised {
	is := w.suspicion
	items := w.State.Seen.Pages.Opening.Items
	// A page with fewer items is never doubted for its size.
	if !is.Unproven && is.Text == "" && items > evidence.LeastRound {
		p.most = max(p.most, items)
	}
	if is.By == evidence.ByUsual && items < p.job.Most {
		// An earlier run had more on a page.
		is.Raised = verdict.Raised{}
	}
	isStrong := w.Child == nil && is.By == evidence.BySize
	var found report.Findings
	if !w.isAlone() {
		found.Opening.Items = items
	}
	if w.Child == nil && w.Job.Windowed() {
		found.Opening.Windows = 1
	}
	switch {
	case is.Text == "":
	case !w.isAlone() && !isStrong:
		found.Opening.Full, found.Opening.Warning = 1, is.Text
		is.Raised = verdict.Raised{}
	case is.Unled && w.Job.Windowed():
		found.AsMany = is.Text
		is.Raised = verdict.Raised{}
	}
	if w.isCounted() {
		p.found.Add(found)
	}
	return is.Raised
}

// warnAtEnd says what only the whole run shows: of a run of shards that is for
// publishing to say.
// An error is that of the run.
func (p *progress) warnAtEnd() error {
	o := p.options
	if len(p.lasts) > 0 {
		p.found.Last = p.lasts[0].Path
	}
	if o.Shards > 0 {
		clean := p.found.Redacted(o.redact)
		told := verdict.Told{Job: p.facts, Trust: p.trust()}
		o.Observer.Observe(pipeline.JobFindings{Job: p.job.ID, Findings: clean, Facts: written(told)})
		return nil
	}
	// The last walk of the job may not have known that it was the last.
	told := append(p.judge().Doubts, verdict.OfFindings(&p.found, p.trust())...)
	for _, r := range told {
		o.tell(p.job, r)
	}
	if err := p.found.Err(); err != nil {
		return fmt.Errorf("job %s: %w", p.job.ID, err)
	}
	return nil
}

// Lost is why the job fails if no other page of it is to come, see [report.Findings].
func (w *Walk) Lost() error { return w.progress.found.Err() }

// Misplaced warns of walks of the job that had nothing where items are looked for, of
// arrays that may have them, and of walks all of which are denied.
func (w *Walk) Misplaced() []report.Remark {
	return verdict.Misplaced(&w.progress.found, w.trust())
}

// isCounted tells whether this shard counts what the walk has: a whole walk is the same in
// all of them.
func (w *Walk) isCounted() bool { return !w.told.Whole || w.options.Shard == 0 }

// CountEmpty enters whether the first answer of the walk is a page without items.
func (w *Walk) CountEmpty(number int, came *Fetched) {
	isFirst := number == 1 && w.isCounted()
	if !isFirst || !w.Job.Conditions.Empties() {
		return
	}
	d := report.Denied{Walks: 1}
	if came.end.isEmpty() {
		d.Empty = map[int]int{came.end.status: 1}
	}
	if came.end.isEmpty() && !came.end.byStatus {
		d.Said = 1
	}
	w.progress.found.Add(report.Findings{Empties: report.Empties{Denied: d}})
}
