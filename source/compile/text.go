package compile

import (
	"strings"

	"sluice/source/config"
	"sluice/source/job"
	"sluice/source/request"
)

// textBody makes a text of a body that has only a text, if a header says that it is no JSON.
func (c *compiler) textBody(n *config.Node, r *job.RequestSpec) {
	if n == nil || len(n.Members) != 1 {
		return
	}
	only := n.Members[0]
	contentType := r.Header.Get("Content-Type")
	if !request.IsText(only.Name, contentType) {
		isMarkup := only.Name == "text" && only.Value.Kind == '"' && strings.HasPrefix(strings.TrimSpace(only.Value.Text()), "<")
		if isMarkup && contentType == "" {
			c.problems.Warnf(only.Value, "is sent as a member of JSON: for a body that is this text, "+
				`set the header Content-Type, such as "text/xml; charset=utf-8"`)
		}
		return
	}
	for i := range r.Parts {
		g := &r.Parts[i]
		if g.In != request.InBody {
			continue
		}
		if g.Members[0].Value.PerRequest() {
			c.problems.Errorf(only.Value, "a token of jwt cannot stand in a body of text: put it into the headers")
			return
		}
		g.Escape = request.EscapeFor(contentType)
	}
	if _, isBelow := r.Env.Contexts["placeholder"]; isBelow {
		// Its texts may have placeholders in braces.
		r.Names.Placeholder = true
	}
}
