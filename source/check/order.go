package check

import "sluice/pipeline/item"

// An order is how the ids of items follow each other, as far as they are numbers.
type order struct {
	last         *item.Decimal
	items        int
	rises, falls int
}

// enter takes the next item.
func (o *order) enter(text []byte) {
	o.items++
	id, ok := item.DecimalOf(item.Lookup(text, item.Path{"id"}))
	if !ok {
		o.last = nil
		return
	}
	if o.last != nil {
		switch step := id.Compare(*o.last); {
		case step > 0:
			o.rises++
		case step < 0:
			o.falls++
		}
	}
	o.last = &id
}

// leastSorted is how many items show an order.
const leastSorted = 3

// sorted is 1 where all ids rise, -1 where they fall, and 0 where they do neither.
func (o *order) sorted() int {
	steps := o.items - 1
	switch {
	case o.items < leastSorted:
		return 0
	case o.rises == steps:
		return 1
	case o.falls == steps:
		return -1
	}
	return 0
}
