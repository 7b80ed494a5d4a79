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
	// Overlap: some page began with the last item of the one before it.
	Overlap bool
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
