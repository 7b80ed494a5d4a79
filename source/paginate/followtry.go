package paginate

import (
	"sluice/source/config"
)

// Compiled is the paging of a way, and what its first page shows of an answer that
// the job got by another: last is the last item of that.
func (w Way) Compiled(f *Facts, last []byte) (*Paging, *Facts) {
	var problems config.Problems
	n := config.Parse("the suggestion", []byte(w.Pagination), &problems)
	p := New(n, Env{}, &problems).For(nil, false, &problems)
	if problems.Failed() {
		return nil, nil
	}
	own := *f
	own.Values = nil
	for _, path := range p.Needs.Values {
		own.Values = append(own.Values, f.at(path))
	}
	own.Range = NewRange(p.Needs)
	if own.Range != nil && last != nil {
		own.Range.Add(last)
	}
	return p, &own
}
