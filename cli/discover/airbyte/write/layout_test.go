package write_test

import (
	"runtime"
	"strings"
	"testing"

	"sluice/cli/discover/airbyte/write"
)

// What is too long for a line is not written as one at each level.
func TestADeepValueIsLaidOutInAboutItsOwnSize(t *testing.T) {
	const depth = 100
	long := strings.Repeat("x", 64<<10)
	var value write.ConfigValue = write.Text(long)
	for range depth {
		value = write.Object{}.And("a", write.Array{value})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := write.Layout(value)
	runtime.ReadMemStats(&after)
	// Each of the levels joins what is below it.
	most := uint64(2 * depth * 8 * len(long))
	if used := after.TotalAlloc - before.TotalAlloc; used > most {
		t.Errorf("it allocates %d MiB", used>>20)
	}
	if !strings.Contains(text, long) {
		t.Error("the value is not there")
	}
}
