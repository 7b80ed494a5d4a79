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

// address evaluates the endpoint of the job into pages, for a walk that has this of its own.
func (j *Job) address(own Own, pages *paginate.Job, env expr.Env) error {
	// It is the same throughout a run.
	env.Now = func() time.Time { return j.API.Started }
	all, err := own.pieces(j.Request.Endpoint, env)
	if err == nil {
		pages.Pieces = all
		pages.Endpoint, pages.Shown, err = request.Join(all, j.Fills())
	}
	if err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	return nil
}

// pieces evaluates an endpoint, in a plan as far as its values are known.
func (own *Own) pieces(endpoint *expr.Expr, env expr.Env) ([]request.EndpointPiece, error) {
	if own.Unknown == nil || endpoint.Ready() {
		return Pieces(endpoint, env)
	}
	instead, _ := item.Text(own.Unknown.Instead("endpoint"))
	env.Secret = nil
	found, err := endpoint.Pieces(env)
	if err != nil {
		//nolint:nilerr // a function needs the value itself, such as a number
		return []request.EndpointPiece{{Text: instead}}, nil
	}
	for i := range found {
		p := &found[i]
		isUnknown := p.Later && p.Secret
		if !isUnknown {
			continue
		}
		p.Secret = false
		if !own.Unknown.Keeps(p.Text) {
			p.Text = instead
		}
	}
	return trimmed(found), nil
}

// Pieces evaluates an endpoint.
func Pieces(endpoint *expr.Expr, env expr.Env) ([]request.EndpointPiece, error) {
	found, err := endpoint.Pieces(env)
	if err != nil {
		return nil, err
	}
	return trimmed(found), nil
}

// trimmed are the pieces of an endpoint without blanks around its texts.
func trimmed(found []expr.JoinedPiece) (all []request.EndpointPiece) {
	for _, p := range found {
		all = append(all, request.EndpointPiece{
			Text: p.Text, Name: p.Name, Escaped: p.Escaped, Secret: p.Secret, Whole: p.Whole,
		})
	}
	first, last := &all[0], &all[len(all)-1]
	if first.Name == "" {
		first.Text = strings.TrimLeftFunc(first.Text, unicode.IsSpace)
	}
	if last.Name == "" {
		last.Text = strings.TrimRightFunc(last.Text, unicode.IsSpace)
	}
	return all
}

// Fill puts the values of placeholders into the texts of the endpoint. They are escaped, but for an address at its
// beginning.
func (c *Child) Fill(pages *paginate.Job, values []jsontext.Value) (err error) {
	var all []request.EndpointPiece
	for _, p := range pages.Pieces {
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
func (c *Child) fill(all []request.EndpointPiece, text string, values []jsontext.Value) []request.EndpointPiece {
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
		all = append(all, request.EndpointPiece{Text: text[literal:at]}, request.EndpointPiece{
			Text:    value,
			Name:    "placeholder " + name,
			Escaped: c.Placeholders[i].Escaped,
			Whole:   true,
		})
		at += len("{" + name + "}")
		literal = at
	}
	return append(all, request.EndpointPiece{Text: text[literal:]})
}

// Leads returns which placeholder the endpoint begins with, negative for none.
func (c *Child) Leads() int {
	sample := c.Job.Request.Sample
	if len(sample) == 0 || sample[0].Name != "" {
		return -1
	}
	i, _ := c.Begins(sample[0].Text)
	return i
}

// Fills tells whether paging puts numbers into texts.
func (j *Job) Fills() bool { return j.Paging.Fills() != nil }
