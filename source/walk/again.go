package walk

import "slices"

// A page without items in the middle of a walk may be a mistake of the API: if items follow, it is asked for again before
// these are judged, so that what it has then comes out at its place.

// askAgain enters that a page without items is asked for again before a page with items behind it is judged. It is false where
// there is none.
func (c *coordinator) askAgain(s *slot) bool {
	w, came := s.walk, s.came
	if len(w.hollow) == 0 || came.err != nil || came.Page.Items == 0 {
		return false
	}
	first := w.hollow[0]
	w.hollow = w.hollow[1:]
	again := newSlot(w, first.number, first.request)
	again.isAgain = true
	again.place = c.order.InsertBefore(again, s.place)
	w.slots = slices.Insert(w.slots, 0, again)
	return true
}

// judgeAgain judges a page that was asked for again, and enters the walks below its items.
func (c *coordinator) judgeAgain(s *slot) {
	w, came := s.walk, s.came
	w.slots = slices.Delete(w.slots, 0, 1)
	s.status = judged
	if err := w.judgeAgain(s, w.slots[0].came); err != nil {
		came.err = w.wrap(s.number, err)
		c.giveUpFrom(s.place.Next())
		return
	}
	c.keep(came)
	c.enterBelow(s)
}

// judgeAgain judges a page that was asked for again: next is the page behind it.
func (w *Walk) judgeAgain(s *slot, next *Fetched) error {
	number, came := s.number, s.came
	if w.hasNothingAgain(came, next) {
		w.isHollow, w.hollow = true, nil
		came.Page.Close()
		came.Page, came.err = nil, nil
		return nil
	}
	if err := w.refuseScalar(came); err != nil {
		return err
	}
	facts := w.Facts(came)
	facts.Room = w.recorded.Says[:0]
	w.journaled(came, facts)
	before := w.State.Seen.Totals
	out := w.Job.Paging.Late(&w.State, facts, s.request, number)
	w.record(number, came, &out)
	came.later = nil
	for _, odd := range w.Warnings(came, &out) {
		w.warn(odd, false)
	}
	if err := w.accept(number, came.without(w.Assignment, out.Seam.Drop)); err != nil {
		return err
	}
	w.tellShardItems(number, facts, &before)
	return nil
}

// hasNothingAgain tells whether a page that was asked for again still has no items, or has those of the page behind it, as where
// the API does not begin anew.
func (w *Walk) hasNothingAgain(came, next *Fetched) bool {
	if came.err != nil || came.Page.Items == 0 || came.isComplaint() || came.end.by != "" {
		return true
	}
	return came.Page.Texts == next.Page.Texts
}
