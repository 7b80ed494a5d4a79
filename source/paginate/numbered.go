package paginate

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
)

// numbered asks for pages by a number that grows: an offset by the limit or the
// items that came, that of a page by one.
type numbered struct {
	single
	// counts is page or offset.
	counts string
	// limit is 0 where there is none, size its digits; unsent: no request has it.
	limit           int64
	unsent          bool
	size            []byte
	limitParam      config.ParameterDestination
	param           config.ParameterDestination
	firstPage       int64
	firstPageParams bool
	offsetFromJob   bool
	// advanceItems: the offset grows by the items that came.
	advanceItems bool
	// overlap is how many items early pages are asked for; 0: they do not overlap.
	overlap int64
	// template has the numbers stand in texts of the job; nil: in parameters.
	template *numberTemplate
}

func newOffset(o *config.ObjectDecoder, _ Env, p *config.Problems) Method {
	m := &numbered{counts: "offset"}
	m.decode(o, p, "Page size; a job parameter called like limitParam overrides it.", "offset")
	o.Require("limit")
	m.offsetFromJob = o.Bool("offsetFromJob", false,
		"Whether the first offset is taken from the job's parameters.")
	if m.offsetFromJob && m.param.In == config.PlaceHeader {
		p.Errorf(o.Node().Member("offsetFromJob"),
			"is for an offset among the job's parameters, and offsetParam is a header")
	}
	advance := o.Choice("advance", "limit",
		"What the offset grows by: limit, or items, which is the number that came.", "limit", "items")
	m.advanceItems = advance == "items"
	m.decodeOverlap(o, p)
	return m
}

func newPagenum(o *config.ObjectDecoder, _ Env, p *config.Problems) Method {
	m := &numbered{counts: "page"}
	m.decode(o, p, "Page size; without it only an empty page ends a job.", "page number")
	m.firstPage, _ = o.Int("firstPage", 1, "Number of the first page.")
	return m
}

// decode reads the options that both methods have.
func (m *numbered) decode(o *config.ObjectDecoder, p *config.Problems, limitDoc, number string) {
	m.limit = positive(o, p, "limit", limitDoc)
	if m.limit > 0 {
		m.size = strconv.AppendInt(nil, m.limit, 10)
	}
	m.unsent = !o.Bool("sendLimit", true, "Whether the requests carry the page size.")
	m.limitParam = decodePlace(o, p, "limitParam", "limit", "The parameter that carries the page size")
	m.param = decodePlace(o, p, m.counts+"Param", m.counts, "The parameter that carries the "+number)
	if n := o.Node().Member("limitParam"); n != nil && m.unsent {
		p.Errorf(n, "stands beside sendLimit, by which no request has the page size: remove one of the two")
	}
	if m.unsent {
		m.limitParam = config.ParameterDestination{}
	}
	if m.limitParam.String() == m.param.String() {
		p.Errorf(o.Node(), "limitParam and %sParam are both %q", m.counts, m.param)
	}
	isTemplate := o.Bool("template", false, "Whether {offset}, {page} and {limit} in the endpoint and in "+
		"the texts of the job's parameters are filled, and no paging parameters are added.")
	if isTemplate {
		m.template = &numberTemplate{counts: m.counts, limit: m.limit}
		// A parameter of the job is no page size then.
		m.limitParam = config.ParameterDestination{}
		m.refuseParams(o.Node(), p)
	}
	m.firstPageParams = o.Bool("firstPageParams", true,
		"Whether the first request carries the paging parameters.")
}

// refuseParams reports options that say where the numbers go, beside template.
func (m *numbered) refuseParams(o *config.Node, p *config.Problems) {
	names := []string{"limitParam", "sendLimit", "offsetParam", "pageParam", "firstPageParams", "offsetFromJob"}
	for _, name := range names {
		if n := o.Member(name); n != nil {
			p.Errorf(
				n,
				"has no effect beside template: the endpoint or the job's parameters say where the numbers go",
			)
		}
	}
}

// countsPages implements counter.
func (m *numbered) countsPages() bool { return true }

// first is the number of the first page.
func (m *numbered) first(j *Job) (int64, error) {
	own := j.Own(m.param)
	if !m.offsetFromJob || own == nil || string(own) == "null" || string(own) == `""` {
		return m.firstPage, nil
	}
	n, ok := item.Integer(own)
	if !ok || n < 0 {
		return 0, fmt.Errorf("%s.%s: offsetFromJob is true, "+
			"so this must be a number that is not negative", j.whence(m.param), m.param.Path)
	}
	return n, nil
}

func (m *numbered) First(s *State, j *Job) (*Request, error) {
	first, err := m.first(j)
	if err != nil {
		return nil, err
	}
	s.Own.Number = first
	// With advance: items a page of any size leaves no gap.
	if !m.advanceItems {
		s.Own.Limit = m.limitOf(j)
	}
	isPage := m.firstPageParams && !m.byOffset()
	s.Own.Later = isPage && first > 1
	s.Own.Behind = s.Own.Later
	switch {
	case m.byOffset():
		s.Own.Skipped = before(first)
	case first > 1 && first < most:
		s.Own.Skipped = (first - 1) * min(s.Own.Limit, most)
	}
	return m.at(j, first, true)
}

func (m *numbered) at(j *Job, n int64, first bool) (*Request, error) {
	if m.template != nil {
		return m.template.request(j, n)
	}
	if first && !m.firstPageParams {
		return m.withoutParams(j)
	}
	limit := m.sizeOf(j)
	size := placed{m.limitParam, limit}
	number := placed{m.param, strconv.AppendInt(nil, n, 10)}
	switch {
	case limit == nil, m.unsent:
		return j.paged(j.Params, number)
	case m.byOffset():
		return j.paged(j.Params, size, number)
	default:
		return j.paged(j.Params, number, size)
	}
}

// withoutParams is the job's own request, without its number unless that is the
// first offset.
func (m *numbered) withoutParams(j *Job) (*Request, error) {
	if m.offsetFromJob || j.Own(m.param) == nil {
		return j.request(j.Params, nil), nil
	}
	own, err := j.set(slices.Clone(j.Params.For(j.Method)), placed{m.param, nil})
	return j.request(own, nil), err
}

func (m *numbered) countsFromZero() bool { return !m.byOffset() && m.firstPage == 0 }

func (m *numbered) pageParam() config.ParameterDestination {
	if m.template != nil {
		return config.ParameterDestination{}
	}
	return m.param
}

func (m *numbered) fills() *numberTemplate { return m.template }

func (m *numbered) pageSize() int64 { return m.limit }

func (m *numbered) sizeParam() config.ParameterDestination { return m.limitParam }

func (m *numbered) places() []NamedPlace {
	if m.template != nil {
		return nil
	}
	if m.unsent {
		return []NamedPlace{{m.counts + "Param", m.param}}
	}
	return []NamedPlace{{"limitParam", m.limitParam}, {m.counts + "Param", m.param}}
}

func (m *numbered) byOffset() bool { return m.counts == "offset" }

func (m *numbered) advancesByItems() bool { return m.advanceItems }

func (m *numbered) early() int64 { return m.overlap }

func (m *numbered) mayOverlap() bool {
	isPlain := m.byOffset() && m.template == nil
	return isPlain && !m.advanceItems && !m.offsetFromJob && m.firstPageParams
}

func (m *numbered) from(j *Job, offset int64) (*Request, error) { return m.at(j, offset, false) }

func (m *numbered) itemParam() string {
	if m.template != nil || !m.byOffset() {
		return ""
	}
	return m.param.String()
}

func (m *numbered) needsItems() bool { return m.advanceItems }

func (m *numbered) lookAt() string {
	if m.template != nil {
		return "{" + m.counts + "} in the endpoint and the job's parameters"
	}
	if m.unsent {
		return fmt.Sprintf("%sParam (%s)", m.counts, m.param)
	}
	return fmt.Sprintf("%sParam (%s) and limitParam (%s)", m.counts, m.param, m.limitParam)
}

func (m *numbered) after(j *Job, items int) *Request {
	first, err := m.first(j)
	if err != nil || !m.byOffset() {
		return nil
	}
	if first > math.MaxInt64-int64(items) {
		return nil
	}
	// The first page was asked for alike, without an error.
	r, _ := m.at(j, first+int64(items), false)
	return r
}

func (m *numbered) preceding(j *Job) *Request {
	if m.byOffset() || !m.firstPageParams || m.firstPage < 1 {
		return nil
	}
	// The first page was asked for alike, without an error.
	r, _ := m.at(j, m.firstPage-1, false)
	return r
}

func (m *numbered) divisible() bool {
	return m.limit != 0 && !m.advanceItems && m.overlap == 0
}

func (m *numbered) skip(s *State, j *Job, pages int) error {
	n := int64(pages)
	limit := m.limitOf(j)
	s.Asked = m.At(j, s, s.Pages+pages+1)
	if s.Asked == nil {
		return fmt.Errorf("the %s %d pages after %d is out of range", m.param, pages, s.Own.Number)
	}
	s.Own.Number += n * m.step(limit, 0)
	s.Pages += pages
	s.OtherPages += pages
	s.Items += n * limit
	s.OtherItems += n * limit
	return nil
}

// step is how much the number grows by after a page of so many items.
func (m *numbered) step(limit int64, items int) int64 {
	switch {
	case !m.byOffset():
		return 1
	case m.advanceItems:
		return int64(items)
	}
	return limit - m.overlap
}

func (m *numbered) Next(s *State, j *Job, f *Facts) (next *Request, stop *report.Stop, err error) {
	limit := m.limitOf(j)
	step := m.step(limit, f.Items)
	if s.Own.Number > math.MaxInt64-step {
		return nil, nil, fmt.Errorf("the %s after %d is out of range", m.param, s.Own.Number)
	}
	s.Own.Number += step
	if int64(f.Items) < limit {
		stop = report.EndedBy(report.StopUnderflow)
	} else if f.Items == 0 {
		stop = report.EndedBy(report.StopEmptyPage)
	}
	next, err = m.at(j, s.Own.Number, false)
	return next, stop, err
}

func (m *numbered) At(j *Job, s *State, k int) *Request {
	first, err := m.first(j)
	if err != nil {
		return nil
	}
	limit := m.limitOf(j)
	step, before := m.step(limit, s.Seen.Pages.Last.Items), int64(k-1)
	// By items it is as far as if all pages to come are like the last one, and where pages overlap
	// the walk may have gone back.
	isFromHere := m.advanceItems || m.overlap > 0
	if isFromHere && k > 1 {
		first, before = s.Own.Number, int64(k-s.Pages-1)
	}
	if before < 0 || step <= 0 {
		return nil
	}
	if before >= (math.MaxInt64-max(first, 0))/step {
		return nil
	}
	r, err := m.at(j, first+before*step, k == 1)
	if err != nil {
		return nil
	}
	return r
}

// limitOf is the page size of a job: its own, else the configured one; 0: there is none.
func (m *numbered) limitOf(j *Job) int64 {
	if n, ok := item.Integer(j.Own(m.limitParam)); ok && n > 0 {
		return n
	}
	return max(m.limit, 0)
}

// sizeOf is [numbered.limitOf] as it is sent, nil if there is none.
func (m *numbered) sizeOf(j *Job) []byte {
	own := j.Own(m.limitParam)
	if n, ok := item.Integer(own); ok && n > 0 {
		return own
	}
	return m.size
}

// decodeOverlap reads the option, and refuses what it cannot stand beside.
func (m *numbered) decodeOverlap(o *config.ObjectDecoder, p *config.Problems) {
	m.overlap = positive(o, p, "overlap", "How many items early each page but the first is asked for, "+
		"so that nothing is lost or comes twice in a list that changes while it is read.")
	if m.overlap == 0 {
		return
	}
	refuse := func(isWrong bool, name, why string) {
		if n := o.Node().Member(name); n != nil && isWrong {
			p.Errorf(n, "cannot stand beside overlap: %s", why)
		}
	}
	refuse(m.template != nil, "template", "a page that is asked for again would need its own numbers")
	refuse(true, "advance", "a page begins limit - overlap items after the one before it")
	refuse(true, "emptyStop", endsByShortPage)
	refuse(m.offsetFromJob, "offsetFromJob", "it must be possible to go back to the first item")
	refuse(!m.firstPageParams, "firstPageParams", "the first page may be asked for again, as any other")
}

// endsByShortPage is why overlap refuses emptyStop.
const endsByShortPage = "a page without items that came is never the end, and a short one with some is"
