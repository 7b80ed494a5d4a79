package s3_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	fake "sluice/fixtures/s3"
	"sluice/pipeline"
	"sluice/sink/s3"
	"sluice/sink/target"
)

// TestALostAnswerChangesNothing loses answers after the server has acted. Time is
// that of a bubble, so that retries cost none.
func TestALostAnswerChangesNothing(t *testing.T) {
	const once, always = 1, 1000
	for _, c := range []struct {
		kind  string
		times int // how many answers are lost
		size  int
	}{
		{"create", once, 2500}, {"create", 3, 2500}, {"part", once, 2500}, {"part", 3, 2500},
		{"complete", once, 2500}, {"complete", always, 2500}, {"put", once, 10}, {"put", always, 10},
		{"abort", once, 2500}, {"head", once, 10}, {"delete", once, 10},
	} {
		t.Run(c.kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inMemory(t, nil)
				p.options = s3.InParts(p.options, 1000, 100)
				w := p.listen(&wire{loses: func(kind string, n int) bool { return kind == c.kind && n <= c.times }})
				to := p.open(t, "")
				p.put(t, "_manifest.json", "earlier")
				p.put(t, "x", "earlier")
				must(t, to.Probe(t.Context(), []string{"x"}))
				must(t, to.Remove(t.Context(), "_manifest.json"))
				must(t, store(t.Context(), to, "x", sample(c.size)))
				if c.kind == "create" { // each lost answer leaves an upload that nobody knows of
					if all := sweep(t, p, 0); len(all) != c.times {
						t.Errorf("left open are %v, want %d", all, c.times)
					}
				}
				p.holds(t, "x")
				p.shows(t, "x", sample(c.size))
				if seen := w.seen(); strings.Count(seen, c.kind) < 2 && c.kind != "head" {
					t.Errorf("nothing was lost in %s", seen)
				}
			})
		})
	}
}

// TestAnAnswerThatIsNoneOfS3IsNotBelieved gives answers of 200 without the tag of an object, as what stands in between
// does, or a connection that is cut.
func TestAnAnswerThatIsNoneOfS3IsNotBelieved(t *testing.T) {
	for _, text := range []string{"", " \n ", "<html><body>Sign in</body></html>", `{"ok": true}`} {
		for kind, size := range map[string]int{"complete": 2500, "put": 10} {
			synctest.Test(t, func(t *testing.T) {
				p := inMemory(t, nil)
				p.options = s3.InParts(p.options, 1000, 100)
				w := p.listen(&wire{before: func(k string, _ int, r *http.Request) (*http.Response, error) {
					if k != kind {
						return nil, nil
					}
					body := io.NopCloser(strings.NewReader(text))
					return &http.Response{StatusCode: http.StatusOK, Body: body, Request: r, Header: http.Header{}}, nil
				}})
				to := p.open(t, "")
				err := store(t.Context(), to, "x", sample(size))
				if err == nil || !pipeline.IsTemporary(err) {
					t.Errorf("%s is answered with %q: %v, after %s", kind, text, err, w.seen())
				}
			})
		}
	}
}

func TestAnObjectKnowsWhetherAnotherHasReplacedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 1000, 100)
		for _, size := range []int{10, 2500} {
			text := sample(size)
			sum := fmt.Sprintf("%x", sha256.Sum256(text))
			o, err := p.open(t, "").Create(t.Context(), "x")
			must(t, err)
			must(t, o.Write(t.Context(), text))
			must(t, o.Seal(t.Context()))
			must(t, o.Publish(t.Context()))
			replaced := func(want bool, what string) {
				t.Helper()
				if got, err := o.Replaced(t.Context(), sum); got != want || err != nil {
					t.Errorf("%d bytes, %s: got %t, %v", size, what, got, err)
				}
			}
			replaced(false, "as it was published")
			must(t, store(t.Context(), p.open(t, ""), "x", text))
			replaced(false, "another attempt has stored the same")
			text[0]++
			must(t, store(t.Context(), p.open(t, ""), "x", text))
			replaced(true, "another run has stored something else")
			must(t, p.open(t, "").Remove(t.Context(), "x"))
			replaced(false, "somebody has removed it")
		}
	})
}

func TestATextWhoseAnswerIsLostIsThereOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.listen(&wire{loses: func(kind string, n int) bool { return kind == "put" && n == 1 }})
		to := p.open(t, "")
		must(t, to.Put(t.Context(), "x", []byte("first")))
		if err := to.Put(t.Context(), "x", []byte("second")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("got %v", err)
		}
		p.shows(t, "x", []byte("first"))
	})
}

func TestAnAnswerLostWithoutEffectIsAFailureAndTemporary(t *testing.T) {
	for _, kind := range []string{"create", "part", "complete", "put"} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inMemory(t, nil)
				p.options = s3.InParts(p.options, 1000, 100)
				p.listen(&wire{before: func(k string, _ int, _ *http.Request) (*http.Response, error) {
					if k == kind {
						return nil, errLost
					}
					return nil, nil
				}})
				p.put(t, "x", "earlier")
				size := 2500
				if kind == "put" {
					size = 10
				}
				err := store(t.Context(), p.open(t, ""), "x", sample(size))
				if !pipeline.IsTemporary(err) || err.Error() != "s3://bucket/x: http://s3.test is not available: read tcp: connection reset by peer" {
					t.Errorf("got %v", err)
				}
				p.holds(t, "x")
				p.shows(t, "x", []byte("earlier"))
			})
		})
	}
}

// The upload is gone, and what stands under the key is another run's.
func TestAnotherRunsObjectIsNotTakenForOurs(t *testing.T) {
	p := embedded(t)
	p.options = s3.InParts(p.options, 1000, 100)
	to := p.open(t, "")
	o, err := to.Create(t.Context(), "x")
	must(t, err)
	must(t, errors.Join(o.Write(t.Context(), sample(2500)), o.Seal(t.Context())))
	sweep(t, p, 0)
	must(t, store(t.Context(), p.open(t, ""), "x", sample(1500)))
	err = o.Publish(t.Context())
	if err == nil || !strings.HasSuffix(err.Error(), "somebody, or a lifecycle rule, ended it; run again") || pipeline.IsTemporary(err) {
		t.Errorf("got %v", err)
	}
	must(t, o.Close())
	p.shows(t, "x", sample(1500))
}

// sweep ends every upload in the bucket that is older than age.
func sweep(t *testing.T, p *place, age time.Duration) []target.Leftover {
	t.Helper()
	all, err := s3.Sweep(t.Context(), p.options, p.uri(""), time.Now().Add(-age))
	must(t, err)
	return all
}

// Whoever ends a run while its last request is on the way wants to know what became of it.
func TestAnObjectPublishedWhileTheRunIsCancelledIsPublished(t *testing.T) {
	for kind, size := range map[string]int{"put": 10, "complete": 1500} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				good := fake.New("bucket")
				ctx, cancel := context.WithCancel(t.Context())
				p := inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if kindOf(r) == kind {
						text, _ := io.ReadAll(r.Body)
						r.Body = body(string(text))
						cancel()
						time.Sleep(200 * time.Millisecond)
					}
					good.ServeHTTP(w, r)
				}))
				p.options = s3.InParts(p.options, 1000, 100)
				must(t, store(ctx, p.open(t, ""), "x", sample(size)))
				p.holds(t, "x")
			})
		})
	}
}
