package compile

import (
	"slices"
	"strings"

	"sluice/pipeline/pattern"
	"sluice/source/config"
	"sluice/source/paginate"
)

// likeNumber matches names in braces that look like those of numbers of paging.
var likeNumber = pattern.Lazy(`\{(offset|page|limit)[^{}]*\}`)

// unknownNumbers says which names in the texts of parameters, or in an endpoint, look
// like those that paging fills, and are none.
func (c *compiler) unknownNumbers(n *config.Node, paging *paginate.Paging) {
	filled := paging.Fills()
	if n == nil || len(filled) == 0 {
		return
	}
	for _, m := range n.Members {
		c.unknownNumbers(m.Value, paging)
	}
	for _, e := range n.Elems {
		c.unknownNumbers(e, paging)
	}
	if n.Kind != '"' {
		return
	}
	for _, name := range likeNumber().FindAllString(n.Text(), -1) {
		// Those that another method fills are an error of the request.
		isNumber := slices.Contains([]string{"{offset}", "{page}", "{limit}"}, name)
		if !isNumber && !paging.Fill(name) {
			c.problems.Doubtf(n, "%s is sent as it stands, since api.pagination.template replaces only %s",
				name, strings.Join(filled, ", "))
		}
	}
}
