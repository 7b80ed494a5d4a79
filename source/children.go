package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/transform"
)

// child is a child job at the place where its parent has it.
type child struct {
	job          *job
	filter       *expr.Filter // nil: every item of the parent has the child
	placeholders []placeholder
	spellings    []spelling
}

// placeholder is what stands for {name} in a child's endpoint.
type placeholder struct {
	name   string     // as in the configuration, a level before it included
	path   string     // in the item, for messages and for the member parent_<path>
	level  int        // 1: of the item right above, 2: of the one above that
	kept   int        // index among the kept values of that level
	value  *expr.Expr // what is made of the value; nil: nothing
	member string     // name in the child's items
}

// lineage is what a walk below an item knows of the items above it. It is plain
// data; the root walks have none.
type lineage struct {
	Item   []int              // number of the item on each level in its page, from 1, the nearest first
	Kept   [][]jsontext.Value // what was kept of the item on each level, the nearest first; nil is missing
	Values []jsontext.Value   // of the placeholders, functions applied
}

// seeds are what a page's items leave behind for their children: for each item
// that has any, its number, which children, and the values that are kept. They
// are one run of bytes, so that a page of a million items stays small.
type seeds struct{ text []byte }

// sow adds the item to the seeds, unless no child passes.
func (s *seeds) sow(w *walk, number int, text []byte) {
	passing := make([]bool, 0, 8)
	some := false
	for _, c := range w.job.children {
		pass := c.filter == nil || c.filter.Match(text)
		passing, some = append(passing, pass), some || pass
	}
	if !some {
		return
	}
	s.text = binary.AppendUvarint(s.text, uint64(number))
	for _, pass := range passing {
		s.text = append(s.text, map[bool]byte{true: 1}[pass])
	}
	for _, path := range w.job.keeps {
		found := w.look(text, path)
		if found == nil {
			s.text = binary.AppendUvarint(s.text, 0)
			continue
		}
		s.text = binary.AppendUvarint(s.text, uint64(len(found))+1)
		s.text = append(s.text, found...)
	}
}

// look finds what a placeholder's path leads to: in the item as the API sent it,
// or else among the parent_ members that it will have in the output.
func (w *walk) look(text []byte, path string) []byte {
	if found := item.Lookup(text, item.ParsePath(path, ".")); found != nil {
		return found
	}
	for _, m := range w.members() {
		if m.Name == path {
			return m.Value
		}
	}
	return nil
}

// reap takes the next item out of the seeds.
func (s *seeds) reap(children, kept int) (number int, passing []bool, values []jsontext.Value, ok bool) {
	if len(s.text) == 0 {
		return 0, nil, nil, false
	}
	n, size := binary.Uvarint(s.text)
	s.text = s.text[size:]
	for i := range children {
		passing = append(passing, s.text[i] == 1)
	}
	s.text = s.text[children:]
	for range kept {
		length, size := binary.Uvarint(s.text)
		s.text = s.text[size:]
		if length == 0 {
			values = append(values, nil)
			continue
		}
		values = append(values, slices.Clone(jsontext.Value(s.text[:length-1])))
		s.text = s.text[length-1:]
	}
	return int(n), passing, values, true
}

// brood begins the walks below the items of one page, one after the other, each
// when it is its turn.
type brood struct {
	walk  *walk // of the page
	page  int
	seeds seeds

	number  int // of the item, from 1
	passing []bool
	kept    []jsontext.Value
	next    int     // the child that is next
	product product // of the walks still to begin for the child before it
}

// begin returns the next walk, nil if there is none any more.
func (b *brood) begin() (*walk, error) {
	for {
		if values, ok := b.product.take(); ok {
			return b.descend(b.walk.job.children[b.next-1], values)
		}
		if b.next < len(b.passing) {
			b.next++
			if !b.passing[b.next-1] {
				continue
			}
			var err error
			if b.product, err = b.multiply(b.walk.job.children[b.next-1]); err != nil {
				return nil, err
			}
			continue
		}
		var ok bool
		if b.number, b.passing, b.kept, ok = b.seeds.reap(len(b.walk.job.children), len(b.walk.job.keeps)); !ok {
			return nil, nil
		}
		b.next = 0
	}
}

// descend begins the walk of a child below the item.
func (b *brood) descend(c *child, values []jsontext.Value) (*walk, error) {
	up := b.walk.above
	return c.job.source.newWalk(c.job, c, lineage{
		Item:   append([]int{b.number}, up.Item...),
		Kept:   append([][]jsontext.Value{b.kept}, up.Kept...),
		Values: values,
	})
}

// product is the values that the placeholders of a child take, one after the other:
// one walk, or one for each element where a value is an array, and for every
// combination where several are. The combinations are made as they are wanted: an
// array may have very many elements.
type product struct {
	options [][]jsontext.Value // of each placeholder
	taken   int
	size    int // how many combinations there are
}

// take returns the next combination, in which the last placeholder changes first.
func (p *product) take() ([]jsontext.Value, bool) {
	if p.taken == p.size {
		return nil, false
	}
	values, rest := make([]jsontext.Value, len(p.options)), p.taken
	for i, all := range slices.Backward(p.options) {
		values[i] = all[rest%len(all)]
		rest /= len(all)
	}
	p.taken++
	return values, true
}

// multiply returns the product of the child below the item.
func (b *brood) multiply(c *child) (product, error) {
	p := product{size: 1}
	for i := range c.placeholders {
		options, err := b.options(&c.placeholders[i])
		if err != nil {
			return product{}, fmt.Errorf("job %s: placeholder %s: item %d of page %d of job %s: %w",
				c.job.id, c.placeholders[i].name, b.number, b.page, b.walk.job.id, err)
		}
		p.options = append(p.options, options)
		if p.size *= len(options); p.size > maxProduct {
			return product{}, fmt.Errorf("job %s: item %d of page %d of job %s makes more than %d jobs", c.job.id, b.number, b.page, b.walk.job.id, maxProduct)
		}
	}
	return p, nil
}

// maxProduct bounds the jobs that one item makes of one child.
const maxProduct = 1 << 20

// options lists the values that a placeholder takes.
func (b *brood) options(p *placeholder) ([]jsontext.Value, error) {
	kept := b.kept
	if p.level > 1 {
		kept = b.walk.above.Kept[p.level-2]
	}
	value := kept[p.kept]
	var all []jsontext.Value
	switch item.Kind(value) {
	case 'n':
		return nil, fmt.Errorf("there is nothing at %s (level %d)", p.path, p.level)
	case '[':
		elements := 0
		for range item.Elements(value) {
			elements++
		}
		all = make([]jsontext.Value, 0, elements)
		for element := range item.Elements(value) {
			all = append(all, jsontext.Value(element))
		}
	default:
		all = append(all, value)
	}
	for i, v := range all {
		if _, ok := item.Text(v); !ok {
			return nil, fmt.Errorf("the value at %s (level %d) must be text, a number, a boolean, or an array of them", p.path, p.level)
		}
		if p.value == nil {
			continue
		}
		made, err := p.value.Eval(expr.Env{Contexts: expr.Contexts{
			"placeholder": func(path string) (expr.Value, bool) { return expr.Value{JSON: v}, path == "value" },
		}})
		if err != nil {
			return nil, err
		}
		all[i] = made.JSON
	}
	return all, nil
}

// spelling is a text in an endpoint that a placeholder's value takes the place of.
type spelling struct {
	text  string // braces included
	index int    // of the placeholder
}

// spell lists the spellings of placeholders: {2:id} and {id} for 2:id. Of equal ones
// the first counts: the name as it stands, then that of the nearest level.
func spell(all []placeholder) []spelling {
	var full, short []spelling
	for i, p := range all {
		full = append(full, spelling{"{" + p.name + "}", i})
		if _, bare, ok := strings.Cut(p.name, ":"); ok {
			short = append(short, spelling{"{" + bare + "}", i})
		}
	}
	slices.SortStableFunc(short, func(a, b spelling) int { return all[a.index].level - all[b.index].level })
	return append(full, short...)
}

// fill puts the values of the placeholders into an endpoint.
func (c *child) fill(endpoint string, values []jsontext.Value) string {
	pairs := make([]string, 0, 2*len(c.spellings))
	for _, s := range c.spellings {
		text, _ := item.Text(values[s.index])
		pairs = append(pairs, s.text, text)
	}
	return strings.NewReplacer(pairs...).Replace(endpoint)
}

// unfilled matches a name in braces.
var unfilled = regexp.MustCompile(`\{([^{}]+)\}`)

// warnUnfilled says which names in braces in the endpoint's path no placeholder has.
func (c *child) warnUnfilled(endpoint *config.Node, p *config.Problems) {
	if endpoint == nil {
		return
	}
	var known []string
	for _, s := range c.spellings {
		known = append(known, strings.Trim(s.text, "{}"))
	}
	path, _, _ := strings.Cut(endpoint.Text(), "?") // braces in a query may be meant so
	for _, found := range unfilled.FindAllStringSubmatch(path, -1) {
		if !slices.Contains(known, found[1]) {
			p.Warnf(endpoint, "%s is sent as it stands, since no placeholder has that name%s", found[0], config.Suggest(found[1], known))
		}
	}
}

// members are what each item of the walk gets beside its own: the values of the
// placeholders that lead to it, the nearest job's.
func (w *walk) members() []transform.Member {
	if w.child == nil {
		return nil
	}
	all := make([]transform.Member, 0, len(w.child.placeholders))
	for i, p := range w.child.placeholders {
		all = append(all, transform.Member{Name: p.member, Value: w.above.Values[i]})
	}
	return all
}

// memberName is parent_<path>, not doubled.
func memberName(path string) string {
	if strings.HasPrefix(path, "parent_") {
		return path
	}
	return "parent_" + path
}

// level splits a placeholder's name: "2:id" is of the grandparent's item.
func level(name string) (int, error) {
	digits, _, ok := strings.Cut(name, ":")
	if !ok {
		return 1, nil
	}
	n := 0
	for _, r := range digits {
		if r < '0' || r > '9' || n > 1000 {
			return 1, nil // the colon is part of the name
		}
		n = 10*n + int(r-'0')
	}
	if digits == "" {
		return 1, nil
	}
	if n == 0 {
		return 0, errors.New("levels count from 1, the item right above")
	}
	return n, nil
}
