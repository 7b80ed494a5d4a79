package walk

import (
	"fmt"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
	"sluice/source/verdict"
)

// judge judges the walk's next page, and returns the request for the one after it,
// nil if the walk has ended.
func (w *Walk) judge(number int, came *Fetched) (*paginate.Request, error) {
	if w.isAhead {
		w.judgeAhead(came)
		return nil, nil
	}
	if w.confirm != nil {
		return w.judgeEnd(number, came), nil
	}
	if w.mayBeBeyondEnd(number, came.err) {
		w.endProvisionally(number, came.err)
		came.err = nil
		return nil, nil
	}
	if came.err != nil {
		return nil, came.err
	}
	if err := w.refuseScalar(came); err != nil {
		return nil, err
	}
	facts := w.Facts(came)
	facts.Room = w.recorded.Says[:0]
	w.journaled(came, facts)
	before := w.State.Seen.Totals
	out, err := w.Job.Paging.Judge(&w.State, w.Pages, facts)
	if err != nil {
		return nil, came.quoting(err)
	}
	w.suggest(came, facts, &out)
	if w.isCounted() {
		w.progress.found.Again += out.Again
	}
	w.record(number, came, &out)
	w.CountEmpty(number, came)
	w.seeHollow(number, came, facts, &out)
	w.tellSeam(came, &out)
	came.later = nil
	provisional := w.isProvisional(number, came.Page, &out)
	for _, odd := range w.Warnings(came, &out) {
		w.warn(odd, provisional)
	}
	if !out.Emit {
		came.Page.Close()
		came.Page = nil
	} else if err := w.accept(number, came.without(w.Assignment, out.Seam.Drop)); err != nil {
		return nil, err
	}
	if out.Emit {
		w.tellShardItems(number, facts, &before)
	}
	if out.Stop == nil {
		if w.options.between != nil {
			w.options.between(w)
		}
		return w.State.Asked, nil
	}
	return w.stop(number, facts, &out), nil
}

// mostHollow is how many of them in a row are asked for again.
const mostHollow = 3

// seeHollow enters whether a page that was judged had no items, and may have some.
func (w *Walk) seeHollow(number int, came *Fetched, facts *paginate.Facts, out *paginate.PageOutcome) {
	mayAsk := !w.isHollow && w.Job.Paging.MayHaveBeenEmpty(&w.State, facts, came.asked, out)
	switch {
	case out.Stop != nil || facts.Items > 0:
		w.hollow = nil
	case mayAsk && len(w.hollow) < mostHollow:
		w.hollow = append(w.hollow, hollow{number, came.asked})
	}
}

// refuseScalar refuses a page with a scalar where pages before had items: a line, or
// the member that was detected.
func (w *Walk) refuseScalar(came *Fetched) error {
	p, shape := came.Page, &w.State.Shape
	if shape.Containers && p.Lines.Scalar != "" {
		return came.quoting(p.Lines.Stray())
	}
	if shape.Arrays && p.Alone != "" {
		return came.quoting(page.Stray(p.Field, p.Alone))
	}
	shape.Containers = shape.Containers || p.Lines.Containers
	shape.Arrays = shape.Arrays || p.Selected == '['
	for _, m := range p.Beside.Scalars {
		if m.Path[0] == shape.Member {
			text := pipeline.Shorten(w.options.redact(string(m.Value)), 160)
			return fmt.Errorf("%w%s", page.Stray(w.options.redact(shape.Member), text), came.quote)
		}
	}
	if w.Job.Spec.Detect && p.Items > 0 {
		shape.Member = p.Field
	}
	return nil
}

// warn tells of what is odd about a page. Whether it counts is left to publishing if
// it is provisional.
func (w *Walk) warn(odd report.Remark, provisional bool) {
	w.State.Verdict = max(w.State.Verdict, odd.Verdict)
	if provisional && !odd.Expected {
		w.tellPublish(odd)
		return
	}
	// A job may have a million empty walks.
	oneOfMany := w.Child != nil || w.Job.Windowed()
	if odd.Expected && oneOfMany {
		w.progress.found.Add(report.Findings{Empties: report.Empties{Empty: w.options.message(odd.Text), EmptyPages: 1}})
		return
	}
	w.options.tell(w.Job, odd)
}

// accept takes the items of a good page, which are to be emitted.
func (w *Walk) accept(number int, came *Fetched) error {
	if err := w.progress.follow(w, came.Items.lasts); err != nil {
		return err
	}
	w.tellItems(number, came)
	w.progress.key(came.Page.Items, &came.Items)
	w.progress.sort(came.Page.Items, &came.Items.filtered)
	p := came.Page
	w.progress.found.Replaced += p.Replaced
	w.filter(came)
	judged := pipeline.PageJudged{
		Job:      w.Job.ID,
		DataType: w.Job.DataType,
		Depth:    len(w.Above.Item),
		Page:     number,
		Items:    p.Items - p.LeftOut,
		Filtered: came.Items.filtered.count + came.Items.filtered.cut,
		Empty:    came.end.isEmpty() && w.isCounted(),
		Bytes:    p.Bytes,
		Kept:     came.known,
		At:       w.options.Now(),
	}
	if w.isOnly() {
		judged.Share = w.Job.Paging.Share(&w.State)
	}
	w.options.Observer.Observe(judged)
	return nil
}

// stop ends the walk, unless one page more is to prove the end: then it
// returns its request.
func (w *Walk) stop(
	number int, facts *paginate.Facts, out *paginate.PageOutcome,
) *paginate.Request {
	w.more, w.suspicion = out.More, out.Suspicion
	w.told.End = w.State.Pages
	mayAsk := w.options.ConfirmEnd || w.options.Proof && w.isAssumed(out.Stop)
	if mayAsk && !out.Elsewhere {
		if next := w.confirmEnd(number, facts, out); next != nil {
			return next
		}
	}
	if next := w.askAhead(out.Stop); next != nil {
		return next
	}
	w.endBy(*out.Stop)
	return nil
}

// Warnings says what is odd about a page that was judged.
func (w *Walk) Warnings(came *Fetched, out *paginate.PageOutcome) (all []report.Remark) {
	p := came.Page
	add := func(raised verdict.Raised) {
		_, told := verdict.Weigh(w.trust(), raised)
		all = append(all, told...)
	}
	addOfPaging := func() {
		if out.Warning != "" {
			all = append(all, report.Remark{Text: out.Warning, Verdict: out.Verdict})
		}
	}
	if came.end.isEmpty() {
		// It says nothing of where items are.
		addOfPaging()
		return all
	}
	w.progress.locate(p)
	w.compare(came, out)
	if p.Items == 0 {
		add(w.lacking(came, out))
		text := "dataField " + p.Field + " contains no data!"
		all = append(all, report.Remark{Text: text, Expected: true})
	}
	add(came.complaint)
	if odd := p.Lines.Odd; odd.Text != "" && !came.isComplaint() {
		add(verdict.OddLine.Raise(odd.Text, odd.Name+"~~%"))
	}
	if p.Lines.Unended && transport.EndsWithConnection(came.Header) {
		add(verdict.UnendedLine.Raise())
	}
	add(w.otherHeader(p))
	if p.Alone != "" {
		add(verdict.LoneValue.Raise(p.Lone()))
	}
	if w.mayBeErrors(p) {
		add(verdict.ErrorArray.Raise(p.Field))
	}
	add(w.inner(came, out))
	if part := out.Partial; part != nil {
		add(verdict.Said(part, w.options.redact))
	}
	addOfPaging()
	w.progress.link(p, out)
	return all
}

// otherHeader is the doubt of a page whose header is not that of the first one: the API may send one only
// once, and then this one was an item.
func (w *Walk) otherHeader(p *page.Page) (none verdict.Raised) {
	first := &w.State.Shape.Header
	switch {
	case p.Header == 0, slices.Contains(w.Job.Spec.Select, page.Every):
		return none
	case *first == 0:
		*first = p.Header
	}
	cure := ""
	if w.Job.Spec.Bare != nil {
		cure = ": say the names with dataField.rows"
	}
	raised := verdict.OtherHeader.Raise(cure)
	if w.isAlone() && w.options.Shards > 0 {
		w.progress.found.Add(report.Findings{UniqueKeys: report.UniqueKeys{Header: p.Header, OtherHeader: raised.Text}})
		return none
	}
	if *first == p.Header {
		return none
	}
	return raised
}

// lacking is the doubt of a page without items; of many walks it is left to their
// end.
func (w *Walk) lacking(came *Fetched, out *paginate.PageOutcome) (none verdict.Raised) {
	p, quote := came.Page, came.quote
	if w.State.Items > 0 {
		// No items are how the API says that there are no more, unless facts show something else.
		return none
	}
	if w.meant(came) == "" && w.saysNone(p, out) {
		return none
	}
	if refusing := w.refusing(came); refusing.Text != "" {
		return refusing
	}
	text := w.nothingThere(p, "").Text
	if text == "" {
		quote = ""
	}
	alone := w.isAlone()
	astray := report.Astray{Paths: arrayPaths(p.Beside.Arrays), Quote: quote}
	if lost := w.meant(came); lost != "" {
		w.progress.found.Add(report.Findings{Lost: lost})
		w.progress.lacks(text, astray)
		return none
	}
	if alone && w.State.Pages == 1 {
		return w.nothingThere(p, quote)
	}
	if alone && len(p.Beside.Arrays) > 0 {
		return w.nothingThere(p, "")
	}
	w.progress.lacks(text, astray)
	return none
}

// saysNone tells whether a page says that the list has no items: by its numbers of them, by that of limitStop, or, where no array
// stands elsewhere, since the object in which the list would stand is there and has nothing, as some leave out empty lists, or since a flag
// says that there is no more.
func (w *Walk) saysNone(p *page.Page, out *paginate.PageOutcome) bool {
	answer := evidence.Answer{Around: p.Beside.Notable}
	if answer.SaysNone() || out.Limit.At != "" && out.Limit.Items == 0 {
		return true
	}
	isHollow := p.Beside.Hollow && len(w.Job.Spec.Select) > 1
	isConfigured := func(s verdict.Statement) bool { return s.Kind == verdict.NoMore }
	isEnd := answer.SaysEnd() || slices.ContainsFunc(out.Says, isConfigured)
	return (isHollow || isEnd) && len(p.Beside.Arrays) == 0 && !evidence.SaysError(said(p))
}

// mayBeErrors tells whether the items of a page were found, and by their
// name are errors.
func (w *Walk) mayBeErrors(p *page.Page) bool {
	return w.Job.Spec.Detect && !p.NoArray && evidence.IsError(p.Field)
}
