// Package paginate decides which page comes next and when a walk ends. It is pure.
package paginate

import (
	"maps"
	"slices"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
)

// A variant is a paging method: a sentence for the schema, and what reads its
// options.
type variant struct {
	doc    string
	decode func(*config.ObjectDecoder, Env, *config.Problems) Method
}

// methods are the paging methods by name.
var methods = map[string]variant{
	"cursor": {
		"The next page begins after the greatest, or before the least, number in the items, " +
			"or after the last item.",
		newCursor,
	},
	"multiple": {
		"Several ways of paging; each job names its own with scroller.",
		newMultiple,
	},
	"none": {
		"There is one page: the configuration says so, where without api.pagination it is only assumed.",
		newNone,
	},
	"offset": {
		"The next page begins limit items later; a page with fewer is the last.",
		newOffset,
	},
	"pagenum": {
		"The next page has the next number; a page with fewer items than limit is the last.",
		newPagenum,
	},
	"response.param": {
		"A value of the response leads to the next page, as a parameter; without it there is none.",
		newResponseParam,
	},
	"response.url": {
		"The response holds the address of the next page; without it there is none.",
		newResponseURL,
	},
	"zendesk.response.url": {
		"As response.url, for the incremental exports of Zendesk, " +
			"whose last page has a next address too.",
		newZendesk,
	},
}

// Names lists the methods, in order.
func Names() []string { return slices.Sorted(maps.Keys(methods)) }

// Definitions describe the methods for the JSON Schema, and objects that are parts of them, by their names there.
func Definitions() (all, parts map[string]*config.ObjectDecoder) {
	var p config.Problems
	urlKey, value, number := config.NewObjectDecoder(nil, &p), config.NewObjectDecoder(nil, &p), config.NewObjectDecoder(nil, &p)
	new(linkChoice).decode(urlKey, &p)
	decodeSent(value, "", &p)
	decodeNumber(number, &p)
	flag, sum := config.NewObjectDecoder(nil, &p), config.NewObjectDecoder(nil, &p)
	decodeFlag(flag)
	decodeSumStop(sum, &p)
	all = map[string]*config.ObjectDecoder{}
	parts = map[string]*config.ObjectDecoder{
		"urlKey": urlKey, "responseValue": value, "responseNumber": number, "nextPageFlag": flag, "sumStop": sum,
	}
	for name, m := range methods {
		o := config.NewObjectDecoder(nil, &p)
		o.Text("method", "", m.doc)
		o.Require("method")
		newStops(o, m.decode(o, Env{}, &p), &p)
		o.Done()
		all[name] = o
	}
	return all, parts
}

// New decodes api.pagination; a nil node is one request per job.
func New(n *config.Node, env Env, p *config.Problems) *Paging {
	o := config.NewObjectDecoder(n, p)
	name := o.Text("method", "", "How the next page is asked for.")
	o.Require("method")
	entry, ok := methods[name]
	if !ok {
		if name != "" {
			p.Errorf(n.Member("method"), "unknown method %q%s", name, config.Have(name, Names()))
		}
		return assemble(onePage{})
	}
	env.nested = func(n *config.Node) *Paging { return New(n, env, p) }
	refuseOverlap(name, o, p)
	method := entry.decode(o, env, p)
	all := assemble(method, newStops(o, method, p))
	all.Node = o.Node()
	o.Done()
	return all
}

// assemble puts the values that the stop conditions need after those of the method.
func assemble(m Method, all ...stops) *Paging {
	p := &Paging{method: m, stops: all, Needs: m.Needs()}
	want := func(path item.Path) (at int) {
		if path != nil {
			p.Needs.Values = append(slices.Clip(p.Needs.Values), path)
		}
		return len(p.Needs.Values) - 1
	}
	bit := uint64(1)
	for i := range all {
		s := &all[i]
		s.limit.at = want(s.limit.field)
		// Those of api.pagination are shared by all scrollers.
		s.flags, s.sums = slices.Clone(s.flags), slices.Clone(s.sums)
		for k := range s.flags {
			flag := &s.flags[k]
			flag.at, flag.place, flag.bit = want(flag.field), evidence.Place(flag.field), bit
			bit <<= 1
		}
		for k := range s.sums {
			s.sums[k].places(want)
		}
		p.TrustEnd = p.TrustEnd || s.trustEnd
	}
	p.reads = reading(m, all, p.Needs)
	p.inHeaders = slices.ContainsFunc(p.Places(), isHeader)
	if values := m.Needs().Values; len(values) > 0 {
		p.nextPlace = evidence.Place(values[0])
	}
	if several, ok := m.(multiLed); ok {
		p.nextPlace = several.nextPlace()
	}
	return p
}

// For returns the paging of a job whose member scroller is n, which may be nil, and
// which may trust the end itself.
func (p *Paging) For(n *config.Node, trust bool, problems *config.Problems) *Paging {
	own := *p
	if m, ok := p.method.(scrollerChooser); ok {
		chosen := m.chosen(n, problems)
		own = *assemble(chosen.method, slices.Concat(p.stops, chosen.stops)...)
		own.Node = chosen.Node
		own.refuseEmptyStop(problems)
	} else if n != nil {
		problems.Warnf(n, "has no effect, since api.pagination.method is not multiple")
	}
	own.TrustEnd = own.TrustEnd || trust
	return &own
}

// Fills are the names that may stand in braces, in the endpoint and in the texts of the
// job's parameters, and become numbers; nil: there are none.
func (p *Paging) Fills() []string {
	if t := p.template(); t != nil {
		return t.names()
	}
	return nil
}

// Fill tells whether a name in braces becomes a number.
func (p *Paging) Fill(name string) bool {
	t := p.template()
	return t != nil && t.knows(name)
}

func (p *Paging) template() *numberTemplate {
	if m, ok := p.method.(filler); ok {
		return m.fills()
	}
	return nil
}

// First returns the request for the first page of a walk, which begins with s. Where
// the second page could not be asked for in any case, it returns that error already.
func (p *Paging) First(s *State, j *Job) (*Request, error) {
	if m, ok := p.method.(valueSender); ok {
		if _, err := m.at(j, []byte("null")); err != nil {
			return nil, err
		}
	}
	if err := p.beginOverlap(s, j); err != nil {
		return nil, err
	}
	r, err := p.method.First(s, j)
	s.Asked = r
	if err != nil {
		return r, err
	}
	if s.Own.Skipped == 0 {
		s.Own.Skipped = r.skips(p.limitParam())
	}
	if !s.Own.Later {
		s.Own.Later = r.beginsLater()
	}
	if p.shard > 0 {
		err = p.method.(divider).skip(s, j, p.shard)
	}
	return s.Asked, err
}

// Guess returns the request of the k-th page, from 1, nil if it is not known
// beforehand.
func (p *Paging) Guess(j *Job, s *State, k int) *Request {
	return p.method.At(j, s, k)
}

// RefusesUntil says why walks cannot end by a member until; empty: they can.
func (p *Paging) RefusesUntil(u *Until) string {
	m, isCursor := p.method.(*cursor)
	led, isLed := p.method.(*responseURL)
	switch {
	case p.isOnePage():
		return "ends paging, and the job has none: configure api.pagination, or leave items out with where"
	case p.Overlaps():
		return "cannot stand beside overlap: items that come again break the order"
	case isCursor && m.take == Greatest && slices.Equal(m.path, u.Field):
		return "cannot stand beside a cursor that goes on behind the greatest value of the same field: the oldest items come first"
	case isLed && led.export:
		return "cannot stand beside zendesk.response.url: in these exports the oldest items come first"
	}
	return ""
}
