package pipeline

import "fmt"

const (
	// maxExpansion is how many times its size compressed or repeated text may expand to, once it has more than
	// freeExpansion bytes. No real data expands that far.
	maxExpansion  = 500
	freeExpansion = 64 << 20
)

// Explosion returns the text of an error if came bytes have expanded to so many that they cannot be real data. It is
// empty if they have not. of names what the bytes are part of.
func Explosion(came int64, of string, became int64) string {
	if became <= freeExpansion || became/maxExpansion <= came {
		return ""
	}
	return fmt.Sprintf(
		"%d bytes of the %s expand to more than %d MiB, over %d times as much: the rest is not read",
		came,
		of,
		became>>20,
		maxExpansion,
	)
}
