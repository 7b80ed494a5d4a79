package paginate

import (
	"fmt"
	"slices"
	"strconv"

	"sluice/pipeline/pattern"
	"sluice/source/request"
)

// numberName matches a name in braces that a number may stand for, and what is added to that.
var numberName = pattern.Lazy(`\{(offset|page|limit)(?:\+(limit|[0-9]{1,9}))?\}`)

// numberTemplate fills numbers into texts where their names stand in braces.
type numberTemplate struct {
	// counts is page or offset.
	counts string
	// limit is 0 where there is none.
	limit int64
}

// names are what texts may have.
func (t *numberTemplate) names() []string {
	names := []string{"{" + t.counts + "}", "{" + t.counts + "+N}"}
	if t.limit == 0 {
		return names
	}
	if t.counts == "offset" {
		names = append(names, "{offset+limit}")
	}
	return append(names, "{limit}")
}

// knows tells whether a name in braces is filled.
func (t *numberTemplate) knows(name string) bool {
	part := numberName().FindStringSubmatch(name)
	if part == nil || part[0] != name {
		return false
	}
	_, _, ok := t.number(part, 0)
	return ok
}

// number is what the parts of a name stand for on the page with the number n; moves tells that it differs from page
// to page.
func (t *numberTemplate) number(part []string, n int64) (value int64, moves, ok bool) {
	name, plus := part[1], part[2]
	hasLimit := t.limit > 0
	switch {
	case name == "limit":
		return t.limit, false, plus == "" && hasLimit
	case name != t.counts:
		return 0, false, false
	case plus == "limit":
		return n + t.limit, true, name == "offset" && hasLimit
	case plus != "":
		// Nine digits are a number.
		more, _ := strconv.ParseInt(plus, 10, 64)
		return n + more, true, true
	}
	return n, true, true
}

// A filled text has numbers in it.
type filled struct {
	text string
	// moves tells that it differs from page to page.
	moves bool
	// unknown is a number that there is not, empty: there is none.
	unknown string
}

func (t *numberTemplate) fill(text string, n int64) (f filled) {
	f.text = numberName().ReplaceAllStringFunc(text, func(name string) string {
		part := numberName().FindStringSubmatch(name)
		value, moves, ok := t.number(part, n)
		if !ok {
			if part[2] == "" {
				f.unknown = name
			}
			return name
		}
		f.moves = f.moves || moves
		return strconv.FormatInt(value, 10)
	})
	return f
}

// request is the job's request with numbers in its texts, and in its address.
func (t *numberTemplate) request(j *Job, n int64) (*Request, error) {
	r := j.request(j.Params, nil)
	// They may be the job's own, or the defaults, which the next page needs as they are.
	r.Params = slices.Clone(r.Params)
	moves, err := t.params(r.Params, n)
	if err != nil {
		return nil, err
	}
	address := t.fill(r.Endpoint, n)
	if address.unknown != "" {
		return nil, t.missing("endpoint", address.unknown)
	}
	r.Endpoint, r.Shown = address.text, t.fill(r.Shown, n).text
	if !moves && !address.moves {
		return nil, fmt.Errorf("with api.pagination.template the endpoint, or a text of params, "+
			"must have {%s} where the number goes", t.counts)
	}
	return r, nil
}

// params fills those of a request, and tells whether they differ from page to page.
func (t *numberTemplate) params(all request.Params, n int64) (moves bool, err error) {
	for i, q := range all {
		f := t.fill(string(q.Value), n)
		if f.unknown != "" {
			return false, t.missing(sectionOf(q)+"."+q.Name, f.unknown)
		}
		all[i].Value = []byte(f.text)
		moves = moves || f.moves
	}
	return moves, nil
}

// missing is the error of a place with a number that there is not.
func (t *numberTemplate) missing(place, name string) error {
	return fmt.Errorf("%s: %s is there, and api.pagination has no such number", place, name)
}

// A filler puts numbers into texts of the job, where their names stand in braces; nil:
// it does not.
type filler interface{ fills() *numberTemplate }
