package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
)

// A tokenText is a template that has the token of the next page within a text, as a number that may be moved on.
type tokenText struct {
	// source is the template, braced the expression in it.
	source, braced string

	// first is what the token counts as on the first page, plus what is added to it on each.
	first, plus int64
}

// unusedToken says that a requester uses the token in a way that has no equivalent.
const unusedToken = "this use of the token of the next page is not supported"

// countedBy are the names that the number of a page has in a text, by the strategy that counts.
var countedBy = map[string]string{"PageIncrement": "page", "OffsetIncrement": "offset"}

// filledNumber is such a number.
var filledNumber = pattern.Lazy(`\{(?:page|offset)(?:\+\d+)?\}`)

// texted is the first of the texts, for people.
func (u *tokenUse) texted() string {
	if len(u.texts) == 0 {
		return ""
	}
	return strings.TrimSpace(u.texts[0].source)
}

// textOfToken reads a template with the token as a number; not ok: it is none.
func textOfToken(n *manifest.Section) (t tokenText, ok bool) {
	t.source = n.Text()
	for _, piece := range braced().FindAllString(t.source, -1) {
		if !strings.Contains(piece, tokenName) {
			continue
		}
		if t.braced != "" {
			return t, false
		}
		t.braced = piece
	}
	parsed, err := template.Parse(t.braced)
	e, isAlone := template.Single(parsed)
	if err != nil || !isAlone || t.braced == "" || strings.Count(t.source, tokenName) != strings.Count(t.braced, tokenName) {
		return t, false
	}
	ok = t.read(e)
	return t, ok && t.plus >= 0
}

// read reads the number in an expression.
func (t *tokenText) read(e template.Expression) (ok bool) {
	e = template.Unwrapped(e)
	if f, isFilter := e.(template.Filter); isFilter && (f.Name == "int" || f.Name == "string") && len(f.Arguments) == 0 {
		return t.read(f.Of)
	}
	if first, isToken := tokenOr(e); isToken {
		t.first, ok = numberOf(template.Constant{Value: first})
		// A text of digits stands there as it is.
		return ok && python.Printed(first) == strconv.FormatInt(t.first, 10)
	}
	if b, isSum := e.(template.Binary); isSum && b.Operator == "+" {
		n, isNumber := numberOf(b.Right)
		t.plus += n
		return isNumber && t.read(b.Left)
	}
	c, isChoice := e.(template.Ternary)
	sum, isSum := template.Unwrapped(c.Yes).(template.Binary)
	if !isChoice || !isSum || sum.Operator != "+" || !isToken(c.Condition) || !isToken(sum.Left) {
		return false
	}
	n, isNumber := numberOf(sum.Right)
	first, isFirst := numberOf(template.Unwrapped(c.No))
	t.first, t.plus = first-n, t.plus+n
	return isNumber && isFirst
}

// fill is the number in a text of ours.
func (t tokenText) fill(name string) string {
	if t.plus == 0 {
		return "{" + name + "}"
	}
	return fmt.Sprintf("{%s+%d}", name, t.plus)
}

// filledTexts are the templates of a requester with the number of a page in them, by what they are.
func filledTexts(paginator, requester *manifest.Section) map[string]string {
	name := countedBy[paginator.Peek("pagination_strategy").Kind()]
	use, err := fault.Result(func() tokenUse { return useOfToken(requester) })
	if name == "" || err != nil || len(use.texts) == 0 {
		return nil
	}
	all := map[string]string{}
	for _, t := range use.texts {
		all[t.source] = strings.Replace(t.source, t.braced, t.fill(name), 1)
	}
	return all
}

// firstPage is the scope of a request for a first page: there is no token. What later pages have the paginator
// finds.
func firstPage(sc template.Scope) template.Scope {
	none := func([]string) template.Meaning { return template.Nothing }
	return sc.With(map[string]template.Variable{tokenName: none})
}

// tokenName is the variable that leads to the next page.
const tokenName = "next_page_token"

// A tokenUse is what a requester does with the token of the next page.
type tokenUse struct {
	// at is where it stands, as an option of a request; path is nil where it stands nowhere.
	at write.RequestOption

	// first is what stands there on the first page; nil: nothing.
	first any

	// changes are members that the first page has otherwise than the others, or alone, or not at all.
	changes []tokenChange

	// parts are parameters that have a member of the token, which is an object, each.
	parts []tokenPart

	// texts are those that have the token within them, as a number.
	texts []tokenText
}

// tokenInRequester is the fault of a token that has two places where only one is possible.
const tokenInRequester = "the requester has the token of the next page, too"

// A tokenChange is a template in which it counts whether there is a token, and where what it gives stands.
type tokenChange struct {
	at write.RequestOption
	n  *manifest.Section
}

// A tokenPart is where a member of the token stands, and its steps below it.
type tokenPart struct {
	at    write.RequestOption
	steps []string
}

// tokenParts are the parts of a request that may have the token.
var tokenParts = map[string]string{
	"request_parameters": "request_parameter",
	"request_headers":    "header",
	"request_body_json":  "body_json",
	"request_body_data":  "body_data",
}

// useOfToken finds out what a requester does with the token.
func useOfToken(requester *manifest.Section) (u tokenUse) {
	for name, n := range mentions(requester) {
		if kind := n.Kind(); name == "request_body" && bodyMembers[kind] != "" {
			name, n = bodyMembers[kind], n.Peek("value")
		}
		into, ok := tokenParts[name]
		if name == "path" {
			text, isNumber := textOfToken(n)
			fault.If(!isNumber, "%s: %s", strings.TrimSpace(n.Text()), unusedToken)
			u.texts = append(u.texts, text)
			continue
		}
		fault.If(!ok || !n.IsObject(),
			"the token of the next page in %s is not supported: use page_token_option", name)
		u.find(n, into, nil)
	}
	return u
}

// mentions goes through the members of an object that name the token.
func mentions(n *manifest.Section) func(yield func(string, *manifest.Section) bool) {
	return func(yield func(string, *manifest.Section) bool) {
		for _, name := range n.Names() {
			if m := n.Peek(name); m.Mentions(tokenName) && !yield(name, m) {
				return
			}
		}
	}
}

// find looks at the members of a part of a request.
func (u *tokenUse) find(n *manifest.Section, into string, above []string) {
	for _, name := range n.Names() {
		fault.If(strings.Contains(name, tokenName), "%s: %s", name, unusedToken)
	}
	for name, m := range mentions(n) {
		fault.If(strings.Contains(name, "{"), "%s: the token of the next page at a name that is a template is not supported", name)
		path := append(slices.Clone(above), name)
		if m.IsObject() && into == "body_json" {
			u.find(m, into, path)
		} else {
			u.member(m, write.RequestOption{Into: into, Path: path})
		}
	}
}

// member looks at a text that names the token.
func (u *tokenUse) member(n *manifest.Section, at write.RequestOption) {
	text, isNumber := textOfToken(n)
	e, ok := template.Single(fault.Of(template.Parse(n.Text())))
	if isNumber && (!ok || text.plus > 0) && (at.Into == "request_parameter" || at.Into == "body_data") {
		u.texts = append(u.texts, text)
		return
	}
	if first, isIt := tokenOr(e); ok && isIt && u.at.Path == nil {
		u.at, u.first = at, first
		return
	}
	if steps, isPart := stepsBelow(e); ok && isPart {
		u.parts = append(u.parts, tokenPart{at, steps})
		return
	}
	u.changes = append(u.changes, tokenChange{at, n})
}

// tokenOr is what stands in place of the token on the first page; not ok: an expression is something else.
func tokenOr(e template.Expression) (first any, ok bool) {
	e = template.Unwrapped(e)
	if b, isBinary := e.(template.Binary); isBinary && b.Operator == "or" {
		c, isConstant := b.Right.(template.Constant)
		return c.Value, isConstant && isToken(b.Left)
	}
	if c, isChoice := e.(template.Ternary); isChoice && isToken(c.Condition) && isToken(c.Yes) {
		no, isConstant := template.Unwrapped(c.No).(template.Constant)
		if no.Value == (python.Undefined{}) {
			no.Value = nil
		}
		return no.Value, isConstant
	}
	_, path, _ := template.Reference(e)
	return nil, isToken(e) && len(path) == 1
}

// stepsBelow is the steps below the token to what an expression is, where there is a token, and nothing where there is none.
func stepsBelow(e template.Expression) (steps []string, ok bool) {
	e = template.Unwrapped(e)
	if c, isChoice := e.(template.Ternary); isChoice && isToken(c.Condition) && isNothing(c.No) {
		return stepsBelow(c.Yes)
	}
	w, isWay := template.Trail(e)
	isPart := isWay && w.Variable == tokenName && len(w.Steps) > 1 && w.Steps[0] == tokenName
	if !isPart || !w.IsFalsyByDefault() || strings.Contains(strings.Join(w.Steps, ""), ".") {
		return nil, false
	}
	return w.Steps[1:], true
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
