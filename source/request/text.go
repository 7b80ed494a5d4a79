package request

import (
	"fmt"
	"mime"
	"strings"

	"sluice/pipeline/item"
)

// formType is the type of a form.
const formType = "application/x-www-form-urlencoded"

// textName is the name of the only member of a body that is sent as plain text, not as JSON.
const textName = "text"

// IsText tells whether a body whose only member is called so is sent as plain text: the content type says that it is no
// JSON.
func IsText(member, contentType string) bool {
	return member == textName && contentType != "" && !strings.Contains(strings.ToLower(contentType), "json")
}

// IsForm tells whether the header Content-Type says that a body is a form.
func IsForm(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	return kind == formType
}

// EscapeFor returns the function that escapes a value which is put into a text of that content type.
func EscapeFor(contentType string) func(text string) string {
	if strings.Contains(strings.ToLower(contentType), "xml") {
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace
	}
	return func(text string) string { return text }
}

// whole is the parameter whose text is the whole body; nil: there is none.
func (p Params) whole() *Param {
	for i := range p {
		if p[i].Text {
			return &p[i]
		}
	}
	return nil
}

// roomless is the error for a parameter that has no place, since the body is a text; nil: there is no such parameter.
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
