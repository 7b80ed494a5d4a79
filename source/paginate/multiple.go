package paginate

import (
	"maps"
	"slices"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// multiple lets each job choose its way of paging by its member scroller, see
// [chooser]; by default it is one request.
type multiple struct {
	single
	scrollers map[string]*Paging
	// fallback is the scroller of jobs that name none; empty: there is none.
	fallback string
}

func newMultiple(o *config.ObjectDecoder, env Env, p *config.Problems) Method {
	m := &multiple{scrollers: map[string]*Paging{}}
	scrollers := o.Any("scrollers", "Ways of paging by the names that jobs call them.", "{pagination}")
	o.Require("scrollers")
	m.decode(config.NewObjectDecoder(scrollers, p).Node(), env, p)
	m.fallback = o.Text("default", "",
		"The scroller of jobs that name none; by default they are one request.")
	n := o.Node().Member("default")
	if n != nil && scrollers != nil && m.scrollers[m.fallback] == nil {
		p.Errorf(n, "%s", m.unknown(m.fallback))
	}
	return m
}

// decode reads the scrollers, of which there may be none.
func (m *multiple) decode(n *config.Node, env Env, p *config.Problems) {
	if n == nil {
		return
	}
	if len(n.Members) == 0 {
		p.Errorf(n, "must have at least one scroller")
	}
	for _, s := range n.Members {
		method := s.Value.Member("method")
		if method != nil && method.Kind == '"' && method.Text() == "multiple" {
			p.Errorf(method, "a scroller cannot be multiple itself")
			continue
		}
		m.scrollers[s.Name] = env.nested(s.Value)
	}
}

func (m *multiple) unknown(scroller string) string {
	known := slices.Sorted(maps.Keys(m.scrollers))
	return "there is no scroller " + string(item.Quote(scroller)) + config.Have(scroller, known)
}

// chosen is the scroller of a job that names it by n, which may be nil.
func (m *multiple) chosen(n *config.Node, p *config.Problems) *Paging {
	name := m.fallback
	if n != nil && n.Text() != "" {
		name = n.Text()
	}
	if chosen := m.scrollers[name]; chosen != nil {
		return chosen
	}
	// A default that is unknown is reported where it stands.
	if n != nil && name != "" {
		p.Errorf(n, "%s", m.unknown(name))
	}
	return assemble(onePage{})
}
