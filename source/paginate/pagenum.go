package paginate

import (
	"fmt"
	"math"

	"sluice/pipeline"
	"sluice/source/config"
	"sluice/source/request"
)

var _ Guesser = &pagenum{}

// pagenum asks for one page number after the other (docs/specification.md,
// page-number pagination).
type pagenum struct {
	single
	limit           int64 // 0: none
	limitParam      string
	pageParam       string
	firstPage       int64
	firstPageParams bool
}

func newPagenum(o *config.Object, _ Env, p *config.Problems) Method {
	m := &pagenum{}
	m.limit = positive(o, p, "limit", "Page size; without it only an empty page ends a job.")
	m.limitParam = o.Text("limitParam", "limit", "Name of the parameter that carries the page size.")
	m.pageParam = o.Text("pageParam", "page", "Name of the parameter that carries the page number.")
	if m.limitParam == m.pageParam {
		p.Errorf(o.Node(), "limitParam and pageParam are both %q", m.limitParam)
	}
	m.firstPage, _ = o.Int("firstPage", 1, "Number of the first page.")
	m.firstPageParams = o.Bool("firstPageParams", true, "Whether the first request carries the page parameters.")
	return m
}

func (m *pagenum) First(s *State, j *Job) (*Request, error) {
	s.Number = m.firstPage
	s.Limit, _, _ = effectiveLimit(j, m.limitParam, m.limit)
	if m.firstPage > 1 && m.firstPage < 1e8 {
		s.Skipped = (m.firstPage - 1) * min(s.Limit, 1e8)
	}
	return m.At(j, s, 1), nil
}

func (m *pagenum) At(j *Job, _ *State, k int) *Request {
	if m.firstPage > math.MaxInt64-int64(k-1) {
		return nil
	}
	if k == 1 && !m.firstPageParams { // docs/specification.md, page-number rule 4
		return j.request(j.Params.Without(m.pageParam), nil)
	}
	paging := request.Params{number(m.pageParam, m.firstPage+int64(k-1))}
	if _, limit, ok := effectiveLimit(j, m.limitParam, m.limit); ok {
		paging = append(paging, request.Param{Name: m.limitParam, Value: limit})
	}
	return j.request(j.Params, paging)
}

func (m *pagenum) Next(s *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error) {
	if s.Number == math.MaxInt64 {
		return nil, nil, fmt.Errorf("the page number after %d is out of range", s.Number)
	}
	s.Number++
	next := m.At(j, s, int(s.Number-m.firstPage)+1)
	switch {
	case s.Limit > 0 && int64(f.Items) < s.Limit:
		return next, &pipeline.Stop{Reason: Underflow}, nil
	case f.Items == 0:
		return next, &pipeline.Stop{Reason: EmptyPage}, nil
	}
	return next, nil, nil
}
