package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnexpected ends a run whose columns are not those that were expected.
var ErrUnexpected = errors.New("the columns are not as expected")

// mostNamed is how many columns a sentence about them names.
const mostNamed = 10

// Drift tells, a sentence each, how the columns of outputs differ from those that an earlier report has of the same data
// types (--expect). Data types without items, now or then, have no columns to compare. Then names the earlier report.
func Drift(earlier, now []OutputReport, then string) (all []string) {
	known := tablesOf(earlier)
	for _, t := range tablesOf(now) {
		at := slices.IndexFunc(known, func(k *typeColumns) bool { return k.dataType == t.dataType })
		if at < 0 {
			all = append(all, fmt.Sprintf("%s: %s has no output of this data type to compare with", t.dataType, then))
			continue
		}
		for _, text := range t.differ(known[at]) {
			all = append(all, t.dataType+": "+text)
		}
	}
	return all
}

// typeColumns are the columns that all outputs of a data type have together.
type typeColumns struct {
	dataType, format string
	items            int64
	columns          []*tableColumn
	byName           map[string]*tableColumn

	// What is not known of the columns; empty: all of them are.
	unknown string
}

type tableColumn struct {
	name  string
	kinds KindCounts
}

// tablesOf are the tables of outputs, in the order of their first one.
func tablesOf(outputs []OutputReport) (all []*typeColumns) {
	for _, o := range outputs {
		at := slices.IndexFunc(all, func(t *typeColumns) bool { return t.dataType == o.DataType })
		if at < 0 {
			at = len(all)
			all = append(all, &typeColumns{dataType: o.DataType, format: o.Format, byName: map[string]*tableColumn{}})
		}
		all[at].add(o)
	}
	return all
}

// add enters an output of the data type.
func (t *typeColumns) add(o OutputReport) {
	t.items += o.Items
	switch {
	case o.Columns == nil && o.Items > 0:
		t.unknown = "its columns were not counted"
	case o.LeftOutValues > 0 && len(o.LeftOut) == 0:
		t.unknown = "it has too many columns to know all of them"
	case o.Format != t.format:
		t.unknown = "it has outputs of several formats"
	}
	for _, c := range o.Columns {
		own := t.byName[c.Name]
		if own == nil {
			own = &tableColumn{name: c.Name}
			t.columns = append(t.columns, own)
			t.byName[c.Name] = own
		}
		if c.Kinds != nil {
			own.kinds.add(*c.Kinds)
		}
	}
}

// differ tells how a table differs from an earlier one.
func (t *typeColumns) differ(earlier *typeColumns) (all []string) {
	if t.items == 0 || earlier.items == 0 {
		return nil
	}
	if why := cmp.Or(t.unknown, earlier.unknown); why != "" {
		return []string{"its columns are not compared: " + why}
	}
	if t.format != earlier.format {
		return []string{fmt.Sprintf("its columns are not compared: it is %s, and was %s", t.format, earlier.format)}
	}
	var added, gone, kinds, nulls []string
	for _, c := range t.columns {
		before := earlier.byName[c.name]
		if before == nil {
			added = append(added, c.name)
			continue
		}
		if others := c.kinds.beyond(before.kinds); others != "" {
			kinds = append(kinds, fmt.Sprintf("%s (%s, was %s)", c.name, others, before.kinds.words()))
		}
		if lacks, lacked := t.lacking(c), earlier.lacking(before); isMore(lacks, t.items, lacked, earlier.items) {
			nulls = append(nulls, fmt.Sprintf("%s (%d of %d items, was %d of %d)",
				c.name, lacks, t.items, lacked, earlier.items))
		}
	}
	for _, before := range earlier.columns {
		if t.byName[before.name] == nil {
			gone = append(gone, before.name)
		}
	}
	tell := func(what string, names []string) {
		if len(names) > 0 {
			all = append(all, what+": "+listed(names))
		}
	}
	tell("columns that are gone", gone)
	tell("columns with values of another kind", kinds)
	tell("columns that are null or missing more often", nulls)
	tell("new columns", added)
	return all
}

// lacking is how many items have null there, or nothing; 0 of CSV, which does not tell.
func (t *typeColumns) lacking(c *tableColumn) int64 {
	values := c.kinds.sum()
	if values == 0 {
		return 0
	}
	return t.items - values + c.kinds.Null
}

// isMore tells whether part of all is notably more than it was: where it was nothing any, else a tenth of all more.
func isMore(part, all, wasPart, wasAll int64) bool {
	if wasPart == 0 {
		return part > 0
	}
	grown := float64(part)/float64(all) - float64(wasPart)/float64(wasAll)
	return grown >= 0.1
}

// listed are names, the first of them if they are many.
func listed(names []string) string {
	rest := len(names) - mostNamed
	if rest <= 0 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), rest)
}

// A kindCount is a kind of JSON, and how many values have it.
type kindCount struct {
	word  string
	times *int64
}

// each are all kinds, null first.
func (k *KindCounts) each() []kindCount {
	return []kindCount{
		{"null", &k.Null},
		{"string", &k.String},
		{"integer", &k.Integer},
		{"number", &k.Number},
		{"boolean", &k.Boolean},
		{"object", &k.Object},
		{"array", &k.Array},
	}
}

// add enters the counts of another output.
func (k *KindCounts) add(other KindCounts) {
	more := other.each()
	for i, one := range k.each() {
		*one.times += *more[i].times
	}
}

func (k KindCounts) sum() (n int64) {
	for _, one := range k.each() {
		n += *one.times
	}
	return n
}

// words are the kinds that there are, but null where there is another one.
func (k KindCounts) words() string {
	var all []string
	for _, one := range k.each()[1:] {
		if *one.times > 0 {
			all = append(all, one.word)
		}
	}
	if all == nil {
		return "null"
	}
	return strings.Join(all, " and ")
}

// beyond are the kinds, null apart, that are not among those before; empty: none, or nothing but null was known.
func (k KindCounts) beyond(before KindCounts) string {
	var others KindCounts
	earlier := before.each()
	hadValues := before.sum() > before.Null
	for i, one := range others.each() {
		isNew := *earlier[i].times == 0 && i > 0 && hadValues
		if isNew {
			*one.times = *k.each()[i].times
		}
	}
	if others.sum() == 0 {
		return ""
	}
	return others.words()
}
