package pipeline_test

import (
	"strings"
	"testing"

	"sluice/pipeline"
)

func TestABriefMessageHasNoLongWord(t *testing.T) {
	long := strings.Repeat("7", 100_000)
	cut := long[:600] + "…"
	for text, want := range map[string]string{
		"short": "short",
		"":      "",
		long:    cut,
		"is " + long + ", after  " + long + "\n\tand": "is " + cut + " after  " + cut + "\n\tand",
		cut:                               cut,
		strings.Repeat("two words ", 100): strings.Repeat("two words ", 100),
	} {
		if got := pipeline.Brief(text); got != want {
			t.Errorf("%.100s: got %d bytes: %.300s", text, len(got), got)
		}
	}
}
