package evidence

// Promised is how many items there are by the answers that had some. A total of which
// the API says that it is at least that does not count.
type Promised struct {
	// Items is the greatest total of the last answer with items; 0: it says none.
	Items int64
	// Greatest is the greatest of any answer, and At where it stood.
	Greatest int64
	At       string
	// Bare: it is called total, which some APIs also call their number of pages.
	Bare bool
	// Heard: there was an answer with items. Partial: the first of them held fewer than
	// it said, so the number is not that of one page.
	Heard, Partial bool
}

// Hear takes the totals of an answer with so many items.
func (p *Promised) Hear(items int, signs []Sign) {
	if items == 0 {
		return
	}
	p.Items = 0
	if s := greatest(signs); s != nil {
		p.Items = s.Total
		if s.Total > p.Greatest {
			p.Greatest, p.At, p.Bare = s.Total, s.At, s.isBare()
		}
	}
	if !p.Heard {
		p.Heard, p.Partial = true, p.Items > int64(items)
	}
}

// greatest returns the greatest total; nil: there is none.
func greatest(signs []Sign) (found *Sign) {
	for i := range signs {
		s := &signs[i]
		isSure := !s.Least && !s.Weak
		if s.Says != Total || !isSure {
			continue
		}
		if found == nil || s.Total > found.Total {
			found = s
		}
	}
	return found
}

// Reached tells whether so many items are all, at an answer without items that has
// these signs. They are not where the number is that of each page: where twice as many
// came, or this one says less than the only one with items.
func (p *Promised) Reached(came int64, signs []Sign) bool {
	if s := greatest(signs); s != nil {
		isOfPage := s.Total < p.Items && !p.Partial
		hasGrown := s.Total > came
		if isOfPage || hasGrown {
			return false
		}
	}
	if p.Items == 0 || came >= 2*p.Items {
		return false
	}
	return came >= p.Items
}

// Exceeded tells whether so many items, on so many pages, are twice as many as there
// are.
func (p *Promised) Exceeded(came int64, pages int) bool {
	mayBePages := p.Bare && int64(pages) <= p.Greatest
	if mayBePages || !p.Partial {
		return false
	}
	return came >= 2*p.Greatest
}

// Awaits tells whether by the last answer with items more are to come than so many.
func (p *Promised) Awaits(came int64) bool { return came < p.Items }
