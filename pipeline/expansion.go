package pipeline

import "fmt"

const (
	// Times its size what came may become beyond freeExpansion bytes: no data does.
	maxExpansion  = 500
	freeExpansion = 64 << 20
)

// Explosion says of bytes that came, which are of what, that they have become too many to be data; empty: they
// have not.
func Explosion(came int64, of string, became int64) string {
	if became <= freeExpansion || became/maxExpansion <= came {
		return ""
	}
	return fmt.Sprintf(
		"%d bytes of the %s have become more than %d MiB, over %d times as much: that is no data",
		came,
		of,
		became>>20,
		maxExpansion,
	)
}
