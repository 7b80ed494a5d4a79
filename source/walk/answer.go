package walk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/transport"
	"sluice/source/verdict"
)

// answer is what conditions look at; wanted has what the decoder found,
// nil is nothing.
func (f *fetching) answer(
	status int, header http.Header, wanted []jsontext.Value,
) *job.Examined {
	member := func(path item.Path) []byte { return f.Job.Found(wanted, path) }
	return &job.Examined{First: f.number == 1, Status: status, Header: header, Member: member}
}

// counts returns an error if the answer counts as something else than its status
// says. Messages show what it says of itself, which may be empty.
func (f *fetching) counts(a *job.Examined, items int, says string) error {
	retry := &f.options.Client.Retry
	repeated := a.Status == http.StatusUnauthorized || retry.Retries(a.Status)
	on := f.Job.Conditions.Holding(a, repeated)
	if on == nil {
		return f.beyondEmpty(a, repeated)
	}
	text := on.List + ": " + on.Text + " holds"
	switch on.List {
	case "loginOn":
		return &transport.Counts{As: http.StatusUnauthorized, Text: text, Says: says}
	case "retryOn":
		return &transport.Counts{As: http.StatusTooManyRequests, Text: text, Says: says}
	case "failOn":
		return &transport.Counts{Text: text, Says: says}
	case "waitOn":
		f.came.Unready = text
		return errSettled
	case "emptyOn":
		return f.countsAsEmpty(a, text, items, says)
	}
	return f.countsAsEnd(on, text, items, says)
}

// countsAsEnd is [fetching.counts] for endOn.
func (f *fetching) countsAsEnd(on *job.Condition, text string, items int, says string) error {
	if f.number == 1 {
		text += " for the first page, which is an error"
		return &transport.Counts{Text: text, Says: says}
	}
	if items > 0 {
		text += fmt.Sprintf(", but the answer has items (%d): "+
			"for a last page with items use nextPageFlag or limitStop", items)
		return &transport.Counts{Text: text, Says: says}
	}
	f.came.end = configuredEnd{by: report.StopEndOn, reads: on.Filter.Paths()}
	return errSettled
}

// refused is counts for an answer that is no success.
func (f *fetching) refused(status int, header http.Header, text []byte) error {
	// The text is in memory: reading it cannot fail.
	_, _ = io.ReadAll(f.hear(status, header, nil, bytes.NewReader(text)))
	value := f.Job.Spec.Format.Value(text)
	if value == nil && isJSON(text) {
		value, _ = item.Compact(nil, text)
	}
	member := func(path item.Path) []byte { return item.Find(value, path) }
	answer := &job.Examined{First: f.number == 1, Status: status, Header: header, Member: member}
	err := f.counts(answer, 0, "")
	if f.came.end.isHeard() {
		f.came.Status, f.came.Header, f.came.Page = status, header, f.beside(text)
	}
	if f.came.Unready != "" {
		begin := text[:min(len(text), quotedBytes)]
		f.came.quote = f.options.Client.Quote(string(begin), len(begin) < len(text))
	}
	return err
}

// refuse returns why the page is none, if so, and notes what it says against
// itself beside items.
func (f *fetching) refuse(resp *transport.Response) error {
	p := f.came.Page
	complaint := evidence.Complaint(p.Beside.Notable)
	quoted := f.options.quoted(complaint)
	items := p.Items
	detectedErrors := f.Job.Spec.Detect && evidence.IsError(p.Field)
	if detectedErrors {
		items = 0
	}
	err := f.counts(f.answer(resp.Status, resp.Header, p.Wanted), items, quoted)
	if err != nil || f.Job.Conditions.FailOn {
		return err
	}
	if complaint == nil {
		if resp.Status == http.StatusAccepted && p.Items == 0 {
			f.came.complaint = verdict.NotReady.Raise()
		}
		return nil
	}
	if resp.Status/100 != 2 {
		return nil
	}
	if p.Selected == 0 || p.Selected == 'n' {
		return &transport.Counts{Text: "the answer is an error: " + quoted + " (to have it asked for again, " +
			"see api.http.retryOn; if it is no error, api.http.failOn)", Is: errComplains}
	}
	f.came.complaint = verdict.ErrorBeside.Raise(quoted)
	return nil
}

// beside is what the text of an answer that is no success has beside items; nil: it is no page.
func (f *fetching) beside(text []byte) *page.Page {
	spec := f.Job.Spec
	if !spec.Format.Document() {
		return nil
	}
	p, err := f.options.Decoder.Decode(bytes.NewReader(text), &spec)
	if err != nil {
		return nil
	}
	return p
}

// settle makes the answer an empty page, with which the walk ends, or which
// is not ready. What endOn ends keeps what it says of the list.
func (f *fetching) settle() {
	spec := &f.Job.Spec
	settled := &page.Page{
		Wanted:   make([]jsontext.Value, len(spec.Wants)),
		Field:    cmp.Or(spec.Field, "."),
		Selected: 'n',
	}
	isHeard := f.came.end.isHeard()
	if isHeard && f.came.Page != nil {
		settled.Wanted, settled.Beside.Notable = f.came.Page.Wanted, f.came.Page.Beside.Notable
	}
	if !isHeard {
		f.came.Header = nil
	}
	f.came.Page.Close()
	f.came.Page, f.came.Items.Parents = settled, nil
}

// errComplains is wrapped by the error of an answer that has a status of success, and says that it is an error.
var errComplains = errors.New("the answer says that it is an error")

// refusal says why an answer is no page; its message quotes the answer.
func refusal(why string) error { return &transport.Counts{Text: why} }

// countsAsEmpty is [fetching.counts] for emptyOn. The answer may be an item as a whole,
// but a list of items would be lost.
func (f *fetching) countsAsEmpty(a *job.Examined, text string, items int, says string) error {
	// There are items only on a page.
	isList := items > 0 && f.came.Page.Selected == '['
	isLine := items > 0 && !f.Job.Spec.Format.Document()
	if isList || isLine {
		text += fmt.Sprintf(", but the answer has items (%d): "+
			"a condition of emptyOn must not hold for these", items)
		return &transport.Counts{Text: text, Says: says}
	}
	f.came.end = configuredEnd{by: report.StopEmptyOn, status: a.Status, byStatus: f.Job.Conditions.ByStatusAlone(a)}
	return errSettled
}

// beyondEmpty is the error of the first answer that a shard gets in the middle of a walk,
// if emptyOn would hold for the first one of the walk: then this is beyond its end, which
// the shard that gets that one knows. It is nil for all other answers.
func (f *fetching) beyondEmpty(a *job.Examined, repeated bool) error {
	isFirst := f.number <= f.Job.Paging.Every()
	if a.First || !isFirst {
		return nil
	}
	first := *a
	first.First = true
	on := f.Job.Conditions.Holding(&first, repeated)
	if on == nil {
		return nil
	}
	return &transport.Counts{Text: on.List + ": " + on.Text + " holds", Is: transport.ErrNoPage}
}
