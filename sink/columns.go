package sink

import (
	"fmt"
	"strconv"

	"sluice/transform"
)

// maxColumns bounds what is remembered of the members of items, and how wide a
// table becomes: items whose keys are ids would fill memory and disk.
const maxColumns = 1 << 16

// leftOut stands for the place of a column that the table does not have.
const leftOut = -1

// columns gives every path that occurs its column. A path gets its name when it
// is first seen; of two that fall on one name the later gets _2 (cli.md, CSV).
type columns struct {
	wanted map[string]int // name → place in the table; nil: all that occur
	names  []string       // of the table
	left   []string       // names of what is left out

	paths map[string]int  // path → index in known
	known []column        // in the order of first sight
	taken map[string]bool // names
	guess int             // where in known the next path is expected
	warn  func(text string)
}

type column struct {
	path  string
	place int // in the table, or leftOut
}

func newColumns(wanted []string, warn func(text string)) *columns {
	c := &columns{paths: map[string]int{}, taken: map[string]bool{}, warn: warn}
	if wanted != nil {
		c.names = wanted
		c.wanted = make(map[string]int, len(wanted))
		for i, name := range wanted {
			c.wanted[name] = i
		}
	}
	return c
}

// place returns where path stands in the table. Items are alike: mostly it is
// the path that came next the last time.
func (c *columns) place(path []byte) (int, error) {
	i := c.guess
	if i >= len(c.known) || c.known[i].path != string(path) {
		var ok bool
		if i, ok = c.paths[string(path)]; !ok {
			return c.add(path)
		}
	}
	c.guess = i + 1
	return c.known[i].place, nil
}

func (c *columns) add(path []byte) (int, error) {
	plain := transform.ColumnName(path)
	name := plain
	for n := 2; c.taken[name]; n++ {
		name = plain + "_" + strconv.Itoa(n)
	}
	place := leftOut
	if c.wanted == nil {
		if len(c.known) == maxColumns {
			return 0, fmt.Errorf("the items have more than %d different members: too many for a table; name the columns with --columns, or write ndjson", maxColumns)
		}
		place = len(c.names)
		c.names = append(c.names, name)
	} else if at, ok := c.wanted[name]; ok {
		place = at
	} else if len(c.known) >= maxColumns {
		return leftOut, nil // not worth remembering
	} else {
		c.left = append(c.left, name)
	}
	if name != plain && place != leftOut {
		c.warn(fmt.Sprintf("two members fall on the CSV column %s: the later one is the column %s", plain, name))
	}
	c.taken[name] = true
	c.paths[string(path)] = len(c.known)
	c.known = append(c.known, column{path: string(path), place: place})
	c.guess = len(c.known)
	return place, nil
}
