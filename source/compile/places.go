package compile

import (
	"net/http"
	"slices"
	"strings"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/paginate"
)

// places reports the parameters of a job, and of its paging, that cannot stand where the configuration puts them.
func (c *compiler) places(d *config.Job, j *job.Job) {
	d.ParameterParts.Check(string(j.Request.Method), c.problems)
	c.scrollParts(j)
	var before []paginate.NamedPlace
	for _, at := range j.Paging.Places() {
		for _, other := range before {
			// If both are written for the same place, that is reported already.
			if other.In != at.In && other.Key(j.Request.Method) == at.Key(j.Request.Method) {
				c.problems.Errorf(at.Node(j.Paging.Node),
					"%s is that parameter already, since job %s is a GET", other.Option, j.ID)
			}
		}
		before = append(before, at)
		c.placeInHeader(at, j)
	}
}

// scrollParts looks at the parameters of a scrollRequest that is sent by the job's method.
func (c *compiler) scrollParts(j *job.Job) {
	n := j.Paging.Node.Member("scrollRequest")
	if n == nil || n.Member("method") != nil {
		return
	}
	parts := config.ParameterParts{Params: n.Member("params"), Query: n.Member("query"), Body: n.Member("body")}
	parts.Check(string(j.Request.Method), c.problems)
}

// placeInHeader reports a paging parameter in a header that is set already.
func (c *compiler) placeInHeader(at paginate.NamedPlace, j *job.Job) {
	if at.In != config.PlaceHeader {
		return
	}
	name, n := at.Path[0], at.Node(j.Paging.Node)
	isIt := func(h expr.NamedValue) bool { return strings.EqualFold(h.Name, name) }
	switch {
	case slices.ContainsFunc(j.Request.Headers, isIt) || j.Request.Header.Get(name) != "":
		c.problems.Errorf(n, "the configuration sets the header %s of job %s itself, "+
			"and paging sets it on each page: remove it there", name, j.ID)
	case c.isReserved(name):
		c.problems.Errorf(n, "the login, or the request itself, sets the header %s: "+
			"name another one for paging", name)
	}
}

// isReserved tells whether the authentication sets a header, or the request itself does.
func (c *compiler) isReserved(name string) bool {
	name = http.CanonicalHeaderKey(name)
	isSet := func(m config.Member) bool { return strings.EqualFold(m.Name, name) }
	n := c.doc.Authentication
	for _, headers := range []*config.Node{n.Member("headers"), n.Member("apiRequest").Member("headers")} {
		if headers != nil && slices.ContainsFunc(headers.Members, isSet) {
			return true
		}
	}
	return slices.Contains(reservedHeaders, name)
}

// reservedHeaders are set by the request itself, or by its authentication.
var reservedHeaders = []string{"Authorization", "Content-Length", "Content-Type", "Cookie", "Host"}
