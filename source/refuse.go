package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/transport"
)

// failOn is a list of conditions about an answer: one that holds makes it an error
// (docs/decisions.md, section 10). Nil: an answer without items is an error if it says so.
type failOn struct {
	texts   []string
	filters []*expr.Filter
}

// failOn compiles that of a job, else that of the API; nil if there is neither.
func (c *compiler) failOn(d *config.Job) *failOn {
	n := d.FailOn
	if n == nil {
		n = c.doc.FailOn
	}
	if n == nil {
		return nil
	}
	f := &failOn{}
	for _, e := range n.Elems {
		filter, err := expr.ParseFilter(e.Text())
		switch {
		case e.Kind != '"': // that is reported already
			continue
		case err != nil:
			c.problems.Errorf(e, "%v", err)
			continue
		}
		f.texts, f.filters = append(f.texts, e.Text()), append(f.filters, filter)
	}
	return f
}

// paths are those of the conditions, in order; f may be nil.
func (f *failOn) paths() (all []item.Path) {
	if f != nil {
		for _, filter := range f.filters {
			all = append(all, filter.Paths()...)
		}
	}
	return all
}

// refuse returns why the answer is an error, if it is one. What it says beside items
// goes to s.
func (s *slot) refuse(resp *transport.Response) error {
	j, p := s.walk.job, s.page
	complaint := paginate.Complaint(p.Around)
	if f := j.failOn; f != nil {
		for i, filter := range f.filters {
			if filter.Holds(func(path item.Path) []byte { return j.wanted(path, resp, p) }) {
				return fmt.Errorf("failOn: %s holds%s", f.texts[i], j.quoted(complaint))
			}
		}
		return nil
	}
	s.complaint = ""
	switch {
	case resp.Status/100 != 2 || complaint == nil:
	case p.Selected == 0 || p.Selected == 'n':
		return fmt.Errorf("the answer is an error%s (if it is none, say with failOn what is)", j.quoted(complaint))
	default:
		s.complaint = "the answer has an error beside the items" + j.quoted(complaint)
	}
	return nil
}

// wanted looks a path of failOn up.
func (j *job) wanted(path item.Path, resp *transport.Response, p *page.Page) []byte {
	switch {
	case path[0] == "$status" && len(path) == 1:
		return strconv.AppendInt(nil, int64(resp.Status), 10)
	case path[0] == "$header" && len(path) > 1:
		if values := resp.Header.Values(path[1:].String()); len(values) > 0 {
			return item.Quote(strings.Join(values, ", "))
		}
		return nil
	}
	return p.Wanted[slices.IndexFunc(j.spec.Wants, func(w item.Path) bool { return slices.Equal(w, path) })]
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
