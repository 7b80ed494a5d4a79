package compile

import (
	"cmp"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
)

// conditions compiles those of a job, or else of the API, in the order in which
// they are judged.
func (c *compiler) conditions(d *config.Job, j *job.Job) {
	for _, list := range [...]string{"loginOn", "retryOn", "emptyOn", "endOn", "failOn"} {
		n := cmp.Or(d.Conditions[list], c.doc.Conditions[list])
		if n == nil {
			continue
		}
		for _, e := range n.Elems {
			c.condition(list, e, j)
		}
		asksForLogin := list == "loginOn" && len(n.Elems) > 0
		if asksForLogin && !c.logsIn() {
			c.problems.Notef(n, "these answers fail the job, since there is no login that could be repeated: "+
				"see api.authentication")
		}
		j.Conditions.FailOn = list == "failOn"
	}
	if d.WaitOn == nil {
		return
	}
	c.condition("waitOn", d.WaitOn.Member("when"), j)
	wait := job.Wait{
		Every: c.duration(d.WaitOn.Member("every")),
		Most:  c.duration(d.WaitOn.Member("for")),
	}
	if wait.Most > 0 && wait.Most < wait.Every {
		c.problems.Errorf(d.WaitOn.Member("for"),
			"must not be shorter than every, which is %s", wait.Every)
	}
	j.Conditions.Wait = wait
}

// logsIn tells whether there is a login that can be made anew.
func (c *compiler) logsIn() bool {
	s := c.api.Signer
	return s != nil && s.Rejected != nil
}

func (c *compiler) condition(list string, n *config.Node, j *job.Job) {
	if n == nil || n.Kind != '"' {
		// That is reported already.
		return
	}
	filter := expr.CompileFilter(n, c.problems)
	if filter == nil {
		return
	}
	if list == "endOn" {
		filter.ReadFlags()
	}
	for _, path := range filter.Paths() {
		if strings.HasPrefix(path[0], "$") && !isOfAnswer(path) {
			c.problems.Errorf(n,
				"there is no %s: have $status and $header.NAME", path)
		}
	}
	on := job.Condition{List: list, Text: n.Text(), Filter: filter}
	j.Conditions.All = append(j.Conditions.All, on)
}

// isOfAnswer tells whether a path is $status or $header.NAME.
func isOfAnswer(path item.Path) bool {
	switch path[0] {
	case "$status":
		return len(path) == 1
	case "$header":
		return len(path) > 1
	}
	return false
}
