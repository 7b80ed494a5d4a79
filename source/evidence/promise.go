package evidence

// Promised is how many items there are by the answers that had some. A total of which
// the API says that it is at least that does not count.
type Promised struct {
	// Items is the greatest total of the last answer with items; 0: it says none.
	Items int64
	// Greatest is the greatest of any answer, and At where it stood.
	Greatest int64
	At       string
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
	for _, s := range signs {
		if s.Says != Total || s.least {
			continue
		}
		p.Items = max(p.Items, s.Total)
		if s.Total > p.Greatest {
			p.Greatest, p.At = s.Total, s.At
		}
	}
	p.Partial = p.Partial || !p.Heard && p.Items > int64(items)
	p.Heard = true
}

// Reached tells whether so many items are all. They are not where they are twice as
// many: then it is a number of something else, such as those of each page.
func (p *Promised) Reached(came int64) bool {
	return p.Items > 0 && came >= p.Items && came < 2*p.Items
}

// Exceeded tells whether so many items are twice as many as there are.
func (p *Promised) Exceeded(came int64) bool { return p.Partial && came >= 2*p.Greatest }
