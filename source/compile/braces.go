package compile

import (
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/source/config"
	"sluice/source/job"
	"sluice/source/request"
)

var inBraces = pattern.Lazy(`\{[^{}]+\}`)

// warnUnfilled says which names in braces nothing stands for, or that there is no placeholder in the endpoint.
func (c *compiler) warnUnfilled(ch *job.Child, d *config.Job) {
	endpoint := d.Endpoint
	if ch.Job.Request.Sample == nil {
		// What is wrong with it is said already.
		return
	}
	var known []string
	for _, p := range ch.Placeholders {
		known = append(known, p.BareName())
	}
	isFilled := func(brace string) bool {
		i, _ := ch.Begins(brace)
		return i >= 0
	}
	isNumber := ch.Job.Paging.Fill
	texts := textsOf(ch.Job.Request.Sample)
	// Braces in a query may be meant so.
	path, _, _ := strings.Cut(texts, "?")
	braces := slices.DeleteFunc(inBraces().FindAllString(path, -1), isNumber)
	all := inBraces().FindAllString(texts, -1)
	isSame := !ch.Job.Request.Names.Placeholder && !slices.ContainsFunc(all, isFilled)
	if len(braces) == 0 && isSame && !areForBelow(d.Node, known) {
		c.problems.Warnf(endpoint, "has no placeholder in braces, "+
			"so the same request is sent for each item of the job above%s", cureOf(known))
	}
	for _, brace := range braces {
		if !isFilled(brace) {
			suggestion := config.Suggest(brace[1:len(brace)-1], known)
			c.problems.Warnf(endpoint,
				"%s is sent as it stands, since no placeholder has that name%s", brace, suggestion)
		}
	}
}

// areForBelow tells whether a job below names one of the placeholders: then each item above is combined with all that the job has.
func areForBelow(n *config.Node, names []string) bool {
	children := n.Member("children")
	if children == nil {
		return false
	}
	return slices.ContainsFunc(children.Elems, func(child *config.Node) bool {
		own := child.Member("placeholders")
		free := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return own != nil && own.Member(name) != nil })
		isNamed := func(name string) bool {
			reference := item.ObjectBuilder{"placeholder", string(item.Quote(name))}.String()
			texts := string(child.Raw)
			return strings.Contains(texts, "{"+name+"}") || strings.Contains(texts, strings.ReplaceAll(reference, ": ", ":"))
		}
		return slices.ContainsFunc(free, isNamed) || areForBelow(child, free)
	})
}

// cureOf says where a placeholder may stand, by the first one; empty: there is none.
func cureOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(`: write {%s} in it, or {"placeholder": %q} as a value of params, query, body or headers`,
		names[0], names[0])
}

// textsOf is an endpoint without the values in it, where no braces count.
func textsOf(all []request.EndpointPiece) string {
	var b strings.Builder
	for _, p := range all {
		if p.Name == "" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}
