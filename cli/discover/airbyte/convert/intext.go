package convert

import (
	"fmt"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
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
		t.first, ok = first.(int64)
		return ok
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

// inTemplate says that the number stands within a text.
var inTemplate = write.Object{}.And("template", write.Word("true"))

// countInText is the paging of numbers that stand in texts.
func (p *paginator) countInText(method string, first int64) *write.Scroller {
	for _, t := range p.use.texts {
		fault.If(t.first != first, "%s: the first page has another number than the one from which the strategy counts", p.use.texted())
	}
	p.injectSize()
	paging := &write.Scroller{Method: method, Members: inTemplate}
	if method == "pagenum" {
		paging.Members = paging.Members.With(first != 1, "firstPage", number(first))
		if p.size > 0 {
			p.endShort(paging, p.size)
		}
		return paging
	}
	paging.Members = paging.Members.
		And("limit", number(max(p.size, 1))).
		With(p.sizeOption == nil, "advance", write.Text("items")).
		With(p.sizeOption == nil && p.size > 0, "emptyStop", write.Word("false"))
	return paging
}
