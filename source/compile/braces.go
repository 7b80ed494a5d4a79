package compile

import (
	"regexp"
	"slices"
	"strings"

	"sluice/source/config"
	"sluice/source/job"
)

var inBraces = regexp.MustCompile(`\{[^{}]+\}`)

// warnUnfilled says which names in braces nothing stands for, or that there is no placeholder in the endpoint.
func (c *compiler) warnUnfilled(ch *job.Child, endpoint *config.Node) {
	if ch.Job.Request.Endpoint == nil {
		return
	}
	texts, err := textsOf(ch.Job)
	if err != nil {
		// It is said already.
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
	// Braces in a query may be meant so.
	path, _, _ := strings.Cut(texts, "?")
	braces := slices.DeleteFunc(inBraces.FindAllString(path, -1), isNumber)
	all := inBraces.FindAllString(texts, -1)
	if len(braces) == 0 && !slices.ContainsFunc(all, isFilled) {
		c.problems.Warnf(endpoint, "has no placeholder in braces, "+
			"so the same request is sent for each item of the job above")
	}
	for _, brace := range braces {
		if !isFilled(brace) {
			suggestion := config.Suggest(brace[1:len(brace)-1], known)
			c.problems.Warnf(endpoint,
				"%s is sent as it stands, since no placeholder has that name%s", brace, suggestion)
		}
	}
}

// textsOf is the endpoint of a job without the values in it, where no braces count.
func textsOf(j *job.Job) (string, error) {
	parts, err := job.Parts(j.Request.Endpoint, j.Request.Env)
	var b strings.Builder
	for _, p := range parts {
		if p.Name == "" {
			b.WriteString(p.Text)
		}
	}
	return b.String(), err
}
