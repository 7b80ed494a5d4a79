package compile

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
	"sluice/source/request"
)

// silent warns of what is often not meant.
func (c *compiler) silent(d *config.Job, j *job.Job) {
	r := &j.Request
	if r.Method != request.Post {
		c.shapes(c.doc.DefaultParams, r.Defaults, r.Env)
		c.shapes(d.Params, r.Params, r.Env)
	}
	for _, g := range r.Parts {
		if g.In == request.InQuery {
			c.shapes(d.Query, g.Members, r.Env)
		}
	}
	paging := j.Paging.Node
	if paging.Member("method") == nil {
		return
	}
	all := r.All()
	settled := len(all) == 0 || paging.Member("includeParams") != nil
	if !settled && dropsParams(paging, r) {
		c.problems.Notef(d.ParameterParts.First(), "are sent for the first page only, "+
			"since %s.includeParams is not there: say there whether that is meant",
			paging.Path)
	}
	if r.Method == request.Post {
		c.dottedNames(paging, j.ID)
	}
}

// repeated warns of jobs that ask for the same, by the same configuration.
func (c *compiler) repeated() {
	first := map[string]*config.Node{}
	for i := range c.doc.Jobs {
		d := &c.doc.Jobs[i]
		if !c.wants(d) {
			continue
		}
		n := d.Node
		text := string(n.Without("id").Raw)
		if before := first[text]; before != nil {
			c.problems.Notef(n, "asks for the same as %s, so its items come twice: remove one of them", before.Path)
			continue
		}
		first[text] = n
	}
}

// dropsParams tells whether paging sends the parameters of a job for the
// first page only.
func dropsParams(paging *config.Node, r *job.RequestSpec) bool {
	switch paging.Member("method").Text() {
	case "response.param":
		return paging.Member("scrollRequest") == nil
	case "response.url":
		isQuery := paging.Member("paramIsQuery")
		isKept := r.Method == request.Get && !r.HasBody()
		return !isKept || isQuery != nil && isQuery.Kind == 't'
	}
	return false
}

// dottedNames warns of paging parameters that look like paths in a body,
// and are none.
func (c *compiler) dottedNames(paging *config.Node, id string) {
	names := []string{"limitParam", "offsetParam", "pageParam", "queryParam", "param"}
	for _, name := range names {
		n := paging.Member(name)
		if n == nil || n.Kind != '"' {
			continue
		}
		if !strings.Contains(n.Text(), ".") {
			continue
		}
		path := strings.ReplaceAll(strconv.Quote(n.Text()), ".", `", "`)
		c.problems.Notef(n, "in the JSON body of job %s, %q is one name with a dot in it, not a path into an "+
			"object: write the path [%s] if that is meant",
			id, n.Text(), path)
	}
}

// shapes warns of members of n whose shape in a query the document does not settle.
func (c *compiler) shapes(n *config.Node, params []expr.NamedValue, env expr.Env) {
	for _, m := range params {
		if !m.Value.Ready() {
			continue
		}
		v, err := m.Value.Eval(env)
		if err != nil {
			// That is reported already.
			continue
		}
		switch {
		case c.doc.Arrays == "" && holds(v.JSON, "["):
			c.problems.Notef(n.Member(m.Name),
				"has an array, which is sent as [0]=…, [1]=…: set api.http.arrays "+
					"to indexed if that is meant, else to brackets, repeat or comma")
		case c.doc.Booleans == "" && holds(v.JSON, "tf"):
			c.problems.Notef(n.Member(m.Name),
				"has a boolean, which is sent as 1 or 0: set api.http.booleans "+
					"to numbers if that is meant, else to words")
		}
	}
}

// holds tells whether a value is, or has at any depth, one of these kinds; an empty
// array is none.
func holds(value []byte, kinds string) bool {
	d := jsontext.NewDecoder(bytes.NewReader(value))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return false
		}
		kind := token.Kind()
		if strings.IndexByte(kinds, byte(kind)) < 0 {
			continue
		}
		if kind != '[' || d.PeekKind() != ']' {
			return true
		}
	}
}
