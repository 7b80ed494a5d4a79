package view

import (
	"fmt"
	"strconv"
	"time"

	"github.com/mattn/go-runewidth"
)

// filtered says how many items where has left out, behind how many came; empty: none.
func filtered(items int64) string {
	if items == 0 {
		return ""
	}
	return ", " + Count(items, "item") + " filtered"
}

// Rounded leaves out the digits of a duration that do not matter to people.
func Rounded(took time.Duration) time.Duration {
	switch {
	case took < time.Second:
		return took.Round(time.Millisecond)
	case took < time.Minute:
		return took.Round(100 * time.Millisecond)
	}
	return took.Round(time.Second)
}

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
	value := float64(n) / 1024
	u := 0
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

func timeOfDay(at time.Time) string { return at.UTC().Format("15:04:05 UTC") }

// shortenMiddle shortens a name to a number of columns. Names that begin alike differ at their end.
func shortenMiddle(name string, columns int) string {
	width := runewidth.StringWidth(name)
	if width <= columns {
		return name
	}
	end := columns / 2
	return runewidth.Truncate(name, columns-end, "…") + runewidth.TruncateLeft(name, width-end, "")
}
