package evidence

// Totals are what is remembered of the totals of a walk whose pages are counted. It is
// plain data.
type Totals struct {
	// At is where the last answer said a number, and Items which; empty: none has.
	At    string
	Items int64
	// Step is how many items that page and those of other shards up to the next one have.
	Step int64
	// After is how many items came after that page.
	After int64
	// Full is the number before it became less by the items of the page before for the
	// first time, and Left after that; 0: it did not. It is that of the items that are left
	// as long as it goes on so.
	Full, Left int64
	// Bare: it is called total, which some APIs also call their number of pages.
	Bare bool
	// Rose: it became more from one page to the next.
	Rose bool
	// Heard is how many answers said one.
	Heard int
	// Told: it was doubted.
	Told bool
}

// Hear takes what an answer says, where so many items came, and the pages of other shards
// hold others up to the next one of this. It returns how the number became less than before; nil:
// it did not. Once in a walk.
func (t *Totals) Hear(signs []Sign, a *Answer, came, others int64) *Fall {
	now := totalOf(signs, a)
	if now == nil {
		t.After += int64(a.Items)
		return nil
	}
	before := *t
	t.At, t.Items, t.Bare = now.At, now.Total, now.isBare()
	t.Step, t.After = int64(a.Items)+others, 0
	t.Heard++
	if t.Told || before.At != t.At {
		return nil
	}
	less := before.Items - t.Items
	isLeft := less == before.Step
	isFirst := less > 0 && t.Full == 0
	// An estimate is often corrected behind the end, to what came, or on the last page, if it had become more; that of all
	// shards is known when they are published.
	isKnown := others > 0 || t.Items == came
	t.Rose = t.Rose || less < 0
	isOdd := a.Items == 0 || before.Rose
	isFarLess := isOdd && less > before.Step
	isCorrected := isKnown && isFarLess
	switch {
	case isCorrected:
	case isLeft && isFirst:
		t.Full, t.Left = before.Items, t.Items
	case isLeft:
	case t.Full > 0:
		return t.fell(t.Full, t.Left)
	case less > 0:
		return t.fell(before.Items, t.Items)
	}
	return nil
}

// A Fall is how a number of all items became less.
type Fall struct {
	At          string
	Before, Now int64
}

// fell is a total that became less.
func (t *Totals) fell(before, now int64) *Fall {
	t.Told = true
	return &Fall{t.At, before, now}
}

// FellAtEnd is how a number that was taken for that of the items that are left was none, as the end of the walk shows:
// others came; nil: it is no such.
func (t *Totals) FellAtEnd() *Fall {
	isOfRest := t.Full > 0 && !t.Told
	if isOfRest && t.Items-t.Step != t.After {
		return t.fell(t.Full, t.Left)
	}
	return nil
}

// Exceeded tells whether more items came, on so many pages, than the last total says. Once in a walk.
func (t *Totals) Exceeded(came int64, pages int) bool {
	isExceeded := t.At != "" && t.Items < came
	if !isExceeded || t.mayBePages(pages) {
		return false
	}
	if t.Full > 0 || t.Told {
		return false
	}
	t.Told = true
	return true
}

// mayBePages tells whether the number is that of the pages, of which so many came: the last
// one may be an empty one more.
func (t *Totals) mayBePages(came int) bool {
	isAll := int64(came) == t.Items || int64(came) == t.Items+1
	return t.Bare && isAll
}

// totalOf is the greatest number of all items that the answer says, nil if there is
// none. One that is the number of the items on the page counts these, and 0 beside items is
// how some say that they did not count.
func totalOf(signs []Sign, a *Answer) (found *Sign) {
	for i, s := range signs {
		isOfPage := s.Total == int64(a.Items)
		if !s.isSureTotal() || isOfPage {
			continue
		}
		if found == nil || s.Total > found.Total {
			found = &signs[i]
		}
	}
	return found
}
