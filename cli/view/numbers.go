package view

import (
	"fmt"
	"strconv"
)

// Count is a number with its noun, in the plural where that is due.
func Count[N int | int64](n N, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "retry":
		noun = "retrie"
	}
	return grouped(int64(n)) + " " + noun + "s"
}

// Bytes is a number of bytes as people read it.
func Bytes(n int64) string {
	if n < 1024 {
		return Count(n, "byte")
	}
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	value, u := float64(n)/1024, 0
	for ; value >= 1024; u++ {
		value /= 1024
	}
	return fmt.Sprintf("%.1f %s", value, units[u])
}

// grouped is a number with its digits in groups of three.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func perSecond(rate float64) string {
	if rate < 10 {
		return fmt.Sprintf("%.1f/s", rate)
	}
	return grouped(int64(rate)) + "/s"
}
