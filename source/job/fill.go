package job

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/paginate"
	"sluice/source/request"
)

// address evaluates the endpoint of the job into pages.
func (j *Job) address(pages *paginate.Job, of *Window) error {
	env := j.Request.Env
	if j.Windowed {
		env = WindowEnv(env, j.API.Started, of)
	}
	// It is the same throughout a run.
	env.Now = func() time.Time { return j.API.Started }
	parts, err := Parts(j.Request.Endpoint, env)
	if err == nil {
		pages.Parts = parts
		pages.Endpoint, pages.Shown, err = request.Join(parts, j.Fills())
	}
	if err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	return nil
}

// Parts evaluates an endpoint.
func Parts(endpoint *expr.Expr, env expr.Env) (all []request.Part, err error) {
	pieces, err := endpoint.Pieces(env)
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		all = append(all, request.Part(p))
	}
	first, last := &all[0], &all[len(all)-1]
	if first.Name == "" {
		first.Text = strings.TrimLeftFunc(first.Text, unicode.IsSpace)
	}
	if last.Name == "" {
		last.Text = strings.TrimRightFunc(last.Text, unicode.IsSpace)
	}
	return all, nil
}

// Fill puts the values of placeholders into the texts of the endpoint. They are escaped, but for an address at its
// beginning.
func (c *Child) Fill(pages *paginate.Job, values []jsontext.Value) (err error) {
	var all []request.Part
	for _, p := range pages.Parts {
		if p.Name != "" {
			all = append(all, p)
			continue
		}
		all = c.fill(all, p.Text, values)
	}
	pages.Endpoint, pages.Shown, err = request.Join(all, c.Job.Fills())
	return err
}

// fill appends the parts of a text whose placeholders have these values.
func (c *Child) fill(all []request.Part, text string, values []jsontext.Value) []request.Part {
	literal := 0
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '{')
		if next < 0 {
			break
		}
		at += next
		i, name := c.Begins(text[at:])
		if i < 0 {
			at++
			continue
		}
		value, _ := item.Text(values[i])
		all = append(all, request.Part{Text: text[literal:at]}, request.Part{
			Text:    value,
			Name:    "placeholder " + name,
			Escaped: c.Placeholders[i].Escaped,
			Whole:   true,
		})
		at += len("{" + name + "}")
		literal = at
	}
	return append(all, request.Part{Text: text[literal:]})
}

// Leads returns which placeholder the endpoint begins with, negative for none.
func (c *Child) Leads() int {
	parts, err := Parts(c.Job.Request.Endpoint, c.Job.Request.Env)
	isText := err == nil && parts[0].Name == ""
	if !isText {
		return -1
	}
	i, _ := c.Begins(parts[0].Text)
	return i
}

// Fills tells whether paging puts numbers into texts.
func (j *Job) Fills() bool { return j.Paging.Fills() != nil }
