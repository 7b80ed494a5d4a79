package source

import (
	"fmt"
	"strconv"
	"strings"

	"sluice/pipeline/item"
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
		if sent := c.shape(v.JSON, m.Name); sent != "" {
			c.problems.Notef(n.Member(m.Name), "is sent as %s", sent)
		}
	}
}

// shape is how the first array or boolean in a value is sent; empty if an option says so, or there is none.
func (c *compiler) shape(value []byte, name string) string {
	switch item.Kind(value) {
	case 't', 'f':
		if c.doc.Booleans == "" {
			number := map[byte]int{'t': 1}[item.Kind(value)]
			return fmt.Sprintf("%s=%d: set api.http.booleans to numbers if that is meant, else to words", name, number)
		}
	case '[':
		for element := range item.Elements(value) {
			if c.doc.Arrays == "" {
				return fmt.Sprintf("%s[0]=…, %[1]s[1]=…: set api.http.arrays to indexed if that is meant, else to brackets, repeat or comma", name)
			}
			below := name + map[string]string{request.Indexed: "[0]", request.Brackets: "[]"}[c.doc.Arrays]
			if sent := c.shape(element, below); sent != "" {
				return sent
			}
		}
	case '{':
		for key, member := range item.Members(value) {
			if sent := c.shape(member, name+"["+item.Unquote(key)+"]"); sent != "" {
				return sent
			}
		}
	}
	return ""
}
