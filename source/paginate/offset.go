package paginate

import (
	"fmt"
	"math"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
)

var _ Guesser = &offset{}

// offset asks for limit items from an offset that grows by the limit
// (docs/specification.md, offset pagination).
type offset struct {
	single
	limit           int64
	limitParam      item.Path
	offsetParam     item.Path
	firstPageParams bool
	offsetFromJob   bool
	advanceItems    bool // the offset grows by the items that came
	template        bool // the texts of the job's parameters have places for the numbers
}

func newOffset(o *config.Object, _ Env, p *config.Problems) Method {
	m := &offset{}
	m.limit = positive(o, p, "limit", "Page size; a job parameter called like limitParam overrides it.")
	o.Require("limit")
	m.limitParam = o.Place("limitParam", "limit", "The parameter that carries the page size: its name, or a path.")
	m.offsetParam = o.Place("offsetParam", "offset", "The parameter that carries the offset: its name, or a path.")
	differ(o, p, "offsetParam", m.limitParam, m.offsetParam)
	if m.template = isTemplate(o, p); m.template {
		m.limitParam = nil // a parameter of the job is no page size
	}
	m.firstPageParams = o.Bool("firstPageParams", true, "Whether the first request carries the paging parameters.")
	m.offsetFromJob = o.Bool("offsetFromJob", false, "Whether the first offset is taken from the job's parameters.")
	advance := word(o, p, "advance", "limit", "What the offset grows by: limit, or items, which is the number that came.", "items", "limit")
	m.advanceItems = advance == "items"
	return m
}

// first is the offset of the first page.
func (m *offset) first(j *Job) (int64, error) {
	own := j.own(m.offsetParam)
	if text := string(own); !m.offsetFromJob || own == nil || text == "null" || text == `""` {
		return 0, nil
	}
	n, ok := integer(own)
	if !ok || n < 0 {
		return 0, fmt.Errorf("params.%s: offsetFromJob is true, so this must be a number that is not negative", m.offsetParam)
	}
	return n, nil
}

func (m *offset) First(s *State, j *Job) (*Request, error) {
	first, err := m.first(j)
	if err != nil {
		return nil, err
	}
	s.Number, s.Skipped = first, first
	if !m.advanceItems { // else a page of any size leaves no gap
		s.Limit, _, _ = effectiveLimit(j, m.limitParam, m.limit)
	}
	return m.at(j, first, true)
}

// at is the request for the page that begins at offset.
func (m *offset) at(j *Job, offset int64, first bool) (*Request, error) {
	_, limit, _ := effectiveLimit(j, m.limitParam, m.limit)
	if m.template {
		return j.filled("offset", offset, m.limit)
	}
	if !first || m.firstPageParams {
		return j.paged(j.Params, placed{m.limitParam, limit}, number(m.offsetParam, offset))
	}
	if m.offsetFromJob {
		return j.request(j.Params, nil), nil
	}
	return j.without(m.offsetParam) // docs/specification.md, offset rule 4: that parameter is ignored
}

func (m *offset) Next(s *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error) {
	limit, _, _ := effectiveLimit(j, m.limitParam, m.limit)
	step := limit
	if m.advanceItems {
		step = int64(f.Items)
	}
	if s.Number > math.MaxInt64-step {
		return nil, nil, fmt.Errorf("the offset after %d is out of range", s.Number)
	}
	s.Number += step
	next, err := m.at(j, s.Number, false)
	if int64(f.Items) < limit {
		return next, &pipeline.Stop{Reason: Underflow}, err
	}
	return next, nil, err
}

func (m *offset) At(j *Job, s *State, k int) *Request {
	first, err := m.first(j)
	step, _, _ := effectiveLimit(j, m.limitParam, m.limit)
	before := int64(k - 1)
	if m.advanceItems && k > 1 { // as far as if all pages to come are like the last one
		first, step, before = s.Number, int64(s.Last.Items), int64(k-s.Pages-1)
	}
	if err != nil || before < 0 || step <= 0 || before >= (math.MaxInt64-first)/step {
		return nil
	}
	r, _ := m.at(j, first+before*step, k == 1) // nil with an error
	return r
}
