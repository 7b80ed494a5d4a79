package plan

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/source/job"
)

// below is what a walk of a child would know of the first item above it, which is
// not known yet.
func (p *planner) below(
	j *job.Job, c *job.Child, above job.Ancestors,
) job.Ancestors {
	below := job.Ancestors{Item: append([]int{1}, above.Item...)}
	// These stand in parameters.
	var unknown []jsontext.Value
	leads := c.Leads()
	for i, ph := range c.Placeholders {
		if ph.Above > 0 {
			below.Values = append(below.Values, above.Values[ph.Above-1])
			unknown = append(unknown, above.Unknown.Value(ph.Above-1))
			continue
		}
		from := "at " + ph.Path + " in an item of " + j.Up(ph.Level-1).ID
		if ph.Value != nil {
			from = "what the function of the placeholder " + ph.Name +
				" makes of the value " + from
		}
		unknown = append(unknown, p.parentsValue("parent_"+ph.Path, from))
		bare := ph.Escaped
		if leads == i {
			from += ", URL-encoded, or an address relative to api.baseUrl"
			bare = true
		}
		below.Values = append(below.Values, p.quoted("parent_"+ph.Path, from, bare))
	}
	below.Unknown = &job.Unknown{
		Value: func(i int) jsontext.Value { return unknown[i] },
		Instead: func(name string) jsontext.Value {
			return p.quoted(name, "what a function makes of an item of "+j.ID+" for "+name, false)
		},
		Keeps: placeholders().MatchString,
	}
	return below
}

// parentsValue stands for a value in an item above.
func (p *planner) parentsValue(name, from string) jsontext.Value {
	v := ShellVariable{Name: name, From: from, text: "unknown " + from, typed: true}
	return item.Quote(p.placeholder(v))
}

// alone matches a text in JSON that is nothing but what stands for a value.
var alone = pattern.Lazy(`"qzx(\d+)xzq"`)

// typed is a JSON body in which values that may be no texts have no quotes.
func (p *planner) typed(body []byte) []byte {
	return alone().ReplaceAllFunc(body, func(found []byte) []byte {
		i, err := strconv.Atoi(string(alone().FindSubmatch(found)[1]))
		if err != nil || i >= len(p.hidden) || !p.hidden[i].typed {
			return found
		}
		v := p.hidden[i]
		v.From, v.text = v.From+inItself, v.text+inItself
		v.typed, v.bare = false, true
		return []byte(p.placeholder(v))
	})
}

// quoted is [Plan.unknown] as JSON.
func (p *planner) quoted(name, from string, bare bool) jsontext.Value {
	return item.Quote(p.unknown(name, from, bare))
}

// window is the first one of a job; of windows that each item above has of its own it
// is not known.
func (p *planner) window(j *job.Job) *job.Window {
	if !j.HasOwnWindows() {
		return &j.Windows[0]
	}
	bound := func(does string) jsontext.Value {
		from := "where the first window of an item of " + j.Parent.ID + " " + does
		return p.quoted("window_"+does, from, false)
	}
	return job.UnknownWindow(bound("begins"), bound("ends"))
}

// noteOfWindows says which windows there are.
func noteOfWindows(j *job.Job) string {
	if j.HasOwnWindows() {
		return "each item of " + j.Parent.ID + " has windows of its own"
	}
	n := len(j.Windows)
	each := ""
	if j.Parent != nil {
		each = " for each item of " + j.Parent.ID
	}
	return fmt.Sprintf("the first of %d windows%s; the last is the %s", n, each, j.Windows[n-1].Name())
}
