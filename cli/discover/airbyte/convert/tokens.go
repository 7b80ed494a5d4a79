package convert

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// firstPage is the scope of a request for a first page: there is no token. What later pages have the paginator
// finds.
func firstPage(sc template.Scope) template.Scope {
	none := func([]string) (template.Meaning, error) { return template.Nothing, nil }
	return sc.With(map[string]template.Variable{tokenName: none})
}

// tokenName is the variable that leads to the next page.
const tokenName = "next_page_token"

// A tokenUse is what a requester does with the token of the next page.
type tokenUse struct {
	// at is where it stands, as an option of a request; path is nil where it stands nowhere.
	at write.Spot

	// first is what stands there on the first page; nil: nothing.
	first any

	// onlyFirst is how many members only the first page has.
	onlyFirst int
}

// tokenParts are the parts of a request that may have the token.
var tokenParts = map[string]string{
	"request_parameters": "request_parameter",
	"request_headers":    "header",
	"request_body_json":  "body_json",
	"request_body_data":  "body_data",
}

// useOfToken finds out what a requester does with the token. The error says what of it is not understood.
func useOfToken(requester *manifest.Node) (u tokenUse, err error) {
	if requester == nil || !requester.IsObject() {
		return u, nil
	}
	for _, name := range requester.Names() {
		n := requester.Peek(name)
		if n == nil || !n.Mentions(tokenName) {
			continue
		}
		into, ok := tokenParts[name]
		if !ok || !n.IsObject() {
			return u, errors.New(
				"the token of the next page in " + name + " is not understood: use page_token_option")
		}
		if err := u.find(n, into, nil); err != nil {
			return u, err
		}
	}
	return u, nil
}

// find looks at the members of a part of a request.
func (u *tokenUse) find(n *manifest.Node, into string, above []string) error {
	for _, name := range n.Names() {
		m := n.Peek(name)
		if m == nil || !m.Mentions(tokenName) {
			continue
		}
		path := append(slices.Clone(above), name)
		if m.IsObject() && into == "body_json" {
			if err := u.find(m, into, path); err != nil {
				return err
			}
			continue
		}
		if err := u.member(m, write.Spot{Into: into, Path: path}); err != nil {
			return err
		}
	}
	return nil
}

// member looks at a text that names the token.
func (u *tokenUse) member(n *manifest.Node, at write.Spot) error {
	const why = ": this use of the token of the next page is not understood"
	misunderstood := errors.New(strings.TrimSpace(n.Text()) + why)
	t, err := template.Parse(n.Text())
	if err != nil {
		return err
	}
	e, ok := template.Single(t)
	if !ok {
		return misunderstood
	}
	if first, ok := tokenOr(e); ok && u.at.Path == nil {
		u.at, u.first = at, first
		return nil
	}
	value, ends := parted(e)
	if len(ends) != 1 || !isToken(ends[0].e) || ends[0].not || template.Names(value, tokenName) {
		return misunderstood
	}
	u.onlyFirst++
	return nil
}

// tokenOr is what stands in place of the token on the first page; not ok: an expression is something else.
func tokenOr(e template.Expression) (first any, ok bool) {
	e = template.Unwrapped(e)
	if b, isBinary := e.(template.Binary); isBinary && b.Operator == "or" {
		c, isConstant := b.Right.(template.Constant)
		return c.Value, isConstant && isToken(b.Left)
	}
	if c, isChoice := e.(template.Choice); isChoice && isToken(c.Condition) && isToken(c.Yes) {
		no, isConstant := template.Unwrapped(c.No).(template.Constant)
		return no.Value, c.No == nil || isConstant
	}
	_, path, _ := template.Reference(e)
	return nil, isToken(e) && len(path) == 1
}

// isToken tells whether an expression is the token, or the object that has it.
func isToken(e template.Expression) bool {
	variable, path, ok := template.Reference(template.Unwrapped(e))
	isIt := len(path) == 0 || len(path) == 1 && path[0] == tokenName
	return ok && variable == tokenName && isIt
}

// isFirst tells whether the first page is asked for with the number that it has.
func (u *tokenUse) isFirst(number int64) bool {
	n, err := strconv.ParseInt(python.Printed(u.first), 10, 64)
	return u.first != nil && err == nil && n == number
}

// placeBelow is the place of a member of the object that the option has in a JSON body. It is the whole object,
// so the job has none there.
func (p *paging) placeBelow() (string, error) {
	at, err := p.use.at, error(nil)
	if at.Path == nil {
		at, err = spotOf(p.token, p.sc)
	}
	switch {
	case err != nil:
		return "", err
	case at.Into != "body_json":
		return "", errors.New("an object is understood as a token in a JSON body alone")
	case bodyHas(p.j, at.Path):
		return "", errors.New("the body has an object already where the token makes one")
	}
	at.Path = append(slices.Clone(at.Path), p.below)
	return p.j.PlaceOf(at)
}

// bodyHas tells whether a job's body has a member at a path.
func bodyHas(j *write.Job, path []string) bool {
	_, ok := write.Insert(j.Body, path, "null")
	return !ok
}

// place is where the token goes, as a paging parameter has it.
func (p *paging) place() (string, error) {
	if p.below != "" {
		return p.placeBelow()
	}
	if p.use.at.Path != nil {
		return p.j.PlaceOf(p.use.at)
	}
	return placeIn(p.j, p.token, p.sc)
}
