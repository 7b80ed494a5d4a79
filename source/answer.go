package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
)

// A condition makes an answer count as what the name of its list says (docs/decisions.md, section 16).
type condition struct {
	list   string // loginOn, retryOn, endOn, failOn or waitOn
	text   string
	filter *expr.Filter
}

// conditions compiles those of a job, or else of the API, in the order in which they are judged.
func (c *compiler) conditions(d *config.Job, j *job) {
	for _, list := range [...]string{"loginOn", "retryOn", "endOn", "failOn"} {
		n := cmp.Or(d.Conditions[list], c.doc.Conditions[list])
		if n == nil {
			continue
		}
		for _, e := range n.Elems {
			c.condition(list, e, j)
		}
		if s := c.iteration.signer; list == "loginOn" && len(n.Elems) > 0 && (s == nil || s.Rejected == nil) {
			c.problems.Notef(n, "there is no login that could be made anew, so these answers fail the job: see api.authentication")
		}
		j.failOn = list == "failOn"
	}
	if d.WaitOn == nil {
		return
	}
	c.condition("waitOn", d.WaitOn.Member("when"), j)
	j.every, j.most = c.duration(d.WaitOn.Member("every")), c.duration(d.WaitOn.Member("for"))
	if j.most > 0 && j.most < j.every {
		c.problems.Errorf(d.WaitOn.Member("for"), "must not be shorter than every, which is %s", j.every)
	}
}

// duration is an amount of time; 0 if there is none.
func (c *compiler) duration(n *config.Node) (d time.Duration) {
	if n != nil {
		var err error
		if d, err = paginate.Duration(n); err != nil {
			c.problems.Errorf(n, "%v", err)
		}
	}
	return d
}

func (c *compiler) condition(list string, n *config.Node, j *job) {
	if n == nil || n.Kind != '"' {
		return // that is reported already
	}
	filter := expr.CompileFilter(n, c.problems)
	if filter == nil {
		return
	}
	for _, path := range filter.Paths() {
		if name := path[0]; strings.HasPrefix(name, "$") && (name != "$status" || len(path) > 1) && (name != "$header" || len(path) == 1) {
			c.problems.Errorf(n, "there is no %s: have $status and $header.NAME", path)
		}
	}
	j.conditions = append(j.conditions, condition{list, n.Text(), filter})
}

// conditionPaths are what the conditions look at, in order.
func (j *job) conditionPaths() (all []item.Path) {
	for _, on := range j.conditions {
		all = append(all, on.filter.Paths()...)
	}
	return all
}

// errSettled says that an answer is no page, and no error either: the slot says what it is.
var errSettled = errors.New("the answer is settled")

// counts returns an error if the answer counts as something else than its status says. One that is
// asked for again is an error by failOn, or the end by endOn, only if the condition is about the status.
func (s *slot) counts(status int, header http.Header, root func(item.Path) []byte, items int, quote string) error {
	look := func(path item.Path) []byte {
		switch path[0] {
		case "$status":
			return strconv.AppendInt(nil, int64(status), 10)
		case "$header":
			return evidence.HeaderValue(header, path)
		}
		return root(path)
	}
	conditions := s.walk.job.conditions
	again := status == http.StatusUnauthorized || s.walk.job.iteration.client.Retry.Retries(status)
	i := slices.IndexFunc(conditions, func(on condition) bool {
		aboutStatus := slices.ContainsFunc(on.filter.Paths(), func(path item.Path) bool { return path[0] == "$status" })
		return on.filter.Holds(look) && (!again || on.list != "failOn" && on.list != "endOn" || aboutStatus)
	})
	if i < 0 {
		return nil
	}
	text := conditions[i].list + ": " + conditions[i].text + " holds"
	switch list := conditions[i].list; {
	case list == "loginOn":
		return &transport.Counts{As: http.StatusUnauthorized, Text: text, Quote: quote}
	case list == "retryOn":
		return &transport.Counts{As: http.StatusTooManyRequests, Text: text, Quote: quote}
	case list == "failOn":
		return &transport.Counts{Text: text, Quote: quote}
	case list == "waitOn":
		s.unready = text
	case s.number == 1:
		return &transport.Counts{Text: text + " for the first page, which is an error", Quote: quote}
	case items > 0:
		text += fmt.Sprintf(", but the answer has items (%d): for a last page with items use nextPageFlag or limitStop", items)
		return &transport.Counts{Text: text, Quote: quote}
	}
	return errSettled
}

// countsRefused is counts for an answer that is no success.
func (s *slot) countsRefused(status int, header http.Header, text []byte) error {
	_, _ = io.ReadAll(s.hear(status, header, nil, bytes.NewReader(text))) // from memory
	var value []byte
	if isJSON(text) {
		value, _ = item.Compact(nil, text)
	}
	return s.counts(status, header, func(path item.Path) []byte { return item.Find(value, path) }, 0, "")
}

func isJSON(text []byte) bool {
	return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// looker looks up what the decoder found of what the job wants; nil is nothing.
func (j *job) looker(wanted []jsontext.Value) func(item.Path) []byte {
	return func(path item.Path) []byte {
		if wanted == nil {
			return nil
		}
		return wanted[j.wanted[keyOf(path)]]
	}
}

// keyOf is a path as a key of a map.
func keyOf(path item.Path) string { return strings.Join(path, "\x00") }

// refuse returns why the page is none, if so; what it says against itself beside items goes to s.
func (s *slot) refuse(resp *transport.Response) error {
	j, p := s.walk.job, s.page
	complaint := evidence.Complaint(p.Around)
	items := p.Items
	if j.spec.Detect && evidence.IsError(p.Field) {
		items = 0 // these are errors
	}
	if err := s.counts(resp.Status, resp.Header, j.looker(p.Wanted), items, j.quoted(complaint)); err != nil || j.failOn {
		return err
	}
	switch {
	case resp.Status == http.StatusAccepted && p.Items == 0 && complaint == nil:
		s.complaint = "the answer is 202 Accepted and has no items: if it is not ready yet, have it asked for again by waitOn"
	case resp.Status/100 != 2 || complaint == nil:
	case p.Selected == 0 || p.Selected == 'n':
		return fmt.Errorf("the answer is an error: %s (to have it asked for again, see api.http.retryOn; if it is no error, api.http.failOn)", j.quoted(complaint))
	default:
		s.complaint = beside + j.quoted(complaint)
	}
	return nil
}

// loneError is what is said of a line that has nothing but an error. Of others it is empty, and common, if not nil, is
// what lines begin with whose first member shows that as well.
func (j *job) loneError(line []byte) (text string, common []byte) {
	var all []item.Found
	for name, value := range item.Members(line) {
		if len(all) > 0 {
			return "", nil
		}
		if !evidence.Notable(name) {
			return "", slices.Clone(line[:len("{")+len(name)])
		}
		all = append(all, item.Found{Path: item.Path{item.Unquote(name)}, Value: value})
	}
	if bad := evidence.Complaint(all); bad != nil {
		return beside + j.quoted(bad), nil
	}
	return "", nil
}

// beside is what is said of an error that does not make an answer unusable.
const beside = "the answer has an error beside the items: "

// settle makes the answer an empty page, with which the walk ends, or which is not ready.
func (s *slot) settle() {
	spec := &s.walk.job.spec
	s.page.Close()
	s.page = &page.Page{Wanted: make([]jsontext.Value, len(spec.Wants)), Field: cmp.Or(spec.Field, "."), Selected: 'n'}
	s.end, s.header, s.parents = true, nil, nil
}

// quoted is a member for people, cut; nothing for nil.
func (j *job) quoted(m *item.Found) string {
	if m == nil {
		return ""
	}
	return m.Path.String() + " is " + pipeline.Shorten(j.iteration.o.Secrets.Redact(string(m.Value)), 500)
}
