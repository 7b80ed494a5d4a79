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

// kindsByFirst has the kind of a value by its first byte; of a number it may also be IsNumber.
var kindsByFirst = [256]KindOf{
	'"': IsString, '{': IsObject, '[': IsArray, 't': IsBoolean, 'f': IsBoolean, 'n': IsNull, '-': IsInteger,
	'0': IsInteger, '1': IsInteger, '2': IsInteger, '3': IsInteger, '4': IsInteger,
	'5': IsInteger, '6': IsInteger, '7': IsInteger, '8': IsInteger, '9': IsInteger,
}

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
