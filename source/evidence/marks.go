package evidence

import (
	"slices"

	"sluice/pipeline/item"
)

// Where items have no key their members tell whether a page has the items of the page
// before. An API that ignores the paging parameters gives the same items again, and what
// keeps them from having the same texts is one member of each: an age, the time of the
// answer, an address that is signed anew. From page to page of a series at least two
// differ: what is measured, and when or where. So all members but one must have the values
// of the page before, item by item, and one of them has to be a mark, which told the items
// of the first page apart: rows that say little are alike without being the same.

// Marks are the members of items that have no key. They are plain data.
type Marks struct {
	// Names are those of members whose values all differ on the first page: the first
	// mostMarks of its first item.
	Names []string
	// Members are those of one page, in the order in which they came.
	Members []Member
}

// A Member is what the items of one page have at one name at their top.
type Member struct {
	// Name is the hash of the name.
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
func (m *Marks) same(now []Member, items int) string {
	isPair := items > 1 && len(now) == len(m.Members)
	if !isPair || m.others(now) > 1 {
		return ""
	}
	for _, name := range m.Names {
		if m.shows(Hash(item.Quote(name)), now, items) {
			return name
		}
	}
	return ""
}

// others counts the members that are not what they were on the page before.
func (m *Marks) others(now []Member) (n int) {
	for i := range now {
		if now[i] != m.Members[i] {
			n++
		}
	}
	return n
}

// shows tells whether the member of that name tells the items apart, and is what it was on
// the page before.
func (m *Marks) shows(name uint64, now []Member, items int) bool {
	i := slices.IndexFunc(now, func(one Member) bool { return one.Name == name })
	if i < 0 || now[i] != m.Members[i] {
		return false
	}
	return now[i].Items == items && !now[i].Alike
}

// A tabulation finds the members of the items of one page, one item after the other.
type tabulation struct {
	columns []tabulated
	items   int
	// isFirst: it is the first page, which settles the marks.
	isFirst bool
}

// tabulated is how a member is found.
type tabulated struct {
	Member
	// quoted is the name as items have it.
	quoted string
	// last is the hash of the value that came last.
	last uint64
	// compared are those of the first page.
	compared []uint64
}

// add takes the next item, and keeps none of its text.
func (t *tabulation) add(text []byte) {
	t.items++
	next := 0
	for name, value := range item.Members(text) {
		i := t.column(name, next)
		if i < 0 {
			return
		}
		t.columns[i].add(Hash(value), t.isFirst)
		next = i + 1
	}
}

// column is the index of the column of a name, which mostly is the next one; below 0:
// there are too many.
func (t *tabulation) column(quoted []byte, next int) int {
	isNext := next < len(t.columns) && t.columns[next].quoted == string(quoted)
	if isNext {
		return next
	}
	i := slices.IndexFunc(t.columns, func(c tabulated) bool { return c.quoted == string(quoted) })
	if i >= 0 || len(t.columns) == mostMembers {
		return i
	}
	c := tabulated{Member: Member{Name: Hash(quoted)}, quoted: string(quoted)}
	t.columns = append(t.columns, c)
	return len(t.columns) - 1
}

// add enters the value of the next item.
func (c *tabulated) add(value uint64, isFirst bool) {
	if value == c.last {
		c.Alike, c.compared = true, nil
	}
	c.Items++
	c.Order = c.Order*0x9e3779b97f4a7c15 + value
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
	for i := range t.columns {
		c := &t.columns[i]
		m.Members = append(m.Members, c.Member)
		isWanted := t.isFirst && len(m.Names) < mostMarks
		if isWanted && c.isMark(t.items) {
			m.Names = append(m.Names, item.Unquote([]byte(c.quoted)))
		}
	}
	return m
}

// isMark tells whether each of so many items has another value.
func (c *tabulated) isMark(items int) bool {
	if items < 2 || c.Alike || c.Items < items {
		return false
	}
	slices.Sort(c.compared)
	return len(slices.Compact(c.compared)) == min(items, mostCompared)
}
