package paginate

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/request"
)

// responseParams is [responseParam] with several values, each with a parameter of its own. Values that stand in the answer
// lead on, where one of them at least is there. A sum goes along, and must grow; sums alone count pages, so that
// one without items is the last.
type responseParams struct {
	responseParam
	values []sentValue
	// counts: all values are sums.
	counts bool
}

// decodeParams reads params; nil: it is not there.
func decodeParams(o *config.ObjectDecoder, p *config.Problems) (all []sentValue) {
	n := o.Any("params", "Instead: several values, each by the name of the parameter that carries it.", "{responseValue}")
	if n == nil || config.NewObjectDecoder(n, p).Node() == nil {
		return nil
	}
	for _, other := range []string{"responseParam", "responseHeader", "queryParam"} {
		exclusive(o, p, other, "params")
	}
	if len(n.Members) == 0 {
		p.Errorf(n, "must have at least one parameter")
	}
	for _, m := range n.Members {
		if strings.TrimSpace(m.Name) == "" {
			p.Errorf(m.Value, "has no name: the name is that of the parameter")
		}
		v := decodeSent(config.NewObjectDecoder(m.Value, p), m.Name, p)
		for i := range all {
			if v.at.In == config.PlaceHeader && all[i].at.In == v.at.In && strings.EqualFold(all[i].name, v.name) {
				p.Errorf(m.Value, "is the header %s, which carries another value already", all[i].name)
			}
		}
		all = append(all, v)
	}
	return all
}

// newResponseParams is a method with these values, whose other options have been read.
func newResponseParams(m *responseParam, values []sentValue) *responseParams {
	several := &responseParams{responseParam: *m, values: values, counts: true}
	at := 0
	for i := range values {
		several.counts = several.counts && values[i].isSum
		for k := range values[i].terms {
			values[i].terms[k].at = at
			if values[i].terms[k].path != nil {
				at++
			}
		}
	}
	// Bounds stand behind them all: they lead nowhere.
	for i := range values {
		if values[i].bound != nil && values[i].bound.path != nil {
			values[i].bound.at = at
			at++
		}
	}
	return several
}

func (m *responseParams) Needs() Needs {
	n := Needs{Scroll: m.scrollParams, Values: m.leads()}
	for i := range m.values {
		if bound := m.values[i].bound; bound != nil && bound.path != nil {
			n.Values = append(n.Values, bound.path)
		}
	}
	n.NoLink = "params: no response had " + m.nextPlace() +
		", so only first pages were asked for; if there are more, check the paths"
	return n
}

// leads are the paths of what is sent, or added up for it.
func (m *responseParams) leads() (paths []item.Path) {
	for i := range m.values {
		for _, t := range m.values[i].terms {
			if t.path != nil {
				paths = append(paths, t.path)
			}
		}
	}
	return paths
}

// leading are the values that lead on: all but sums, or sums alone.
func (m *responseParams) leading(yield func(*sentValue) bool) {
	for i := range m.values {
		v := &m.values[i]
		if (m.counts || !v.isSum) && !yield(v) {
			return
		}
	}
}

func (m *responseParams) nextPlace() string {
	var places []string
	for v := range m.leading {
		places = append(places, v.place())
	}
	between := ", "
	if m.counts {
		between = " and "
	}
	return strings.Join(places, between)
}

// atNext is what stands at the first of the places that has something which leads on, else at the first that has anything.
// Of sums that lead on by themselves it is nil where a number is missing.
func (m *responseParams) atNext(f *Facts) (value jsontext.Value) {
	for v := range m.leading {
		found := v.found(f)
		if m.counts && found == nil {
			return nil
		}
		if !m.counts && leads(found) {
			return found
		}
		switch {
		case value != nil:
		case v.isSum:
			value = found
		default:
			value = f.Values[v.terms[0].at]
		}
	}
	return value
}

func (m *responseParams) countsPages() bool { return m.counts }

func (m *responseParams) Next(s *State, j *Job, f *Facts) (*Request, *report.Stop, error) {
	if m.counts && f.Items == 0 {
		// With emptyStop the walk goes on.
		next, _, err := m.follow(s, j, f)
		return next, report.EndedBy(report.StopEmptyPage), err
	}
	return m.follow(s, j, f)
}

// follow is the request that the values of an answer make, or why they make none.
func (m *responseParams) follow(s *State, j *Job, f *Facts) (*Request, *report.Stop, error) {
	if !m.counts && !leads(m.atNext(f)) {
		return nil, report.EndedBy(report.StopNoNextPage), nil
	}
	var sent request.Params
	for i := range m.values {
		v := &m.values[i]
		value, stop, err := m.valueOf(v, s, j, f)
		if stop != nil || err != nil {
			return nil, stop, err
		}
		if value != nil {
			sent = append(sent, request.Param{Name: v.name, Value: value})
		}
	}
	text := sent.Object()
	s.Own.Cursor = string(text)
	r, err := m.at(j, text)
	return r, nil, err
}

// valueOf is what a parameter of the next request carries, nil if it is left out, or why there is no next one.
func (m *responseParams) valueOf(v *sentValue, s *State, j *Job, f *Facts) ([]byte, *report.Stop, error) {
	if !v.isSum {
		value := v.found(f)
		if value == nil {
			return nil, nil, nil
		}
		if err := refuseCut(value, v.what, v.place()); err != nil {
			return nil, nil, err
		}
		value, err := v.written(value)
		return value, nil, err
	}
	sum, ok, err := v.sum(f)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, report.EndedBy(report.StopNoNextPage), nil
	}
	isEnd, err := v.isBeyond(sum, f)
	switch {
	case err != nil:
		return nil, nil, err
	case isEnd:
		return nil, report.EndedBy(report.StopSumBound), nil
	case sum <= v.before(s, j):
		return nil, report.EndedBy(report.StopNoGrowth), nil
	}
	return v.writtenSum(sum), nil, nil
}

func (m *responseParams) at(j *Job, value []byte) (*Request, error) {
	var all []placed
	for i := range m.values {
		v := &m.values[i]
		if given := item.Lookup(value, item.Path{v.name}); given != nil {
			all = append(all, placed{v.at, given})
		}
	}
	return m.ask(j, all)
}

func (m *responseParams) lookAt() string { return "params (" + m.nextPlace() + ")" }

func (m *responseParams) places() (all []NamedPlace) {
	for i := range m.values {
		v := &m.values[i]
		all = append(all, NamedPlace{"params." + v.name, v.at})
	}
	return all
}

// pageParam is that of a value which is alone.
func (m *responseParams) pageParam() config.ParameterDestination {
	if len(m.values) == 1 {
		return m.values[0].at
	}
	return config.ParameterDestination{}
}

// included is 1 if the key of the first item is one of the values that were sent.
func (m *responseParams) included(s *State, f *Facts) int {
	for i := range m.values {
		v := &m.values[i]
		if !v.isSum && s.isFirstKey(f, item.Lookup([]byte(s.Own.Cursor), item.Path{v.name})) {
			return 1
		}
	}
	return 0
}

// isFirstKey tells whether a value that was sent is the key of the first item.
func (s *State) isFirstKey(f *Facts, sent []byte) bool {
	column := f.Keys.Of(s.Seen.Settled())
	if len(sent) == 0 || column == nil {
		return false
	}
	text, _ := item.Text(sent)
	return slices.ContainsFunc([][]byte{sent, []byte(text), item.Quote(text)}, func(form []byte) bool {
		return column.Hashes[0] == evidence.Hash(form)
	})
}
