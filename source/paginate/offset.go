package paginate

import (
	"fmt"
	"math"

	"sluice/pipeline"
	"sluice/source/config"
	"sluice/source/request"
)

var _ Guesser = &offset{}

// offset asks for limit items from an offset that grows by the limit
// (docs/specification.md, offset pagination).
type offset struct {
	single
	limit           int64
	limitParam      string
	offsetParam     string
	firstPageParams bool
	offsetFromJob   bool
}

func newOffset(o *config.Object, _ Env, p *config.Problems) Method {
	m := &offset{}
	m.limit = positive(o, p, "limit", "Page size; a job parameter called like limitParam overrides it.")
	o.Require("limit")
	m.limitParam = o.Text("limitParam", "limit", "Name of the parameter that carries the page size.")
	m.offsetParam = o.Text("offsetParam", "offset", "Name of the parameter that carries the offset.")
	if m.limitParam == m.offsetParam {
		p.Errorf(o.Node(), "limitParam and offsetParam are both %q", m.limitParam)
	}
	m.firstPageParams = o.Bool("firstPageParams", true, "Whether the first request carries the paging parameters.")
	m.offsetFromJob = o.Bool("offsetFromJob", false, "Whether the first offset is taken from the job's parameters.")
	return m
}

// first is the offset of the first page.
func (m *offset) first(j *Job) (int64, error) {
	own := j.Params.Get(m.offsetParam)
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
	s.Limit, _, _ = effectiveLimit(j, m.limitParam, m.limit)
	return m.at(j, first, true), nil
}

// at is the request for the page that begins at offset.
func (m *offset) at(j *Job, offset int64, first bool) *Request {
	if first && !m.firstPageParams {
		own := j.Params
		if !m.offsetFromJob { // docs/specification.md, offset rule 4: that parameter is ignored
			own = own.Without(m.offsetParam)
		}
		return j.request(own, nil)
	}
	_, limit, _ := effectiveLimit(j, m.limitParam, m.limit)
	return j.request(j.Params, request.Params{{Name: m.limitParam, Value: limit}, number(m.offsetParam, offset)})
}

func (m *offset) Next(s *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error) {
	if s.Number > math.MaxInt64-s.Limit {
		return nil, nil, fmt.Errorf("the offset after %d is out of range", s.Number)
	}
	s.Number += s.Limit
	next := m.at(j, s.Number, false)
	if int64(f.Items) < s.Limit {
		return next, &pipeline.Stop{Reason: Underflow}, nil
	}
	return next, nil, nil
}

func (m *offset) At(j *Job, k int) *Request {
	first, err := m.first(j)
	limit, _, _ := effectiveLimit(j, m.limitParam, m.limit)
	if err != nil || int64(k) > (math.MaxInt64-first)/limit {
		return nil
	}
	return m.at(j, first+int64(k-1)*limit, k == 1)
}
