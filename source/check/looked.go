package check

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/paginate"
	"sluice/source/suggest"
)

// looked is what check itself looks at in the items of one attempt at a page.
type looked struct {
	items       int
	first, last []byte
	// texts are the hashes of the items that are compared, the first ones.
	texts map[uint64]bool
	// members are those at the top of these items, by name, and those of their members,
	// by both names.
	members map[string]memberValues
	// order is that of the items that are compared.
	order suggest.Order
	// falls are how the values of members follow each other, by their paths.
	falls map[string]*paginate.TimeOrder
	// sought are the paths of where that no item has had so far.
	sought []item.Path
	// names are how the elements came that the items are made of; nil: they are not made of XML.
	names map[string]turns
}

// memberValues are those of a member of several items.
type memberValues struct {
	// hashes are those of texts, numbers, objects and arrays.
	hashes map[uint64]bool
	// items are how many have such a value.
	items int
}

// How much of the items of a page is compared.
const (
	mostCompared = 1000
	mostMembers  = 200
)

// Item implements [walk.Collector].
func (l *looked) Item(number int, text []byte) error {
	if number == 1 {
		l.first = slices.Clone(text)
		l.texts, l.members, l.order = map[uint64]bool{}, map[string]memberValues{}, suggest.Order{}
		l.falls = map[string]*paginate.TimeOrder{}
	}
	l.items = number
	l.last = append(l.last[:0], text...)
	if number > mostCompared {
		return nil
	}
	l.seek(text)
	l.order.Enter(text)
	l.texts[xxhash.Sum64(text)] = true
	l.enter("", text)
	l.enterRow(text)
	if l.names != nil {
		l.enterNames(text, 0)
	}
	return nil
}

// enterRow enters the elements of an item that is an array, each by its index.
func (l *looked) enterRow(row []byte) {
	index := 0
	for value := range item.Elements(row) {
		l.member(strconv.Itoa(index), value)
		index++
	}
}

// enter enters what an object of an item has, which is at the path before, and what
// the objects at the top of the item have: many an API wraps each item.
func (l *looked) enter(before string, object []byte) {
	if item.Kind(object) != '{' {
		return
	}
	for quoted, value := range item.Members(object) {
		name := before + item.Unquote(quoted)
		switch item.Kind(value) {
		case '"', '0':
			l.member(name, value)
			l.enterTime(name, value)
		case '[':
			l.member(name, value)
		case '{':
			l.member(name, value)
			if before == "" {
				l.enter(name+".", value)
			}
		}
	}
}

// compared is how many items are.
func (l *looked) compared() int { return min(l.items, mostCompared) }

// has tells whether an item is one of those that were compared: the last one by what tells them apart, the others by their texts.
func (l *looked) has(one []byte, unique evidence.Unique) bool {
	return one != nil && (l.texts[xxhash.Sum64(one)] || isSameItem(l.last, one, unique))
}

// isEnvelope tells whether the items may be an object that describes an array, and that.
func (l *looked) isEnvelope() bool {
	return l.items == 2 && item.Kind(l.first) == '{' && item.Kind(l.last) == '['
}

// member enters the value that an item has there.
func (l *looked) member(name string, value []byte) {
	of, isKnown := l.members[name]
	if !isKnown {
		if len(l.members) == mostMembers {
			return
		}
		of.hashes = map[uint64]bool{}
	}
	of.hashes[xxhash.Sum64(value)] = true
	of.items++
	l.members[name] = of
}

// tellsApart tells whether a member has another value in each item.
func (l *looked) tellsApart(name string) bool {
	of := l.members[name]
	return of.items == l.compared() && len(of.hashes) == l.compared()
}

// others counts the compared items of a page that the first lacks: by the member that is their
// key; else by their texts, unless at least half of the members that tell the items
// of the first page apart say that they are the same, as those of an API do that
// puts the time of the answer into each item.
func (l *looked) others(first *looked) int {
	for _, key := range evidence.KeyNames {
		if first.tellsApart(key) && l.members[key].items == l.compared() {
			return lacking(first.members[key].hashes, l.members[key].hashes)
		}
	}
	same, other := 0, 0
	for name, of := range l.members {
		if !first.tellsApart(name) {
			continue
		}
		if lacking(first.members[name].hashes, of.hashes) <= len(of.hashes)/2 {
			same++
		} else {
			other++
		}
	}
	if same > 0 && same >= other {
		return 0
	}
	return lacking(first.texts, l.texts)
}

// without says of a second page which others are too few of its items.
func (l *looked) without(others int) string {
	switch {
	case l.items == 0:
		return "its second page has no items"
	case others == 0:
		return "its second page has the items of the first again"
	}
	return "its second page has mostly items of the first"
}

// lacking counts what is in the second set only.
func lacking(one, other map[uint64]bool) (n int) {
	for hash := range other {
		if !one[hash] {
			n++
		}
	}
	return n
}

// sought are the paths at which the where of a job looks.
func sought(j *job.Job) []item.Path {
	if j.Items.Where == nil {
		return nil
	}
	return j.Items.Where.Paths()
}

// seek strikes out what an item has.
func (l *looked) seek(text []byte) {
	isThere := func(path item.Path) bool { return item.Lookup(text, path) != nil }
	l.sought = slices.DeleteFunc(l.sought, isThere)
}

// turns are how a name of an element came.
type turns struct{ once, several bool }

// nameDepth and mostNames bound what is looked at in an item.
const (
	nameDepth = 16
	mostNames = 1000
)

// enterNames enters how the names in an item came, which was made of XML.
func (l *looked) enterNames(value []byte, depth int) {
	if depth == nameDepth {
		return
	}
	switch item.Kind(value) {
	case '[':
		for element := range item.Elements(value) {
			l.enterNames(element, depth+1)
		}
	case '{':
		for quoted, value := range item.Members(value) {
			l.enterName(item.Unquote(quoted), item.Kind(value) == '[')
			l.enterNames(value, depth+1)
		}
	}
}

func (l *looked) enterName(name string, several bool) {
	t, known := l.names[name]
	if !known && len(l.names) == mostNames {
		return
	}
	t.once = t.once || !several
	t.several = t.several || several
	l.names[name] = t
}

// enterTime enters what an item has at a path.
func (l *looked) enterTime(path string, value []byte) {
	f := l.falls[path]
	if f == nil {
		if len(l.falls) == mostMembers {
			return
		}
		f = &paginate.TimeOrder{}
		l.falls[path] = f
	}
	f.Enter(value, isTimeName(path))
}

var (
	changeNames = []string{"updat", "modif", "chang", "edit"}
	timeNames   = append([]string{"creat", "time", "date", "_at", "insert", "publish", "occur"}, changeNames...)
)

func isTimeName(path string) bool { return hasAny(path, timeNames) || strings.HasSuffix(path, "At") }

// hasAny tells whether the last step of a path has one of these in it, in any case.
func hasAny(path string, parts []string) bool {
	name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// isSameItem tells whether two items are the same: by what tells them apart, else by their texts.
func isSameItem(one, other []byte, unique evidence.Unique) bool {
	if bytes.Equal(one, other) {
		return true
	}
	paths := unique.Paths
	isKey := func(name string) bool { return item.Find(one, item.Path{name}) != nil }
	at := slices.IndexFunc(evidence.KeyNames, isKey)
	mayGuess := len(paths) == 0 && !unique.Never
	if mayGuess && at >= 0 {
		paths = []item.Path{{evidence.KeyNames[at]}}
	}
	for _, path := range paths {
		value := item.Find(one, path)
		if value == nil || !bytes.Equal(value, item.Find(other, path)) {
			return false
		}
	}
	return len(paths) > 0
}
