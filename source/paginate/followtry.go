package paginate

import (
	"strings"

	"sluice/source/config"
)

// Tried has what is said of the end name the way that was tried and holds; empty:
// none does.
func (o *Outcome) Tried(pagination string) {
	if o.More != nil {
		o.More.Follow, o.More.Tried = pagination, pagination != ""
	}
	text := &o.Suspicion.Text
	*text = strings.Replace(*text, named(o.Follow), named(pagination), 1)
	o.Follow = pagination
}

// named is how api.pagination is followed by a way, or by usual ones, in a message.
func named(pagination string) string {
	if pagination == "" {
		return ", such as pagenum or offset"
	}
	return " " + pagination
}

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
