package item

// A KindOf is what a value of JSON is, for who loads it.
type KindOf uint8

// The kinds.
const (
	IsString KindOf = iota
	// A number without fraction and exponent that 64 bits hold.
	IsInteger
	// Any other number.
	IsNumber
	IsBoolean
	IsNull
	IsObject
	IsArray

	kinds
)

// Kinds counts values of each kind.
type Kinds [kinds]int64

// Values is how many values there are.
func (k *Kinds) Values() (n int64) {
	for _, of := range k {
		n += of
	}
	return n
}

func (k *Kinds) add(other *Kinds) {
	for i, n := range other {
		k[i] += n
	}
}
