package pipeline_test

import (
	"errors"
	"fmt"
	"testing"

	"sluice/pipeline"
)

func TestTemporaryIsFoundThroughWrappers(t *testing.T) {
	base := errors.New("503 Service Unavailable")
	marked := pipeline.Temporary(base)
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"marked":          {marked, true},
		"wrapped":         {fmt.Errorf("job users: %w", marked), true},
		"joined":          {errors.Join(errors.New("close"), marked), true},
		"not marked":      {base, false},
		"nil":             {nil, false},
		"marks the inner": {pipeline.Temporary(fmt.Errorf("page 7: %w", base)), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := pipeline.IsTemporary(c.err); got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
	if marked.Error() != base.Error() || !errors.Is(marked, base) {
		t.Errorf("the mark changed the error to %v", marked)
	}
}
