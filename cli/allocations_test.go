package cli

import (
	"fmt"
	"runtime"
	"testing"
)

// mostAllocations is how many a request for a page of one item may make in a whole run, those
// of net/http included, by --concurrency. What the runtime does by itself takes a few.
var mostAllocations = map[int]int{1: 80, 8: 82}

func TestARequestMakesFewAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes allocations of its own")
	}
	for inFlight, most := range mostAllocations {
		args := append(drainArgs(t, 1), "--concurrency", fmt.Sprint(inFlight))
		const few, many = 500, 2500
		// What a run needs once is in both.
		each := (allocations(t, many, args) - allocations(t, few, args)) / (many - few)
		if each > most {
			t.Errorf("%d in flight: a request makes %d allocations, want at most %d", inFlight, each, most)
		}
		t.Logf("%d in flight: %d allocations a request", inFlight, each)
	}
}

// allocations counts those of a run over so many pages of one item.
func allocations(t *testing.T, pages int, args []string) int {
	answers := prepared(pages, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if lines := drain(t, answers, args); lines != pages {
		t.Fatalf("%d lines came out, want %d", lines, pages)
	}
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}
