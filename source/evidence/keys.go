package evidence

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
)

// Unique says what tells the items of a job apart.
type Unique struct {
	// Never: nothing does, and repeated items say nothing.
	Never bool
	// Paths lead to the parts of an item's key. Without them the key is the one of
	// [KeyNames] that most items of the first page have.
	Paths []item.Path
}

// Shown says for people what the key is, whose name is settled.
func (u Unique) Shown(settled string) string {
	if len(u.Paths) == 0 {
		return settled
	}
	var all []string
	for _, path := range u.Paths {
		all = append(all, path.String())
	}
	return strings.Join(all, " and ")
}

// KeyNames are members that may be the key, without being configured.
var KeyNames = []string{"id", "_id", "key", "uuid", "guid", "Id", "ID"}

// Configured is the name of a key that the configuration says.
const Configured = "unique"

// Keys are those that the items of one page have by each name that may be the key's.
type Keys []KeyColumn

// A KeyColumn has what the items of one page have at one place.
type KeyColumn struct {
	Name string
	// Hashes are those of the keys, in order: the last ones, as many as the walk knows.
	Hashes []uint64
	// Lacking is how many items have none there.
	Lacking int
	// Places are where those stand on the page, where somebody wants to know.
	Places []int
	// Rest is a hash of what the first items have beside their keys; 0: that tells them
	// not apart, or nobody wants to know.
	Rest uint64
}

// Of returns the column of that name, nil if there is none, or it has no key.
func (k Keys) Of(name string) *KeyColumn {
	i := slices.IndexFunc(k, func(c KeyColumn) bool { return c.Name == name })
	if i < 0 || len(k[i].Hashes) == 0 {
		return nil
	}
	return &k[i]
}

// order is a hash of the keys in their order; 0: too many items have none.
func (c *KeyColumn) order() uint64 {
	if c == nil || c.Lacking >= len(c.Hashes) {
		return 0
	}
	order := item.Mixed(uint64(len(c.Hashes)), uint64(c.Lacking))
	for _, hash := range c.Hashes {
		order = item.Mixed(order, hash)
	}
	return order
}

// twice tells whether a key stands there twice, so that it tells no items apart.
func (c *KeyColumn) twice() bool {
	sorted := slices.Sorted(slices.Values(c.Hashes))
	return len(slices.Compact(sorted)) < len(c.Hashes)
}

// A KeyFinder finds the keys of the items of one page, one item after the other.
type KeyFinder struct {
	columns []finding
	// one is where the only column stands, as mostly is, and so are its first key and what
	// Keys returns.
	one   [1]finding
	first [1]uint64
	found [1]KeyColumn
	// most is how many keys are kept of each.
	most  int
	paths []item.Path
	// isOpen: any of KeyNames may be the key, and none that an item has is found yet.
	isOpen bool
	// hasPlaces: the places of items without a key are wanted.
	hasPlaces bool
	// members are found where the items have no key; nil: they are not wanted.
	members *tabulation
	items   int
	// top is the only column where it is a member.
	top item.Top
}

// Sought is what a walk has settled on, and so what its later pages are looked through
// for.
type Sought struct {
	// Key is the name of the key; empty: it is not known.
	Key string
	// None: there is no key.
	None bool
	// Marked: the items have marks, Within the object of that name, unless it is empty.
	Marked bool
	Within string
}

// finding is how a column is found.
type finding struct {
	KeyColumn
	// member is its name; empty: Paths lead to it.
	member string
	rest   rest
}

// rest is what the first items of a page have beside their keys.
type rest struct {
	hashes [restOf]uint64
	items  int
	// thin: an item has one other member or none, such as its rank, which is the same on each page.
	thin bool
}

// restOf is of how many items the rest is compared with that of the page before: a look at
// each would take a second hash of all that comes.
const restOf = 16

// add takes an item, whose key is a member.
func (r *rest) add(text []byte, member string) {
	hash, others := uint64(0), 0
	for name, value := range item.Members(text) {
		if item.NameIs(name, member) {
			continue
		}
		others++
		hash = item.Mixed(hash, xxhash.Sum64(name))
		hash = item.Mixed(hash, xxhash.Sum64(value))
	}
	r.hashes[r.items] = hash
	r.items++
	r.thin = r.thin || others < 2
}

// hash is that of all in their order; 0: they are thin, two are the same, or there are not two.
func (r *rest) hash() (hash uint64) {
	for i, one := range r.hashes[:r.items] {
		if slices.Contains(r.hashes[:i], one) {
			return 0
		}
		hash = item.Mixed(hash, one)
	}
	if r.thin || r.items < 2 {
		return 0
	}
	return hash
}

// NewKeyFinder finds the key that a walk has settled on. Before that it finds all that may be
// the key. Where the first item of the first page has none it finds the members, too. The walk
// knows most keys exactly, so no more are kept.
func NewKeyFinder(u Unique, sought Sought, isFirst bool, most int) *KeyFinder {
	f := &KeyFinder{paths: u.Paths, most: most}
	switch {
	case len(u.Paths) == 1 && len(u.Paths[0]) == 1:
		f.only(Configured, u.Paths[0][0])
	case len(u.Paths) > 0:
		f.only(Configured, "")
	case sought.Key != "":
		f.only(sought.Key, sought.Key)
	case sought.Marked:
		f.members = newTabulation(sought.Within)
	case sought.None:
	case isFirst:
		f.isOpen = true
	default:
		for _, name := range KeyNames {
			f.columns = append(f.columns, finding{KeyColumn: KeyColumn{Name: name}, member: name})
		}
	}
	f.aim()
	return f
}

// only makes that the one column.
func (f *KeyFinder) only(name, member string) {
	f.one[0] = finding{KeyColumn: KeyColumn{Name: name, Hashes: f.first[:0]}, member: member}
	f.columns = f.one[:]
}

// aim has the only column looked for at the top of the next item.
func (f *KeyFinder) aim() {
	f.top.Name = nil
	isMember := len(f.columns) == 1 && f.columns[0].member != ""
	if isMember {
		f.top.Name = quotedName(f.columns[0].member)
	}
}

func quotedName(name string) []byte {
	if quoted, isUsual := quotedNames[name]; isUsual {
		return quoted
	}
	return item.Quote(name)
}

// quotedNames are [KeyNames] as items have them.
var quotedNames = quotedOf(KeyNames)

func quotedOf(names []string) map[string][]byte {
	all := map[string][]byte{}
	for _, name := range names {
		all[name] = item.Quote(name)
	}
	return all
}

// Keys returns what was found.
func (f *KeyFinder) Keys() Keys {
	all := f.found[:0]
	for i := range f.columns {
		c := f.columns[i].KeyColumn
		if len(c.Hashes) > f.most {
			// A copy, so that no page keeps what is not used.
			c.Hashes = slices.Clone(c.Hashes[len(c.Hashes)-f.most:])
		}
		c.Rest = f.columns[i].rest.hash()
		all = append(all, c)
	}
	return all
}

// Marks returns the members of items without a key.
func (f *KeyFinder) Marks() Marks { return f.members.marks() }

// Top is what Add makes use of if somebody has looked for it in the item, which saves another look.
func (f *KeyFinder) Top() *item.Top { return &f.top }

// Add takes the compact text of the next item, and keeps none of it.
func (f *KeyFinder) Add(text []byte) {
	f.items++
	if f.members != nil {
		f.members.add(text)
	}
	hasKey := false
	for i := range f.columns {
		c := &f.columns[i]
		if key := f.key(c, text); key != 0 {
			c.add(key, f.most)
			c.addRest(text)
			hasKey = true
			continue
		}
		c.Lacking++
		if f.hasPlaces {
			c.Places = append(c.Places, f.items-1)
		}
	}
	if f.isOpen && !hasKey {
		f.choose(text)
	}
	mayHaveMarks := f.isOpen && f.items == 1
	if mayHaveMarks && len(f.columns) == 0 {
		f.members = &tabulation{isFirst: true}
		f.members.add(text)
	}
}

// addRest takes what an item has beside its key. What a person says is the key is one,
// whatever else the items have.
func (c *finding) addRest(text []byte) {
	isEnough := c.rest.items == restOf || c.rest.thin
	if isEnough || c.Name == Configured {
		return
	}
	c.rest.add(text, c.member)
}

// choose makes columns of the [KeyNames] by which an item has a key that no item before it had
// one by.
func (f *KeyFinder) choose(text []byte) {
	var keys [8]uint64
	for name, value := range item.Members(text) {
		i := slices.IndexFunc(KeyNames, func(c string) bool { return item.NameIs(name, c) })
		if i >= 0 && keys[i] == 0 {
			keys[i] = hashIf(isIdentifier(value), value)
		}
	}
	for i, name := range KeyNames {
		if keys[i] != 0 {
			f.open(name, keys[i], text)
		}
	}
	f.aim()
}

// open begins a column with the key of the item that was added last.
func (f *KeyFinder) open(name string, key uint64, text []byte) {
	isKnown := slices.ContainsFunc(f.columns, func(c finding) bool { return c.Name == name })
	if isKnown {
		return
	}
	c := finding{KeyColumn: KeyColumn{Name: name, Lacking: f.items - 1}, member: name}
	for place := range f.items - 1 {
		if f.hasPlaces {
			c.Places = append(c.Places, place)
		}
	}
	c.add(key, f.most)
	c.addRest(text)
	f.columns = append(f.columns, c)
}

// key is the hash of an item's key; 0: it has none.
func (f *KeyFinder) key(c *finding, text []byte) uint64 {
	if c.member == "" {
		return compound(f.paths, text)
	}
	value := f.find(c, text)
	if c.Name == Configured {
		return hashIf(isFilled(value), value)
	}
	return hashIf(isIdentifier(value), value)
}

// compound is the hash of a key that has several parts, or a long path; 0: a part is
// missing.
func compound(paths []item.Path, text []byte) uint64 {
	var key []byte
	for _, path := range paths {
		value := item.Find(text, path)
		if !isFilled(value) {
			return 0
		}
		if len(paths) == 1 {
			return Hash(value)
		}
		key = append(key, value...)
		// No JSON text has a zero byte.
		key = append(key, 0)
	}
	return Hash(key)
}

func hashIf(isKey bool, value []byte) uint64 {
	if !isKey {
		return 0
	}
	return Hash(value)
}

// isFilled tells whether a value is there: not null, and no empty text.
func isFilled(value []byte) bool {
	return item.Kind(value) != 'n' && string(value) != `""`
}

// isIdentifier tells whether a value is a text that is not empty, or a number.
func isIdentifier(value []byte) bool {
	switch item.Kind(value) {
	case '"':
		return len(value) > len(`""`)
	case '0':
		return true
	}
	return false
}

// add enters the key of the next item, and keeps so many at least, and twice that at most.
func (c *KeyColumn) add(key uint64, most int) {
	const usual = 128
	switch len(c.Hashes) {
	case 1:
		c.Hashes = slices.Grow(c.Hashes, usual-1)
	case 2 * most:
		copy(c.Hashes, c.Hashes[most:])
		c.Hashes = c.Hashes[:most]
	}
	c.Hashes = append(c.Hashes, key)
}

// find returns the value of the first member of the name at the top of an item, nil if
// there is none.
func (f *KeyFinder) find(c *finding, text []byte) []byte {
	if f.top.Known {
		return f.top.Value
	}
	for name, value := range item.Members(text) {
		if item.NameIs(name, c.member) {
			return value
		}
	}
	return nil
}
