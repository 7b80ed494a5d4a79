package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
	filter       *expr.Filter  // nil: every item of the parent has the child
	placeholders []placeholder // inherited ones first
}

// placeholder is what stands for {name} in a child's endpoint.
type placeholder struct {
	name   string     // as in the configuration, a level before it included
	path   string     // in the item, for messages and for the member parent_<path>
	level  int        // 1: of the item right above, 2: of the one above that
	kept   int        // index among the kept values of that level
	above  int        // its number among the placeholders of the job above, which it is inherited from; 0: it is the child's own
	value  *expr.Expr // what is made of the value; nil: nothing
	member string     // name in the child's items

	escaped bool // value escapes it for a URL
}

// ancestors is what a walk below an item knows of the items above it, the nearest
// first. It is plain data; the root walks have none.
type ancestors struct {
	Item   []int              // number of the item on each level in its page, from 1
	Kept   [][]jsontext.Value // what was kept of the item on each level; nil is missing
	Values []jsontext.Value   // of the walk's placeholders, functions applied
}

// appendParent appends what the children of an item need to know of it: its number,
// a byte for each child that is 1 if the child has a walk there, and the values that
// are kept. It appends nothing if no child has one. The parents of a page are one run
// of bytes, so that a page of a million items stays small.
func (w *walk) appendParent(dst []byte, number int, text []byte) []byte {
	begin := len(dst)
	dst = binary.AppendUvarint(dst, uint64(number))
	some := false
	for _, c := range w.job.children {
		has := byte(0)
		if c.filter == nil || c.filter.Match(text) {
			has, some = 1, true
		}
		dst = append(dst, has)
	}
	if !some {
		return dst[:begin]
	}
	for _, path := range w.job.keeps {
		length, found := uint64(0), w.look(text, path)
		if found != nil {
			length = uint64(len(found)) + 1
		}
		dst = append(binary.AppendUvarint(dst, length), found...)
	}
	return dst
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

// childWalks begins the walks below the items of one page, one after the other,
// each when it is its turn: for each item and each child one walk, or, where the
// values of placeholders are arrays, one for every combination of their elements.
// The combinations are made as they are wanted: an array may have very many
// elements.
type childWalks struct {
	walk    *walk // of the page
	page    int
	parents []byte // see [walk.appendParent]; those that are still to come

	number  int    // of the item, from 1
	matches []byte // for each child 1 if it has a walk below the item
	kept    []jsontext.Value
	child   int                // index of the child after the one that options are of
	options [][]jsontext.Value // of each placeholder
	begun   int                // how many of the combinations of options
	size    int                // how many combinations there are
}

// next begins the next walk; it returns nil if there is none any more.
func (c *childWalks) next() (*walk, error) {
	for {
		switch {
		case c.begun < c.size:
			return c.begin()
		case c.child < len(c.matches):
			c.child++
			if c.matches[c.child-1] == 1 {
				if err := c.combine(c.walk.job.children[c.child-1]); err != nil {
					return nil, err
				}
			}
		case len(c.parents) == 0:
			return nil, nil
		default:
			c.nextParent()
		}
	}
}

// nextParent takes the next item out of parents.
func (c *childWalks) nextParent() {
	uvarint := func() int {
		n, size := binary.Uvarint(c.parents)
		c.parents = c.parents[size:]
		return int(n)
	}
	take := func(n int) (taken []byte) {
		taken, c.parents = c.parents[:n], c.parents[n:]
		return taken
	}
	c.number = uvarint()
	c.matches = take(len(c.walk.job.children))
	c.child = 0
	c.kept = make([]jsontext.Value, len(c.walk.job.keeps))
	for i := range c.kept {
		if length := uvarint(); length > 0 {
			c.kept[i] = slices.Clone(jsontext.Value(take(length - 1)))
		}
	}
}

// begin begins the walk of the next combination, in which the last placeholder
// changes first.
func (c *childWalks) begin() (*walk, error) {
	values, rest := make([]jsontext.Value, len(c.options)), c.begun
	for i, all := range slices.Backward(c.options) {
		values[i] = all[rest%len(all)]
		rest /= len(all)
	}
	c.begun++
	up, below := c.walk.above, c.walk.job.children[c.child-1]
	w, err := below.job.iteration.newWalk(below.job, below, ancestors{
		Item:   append([]int{c.number}, up.Item...),
		Kept:   append([][]jsontext.Value{c.kept}, up.Kept...),
		Values: values,
	}, nil)
	if err != nil {
		return nil, c.wrap(below, err)
	}
	if w.job.iteration.o.Journal != nil {
		w.place = fmt.Sprint(c.walk.place, "/", c.page, ".", c.number, ".", c.child, ".", c.begun)
	}
	return w, nil
}

// wrap says which child of which item an error belongs to.
func (c *childWalks) wrap(below *child, err error) error {
	return fmt.Errorf("job %s: item %d of page %d of job %s: %w", below.job.id, c.number, c.page, c.walk.job.id, err)
}

// maxCombinations bounds the walks that one item begins of one child.
const maxCombinations = 1 << 20

// combine prepares the combinations of a child below the item.
func (c *childWalks) combine(below *child) error {
	c.options, c.begun, c.size = nil, 0, 0
	size := 1
	for i := range below.placeholders {
		p := &below.placeholders[i]
		options, err := c.optionsOf(p)
		if err != nil {
			return c.wrap(below, fmt.Errorf("placeholder %s: %w", p.name, err))
		}
		c.options = append(c.options, options)
		if size *= len(options); size > maxCombinations {
			return c.wrap(below, fmt.Errorf("it makes more than %d jobs", maxCombinations))
		}
	}
	c.size = size
	return nil
}

// optionsOf lists the values that a placeholder takes.
func (c *childWalks) optionsOf(p *placeholder) ([]jsontext.Value, error) {
	if p.above > 0 {
		return []jsontext.Value{c.walk.above.Values[p.above-1]}, nil
	}
	kept := c.kept
	if p.level > 1 {
		kept = c.walk.above.Kept[p.level-2]
	}
	value := kept[p.kept]
	var all []jsontext.Value
	switch item.Kind(value) {
	case 'n':
		below := c.walk.job.children[c.child-1].job
		for range p.level - 1 {
			below = below.parent
		}
		return nil, fmt.Errorf("there is nothing at %s (level %d): \"recursionFilter\": \"%s!=\" in job %s leaves such items out", p.path, p.level, p.path, below.id)
	case '[':
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

// inherit puts the placeholders of the job above before the child's own, but for
// those whose name the child uses itself, and names the members of all: of several on
// one path the last has the plain name.
func (c *child) inherit(above []placeholder) {
	own := c.placeholders
	c.placeholders = nil
	for i, p := range above {
		if !slices.ContainsFunc(own, func(o placeholder) bool { return bareName(o.name) == bareName(p.name) }) {
			p.above, p.level = i+1, p.level+1
			c.placeholders = append(c.placeholders, p)
		}
	}
	c.placeholders = append(c.placeholders, own...)
	named := map[string]int{} // how many are on the path
	for i := range c.placeholders {
		p := &c.placeholders[i]
		if p.member = p.column(); slices.ContainsFunc(c.placeholders[i+1:], func(later placeholder) bool { return later.column() == p.member }) {
			p.member += "_u" + strconv.Itoa(named[p.column()])
		}
		named[p.column()]++
	}
}

// column is the plain name of the placeholder's member.
func (p *placeholder) column() string { return "parent_" + strings.TrimPrefix(p.path, "parent_") }

// bareName is a placeholder's name without the level before it.
func bareName(name string) string {
	if _, bare, ok := strings.Cut(name, ":"); ok {
		return bare
	}
	return name
}

// unfilled matches a name in braces.
var unfilled = regexp.MustCompile(`\{([^{}]+)\}`)

// warnUnfilled says which names in braces in the endpoint's path no placeholder has,
// or that there is no placeholder in it at all.
func (c *child) warnUnfilled(endpoint *config.Node, p *config.Problems) {
	if endpoint == nil {
		return
	}
	var known []string
	for _, p := range c.placeholders {
		if known = append(known, bareName(p.name)); p.above == 0 {
			known = append(known, p.name)
		}
	}
	path, _, _ := strings.Cut(endpoint.Text(), "?") // braces in a query may be meant so
	braces := unfilled.FindAllStringSubmatch(path, -1)
	if len(braces) == 0 && !slices.ContainsFunc(known, func(name string) bool { return strings.Contains(endpoint.Text(), "{"+name+"}") }) {
		p.Warnf(endpoint, "has no placeholder in braces, so the same request is sent for each item of the job above")
	}
	for _, found := range braces {
		if !slices.Contains(known, found[1]) {
			p.Warnf(endpoint, "%s is sent as it stands, since no placeholder has that name%s", found[0], config.Suggest(found[1], known))
		}
	}
}

// members are what each item of the walk gets beside its own: the values of the
// placeholders that lead to it.
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

// level splits a placeholder's name: "2:id" is of the grandparent's item. What is
// no number of at most four digits is part of the name.
func level(name string) (int, error) {
	digits, _, ok := strings.Cut(name, ":")
	n, err := strconv.ParseUint(digits, 10, 0)
	if isNumber := err == nil; !ok || !isNumber || len(digits) > 4 {
		return 1, nil
	}
	if n == 0 {
		return 0, errors.New("levels count from 1, the item right above")
	}
	return int(n), nil
}
