package evidence

import "slices"

// How many of the last keys of a walk are known exactly: powers of two, so that those
// of a root walk take less than 512 KiB, and those of another less than 64 KiB. With four
// times as many a root walk took 1 MiB, and each key missed the processor's caches: 7 % of
// the CPU of a run.
const (
	KnownOfRoot  = 1 << 14
	KnownOfOther = 1 << 12
)

// KnownOf is how many keys of a walk are known exactly: one that is below no item and of no
// window, or another.
func KnownOf(isRoot bool) int {
	if isRoot {
		return KnownOfRoot
	}
	return KnownOfOther
}

// longest is how many keys of a bucket are looked through: by chance there are two or three.
// A key behind so many is not known, which hides one that comes again only where an API
// chooses its keys for that, and would take seconds for a page otherwise.
const longest = 64

// KnownKeys are the keys that came in a walk: the last ones, exactly, and a sample of all.
// It is plain data, and begins empty but for Most.
type KnownKeys struct {
	// Most is how many are exact, a power of two.
	Most int
	// Waiting are those of the first page, until there is another one.
	Waiting []uint64
	// Last are the last ones, the n-th to come at n modulo Most.
	Last []uint64
	// Came is how many have come.
	Came int
	// Newest has for each bucket of keys where its newest stands in Last, and Before
	// for each of Last where the one before it in its bucket stood. One that was
	// overwritten since is newer, which ends the chain.
	Newest, Before []uint16
	// Sample is empty until Last is full.
	Sample Sample
}

// Enter takes the keys of a page. It returns how many came before on others, those at
// its front not counted, and whether one stands twice on this page.
func (k *KnownKeys) Enter(keys []uint64, front int) (again int, twice bool) {
	again, _, twice = k.enterMoved(keys, front, nil)
	return again, twice
}

// enterMoved is [KnownKeys.Enter] where items may come again since they have changed: of each key hasMoved tells whether its item has.
// nil: none has. Those are counted apart.
func (k *KnownKeys) enterMoved(keys []uint64, front int, hasMoved func(i int) bool) (again, moved int, twice bool) {
	skipped := max(len(keys)-k.Most, 0)
	keys = keys[skipped:]
	if k.Came == 0 && k.Waiting == nil {
		k.Waiting = slices.Clone(keys)
		return 0, 0, false
	}
	if k.settle() {
		return 0, 0, true
	}
	if hasMoved == nil {
		again, twice = k.add(keys, front)
		return again, 0, twice
	}
	for i, key := range keys {
		if i >= front && hasMoved(i+skipped) && k.holds(key) {
			moved++
		}
	}
	again, twice = k.add(keys, front)
	return again - moved, moved, twice
}

// Has tells whether a key came.
func (k *KnownKeys) Has(key uint64) bool {
	k.settle()
	return k.holds(key)
}

// lacks is how many of these keys did not come.
func (k *KnownKeys) lacks(keys []uint64) (lacking int) {
	for _, key := range keys {
		if !k.Has(key) {
			lacking++
		}
	}
	return lacking
}

// compare is of how many of these keys it is known whether they came, and how many of these did not.
func (k *KnownKeys) compare(keys []uint64) (known, lacking int) {
	k.settle()
	for _, key := range keys {
		if k.Sample.Held > 0 && !k.Sample.isOf(key) {
			continue
		}
		known++
		if !k.holds(key) {
			lacking++
		}
	}
	return known, lacking
}

// All returns those of the keys that are known which are divisible by a power of two, and
// that.
func (k *KnownKeys) All() (keys []uint64, divisor uint64) {
	k.settle()
	divisor = 1 << k.Sample.Shift
	if k.Sample.Held == 0 {
		return slices.Clone(k.Last), divisor
	}
	isEmpty := func(key uint64) bool { return key == 0 }
	return slices.DeleteFunc(slices.Clone(k.Sample.Slots), isEmpty), divisor
}

// settle enters the keys of the first page, and tells whether one stands there twice.
func (k *KnownKeys) settle() (twice bool) {
	waiting := k.Waiting
	k.Waiting = nil
	_, twice = k.add(waiting, 0)
	return twice
}

// add is [KnownKeys.Enter] where the first page is entered.
func (k *KnownKeys) add(keys []uint64, front int) (again int, twice bool) {
	k.makeRoom(len(keys))
	isSampled := k.Came+len(keys) > k.Most
	if isSampled && k.Sample.Most == 0 {
		k.beginSample()
	}
	for i, key := range keys {
		age, ok := k.find(key)
		isOfThisPage := ok && age < i
		twice = twice || isOfThisPage
		isKnown := ok || k.Sample.has(key)
		if i >= front && isKnown {
			again++
		}
		k.enter(key)
	}
	if isSampled {
		for _, key := range keys {
			k.Sample.add(key)
		}
	}
	return again, twice
}

func (k *KnownKeys) holds(key uint64) bool {
	if _, ok := k.find(key); ok {
		return true
	}
	return k.Sample.has(key)
}

// find returns how many of the last keys are newer than this one.
func (k *KnownKeys) find(key uint64) (age int, ok bool) {
	if k.Came == 0 {
		return 0, false
	}
	bucket := k.bucket(key)
	at := int(k.Newest[bucket])
	before := -1
	for range longest {
		age = (k.Came - 1 - at) & (k.Most - 1)
		isOfChain := age > before && k.bucket(k.Last[at]) == bucket
		if !isOfChain {
			return 0, false
		}
		if k.Last[at] == key {
			return age, true
		}
		before = age
		at = int(k.Before[at])
	}
	return 0, false
}

// bucket is of high bits: the low ones say what belongs to the sample.
func (k *KnownKeys) bucket(key uint64) int { return int(key>>32) & (len(k.Newest) - 1) }

// enter makes a key the newest one; there is room.
func (k *KnownKeys) enter(key uint64) {
	at := k.Came & (k.Most - 1)
	if at == len(k.Last) {
		k.Last = append(k.Last, key)
		k.Before = append(k.Before, 0)
	}
	k.Last[at] = key
	k.link(at)
	k.Came++
}

// link puts what stands at a place at the front of its chain.
func (k *KnownKeys) link(at int) {
	bucket := k.bucket(k.Last[at])
	k.Before[at] = k.Newest[bucket]
	k.Newest[bucket] = uint16(at)
}

// beginSample makes the sample of the last keys, before the first is overwritten.
func (k *KnownKeys) beginSample() {
	k.Sample.Most = k.Most / 2
	if k.Most > KnownOfOther {
		k.Sample.Most = k.Most
	}
	for _, last := range k.Last {
		k.Sample.add(last)
	}
}

// least is for how many keys there is room at first.
const least = 64

// makeRoom makes room for more keys in what is not full.
func (k *KnownKeys) makeRoom(more int) {
	size := max(2*len(k.Newest), least)
	for size < min(k.Came+more, k.Most) {
		size *= 2
	}
	size = min(size, k.Most)
	if size == 2*len(k.Newest) {
		return
	}
	k.Last = append(make([]uint64, 0, size), k.Last...)
	k.Before = append(make([]uint16, 0, size), k.Before...)
	k.Newest = make([]uint16, size/2)
	for at := range k.Last {
		k.link(at)
	}
}

// A Sample is of the keys that are divisible by 1 << Shift, which grows where they
// become too many.
type Sample struct {
	// Most is how many places there are at most.
	Most int
	// Slots are an open hash table; 0 is an empty place.
	Slots []uint64
	// Held is how many keys it holds.
	Held  int
	Shift uint8
}

func (s *Sample) isOf(key uint64) bool { return key&(1<<s.Shift-1) == 0 }

func (s *Sample) has(key uint64) bool {
	if s.Held == 0 || !s.isOf(key) {
		return false
	}
	return s.Slots[s.place(key)] == key
}

// place is where a key stands, or would.
func (s *Sample) place(key uint64) int {
	mask := len(s.Slots) - 1
	at := int(key>>32) & mask
	for s.Slots[at] != 0 && s.Slots[at] != key {
		at = (at + 1) & mask
	}
	return at
}

func (s *Sample) add(key uint64) {
	if !s.isOf(key) || s.has(key) {
		return
	}
	for s.isOf(key) && 4*(s.Held+1) > 3*len(s.Slots) {
		s.makeRoom()
	}
	if s.isOf(key) {
		s.Slots[s.place(key)] = key
		s.Held++
	}
}

// makeRoom makes the table larger, or the sample smaller.
func (s *Sample) makeRoom() {
	size := max(2*len(s.Slots), min(least, s.Most))
	if size > s.Most {
		size = s.Most
		s.Shift++
	}
	before := s.Slots
	s.Slots, s.Held = make([]uint64, size), 0
	for _, key := range before {
		if key != 0 && s.isOf(key) {
			s.Slots[s.place(key)] = key
			s.Held++
		}
	}
}
