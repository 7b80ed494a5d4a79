package suggest

import (
	"maps"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/request"
)

// The ways that send several values at once: each is called as the parameter that takes it.

// leastSeveral is how many values must have the names of parameters: one alone may be anything.
const leastSeveral = 2

// bySeveral are the ways that send several values of the answer by the names that they have.
func (f *follower) bySeveral() (all []Proposal) {
	for _, m := range f.Facts.Around {
		all = append(all, f.severalIn(m.Path, m.Value, mostAbove)...)
	}
	return append(all, f.severalHeaders())
}

// mostAbove is how deep in what stands beside the items values are looked for.
const mostAbove = 3

// severalIn are the ways by members of an object, or of one below it, that are called as parameters of the job.
func (f *follower) severalIn(at item.Path, object []byte, depth int) (all []Proposal) {
	if item.Kind(object) != '{' || depth == 0 {
		return nil
	}
	values := item.ObjectBuilder{}
	isSure := false
	for quotedName, value := range item.Members(object) {
		name := item.Unquote(quotedName)
		path := append(slices.Clone(at), name)
		all = append(all, f.severalIn(path, value, depth-1)...)
		p := f.namedAs(evidence.Normal(name))
		if p == nil || strings.Contains(path.String(), "..") || len(strings.Split(path.String(), ".")) != len(path) {
			continue
		}
		leads, sure := mayLead(p, value)
		if !leads {
			continue
		}
		isSure = isSure || sure
		from := item.ObjectBuilder{"path", quoted(path.String())}
		values = append(values, p.Name, from.String())
	}
	if len(values) >= 2*leastSeveral && isSure {
		all = append(all, f.sending(values))
	}
	return all
}

// namedAs is the parameter of the job that has a name; nil: there is none.
func (f *follower) namedAs(normal string) *request.Param {
	is := func(p request.Param) bool { return evidence.Normal(p.Name) == normal }
	if at := slices.IndexFunc(f.Job.Params, is); at >= 0 {
		return &f.Job.Params[at]
	}
	return nil
}

// mayLead tells whether a value may be the next one of a parameter that has its name: it is none that the answer
// repeats. It is sure to be one where the parameter is empty, or has a value of that kind.
func mayLead(p *request.Param, value []byte) (leads, sure bool) {
	own, isText := item.Text(p.Value)
	next, isScalar := item.Text(value)
	if !isText || !isScalar || next == "" || next == own || item.Kind(value) == 't' || item.Kind(value) == 'f' {
		return false, false
	}
	if own == "" || alike(own, next) {
		return true, !evidence.Is(p.Name, evidence.Counter)
	}
	_, wasNumber := item.ParseDecimal(own)
	_, isNumber := item.ParseDecimal(next)
	return wasNumber && isNumber && !evidence.Is(p.Name, evidence.Counter), false
}

// continuations are the parameters that take the headers which Azure's tables lead on by, whose case is lost.
var continuations = map[string]string{
	"nextpartitionkey": "NextPartitionKey",
	"nextrowkey":       "NextRowKey",
	"nexttablename":    "NextTableName",
}

// continuationHeader is what the names of such headers begin with.
const continuationHeader = "x-ms-continuation-"

// severalHeaders is the way by headers that say by their names which parameters take them.
func (f *follower) severalHeaders() Proposal {
	values := item.ObjectBuilder{}
	for _, header := range slices.Sorted(maps.Keys(f.Facts.Header)) {
		rest, isContinuation := strings.CutPrefix(strings.ToLower(header), continuationHeader)
		if !isContinuation || f.Facts.Header.Get(header) == "" {
			continue
		}
		name := continuations[rest]
		if p := f.namedAs(evidence.Normal(rest)); p != nil {
			name = p.Name
		}
		if name == "" {
			return Proposal{}
		}
		from := item.ObjectBuilder{"header", quoted(continuationHeader + name)}
		values = append(values, name, from.String())
	}
	if len(values) < 2*leastSeveral {
		return Proposal{}
	}
	return f.sending(values)
}

// sending is the way that sends values by the names of parameters.
func (f *follower) sending(values item.ObjectBuilder) Proposal {
	o := item.ObjectBuilder{"method", quoted("response.param"), "params", values.String()}
	o = o.With(len(f.Job.Params) > 0, "includeParams", "true")
	return Proposal{Pagination: o.String(), Open: true}
}
