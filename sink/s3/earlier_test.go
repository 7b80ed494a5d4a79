package s3_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/sink/s3"
	"sluice/sink/target"
)

func TestAnUploadIsNotedBeforeItsFirstPart(t *testing.T) {
	p := embedded(t)
	w := p.listen(&wire{})
	var noted []target.Sealed
	p.options.Uploads = true
	p.options.Note = func(_ context.Context, s target.Sealed) error {
		if slices.Contains(strings.Fields(w.seen()), "part") {
			t.Error("a part was sent before")
		}
		noted = append(noted, s)
		return nil
	}
	sealed := p.seal(t, "x", sample(10))
	if len(noted) != 1 || noted[0].Name != "x" || noted[0].Hidden != sealed.Hidden {
		t.Errorf("noted %v of %v", noted, sealed)
	}
	to := p.open(t, "")
	at, err := to.Touched(t.Context(), noted[0])
	if err != nil || time.Since(at) > time.Minute {
		t.Errorf("touched %v, %v", at, err)
	}
	must(t, to.Abandon(t.Context(), noted[0]))
	if at, err := to.Touched(t.Context(), noted[0]); err != nil || !at.IsZero() {
		t.Errorf("what is gone was touched %v, %v", at, err)
	}
}

func TestAnUploadThatCannotBeNotedGetsNoPart(t *testing.T) {
	p := embedded(t)
	w := p.listen(&wire{})
	lost := errors.New("another process has the run")
	p.options.Uploads = true
	p.options.Note = func(context.Context, target.Sealed) error { return lost }
	to := p.open(t, "")
	o, err := to.Create(t.Context(), "x")
	must(t, err)
	must(t, o.Write(t.Context(), sample(10)))
	if err := o.Seal(t.Context()); !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
	must(t, errors.Join(o.Close(), to.Close()))
	seen := strings.Fields(w.seen())
	if open := p.uploads(); len(open) > 0 || slices.Contains(seen, "part") {
		t.Errorf("open: %v, seen %s", open, seen)
	}
}

func TestEmptyUploadsAreFoundByTheirNames(t *testing.T) {
	p := embedded(t)
	p.options.Uploads, p.options.PartSize = true, s3.MinPartSize
	for _, key := range []string{"a/x", "a/x", "a/y", "b/x"} {
		p.begin(t, key)
	}
	p.seal(t, "a/x", sample(10))
	found, err := p.open(t, "a/").Empty(t.Context(), "x", func(name string) bool { return name == "x" })
	if err != nil || len(found) != 2 || found[0].Name != "x" {
		t.Errorf("found %v, %v", found, err)
	}
}
