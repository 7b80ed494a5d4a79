package evidence

// Open is what the last answer with items says of its end, for an answer beyond it that says
// nothing itself: a flag, and a number of pages.
type Open struct {
	// More is where a flag says that there is more; empty: none does.
	More string
	// Pages is how many pages there are, and At where it stands; 0: nothing says so.
	Pages int64
	At    string
}

// Hear takes what an answer with so many items says.
func (o *Open) Hear(items int, signs []Sign) {
	if items == 0 {
		return
	}
	*o = Open{}
	if more := Find(signs, More); more != nil {
		o.More = more.At
	}
	if pages := Find(signs, Pages); pages != nil {
		o.Pages, o.At = pages.Total, pages.At
	}
}

// Passed tells whether so many pages from the first on are more than there are.
func (o *Open) Passed(pages int) bool { return o.Pages > 0 && int64(pages) > o.Pages }
