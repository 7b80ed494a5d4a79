package cli

import (
	"errors"
	"testing"

	"sluice/pipeline"
)

func TestAPanicHasAStatusOfItsOwn(t *testing.T) {
	err := pipeline.Guard(func() error { panic("a mistake") })
	if got := status(errors.Join(err, pipeline.Temporary(errors.New("and a bucket that is gone")))); got != statusPanicked {
		t.Errorf("got %d", got)
	}
}
