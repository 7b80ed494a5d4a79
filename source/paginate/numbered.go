package paginate

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
)

// numbered asks for pages by a number that grows: an offset by the limit or the items that came, that of a page by one.
type numbered struct {
	single
	counts          string // page or offset
	limit           int64  // 0: none
	limitParam      item.Path
	param           item.Path
	firstPage       int64
	firstPageParams bool
	offsetFromJob   bool
	advanceItems    bool // the offset grows by the items that came
	template        bool // the texts of the job's parameters have places for the numbers
}

func newOffset(o *config.Object, _ Env, p *config.Problems) Method {
	m := &numbered{counts: "offset"}
	m.decode(o, p, "Page size; a job parameter called like limitParam overrides it.", "offset")
	o.Require("limit")
	m.offsetFromJob = o.Bool("offsetFromJob", false, "Whether the first offset is taken from the job's parameters.")
	m.advanceItems = o.Choice("advance", "limit", "What the offset grows by: limit, or items, which is the number that came.", "limit", "items") == "items"
	return m
}

func newPagenum(o *config.Object, _ Env, p *config.Problems) Method {
	m := &numbered{counts: "page"}
	m.decode(o, p, "Page size; without it only an empty page ends a job.", "page number")
	m.firstPage, _ = o.Int("firstPage", 1, "Number of the first page.")
	return m
}

// decode reads the options that both methods have.
func (m *numbered) decode(o *config.Object, p *config.Problems, limitDoc, number string) {
	m.limit = positive(o, p, "limit", limitDoc)
	m.limitParam = o.Place("limitParam", "limit", "The parameter that carries the page size: its name, or a path.")
	m.param = o.Place(m.counts+"Param", m.counts, "The parameter that carries the "+number+": its name, or a path.")
	if m.limitParam.String() == m.param.String() {
		p.Errorf(o.Node(), "limitParam and %sParam are both %q", m.counts, m.param)
	}
	if m.template = o.Bool("template", false, "Whether {offset}, {page} and {limit} in the texts of the job's parameters are filled, and no paging parameters are added."); m.template {
		m.limitParam = nil // a parameter of the job is no page size
	}
	for _, name := range []string{"limitParam", "offsetParam", "pageParam", "firstPageParams", "offsetFromJob"} {
		if n := o.Node().Member(name); m.template && n != nil {
			p.Errorf(n, "has no effect beside template: the job's parameters say where the numbers go")
		}
	}
	m.firstPageParams = o.Bool("firstPageParams", true, "Whether the first request carries the paging parameters.")
}

func (m *numbered) first(j *Job) (int64, error) {
	own := j.own(m.param)
	if text := string(own); !m.offsetFromJob || own == nil || text == "null" || text == `""` {
		return m.firstPage, nil
	}
	n, ok := item.Integer(own)
	if !ok || n < 0 {
		return 0, fmt.Errorf("params.%s: offsetFromJob is true, so this must be a number that is not negative", m.param)
	}
	return n, nil
}

func (m *numbered) First(s *State, j *Job) (*Request, error) {
	first, err := m.first(j)
	if err != nil {
		return nil, err
	}
	s.Number = first
	if !m.advanceItems { // else a page of any size leaves no gap
		s.Limit, _ = effectiveLimit(j, m.limitParam, m.limit)
	}
	switch {
	case m.counts == "offset":
		s.Skipped = first
	case first > 1 && first < 1e8:
		s.Skipped = (first - 1) * min(s.Limit, 1e8)
	}
	return m.at(j, first, true)
}

func (m *numbered) at(j *Job, n int64, first bool) (*Request, error) {
	_, limit := effectiveLimit(j, m.limitParam, m.limit)
	paging := []placed{{m.limitParam, limit}, {m.param, strconv.AppendInt(nil, n, 10)}}
	switch {
	case m.template:
		return j.filled(m.counts, n, m.limit)
	case first && !m.firstPageParams && m.offsetFromJob:
		return j.request(j.Params, nil), nil
	case first && !m.firstPageParams: // docs/specification.md, offset rule 4 and page-number rule 4: that parameter is ignored
		own, err := j.set(j.Params, placed{m.param, nil})
		return j.request(own, nil), err
	case limit == nil:
		paging = paging[1:]
	case m.counts == "page":
		slices.Reverse(paging)
	}
	return j.paged(j.Params, paging...)
}

func (m *numbered) pageSize() int64 { return m.limit }

func (m *numbered) byOffset() bool { return m.counts == "offset" }

func (m *numbered) advancesByItems() bool { return m.advanceItems }

func (m *numbered) divisible() bool { return m.limit != 0 && !m.advanceItems }

func (m *numbered) skip(s *State, j *Job, pages int) error {
	n := int64(pages)
	limit, _ := effectiveLimit(j, m.limitParam, m.limit)
	if s.Asked = m.At(j, s, s.Pages+pages+1); s.Asked == nil {
		return fmt.Errorf("the %s %d pages after %d is out of range", m.param, pages, s.Number)
	}
	s.Number += n * m.step(limit, 0)
	s.Pages, s.OtherPages = s.Pages+pages, s.OtherPages+pages
	s.Items, s.OtherItems = s.Items+n*limit, s.OtherItems+n*limit
	return nil
}

// step is how much the number grows by after a page of so many items.
func (m *numbered) step(limit int64, items int) int64 {
	switch {
	case m.counts == "page":
		return 1
	case m.advanceItems:
		return int64(items)
	}
	return limit
}

func (m *numbered) Next(s *State, j *Job, f *Facts) (next *Request, stop *pipeline.Stop, err error) {
	limit, _ := effectiveLimit(j, m.limitParam, m.limit)
	step := m.step(limit, f.Items)
	if s.Number > math.MaxInt64-step {
		return nil, nil, fmt.Errorf("the %s after %d is out of range", m.param, s.Number)
	}
	s.Number += step
	if int64(f.Items) < limit {
		stop = pipeline.EndedBy(pipeline.StopUnderflow)
	} else if f.Items == 0 {
		stop = pipeline.EndedBy(pipeline.StopEmptyPage)
	}
	next, err = m.at(j, s.Number, false)
	return next, stop, err
}

func (m *numbered) At(j *Job, s *State, k int) *Request {
	first, err := m.first(j)
	limit, _ := effectiveLimit(j, m.limitParam, m.limit)
	step, before := m.step(limit, s.Last.Items), int64(k-1)
	if m.advanceItems && k > 1 { // as far as if all pages to come are like the last one
		first, before = s.Number, int64(k-s.Pages-1)
	}
	if err != nil || before < 0 || step <= 0 || before >= (math.MaxInt64-max(first, 0))/step {
		return nil
	}
	r, _ := m.at(j, first+before*step, k == 1) // nil with an error
	return r
}

// effectiveLimit is the job's own limit, with its digits, else the configured one (docs/decisions.md, section 6).
func effectiveLimit(j *Job, at item.Path, configured int64) (limit int64, value []byte) {
	own := j.own(at)
	if n, ok := item.Integer(own); ok && n > 0 {
		return n, own
	}
	if configured <= 0 {
		return 0, nil
	}
	return configured, strconv.AppendInt(nil, configured, 10)
}
