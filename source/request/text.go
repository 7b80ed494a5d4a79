package request

import (
	"fmt"
	"strings"

	"sluice/pipeline/item"
)

// formType is the type of a form.
const formType = "application/x-www-form-urlencoded"

// textName is the member of a body that is a text.
const textName = "text"

// IsText tells whether a body with that only member is a text, and no JSON: a header says that it is something else.
func IsText(member, contentType string) bool {
	return member == textName && contentType != "" && !strings.Contains(strings.ToLower(contentType), "json")
}

// isForm tells whether a header says that a body is a form.
func isForm(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(kind), formType)
}

// EscapeFor returns what escapes a value that stands in a text of that type.
func EscapeFor(contentType string) func(text string) string {
	if strings.Contains(strings.ToLower(contentType), "xml") {
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace
	}
	return func(text string) string { return text }
}

// whole is the parameter that is all of the body, as it stands; nil: there is none.
func (p Params) whole() *Param {
	for i := range p {
		if p[i].Text {
			return &p[i]
		}
	}
	return nil
}

// roomless says that a parameter has no place in a body that is a text; nil: there is none.
func (r *Request) roomless() error {
	all := r.Body()
	if all.whole() == nil {
		return nil
	}
	for _, p := range all {
		if !p.Text && !p.isNothing() {
			return fmt.Errorf("the body is a text, where the parameter %s has no place: "+
				`name one in the address, such as {"query": %q}, or write it into the text by template`, p.Name, p.Name)
		}
	}
	return nil
}

// text is the parameter as it stands in a body.
func (q *Param) text() []byte {
	text, _ := item.Text(q.Value)
	return []byte(text)
}
