package item

// Eight bytes are looked at together, the first in the lowest lane of a word. A mask has the high bit of lanes set.
const (
	lanes = 0x0101010101010101
	lows  = 0x7f * lanes
	highs = 0x80 * lanes
)
