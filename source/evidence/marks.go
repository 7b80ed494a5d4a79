package evidence

import (
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
)

// Where items have no key their members tell whether a page has the items of the page
// before. An API that ignores the paging parameters gives the same items again, and what
// keeps them from having the same texts is one member of each: an age, the time of the
// answer, an address that is signed anew. From page to page of a series at least two
// differ: what is measured, and when or where. So all members but one must have the values
// of the page before, item by item, and one of them has to be a mark, which told the items
// of the first page apart: rows that say little are alike without being the same. The elements
// of a row are members; so are those of an object that is the only mark, since a clock may
// be in it.

// Marks are the members of items that have no key. They are plain data.
type Marks struct {
	// Names are those of members whose values all differ on the first page: the first
	// mostMarks of its first item.
	Names []string
	// Within is the name of the object at the top of the items whose members these are;
	// empty: they are those of the items.
	Within string
	// Members are those of one page, in the order in which they came.
	Members []MemberColumn
}

// A MemberColumn is what the items of one page have at one name.
type MemberColumn struct {
	// Name is the hash of the name, with that of the object around it.
	Name uint64
	// Order is a hash of the values in their order.
	Order uint64
	// Items is how many have it.
	Items int
	// Alike: two of them in a row have the same value.
	Alike bool
}

const (
	mostMarks = 3
	// mostMembers of items are looked at.
	mostMembers = 64
	// mostCompared are how many items of the first page are compared with each other.
	mostCompared = 256
)

// same is the name of the mark by which a page with so many items has those of the page
// before; empty: it has others.
func (m *Marks) same(now []MemberColumn, items int) string {
	isPair := items > 1 && len(now) == len(m.Members)
	if !isPair || m.others(now) > 1 {
		return ""
	}
	for _, name := range m.Names {
		if m.shows(m.hash(name), now, items) {
			return m.path(name)
		}
	}
	return ""
}

// without are hashes of all members of a page with so many items but one, for each that leaves a mark which tells these apart.
func (m *Marks) without(now []MemberColumn, items int) (all []uint64) {
	var whole uint64
	for _, one := range now {
		whole += item.Mixed(one.Name, one.Order)
	}
	var shown []uint64
	for _, name := range m.Names {
		hash := m.hash(name)
		isShown := func(one MemberColumn) bool { return one.Name == hash && one.isOfAll(items) }
		if slices.ContainsFunc(now, isShown) {
			shown = append(shown, hash)
		}
	}
	for _, one := range now {
		isOnly := len(shown) == 1 && shown[0] == one.Name
		if len(shown) > 0 && !isOnly {
			all = append(all, item.Mixed(whole-item.Mixed(one.Name, one.Order), one.Name))
		}
	}
	return all
}

// hash is that of the name of a mark.
func (m *Marks) hash(name string) uint64 {
	hash := Hash(item.Quote(name))
	if m.Within != "" {
		return item.Mixed(Hash(item.Quote(m.Within)), hash)
	}
	return hash
}

// path leads to a mark.
func (m *Marks) path(name string) string {
	if m.Within != "" {
		return item.Path{m.Within, name}.String()
	}
	return name
}

// others counts the members that are not what they were on the page before.
func (m *Marks) others(now []MemberColumn) (n int) {
	for i := range now {
		if now[i] != m.Members[i] {
			n++
		}
	}
	return n
}

// shows tells whether the member of that name tells the items apart, and is what it was on
// the page before.
func (m *Marks) shows(name uint64, now []MemberColumn, items int) bool {
	i := slices.IndexFunc(now, func(one MemberColumn) bool { return one.Name == name })
	if i < 0 || now[i] != m.Members[i] {
		return false
	}
	return now[i].isOfAll(items)
}

// isOfAll tells whether all of so many items have it, or all but one, which may say something of the list, and none the value of the
// one before it.
func (m *MemberColumn) isOfAll(items int) bool {
	isMost := m.Items == items || items > 2 && m.Items == items-1
	return isMost && !m.Alike
}

// A tabulation finds the members of the items of one page, one item after the other.
type tabulation struct {
	columns []tabulated
	items   int
	// isFirst: it is the first page, which settles the marks.
	isFirst bool
	// within is the name, as items have it, of the object whose members are wanted, and not
	// itself; empty: none is. On the first page those of all are.
	within string
}

// tabulated is how a member is found.
type tabulated struct {
	MemberColumn
	// quoted is the name as items have it, around that of the object around it; empty: it
	// stands at the top.
	quoted, around string
	// last is the hash of the value that came last.
	last uint64
	// compared are those of the first page.
	compared []uint64
	// late: the first item has none.
	late bool
}

func newTabulation(within string) *tabulation {
	if within == "" {
		return &tabulation{}
	}
	return &tabulation{within: string(item.Quote(within))}
}

// add takes the next item, and keeps none of its text.
func (t *tabulation) add(text []byte) {
	t.items++
	next := 0
	if item.Kind(text) == '[' {
		t.addRow(text)
		return
	}
	for name, value := range item.Members(text) {
		isObject := item.Kind(value) == '{'
		if isObject && t.within == string(name) {
			next = t.addWithin(t.within, value, next)
			continue
		}
		i := t.column("", name, next)
		if i < 0 {
			return
		}
		t.columns[i].add(Hash(value), t.isFirst)
		next = i + 1
		if isObject && t.isFirst {
			next = t.addWithin(t.columns[i].quoted, value, next)
		}
	}
}

// addWithin takes the members of an object of that name, and returns which column is likely
// to be the next one.
func (t *tabulation) addWithin(around string, object []byte, next int) int {
	for name, value := range item.Members(object) {
		i := t.column(around, name, next)
		if i < 0 {
			return next
		}
		t.columns[i].add(Hash(value), t.isFirst)
		next = i + 1
	}
	return next
}

// addRow takes the elements of an item that is an array.
func (t *tabulation) addRow(row []byte) {
	i := 0
	for value := range item.Elements(row) {
		if i == mostMembers {
			return
		}
		at := t.column("", indices[i], i)
		t.columns[at].add(Hash(value), t.isFirst)
		i++
	}
}

// indices are the names of the elements of a row, quoted as those of members are.
var indices = quotedIndices()

func quotedIndices() (all [mostMembers][]byte) {
	for i := range all {
		all[i] = item.Quote(strconv.Itoa(i))
	}
	return all
}

// column is the index of the column of a name, which mostly is the next one; below 0:
// there are too many.
func (t *tabulation) column(around string, quoted []byte, next int) int {
	isNext := next < len(t.columns) && t.columns[next].is(around, quoted)
	if isNext {
		return next
	}
	isTop := around == ""
	alike := 0
	for i := range t.columns {
		c := &t.columns[i]
		if c.is(around, quoted) {
			return i
		}
		if isTop == (c.around == "") {
			alike++
		}
	}
	if alike == mostMembers {
		return -1
	}
	column := MemberColumn{Name: Hash(quoted)}
	c := tabulated{MemberColumn: column, quoted: string(quoted), around: around, late: t.items > 1}
	if !isTop {
		c.Name = item.Mixed(Hash([]byte(around)), c.Name)
	}
	t.columns = append(t.columns, c)
	return len(t.columns) - 1
}

// is tells whether the column is that of a name, in an object of another.
func (c *tabulated) is(around string, quoted []byte) bool {
	return c.quoted == string(quoted) && c.around == around
}

// add enters the value of the next item.
func (c *tabulated) add(value uint64, isFirst bool) {
	if value == c.last {
		c.Alike, c.compared = true, nil
	}
	c.Items++
	c.Order = item.Mixed(c.Order, value)
	c.last = value
	isCompared := isFirst && len(c.compared) < mostCompared
	if isCompared && !c.Alike {
		c.compared = append(c.compared, value)
	}
}

// marks returns what was found.
func (t *tabulation) marks() (m Marks) {
	if t == nil {
		return Marks{}
	}
	within := t.within
	if t.isFirst {
		within, m.Names = t.settle()
	}
	if within != "" {
		m.Within = item.Unquote([]byte(within))
	}
	for i := range t.columns {
		c := &t.columns[i]
		isTop := c.around == ""
		isItself := isTop && c.quoted == within
		isWanted := isTop || c.around == within
		if isWanted && !isItself {
			m.Members = append(m.Members, c.MemberColumn)
		}
	}
	return m
}

// names are those of the marks in the object of that name; empty: at the top.
func (t *tabulation) names(around string) (all []string) {
	for i := range t.columns {
		c := &t.columns[i]
		isHere := c.around == around && len(all) < mostMarks
		if isHere && c.isMark(t.items) {
			all = append(all, item.Unquote([]byte(c.quoted)))
		}
	}
	return all
}

// settle returns the marks of the first page. Where the only one is an object they are its
// members, if some are marks as well, and within is its name: of two marks one shows what the
// other does not.
func (t *tabulation) settle() (within string, names []string) {
	names = t.names("")
	if len(names) != 1 {
		return "", names
	}
	quoted := string(item.Quote(names[0]))
	if own := t.names(quoted); len(own) > 0 {
		return quoted, own
	}
	return "", names
}

// isMark tells whether each of so many items has another value, be it but for the first: that may say something of the list.
func (c *tabulated) isMark(items int) bool {
	if c.late {
		items--
	}
	hasAll := items >= 2 && c.Items >= items
	if c.Alike || !hasAll {
		return false
	}
	slices.Sort(c.compared)
	return len(slices.Compact(c.compared)) == min(items, mostCompared)
}

// Hash is that of a key, by its JSON text; never 0.
func Hash(value []byte) uint64 { return max(xxhash.Sum64(value), 1) }

// Earlier counts pages that had the items of earlier ones, but for the values of one member.
type Earlier struct {
	// Known are hashes of the members of each page without one of them.
	Known KnownKeys
	// Row is how many there are now in a row, Followed: a link led to each of them.
	Row      int
	Followed bool
}

// Same counts pages that had the items of the page before, with other texts.
type Same struct {
	// Mark is the name of the one that shows it; empty: the keys do, or all but the keys.
	Mark string
	// ButKeys: all but the keys showed it last.
	ButKeys bool
	// Row is how many there are now in a row, Pages how many there were in all.
	Row, Pages int
	// Told: a person knows.
	Told bool
}
