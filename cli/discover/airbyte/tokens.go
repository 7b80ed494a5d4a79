package airbyte

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// firstPage is the scope of a request for a first page: there is no token. What later pages have the paginator
// finds.
func (sc scope) firstPage() scope {
	none := func([]string) (meaning, error) { return nothing, nil }
	return sc.with(map[string]variable{tokenName: none})
}

// tokenName is the variable that leads to the next page.
const tokenName = "next_page_token"

// A tokenUse is what a requester does with the token of the next page.
type tokenUse struct {
	// at is where it stands, as an option of a request; path is nil where it stands nowhere.
	at spot

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
func useOfToken(requester *node) (u tokenUse, err error) {
	if requester == nil || !requester.isObject() {
		return u, nil
	}
	for _, name := range requester.tree.object().names {
		n := requester.peek(name)
		if n == nil || !hasToken(n.tree) {
			continue
		}
		into, ok := tokenParts[name]
		if !ok || !n.isObject() {
			return u, errors.New(
				"the token of the next page in " + name + " is not understood: use page_token_option")
		}
		if err := u.find(n, into, nil); err != nil {
			return u, err
		}
	}
	return u, nil
}

// hasToken tells whether a text within a value names the token.
func hasToken(t *tree) bool {
	switch v := t.value.(type) {
	case string:
		return strings.Contains(v, tokenName)
	case []*tree:
		return slices.ContainsFunc(v, hasToken)
	case *object:
		for _, name := range v.names {
			if strings.Contains(name, tokenName) || hasToken(v.members[name]) {
				return true
			}
		}
	}
	return false
}

// find looks at the members of a part of a request.
func (u *tokenUse) find(n *node, into string, above []string) error {
	for _, name := range n.tree.object().names {
		m := n.peek(name)
		if m == nil || !hasToken(m.tree) {
			continue
		}
		path := append(slices.Clone(above), name)
		if m.isObject() && into == "body_json" {
			if err := u.find(m, into, path); err != nil {
				return err
			}
			continue
		}
		if err := u.member(m, spot{into, path}); err != nil {
			return err
		}
	}
	return nil
}

// member looks at a text that names the token.
func (u *tokenUse) member(n *node, at spot) error {
	const why = ": this use of the token of the next page is not understood"
	misunderstood := errors.New(strings.TrimSpace(n.text()) + why)
	t, err := parse(n.text())
	if err != nil {
		return err
	}
	e, ok := single(t)
	if !ok {
		return misunderstood
	}
	if first, ok := tokenOr(e); ok && u.at.path == nil {
		u.at, u.first = at, first
		return nil
	}
	value, ends := parted(e)
	isFirst := len(ends) == 1 && isToken(ends[0].e) && !ends[0].not && !names(value, tokenName)
	if !isFirst {
		return misunderstood
	}
	u.onlyFirst++
	return nil
}

// tokenOr is what stands in place of the token on the first page; not ok: an expression is something else.
func tokenOr(e expression) (first any, ok bool) {
	e = unwrapped(e)
	if b, isBinary := e.(binary); isBinary && b.operator == "or" {
		c, isConstant := b.right.(constant)
		return c.value, isConstant && isToken(b.left)
	}
	if c, isChoice := e.(choice); isChoice && isToken(c.condition) && isToken(c.yes) {
		no, isConstant := unwrapped(c.no).(constant)
		return no.value, c.no == nil || isConstant
	}
	_, path, _ := reference(e)
	return nil, isToken(e) && len(path) == 1
}

// isToken tells whether an expression is the token, or the object that has it.
func isToken(e expression) bool {
	variable, path, ok := reference(unwrapped(e))
	isIt := len(path) == 0 || len(path) == 1 && path[0] == tokenName
	return ok && variable == tokenName && isIt
}

// isFirst tells whether the first page is asked for with the number that it has.
func (u *tokenUse) isFirst(number int64) bool {
	n, err := strconv.ParseInt(printed(u.first), 10, 64)
	return u.first != nil && err == nil && n == number
}

// placeBelow is the place of a member of the object that the option has in a JSON body. It is the whole object,
// so the job has none there.
func (p *paging) placeBelow() (string, error) {
	at, err := p.use.at, error(nil)
	if at.path == nil {
		at, err = spotOf(p.token, p.sc)
	}
	switch {
	case err != nil:
		return "", err
	case at.into != "body_json":
		return "", errors.New("an object is understood as a token in a JSON body alone")
	case p.j.bodyHas(at.path):
		return "", errors.New("the body has an object already where the token makes one")
	}
	at.path = append(slices.Clone(at.path), p.below)
	return p.j.placeOf(at)
}

// bodyHas tells whether a job's body has a member at a path.
func (j *job) bodyHas(path []string) bool {
	_, ok := insert(j.body, path, "null")
	return !ok
}

// place is where the token goes, as a paging parameter has it.
func (p *paging) place() (string, error) {
	if p.below != "" {
		return p.placeBelow()
	}
	if p.use.at.path != nil {
		return p.j.placeOf(p.use.at)
	}
	return p.j.place(p.token, p.sc)
}
