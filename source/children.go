package source

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
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

// ancestors is what a walk knows of the items above it, the nearest first.
type ancestors struct {
	Item   []int              // their numbers in their pages, from 1
	Kept   [][]jsontext.Value // what was kept of each; nil is missing
	Values []jsontext.Value   // of the walk's placeholders, functions applied
}

// appendParent appends what the children of an item need: its number, for each child 1 if it has a walk there, and
// the values that are kept; nothing if no child has one. One run of bytes keeps a page of a million items small.
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
	look := item.Looker(text, len(w.job.keeps))
	for _, path := range w.job.keeps {
		length, found := uint64(0), w.look(look, path)
		if found != nil {
			length = uint64(len(found)) + 1
		}
		dst = append(binary.AppendUvarint(dst, length), found...)
	}
	return dst
}

// look finds what a path leads to: in the item as the API sent it, through which look goes, or else among its members to be.
func (w *walk) look(look func(item.Path) []byte, path string) []byte {
	if found := look(item.ParsePath(path, ".")); found != nil {
		return found
	}
	for _, m := range w.members() {
		if m.Name == path {
			return m.Value
		}
	}
	return nil
}

// below begins the walks below the items of a page: for each item and each child one, or, where the values of
// placeholders are arrays, one for every combination of their elements. Each is made when it is wanted. only is the
// one child whose walks are wanted; nil: those of all.
func (w *walk) below(page int, parents []byte, only *child) iter.Seq2[*walk, error] {
	return func(yield func(*walk, error) bool) {
		rest := parents
		take := func(n int) (taken []byte) {
			taken, rest = rest[:n], rest[n:]
			return taken
		}
		uvarint := func() int {
			n, size := binary.Uvarint(rest)
			take(size)
			return int(n)
		}
		for len(rest) > 0 {
			number, matches := uvarint(), take(len(w.job.children))
			kept := make([]jsontext.Value, len(w.job.keeps))
			for i := range kept {
				if length := uvarint(); length > 0 {
					kept[i] = slices.Clone(jsontext.Value(take(length - 1)))
				}
			}
			above := ancestors{
				Item: append([]int{number}, w.above.Item...),
				Kept: append([][]jsontext.Value{kept}, w.above.Kept...),
			}
			for i, c := range w.job.children {
				wanted := only == nil || c == only
				if matches[i] == 0 || !wanted {
					continue
				}
				size, options, err := c.combine(above, w)
				for begun := 0; err == nil && begun < size; begun++ {
					above.Values = combination(options, begun)
					var next *walk
					if next, err = c.job.iteration.newWalk(c.job, c, above, nil); err == nil {
						next.place = fmt.Sprint(w.place, "/", page, ".", number, ".", i+1, ".", begun+1)
						if !yield(next, nil) {
							return
						}
					}
				}
				if err != nil {
					yield(nil, fmt.Errorf("job %s: item %d of page %d of job %s: %w", c.job.id, number, page, w.job.id, err))
					return
				}
			}
		}
	}
}

// maxCombinations bounds the walks that one item begins of one child.
const maxCombinations = 1 << 20

// combine returns the values that each placeholder takes, and how many combinations there are.
func (c *child) combine(above ancestors, parent *walk) (size int, options [][]jsontext.Value, err error) {
	size = 1
	for i := range c.placeholders {
		p := &c.placeholders[i]
		all, err := c.optionsOf(p, above, parent)
		if err != nil {
			return 0, nil, fmt.Errorf("placeholder %s: %w", p.name, err)
		}
		options = append(options, all)
		if size *= len(all); size > maxCombinations {
			return 0, nil, fmt.Errorf("it makes more than %d jobs", maxCombinations)
		}
	}
	return size, options, nil
}

// combination is one of all, of which the last placeholder changes first.
func combination(options [][]jsontext.Value, number int) []jsontext.Value {
	values := make([]jsontext.Value, len(options))
	for i, all := range slices.Backward(options) {
		values[i] = all[number%len(all)]
		number /= len(all)
	}
	return values
}

func (c *child) optionsOf(p *placeholder, above ancestors, parent *walk) (all []jsontext.Value, err error) {
	if p.above > 0 {
		return []jsontext.Value{parent.above.Values[p.above-1]}, nil
	}
	value := above.Kept[p.level-1][p.kept]
	switch item.Kind(value) {
	case 'n':
		below := c.job.up(p.level - 1).id
		return nil, fmt.Errorf("there is nothing at %s (level %d): \"recursionFilter\": \"%s!=\" in job %s leaves such items out", p.path, p.level, p.path, below)
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

// inherit puts the placeholders of the job above whose name the child does not use itself before its own, and
// names the members of all: of several on one path the last has the plain name.
func (c *child) inherit(above []placeholder) {
	own := c.placeholders
	names := map[string]bool{}
	for _, p := range own {
		names[bareName(p.name)] = true
	}
	c.placeholders = nil
	for i, p := range above {
		if !names[bareName(p.name)] {
			p.above, p.level = i+1, p.level+1
			c.placeholders = append(c.placeholders, p)
		}
	}
	c.placeholders = append(c.placeholders, own...)
	// How many are on a path.
	later, named := map[string]int{}, map[string]int{}
	for i := range c.placeholders {
		later[c.placeholders[i].column()]++
	}
	for i := range c.placeholders {
		p := &c.placeholders[i]
		column := p.column()
		p.member = column
		later[column]--
		if later[column] > 0 {
			p.member += "_u" + strconv.Itoa(named[column])
		}
		named[column]++
	}
}

// column is the plain name of the placeholder's member.
func (p *placeholder) column() string { return "parent_" + strings.TrimPrefix(p.path, "parent_") }

func bareName(name string) string { return name[strings.IndexByte(name, ':')+1:] }

var unfilled = regexp.MustCompile(`\{[^{}]+\}`)

// warnUnfilled says which names in braces no placeholder has, or that there is no placeholder in the endpoint.
func (c *child) warnUnfilled(endpoint *config.Node, p *config.Problems) {
	if endpoint == nil {
		return
	}
	var known []string
	for _, p := range c.placeholders {
		known = append(known, bareName(p.name))
	}
	filled := func(brace string) bool {
		i, _ := c.begins(brace)
		return i >= 0
	}
	path, _, _ := strings.Cut(endpoint.Text(), "?") // braces in a query may be meant so
	braces := unfilled.FindAllString(path, -1)
	if len(braces) == 0 && !slices.ContainsFunc(unfilled.FindAllString(endpoint.Text(), -1), filled) {
		p.Warnf(endpoint, "has no placeholder in braces, so the same request is sent for each item of the job above")
	}
	for _, brace := range braces {
		if !filled(brace) {
			p.Warnf(endpoint, "%s is sent as it stands, since no placeholder has that name%s", brace, config.Suggest(brace[1:len(brace)-1], known))
		}
	}
}

// members are the values of placeholders, which each item of the walk gets beside its own members.
func (w *walk) members() (all []transform.Member) {
	for i, value := range w.above.Values {
		all = append(all, transform.Member{Name: w.child.placeholders[i].member, Value: value})
	}
	return all
}

// level is that in the name of a placeholder: "2:id" is of the grandparent's item.
func level(name string) (int, error) {
	digits, _, found := strings.Cut(name, ":")
	n, err := strconv.ParseUint(digits, 10, 16)
	switch isNumber := found && err == nil; {
	case isNumber && n == 0:
		return 0, errors.New("levels count from 1, the item right above")
	case isNumber:
		return int(n), nil
	}
	return 1, nil
}
