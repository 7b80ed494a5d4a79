package source

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
)

// conditions are a list of the configuration. An answer for which one of them holds counts
// as what the name of the list says (docs/decisions.md, section 18).
type conditions struct {
	name    string // loginOn, retryOn, endOn, failOn or waitOn
	texts   []string
	filters []*expr.Filter
	retries func(status int) bool
}

// conditions compiles the lists of a job, or of the API where the job has none of that
// name, in the order in which they are judged.
func (c *compiler) conditions(d *config.Job) (all []*conditions) {
	for _, name := range [...]string{"loginOn", "retryOn", "endOn", "failOn"} {
		n := cmp.Or(d.Conditions[name], c.doc.Conditions[name])
		if n == nil {
			continue
		}
		if c.lists[n] == nil { // that of the API is compiled once
			c.lists[n] = &conditions{name: name, retries: c.iteration.client.Retry.Retries}
			for _, e := range n.Elems {
				c.lists[n].add(e, c.problems)
			}
			if s := c.iteration.signer; name == "loginOn" && len(n.Elems) > 0 && (s == nil || s.Rejected == nil) {
				c.problems.Notef(n, "there is no login that could be made anew, so these answers fail the job: see api.authentication")
			}
		}
		all = append(all, c.lists[n])
	}
	return all
}

// add compiles one condition.
func (on *conditions) add(n *config.Node, p *config.Problems) {
	if n.Kind != '"' {
		return // that is reported already
	}
	filter := expr.CompileFilter(n, p)
	if filter == nil {
		return
	}
	for _, path := range filter.Paths() {
		if name := path[0]; strings.HasPrefix(name, "$") && (name != "$status" || len(path) > 1) && (name != "$header" || len(path) == 1) {
			p.Errorf(n, "there is no %s: have $status and $header.NAME", path)
		}
	}
	on.texts, on.filters = append(on.texts, n.Text()), append(on.filters, filter)
}

// holds returns which condition holds for an answer of that status, a negative number if none
// does. An answer that is asked for again because of its status is an error by failOn only if
// the condition is about the status.
func (on *conditions) holds(status int, look func(item.Path) []byte) int {
	again := on.name == "failOn" && (status == http.StatusUnauthorized || on.retries(status))
	return slices.IndexFunc(on.filters, func(f *expr.Filter) bool {
		aboutIt := func(path item.Path) bool { return path[0] == "$status" }
		return f.Holds(look) && (!again || slices.ContainsFunc(f.Paths(), aboutIt))
	})
}

// has tells whether the job has a list of that name, or the API for it.
func (j *job) has(name string) bool {
	return slices.ContainsFunc(j.on, func(on *conditions) bool { return on.name == name })
}

// conditionPaths are what the conditions look at, in order.
func (j *job) conditionPaths() (all []item.Path) {
	for _, on := range j.on {
		for _, filter := range on.filters {
			all = append(all, filter.Paths()...)
		}
	}
	return all
}

// settled is an answer that is no page, and no error either: it ends the walk, or is not
// ready.
type settled struct {
	text    string
	unready bool
}

func (s *settled) Error() string { return s.text }

// counts returns an error if the answer counts as something else than its status says. root
// looks up what it has, items is how many it has, and detail is what people should know.
func (s *slot) counts(status int, header http.Header, root func(item.Path) []byte, items int, detail string) error {
	look := func(path item.Path) []byte {
		switch path[0] {
		case "$status":
			return strconv.AppendInt(nil, int64(status), 10)
		case "$header":
			return paginate.HeaderValue(header, path)
		}
		return root(path)
	}
	for _, on := range s.walk.job.on {
		i := on.holds(status, look)
		if i < 0 {
			continue
		}
		text := on.name + ": " + on.texts[i] + " holds"
		switch {
		case on.name == "loginOn":
			return &transport.Counts{As: http.StatusUnauthorized, Text: text}
		case on.name == "retryOn":
			return &transport.Counts{As: http.StatusTooManyRequests, Text: text}
		case on.name == "failOn":
			return errors.New(text + detail)
		case on.name == "waitOn":
			return &settled{text, true}
		case s.number == 1:
			return errors.New(text + " for the first page, which is an error" + detail)
		case items > 0:
			return fmt.Errorf("%s, but the answer has items (%d): for a last page with items use nextPageFlag or limitStop%s", text, items, detail)
		}
		return &settled{text, false}
	}
	return nil
}

// countsRefused is counts for an answer that is no success.
func (s *slot) countsRefused(status int, header http.Header, text []byte) error {
	value := jsontext.Value(text)
	if value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		value, _ = item.Compact(nil, value)
	} else {
		value = jsontext.Value("null")
	}
	return s.counts(status, header, func(path item.Path) []byte { return item.Find(value, path) }, 0, "")
}

// countsUnusable is counts for an answer that cannot be used as a page.
func (s *slot) countsUnusable(resp *transport.Response, bad *page.Error) error {
	return s.counts(resp.Status, resp.Header, s.walk.job.looker(bad.Wanted), 0, "")
}

// looker looks up what the decoder found of what the job wants; nil is nothing.
func (j *job) looker(wanted []jsontext.Value) func(item.Path) []byte {
	return func(path item.Path) []byte {
		if wanted == nil {
			return nil
		}
		return wanted[slices.IndexFunc(j.spec.Wants, func(w item.Path) bool { return slices.Equal(w, path) })]
	}
}

// refuse returns why the page is none, if it is so. What it says against itself beside items
// goes to s.
func (s *slot) refuse(resp *transport.Response) error {
	j, p := s.walk.job, s.page
	complaint := paginate.Complaint(p.Around)
	items := p.Items
	if j.spec.Detect && paginate.IsError(item.Path{p.Field}) {
		items = 0 // these are errors
	}
	if err := s.counts(resp.Status, resp.Header, j.looker(p.Wanted), items, j.quoted(complaint)); err != nil || j.has("failOn") {
		return err
	}
	switch {
	case resp.Status/100 != 2 || complaint == nil:
	case p.Selected == 0 || p.Selected == 'n':
		return fmt.Errorf("the answer is an error%s (if it is none, say with failOn what is)", j.quoted(complaint))
	default:
		s.complaint = "the answer has an error beside the items" + j.quoted(complaint)
	}
	return nil
}

// settle makes the answer an empty page, with which the walk ends, or which is not ready.
func (s *slot) settle(as *settled) {
	spec := &s.walk.job.spec
	s.page.Close()
	s.page = &page.Page{Wanted: make([]jsontext.Value, len(spec.Wants)), Field: cmp.Or(spec.Field, "."), Selected: 'n'}
	s.end, s.header, s.parents = true, nil, nil
	if as.unready {
		s.unready = as.text
	}
}

// quoted is a member for people, cut, after a colon; nothing for nil.
func (j *job) quoted(m *item.Found) string {
	if m == nil {
		return ""
	}
	const most = 500
	text := j.iteration.o.Secrets.Redact(string(m.Value))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return ": " + m.Path.String() + " is " + text
}
