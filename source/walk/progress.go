package walk

import (
	"fmt"
	"maps"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
)

// progress is what the walks of a job have seen so far. It is the coordinator's.
type progress struct {
	options *Options
	job     *job.Job
	// shared is nil until a walk has begun.
	shared *shared
	ended  lengths
	// lasts are what the function last follows.
	lasts []job.Greatest
	// followed tells that some item had a value there.
	followed bool
	empty    emptyPages
	located  locations
	links    links
	windows  windows
	// replaced counts bytes of its items that were no UTF-8.
	replaced int
}

func newProgress(o *Options, j *job.Job) *progress {
	return &progress{options: o, job: j, lasts: slices.Clone(j.Lasts)}
}

// evaluate evaluates what all walks share once per job, and the parameters
// once per window.
func (p *progress) evaluate(of *job.Window) (*paginate.Job, error) {
	if p.shared == nil {
		e, err := p.job.Evaluate(of)
		if err != nil {
			return nil, err
		}
		p.shared = &shared{Evaluated: e, collectors: collectorsOf(p.job)}
		return e.Pages, nil
	}
	if p.job.Windowed {
		return p.job.EvaluateWindow(p.shared.Evaluated, of)
	}
	return p.shared.Pages, nil
}

// follow enters what a good page has for the function last.
func (p *progress) follow(page []job.Greatest) error {
	for i := range page {
		if err := p.lasts[i].Add(page[i].Text); err != nil {
			return err
		}
		p.followed = p.followed || page[i].Text != nil
	}
	return nil
}

// warnAtEnd says what only the whole run shows.
func (p *progress) warnAtEnd() {
	o, j := p.options, p.job
	if p.links.missed != "" && !p.links.any {
		o.warn(j, p.links.missed, pipeline.Complete)
	}
	for _, text := range p.located.misplaced() {
		o.warn(j, text, pipeline.Unverified)
	}
	if p.empty.pages > 0 {
		o.tell(j, pipeline.Warned{Text: p.empty.warning(), Expected: true})
	}
	if p.followsNothing() {
		text := "last: no item had anything at " + p.lasts[0].Path +
			", so the next run asks for the same again: check the path if items came"
		o.warn(j, text, pipeline.Complete)
	}
	if p.replaced > 0 {
		text := fmt.Sprintf("invalid UTF-8: bytes replaced by U+FFFD: %d", p.replaced)
		o.warn(j, text, pipeline.Complete)
	}
}

// followsNothing tells whether items came, and none had what the
// function last follows.
func (p *progress) followsNothing() bool {
	follows := len(p.lasts) > 0 && p.located.any
	return follows && !p.followed
}

// emptyPages are those of walks below items or of windows.
type emptyPages struct {
	pages int
	text  string
}

func (e *emptyPages) add(text string) {
	e.pages++
	e.text = max(e.text, text)
}

func (e *emptyPages) warning() string {
	if e.pages == 1 {
		return e.text
	}
	return fmt.Sprintf("%s (%d pages)", e.text, e.pages)
}

// links is whether answers led to a next page.
type links struct {
	// missed is the warning if none did, of pages with items.
	missed string
	any    bool
}

func (l *links) enter(p *page.Page, out *paginate.Outcome, needs []item.Path) {
	if out.NoLink == "" {
		l.any = true
	} else if p.Items > 0 {
		l.missed = max(l.missed, out.NoLink+paginate.Near(needs[0], p.Names))
	}
}

// locations are where the answers of a job had something.
type locations struct {
	// any tells that some page had something where items are looked for.
	any bool
	// missing is a warning if none had.
	missing string
	// beside are the paths of arrays beside the items of some page.
	beside []string
	// elsewhere has warnings of pages that had arrays elsewhere only, and their paths.
	elsewhere map[string][]string
}

// besideMost is how much of what stands elsewhere is remembered.
const besideMost = 64

// enter enters where a page had something.
func (l *locations) enter(p *page.Page) {
	if p.Selected != 0 && len(l.beside) < besideMost {
		l.any = true
		l.beside = append(l.beside, slices.DeleteFunc(p.Elsewhere, l.isBeside)...)
	}
}

// lacks enters the warning of a page without items. It returns it if no more
// can be remembered.
func (l *locations) lacks(text string, arrays []string) string {
	if len(l.elsewhere) == besideMost {
		return text
	}
	if text == "" || len(arrays) == 0 {
		// The longest counts, so that the order of the walks does not matter.
		l.missing = max(l.missing, text)
		return ""
	}
	if l.elsewhere == nil {
		l.elsewhere = map[string][]string{}
	}
	l.elsewhere[text] = arrays
	return ""
}

// misplaced warns of walks below items, and of windows, that had nothing where items
// are looked for: where an array is elsewhere that no walk had beside items, and
// where no walk had any.
func (l *locations) misplaced() (all []string) {
	for _, text := range slices.Sorted(maps.Keys(l.elsewhere)) {
		if len(slices.DeleteFunc(l.elsewhere[text], l.isBeside)) > 0 {
			all = append(all, text)
		}
	}
	if l.missing != "" && !l.any {
		all = append(all, l.missing)
	}
	return all
}

func (l *locations) isBeside(path string) bool {
	return slices.Contains(l.beside, path)
}

// Misplaced warns of walks of the job that had nothing where items are looked for.
func (w *Walk) Misplaced() []string { return w.progress.located.misplaced() }
