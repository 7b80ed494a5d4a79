package source

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// silent warns of what is often not meant (docs/decisions.md, section 11).
func (c *compiler) silent(d *config.Job, j *job) {
	if j.method != request.Post {
		c.shapes(c.doc.DefaultParams, j.defaults, j.env)
		c.shapes(d.Params, j.params, j.env)
	}
	paging := j.paging.Node
	if paging.Member("method") == nil {
		return
	}
	method, isQuery := paging.Member("method").Text(), paging.Member("paramIsQuery")
	drops := method == "response.param" && paging.Member("scrollRequest") == nil || method == "response.url" && (j.method != request.Get || isQuery != nil && isQuery.Kind == 't')
	if drops && len(j.params) > 0 && paging.Member("includeParams") == nil {
		c.problems.Notef(d.Params, "are sent for the first page only, since %s.includeParams is not there: say there whether that is meant", paging.Path)
	}
	for _, name := range []string{"limitParam", "offsetParam", "pageParam", "queryParam", "param"} {
		if n := paging.Member(name); j.method == request.Post && n != nil && n.Kind == '"' && strings.Contains(n.Text(), ".") {
			c.problems.Notef(n, "in the JSON body of job %s %q is one name with a dot in it, and leads into no object: write the path [%s] if it should", j.id, n.Text(), strings.ReplaceAll(strconv.Quote(n.Text()), ".", `", "`))
		}
	}
}

// shapes warns of members of n whose shape in a query the document does not settle.
func (c *compiler) shapes(n *config.Node, params []expr.Member, env expr.Env) {
	for _, m := range params {
		if !m.Value.Ready() {
			continue
		}
		v, err := m.Value.Eval(env)
		if err != nil {
			continue // it is reported
		}
		switch {
		case c.doc.Arrays == "" && holds(v.JSON, "["):
			c.problems.Notef(n.Member(m.Name), "has an array, which is sent as [0]=…, [1]=…: set api.http.arrays to indexed if that is meant, else to brackets, repeat or comma")
		case c.doc.Booleans == "" && holds(v.JSON, "tf"):
			c.problems.Notef(n.Member(m.Name), "has a boolean, which is sent as 1 or 0: set api.http.booleans to numbers if that is meant, else to words")
		}
	}
}

// holds tells whether a value is, or has at any depth, one of these kinds; an empty array is none.
func holds(value []byte, kinds string) bool {
	d := jsontext.NewDecoder(bytes.NewReader(value))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return false
		}
		kind := token.Kind()
		if strings.IndexByte(kinds, byte(kind)) >= 0 && (kind != '[' || d.PeekKind() != ']') {
			return true
		}
	}
}
