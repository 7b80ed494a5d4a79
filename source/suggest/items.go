package suggest

import "sluice/pipeline/item"

// The ways that ask for what comes after the last item.

// A Tail is what guesses need of the items of a page.
type Tail struct {
	// Last is the last item.
	Last  []byte
	Order Order
}

// An Order is how the ids of items follow each other, as far as they are numbers.
type Order struct {
	last         *item.Decimal
	items        int
	rises, falls int
}

// Enter takes the next item.
func (o *Order) Enter(text []byte) {
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

// leastOrdered is how many items show an order.
const leastOrdered = 3

// isRising tells whether all ids rise.
func (o *Order) isRising() bool { return o.items >= leastOrdered && o.rises == o.items-1 }

// isFalling tells whether all ids fall.
func (o *Order) isFalling() bool { return o.items >= leastOrdered && o.falls == o.items-1 }
