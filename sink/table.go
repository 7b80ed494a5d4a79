package sink

import (
	"bytes"
	"fmt"
	"strconv"

	"sluice/transform"
)

// maxColumns bounds how many paths are remembered: items whose keys are ids would fill memory.
const maxColumns = 1 << 16

// leftOut stands for the place of a column that the table does not have.
const leftOut = -1

// A table turns items into rows of cells. A path gets the name of its column when it is
// first seen; of two paths of one name the later gets _2 (docs/cli.md, CSV).
type table struct {
	*scratch

	// Name → place in the table; nil: all that occur.
	wanted map[string]int

	// Of the table.
	names []string

	// Names of what is left out.
	left []string

	warn func(text string)

	// Path → index in paths.
	known map[string]int

	// In the order of first sight.
	paths []string

	// In the table, or leftOut, of each path.
	place []int

	// names.
	taken map[string]bool

	// Where in paths the next path is expected.
	guess int

	visit func(path, value []byte)

	// Of the current row, for each column the JSON of the item, nil where it has none. nil as a whole: there is no
	// header yet.
	values [][]byte

	// Values that no column takes.
	skipped int64

	// Of visit.
	err error
}

// row visits the cells of an item, which is a line.
func (t *table) row(line []byte) error {
	t.guess = 0
	t.path = transform.Flatten(t.path, bytes.TrimSuffix(line, []byte{'\n'}), t.visit)
	return t.err
}

// meet gives a path its column if it is seen for the first time. The value does not matter.
func (t *table) meet(path, _ []byte) { t.find(path) }

// cell enters the value of a path. Of a repeated member the last one counts.
func (t *table) cell(path, value []byte) {
	place := t.find(path)
	if place == leftOut {
		t.skipped++
		return
	}
	t.values[place] = value
}

// find returns where path stands in the table: mostly it is the path that came next the last time.
func (t *table) find(path []byte) int {
	i := t.guess
	if i >= len(t.paths) || t.paths[i] != string(path) {
		known, ok := t.known[string(path)]
		if !ok {
			return t.enter(path)
		}
		i = known
	}
	t.guess = i + 1
	return t.place[i]
}

// enter gives a path that is seen for the first time its place.
func (t *table) enter(path []byte) int {
	plain := transform.ColumnName(path)
	name := plain
	for n := 2; t.taken[name]; n++ {
		name = plain + "_" + strconv.Itoa(n)
	}
	place, isKept := t.placeOf(name)
	if !isKept {
		return leftOut
	}
	if name != plain && place != leftOut {
		t.warn(
			fmt.Sprintf("two members have the same CSV column, %s: the later one becomes the column %s", plain, name))
	}
	t.taken[name] = true
	t.known[string(path)] = len(t.paths)
	t.paths = append(t.paths, string(path))
	t.place = append(t.place, place)
	t.guess = len(t.paths)
	return place
}

// placeOf gives a name that is new its place, and tells whether its path is remembered: those are bounded.
func (t *table) placeOf(name string) (place int, isKept bool) {
	isFull := len(t.paths) >= maxColumns
	if t.wanted != nil {
		at, isWanted := t.wanted[name]
		if isWanted {
			return at, true
		}
		if !isFull {
			t.left = append(t.left, name)
		}
		return leftOut, !isFull
	}
	if isFull {
		t.err = fmt.Errorf(
			"the items have more than %d different members: too many for a table; "+
				"name the columns with --columns, or write ndjson", maxColumns,
		)
		return leftOut, false
	}
	t.names = append(t.names, name)
	return len(t.names) - 1, true
}
