package paginate

import (
	"fmt"
	"math"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
)

var _ Guesser = &pagenum{}

// pagenum asks for one page number after the other (docs/specification.md,
// page-number pagination).
type pagenum struct {
	single
	limit           int64 // 0: none
	limitParam      item.Path
	pageParam       item.Path
	firstPage       int64
	firstPageParams bool
	template        bool // the texts of the job's parameters have places for the numbers
}

func newPagenum(o *config.Object, _ Env, p *config.Problems) Method {
	m := &pagenum{}
	m.limit = positive(o, p, "limit", "Page size; without it only an empty page ends a job.")
	m.limitParam = o.Place("limitParam", "limit", "The parameter that carries the page size: its name, or a path.")
	m.pageParam = o.Place("pageParam", "page", "The parameter that carries the page number: its name, or a path.")
	differ(o, p, "pageParam", m.limitParam, m.pageParam)
	if m.template = isTemplate(o, p); m.template {
		m.limitParam = nil // a parameter of the job is no page size
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
	return m.at(j, 1)
}

func (m *pagenum) At(j *Job, _ *State, k int) *Request {
	if m.firstPage > math.MaxInt64-int64(k-1) {
		return nil
	}
	r, _ := m.at(j, k) // nil with an error
	return r
}

// at is the request for the k-th page, from 1.
func (m *pagenum) at(j *Job, k int) (*Request, error) {
	page := m.firstPage + int64(k-1)
	if m.template {
		return j.filled("page", page, m.limit)
	}
	if k == 1 && !m.firstPageParams { // docs/specification.md, page-number rule 4
		return j.without(m.pageParam)
	}
	paging := []placed{number(m.pageParam, page)}
	if _, limit, ok := effectiveLimit(j, m.limitParam, m.limit); ok {
		paging = append(paging, placed{m.limitParam, limit})
	}
	return j.paged(j.Params, paging...)
}

func (m *pagenum) Next(s *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error) {
	if s.Number == math.MaxInt64 {
		return nil, nil, fmt.Errorf("the page number after %d is out of range", s.Number)
	}
	s.Number++
	next, err := m.at(j, int(s.Number-m.firstPage)+1)
	switch {
	case err != nil:
		return nil, nil, err
	case s.Limit > 0 && int64(f.Items) < s.Limit:
		return next, &pipeline.Stop{Reason: Underflow}, nil
	case f.Items == 0:
		return next, &pipeline.Stop{Reason: EmptyPage}, nil
	}
	return next, nil, nil
}
