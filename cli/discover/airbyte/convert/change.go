package convert

import (
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// change has pages after the first requested as templates say that look whether there is a token. It comes after all
// else has been put into the request of the job.
func (p *paginator) change(paging *write.Scroller) {
	later := *p.j
	for _, c := range p.use.changes {
		p.changeAt(c, &later)
	}
	sent, isOther := p.j.Later(&later)
	if !isOther {
		return
	}
	isAlone := paging.Method == "response.url" && len(sent) == 0
	fault.If(paging.Method != "response.param" && !isAlone,
		"where pages follow in this way, all of them must have the same parameters")
	paging.IncludesParams = false
	paging.Members = paging.Members.With(len(sent) > 0, "scrollRequest", sent)
}

// changeAt puts into a request of a later page what a template gives there.
func (p *paginator) changeAt(c tokenChange, later *write.PlannedJob) {
	sc := p.sc.With(map[string]template.Variable{tokenName: whereThereIsToken})
	value, err := fault.Result(func() write.ConfigValue {
		switch c.at.Into {
		case "header":
			return headerOf(c.n, sc)
		case "body_json":
			return sc.MeanMember(c.n)
		}
		return valueOf(c.n, sc)
	})
	fault.If(err != nil, "%s: %s", strings.TrimSpace(c.n.Text()), unusedToken)
	isSame := later.Remove(c.at, value)
	if value != nil && !isSame {
		p.s.put(c.n, sc, later, c.at, value)
	}
}

// whereThereIsToken is the token on a page that has one: it counts as true, and its value is known only in a run.
func whereThereIsToken(path []string) template.Meaning {
	isWhole := len(path) == 0 || len(path) == 1 && path[0] == tokenName
	fault.If(isWhole, "%w", template.WholeSlice{})
	return template.Later(path)
}
