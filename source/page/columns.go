package page

import (
	"bytes"
	"slices"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// columnPrefixes are what stands before each value of an item: a bracket or a comma, and the name of its column.
type columnPrefixes struct {
	text []byte

	// Of each in text.
	ends []int
}

// add adds a column of that name.
func (c *columnPrefixes) add(name string) {
	c.text = item.AppendQuote(c.open(), name)
	c.close()
}

// open is the text up to the name of another column.
func (c *columnPrefixes) open() []byte {
	if len(c.ends) == 0 {
		return append(c.text, '{')
	}
	return append(c.text, ',')
}

// close ends the text behind a name.
func (c *columnPrefixes) close() {
	c.text = append(c.text, ':')
	c.ends = append(c.ends, len(c.text))
}

// count is how many there are; of nil none.
func (c *columnPrefixes) count() int {
	if c == nil {
		return 0
	}
	return len(c.ends)
}

// before is what stands before the value of a column.
func (c *columnPrefixes) before(column int) []byte {
	begin := 0
	if column > 0 {
		begin = c.ends[column-1]
	}
	return c.text[begin:c.ends[column]]
}

// name is the name of a column, quoted.
func (c *columnPrefixes) name(column int) []byte {
	text := c.before(column)
	return text[1 : len(text)-1]
}

// again is the first column that has the name of one before it; 0 if there is none.
func (c *columnPrefixes) again() int {
	order := make([]int32, len(c.ends))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		byName := bytes.Compare(c.name(int(a)), c.name(int(b)))
		if byName != 0 {
			return byName
		}
		return int(a - b)
	})
	first := 0
	for i := 1; i < len(order); i++ {
		column := int(order[i])
		isFirst := first == 0 || column < first
		if bytes.Equal(c.name(int(order[i-1])), c.name(column)) && isFirst {
			first = column
		}
	}
	return first
}

// Bare says how items stand in a response that are rows of values, without the names of their members.
type Bare struct {
	// Columns: an object has for each member of the items an array of all its values. Else there is an array of
	// rows, each an array of values.
	Columns bool

	// Of the values of each row; nil: the first row of the array has them.
	names *columnPrefixes
}

// The words of rows.
const (
	inColumns   = "columns"
	underHeader = "header"
)

// NewBare decodes a dataField's rows; nil: the items are none.
func NewBare(n *config.Node, p *config.Problems) *Bare {
	switch {
	case n == nil:
		return nil
	case n.Kind == '[':
		return &Bare{names: newNames(n, p)}
	case n.Kind == '"' && n.Text() == inColumns:
		return &Bare{Columns: true}
	case n.Kind == '"' && n.Text() == underHeader:
		return &Bare{}
	case n.Kind == '"':
		words := []string{inColumns, underHeader}
		p.Errorf(n, "unknown rows %q%s, or a list of names", n.Text(), config.Have(n.Text(), words))
	default:
		p.Errorf(n, "must be columns, header, or a list of the names of the values in each row")
	}
	return nil
}

// newNames decodes a list of names.
func newNames(n *config.Node, p *config.Problems) *columnPrefixes {
	c := &columnPrefixes{}
	if len(n.Elems) == 0 {
		p.Errorf(n, "must have a name for each value of a row")
	}
	for _, e := range n.Elems {
		if e.Kind != '"' || e.Text() == "" {
			p.Errorf(e, "must be the name of a value, which is not empty")
			return c
		}
		c.add(e.Text())
	}
	if again := c.again(); again > 0 {
		p.Errorf(n.Elems[again], "stands there twice: each value of a row needs a name of its own")
	}
	return c
}

// length is how many elements an array has.
func length(array []byte) (n int) {
	for range item.Elements(array) {
		n++
	}
	return n
}
