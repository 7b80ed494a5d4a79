package commit_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"sluice/sink/commit"
	"sluice/sink/target"
)

// Each upload of a shard is noted by its own goroutine: make race finds what they share.
func TestUploadsThatBeginTogetherAreNoted(t *testing.T) {
	p, _ := inBucket(t)
	shared := p.joined(1)
	mark := target.NewMark("run 1", "0/3")
	var noting sync.WaitGroup
	for range 8 {
		noting.Go(func() {
			if err := shared.Note(t.Context(), 0, mark, target.Sealed{Name: "a", Hidden: "x"}); err != nil {
				t.Error(err)
			}
		})
	}
	noting.Wait()
}

// A vanishing store is one in which another process removes each note just before it is read.
type vanishing struct{ target.Store }

func (v vanishing) Head(ctx context.Context, name string, n int64) ([]byte, error) {
	var err error
	if strings.HasSuffix(name, ".upload") {
		err = v.Remove(ctx, name)
	}
	text, wrong := v.Store.Head(ctx, name, n)
	return text, errors.Join(err, wrong)
}

func TestANoteThatHasJustGoneStopsNobody(t *testing.T) {
	p, client := inBucket(t)
	shared := p.joined(1)
	mark := target.NewMark("run 1", "0/3")
	must(t, shared.Note(t.Context(), 0, mark, target.Sealed{Name: "a", Hidden: beginUpload(t, client, "a")}))
	other := commit.New(vanishing{p.open()}, "run 1", commit.SharedPlace{URI: "s3://bucket/"})
	if err := other.Forget(t.Context()); err != nil {
		t.Error(err)
	}
}
