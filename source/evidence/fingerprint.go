package evidence

// A Fingerprint tells a page from others of its walk.
type Fingerprint struct {
	// Request is the hash of what the page was asked for with.
	Request uint64
	Items   int
	// First and Last are hashes of those items, Texts of the texts of all, Set whatever their
	// order is.
	First, Last, Texts, Set uint64
}

// Fingerprint returns that of the page which a request of the hash has brought.
func (a *Answer) Fingerprint(request uint64) Fingerprint {
	return Fingerprint{
		Request: request,
		Items:   a.Items,
		First:   a.First,
		Last:    a.Last,
		Texts:   a.Texts,
		Set:     a.Set,
	}
}

// Fingerprints are what is remembered of the pages of a walk. It is plain data.
type Fingerprints struct {
	// Hash is that of the last answer as a whole.
	Hash uint64
	// Last is the last page.
	Last Fingerprint
	// Opening is the first page, without its request.
	Opening Fingerprint
	// Earlier is the page that later ones are compared with, EarlierPage its number.
	Earlier     Fingerprint
	EarlierPage int
	// Overlap: some page began with the last item of the one before it. Moved: some page was the one before it, moved on by one
	// item.
	Overlap, Moved bool
	// Again is how many pages had the very items of an earlier one, AgainPage the number of
	// that whose items came last.
	Again, AgainPage int
	// Alike is how many pages in a row had the very items of an earlier one which are all alike, such as one item
	// alone: a few say nothing.
	Alike int
}

// Circles tells whether the page is one that came before, which Brent's way of
// finding a cycle does with one page in memory.
func (f *Fingerprints) Circles(this Fingerprint) bool { return this == f.Earlier }

// Overlaps tells, once in a walk, that the page begins with the item that ended the
// one before it.
func (f *Fingerprints) Overlaps(a *Answer) bool {
	haveItems := f.Last.Items > 0 && a.Items > 0
	if !haveItems || a.First != f.Last.Last {
		return false
	}
	isFirst := !f.Overlap
	f.Overlap = true
	return isFirst
}

// ItemSums are what shows that a page is the one before it, moved on by one item: the sum of the hashes of its items, and those of
// the first and the last. Sum is 0 where it shows nothing.
type ItemSums struct{ First, Last, Sum uint64 }

// leastMoved is from how many items on a page shows it: fewer may be the same by chance.
const leastMoved = 3

// itemSumsOf is that of so many items.
func itemSumsOf(items int, first, last, sum uint64) ItemSums {
	if items < leastMoved {
		return ItemSums{}
	}
	return ItemSums{first, last, sum}
}

// Moves tells whether a page has all items of the page before but the first, and one more behind them, or none. A page with the same
// items has not moved.
func (s ItemSums) Moves(before ItemSums) bool {
	isKnown := s.Sum != 0 && before.Sum != 0
	if !isKnown || s.Sum == before.Sum {
		return false
	}
	rest := before.Sum - before.First
	return s.Sum == rest || s.Sum-s.Last == rest
}

// Moves tells, once in a walk, that the page is the one before it, moved on by one item: what counts items was given the number of
// a page.
func (f *Fingerprints) Moves(a *Answer) bool {
	last := &f.Last
	before := itemSumsOf(last.Items, last.First, last.Last, last.Set)
	if f.Moved || !a.span().Moves(before) {
		return false
	}
	f.Moved = true
	return true
}

// span is that of a page.
func (a *Answer) span() ItemSums { return itemSumsOf(a.Items, a.First, a.Last, a.Set) }

// Rounds tells whether the page has the items of one that came before, in any order, which
// another request has brought: the pages may go round. One item, or equal ones, may come again.
func (f *Fingerprints) Rounds(a *Answer) bool {
	isSame := a.Items == f.Earlier.Items && a.Set == f.Earlier.Set
	switch {
	case !isSame:
		f.Alike = 0
	case a.Varied:
		f.Again++
		f.AgainPage = f.EarlierPage
	default:
		f.Alike++
	}
	return isSame && a.Varied
}

// Enter takes the page of that number. The page that later ones are compared with
// moves on when the walk has doubled, and when the first items come.
func (f *Fingerprints) Enter(number int, a *Answer, this Fingerprint) {
	f.Hash, f.Last = a.Hash, this
	if number == 1 {
		f.Opening = a.Fingerprint(0)
	}
	hasDoubled := number >= 2*f.EarlierPage
	isFirstWithItems := f.Earlier.Items == 0 && this.Items > 0
	if hasDoubled || isFirstWithItems {
		f.Earlier, f.EarlierPage = this, number
	}
}
