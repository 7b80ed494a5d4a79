package s3_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	"sluice/fixtures/targettest"
	"sluice/pipeline"
	"sluice/sink/s3"
)

func TestABucketIsATarget(t *testing.T) {
	targettest.Run(t, func(t *testing.T) targettest.Place { return embedded(t).conformance(t) })
	t.Run("in parts", func(t *testing.T) {
		targettest.Run(t, func(t *testing.T) targettest.Place {
			p := embedded(t)
			p.options = s3.InParts(p.options, 20_000, 1000)
			return p.conformance(t)
		})
	})
}

func TestAnObjectOfAnySizeIsStoredAsItIs(t *testing.T) {
	const part = 1000
	p := embedded(t)
	p.options = s3.InParts(p.options, part, 10)
	w := p.listen(&wire{})
	for size, want := range map[int]string{
		0:            "put",
		1:            "put",
		part - 1:     "put",
		part:         "create part complete",
		part + 1:     "create part part complete",
		2 * part:     "create part part complete",
		3*part - 1:   "create part part part complete",
		10 * part:    "create" + strings.Repeat(" part", 10) + " complete",
		10*part - 99: "create" + strings.Repeat(" part", 10) + " complete",
	} {
		text := sample(size)
		must(t, store(t.Context(), p.open(t, "sizes/"), "x", text))
		p.shows(t, "sizes/x", text)
		if got := w.seen(); got != want {
			t.Errorf("%d bytes: requests %s, want %s", size, got, want)
		}
	}
	p.holds(t, "sizes/x")
}

func TestPartsOfOneObjectHaveOneSize(t *testing.T) {
	p := embedded(t)
	p.options = s3.InParts(p.options, 1000, 10)
	var sizes [4]atomic.Int64
	p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
		if kind == "part" {
			var number int
			fmt.Sscan(r.URL.Query().Get("partNumber"), &number)
			sizes[number-1].Store(r.ContentLength)
		}
		return nil, nil
	}})
	to := p.open(t, "")
	o, err := to.Create(t.Context(), "x")
	must(t, err)
	for _, n := range []int{1, 700, 900, 1600} {
		must(t, o.Write(t.Context(), sample(n)))
	}
	must(t, errors.Join(o.Seal(t.Context()), o.Publish(t.Context()), o.Close()))
	for i, want := range []int64{1000, 1000, 1000, 201} {
		if got := sizes[i].Load(); got != want {
			t.Errorf("part %d has %d bytes, want %d", i+1, got, want)
		}
	}
}

func TestAKeyIsWhatTheURISays(t *testing.T) {
	for _, key := range keys {
		p := embedded(t)
		p.options = s3.InParts(p.options, 1000, 10)
		for _, size := range []int{10, 2500} {
			i := strings.LastIndexByte(key, '/') + 1
			must(t, p.object(t, key[:i], key[i:], sample(size)))
			p.holds(t, key)
			p.shows(t, key, sample(size))
		}
	}
}

// keys that somebody may get wrong.
var keys = []string{"x", "a+b", "a b", "date=2026-01-31/x=1.csv", "ü/ö+ ä.ndjson", "%2B", "a&b?c#d", "日本/\U0001F600", "a'b(c)!*~"}

func TestAnObjectSaysWhatItIsAndWhoWroteIt(t *testing.T) {
	p := embedded(t)
	p.options = s3.InParts(p.options, 1000, 10)
	p.options.RunID = "läuft"
	for name, want := range map[string]string{
		"a.ndjson": "application/x-ndjson", "a.csv": "text/csv", "a.csv.gz": "application/gzip", "a.ndjson.zst": "application/zstd",
		"_manifest.json": "application/json", "plain": "application/octet-stream", "x.unknown": "application/octet-stream",
	} {
		for _, size := range []int{10, 2500} {
			must(t, store(t.Context(), p.open(t, ""), name, sample(size)))
			o, err := p.client.HeadObject(t.Context(), &sdk.HeadObjectInput{Bucket: &p.bucket, Key: &name})
			must(t, err)
			if *o.ContentType != want || o.ContentEncoding != nil || len(o.Metadata["sluice-commit"]) < 20 || o.Metadata["sluice-run-id"] != "=?utf-8?q?l=C3=A4uft?=" {
				t.Errorf("%s: got %s, %v, %v", name, *o.ContentType, o.ContentEncoding, o.Metadata)
			}
		}
	}
}

func TestTheRunIDStandsInTheMetadataAsItIs(t *testing.T) {
	p := embedded(t)
	must(t, store(t.Context(), p.open(t, ""), "x", nil))
	key := "x"
	o, err := p.client.HeadObject(t.Context(), &sdk.HeadObjectInput{Bucket: &p.bucket, Key: &key})
	must(t, err)
	if o.Metadata["sluice-run-id"] != "the-run" {
		t.Errorf("got %v", o.Metadata)
	}
}

func TestTheLastPartThatS3AllowsIsNotTheLimit(t *testing.T) {
	p := embedded(t)
	p.options = s3.InParts(p.options, 1<<20, 3)
	must(t, p.object(t, "", "x", sample(3<<20)))
	err := p.object(t, "", "y", sample(3<<20+1))
	if err == nil || err.Error() != "s3://bucket/y: more than 3 parts of 1 MiB: set --s3-part-size to 4 MiB or more" {
		t.Errorf("got %v", err)
	}
	p.holds(t, "x")
}

func TestAnObjectGivenUpInTheMiddleLeavesNothing(t *testing.T) {
	p := embedded(t)
	p.options = s3.InParts(p.options, 1000, 100)
	to := p.open(t, "")
	for _, size := range []int{0, 999, 1000, 5500} {
		o, err := to.Create(t.Context(), "x")
		must(t, err)
		must(t, o.Write(t.Context(), sample(size)))
		must(t, errors.Join(o.Close(), o.Close()))
		p.holds(t)
	}
}

func TestAPartThatIsRefusedEndsTheObject(t *testing.T) {
	p := embedded(t)
	p.options = s3.InParts(p.options, 1000, 1000)
	p.listen(&wire{before: func(kind string, n int, r *http.Request) (*http.Response, error) {
		if kind == "part" && n == 3 {
			return answers(r, 403, "AccessDenied", "no"), nil
		}
		return nil, nil
	}})
	to := p.open(t, "")
	o, err := to.Create(t.Context(), "x")
	must(t, err)
	for range 1000 { // it is known only later
		if err = o.Write(t.Context(), sample(1000)); err != nil {
			break
		}
	}
	want := " refuses: 403 AccessDenied: no; this takes the permission s3:PutObject"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want …%s", err, want)
	}
	must(t, o.Close())
	p.holds(t)
}

func TestACancelledRunLeavesNothing(t *testing.T) {
	for _, kind := range []string{"create", "part", "complete", "put"} {
		t.Run(kind, func(t *testing.T) {
			p := embedded(t)
			p.options = s3.InParts(p.options, 1000, 100)
			reason := errors.New("somebody interrupted")
			ctx, cancel := context.WithCancelCause(t.Context())
			p.listen(&wire{before: func(k string, _ int, _ *http.Request) (*http.Response, error) {
				if k == kind {
					cancel(reason)
				}
				return nil, nil
			}})
			size := 5500
			if kind == "put" {
				size = 10
			}
			err := store(ctx, p.open(t, ""), "x", sample(size))
			if !errors.Is(err, reason) {
				t.Errorf("got %v, want the cause", err)
			}
			p.holds(t)
		})
	}
}

func TestAPartThatIsStoredAfterTheAbortIsAbortedToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 1000, 100)
		ctx, cancel := context.WithCancelCause(t.Context())
		w := p.listen(&wire{before: func(kind string, n int, r *http.Request) (*http.Response, error) {
			switch {
			case kind == "part":
				cancel(errors.New("interrupted"))
				<-r.Context().Done()
				return nil, r.Context().Err()
			case kind == "parts" && n == 1: // the server was slow to store it
				answer := answers(r, http.StatusOK, "", "")
				answer.Body = body(`<ListPartsResult><Part><PartNumber>1</PartNumber></Part></ListPartsResult>`)
				return answer, nil
			}
			return nil, nil
		}})
		_ = store(ctx, p.open(t, ""), "x", sample(1500))
		if got := w.seen(); got != "create part abort parts abort parts" && got != "create part part abort parts abort parts" {
			t.Errorf("requests %s", got)
		}
	})
}

func TestAPartOnItsWayMayEndBeforeTheAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 1000, 100)
		ctx, cancel := context.WithCancelCause(t.Context())
		w := p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
			if kind == "part" {
				cancel(errors.New("interrupted"))
				time.Sleep(4 * time.Second)
				if err := r.Context().Err(); err != nil {
					t.Errorf("the part was cut: %v", err)
				}
			}
			return nil, nil
		}})
		_ = store(ctx, p.open(t, ""), "x", sample(1500))
		if got := w.seen(); got != "create part abort" && got != "create part part abort" {
			t.Errorf("requests %s", got)
		}
		p.holds(t)
	})
}

// A part that is sent whole may be stored whether or not anybody waits for the answer, after
// an abort too: only the abort after its answer is sure to end the upload.
func TestAPartThatIsSentIsAnsweredBeforeTheLastAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 1000, 100)
		ctx, cancel := context.WithCancelCause(t.Context())
		var mu sync.Mutex // of what follows
		var from time.Time
		var stored bool
		p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			switch kind {
			case "part":
				text, _ := io.ReadAll(r.Body)
				r.Body = body(string(text))
				from = time.Now()
				cancel(errors.New("interrupted"))
				mu.Unlock()
				time.Sleep(8 * time.Second)
				mu.Lock()
				if err := r.Context().Err(); err != nil {
					t.Errorf("the part was cut: %v", err)
				}
				stored = true
				return answers(r, http.StatusOK, "", ""), nil
			case "abort":
				if waited := time.Since(from); !from.IsZero() && waited < 5*time.Second {
					t.Errorf("the abort comes after %s", waited)
				}
				if time.Since(from) > 8*time.Second {
					stored = false
				}
			case "parts":
				if stored {
					return answers(r, http.StatusInternalServerError, "InternalError", "what Versity says then"), nil
				}
			}
			return nil, nil
		}})
		_ = store(ctx, p.open(t, ""), "x", sample(1500))
		if stored {
			t.Error("a part is left")
		}
		p.holds(t)
	})
}

// An abort that is refused for a while is tried as everything else, in the probe too.
func TestAProbeThatCannotAbortIsTemporary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		from, until := time.Now(), time.Hour
		p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
			if kind == "abort" && time.Since(from) < until {
				return answers(r, http.StatusServiceUnavailable, "SlowDown", "Please reduce your request rate."), nil
			}
			return nil, nil
		}})
		err := p.open(t, "a/").Probe(t.Context(), []string{"x"})
		if !pipeline.IsTemporary(err) || !strings.Contains(err.Error(), "sluice sweep 's3://bucket/a/x' ") {
			t.Errorf("got %v", err)
		}
		if took := time.Since(from); took < time.Minute || took > 2*time.Minute {
			t.Errorf("took %s", took)
		}
		sweepAll := func() { from = from.Add(-until); sweep(t, p, 0) }
		sweepAll()
		from, until = time.Now(), 30*time.Second
		must(t, p.open(t, "a/").Probe(t.Context(), []string{"x"}))
		p.holds(t)
	})
}

func TestTheAbortWaitsForThePartsOnTheirWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 1000, 100)
		var under atomic.Int64
		p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
			switch kind {
			case "part":
				under.Add(1)
				defer under.Add(-1)
				<-r.Context().Done()
				time.Sleep(time.Second / 2) // the server has not noticed yet
				return nil, r.Context().Err()
			case "abort":
				if n := under.Load(); n > 0 {
					t.Errorf("it is aborted while %d parts are on their way", n)
				}
			}
			return nil, nil
		}})
		o, err := p.open(t, "").Create(t.Context(), "x")
		must(t, err)
		must(t, o.Write(t.Context(), sample(3500)))
		synctest.Wait()
		if n := under.Load(); n != 3 {
			t.Errorf("%d parts are on their way, want 3", n)
		}
		must(t, o.Close())
		p.holds(t)
	})
}

func TestAnObjectThatIsNotThereIsNotRemoved(t *testing.T) {
	p := embedded(t)
	w := p.listen(&wire{})
	to := p.open(t, "a/")
	must(t, to.Remove(t.Context(), "_manifest.json"))
	if got := w.seen(); got != "head" {
		t.Errorf("requests %s", got)
	}
	p.put(t, "a/_manifest.json", "earlier")
	must(t, to.Remove(t.Context(), "_manifest.json"))
	p.holds(t)
}

func TestAnObjectIsRemovedByWhoMayNotLookForIt(t *testing.T) {
	p := embedded(t)
	p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
		if kind == "head" {
			return answers(r, 403, "", ""), nil
		}
		return nil, nil
	}})
	p.put(t, "_manifest.json", "earlier")
	must(t, p.open(t, "").Remove(t.Context(), "_manifest.json"))
	p.holds(t)
}

func TestAProbeNeedsAPlaceForParts(t *testing.T) {
	p := embedded(t)
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	err := p.open(t, "a/").Probe(t.Context(), []string{"x"})
	want := "s3://bucket/a/x: the temporary file for a part of it in " + missing + ": no such file or directory; set TMPDIR to a folder with more room"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestAProbeCreatesAnUploadAndAbortsIt(t *testing.T) {
	p := embedded(t)
	w := p.listen(&wire{})
	must(t, p.open(t, "").Probe(t.Context(), []string{"x", "y"}))
	if got := w.seen(); got != "create abort" {
		t.Errorf("requests %s", got)
	}
	p.holds(t)
}

func TestUploadsOfAllObjectsTogetherAreFour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.options = s3.InParts(p.options, 1000, 100)
		var now, most atomic.Int64
		p.listen(&wire{before: func(kind string, _ int, _ *http.Request) (*http.Response, error) {
			if kind == "part" {
				most.Store(max(most.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
			}
			return nil, nil
		}})
		to := p.open(t, "")
		a, err := to.Create(t.Context(), "a")
		must(t, err)
		b, err := to.Create(t.Context(), "b")
		must(t, err)
		from := time.Now()
		for range 10 {
			must(t, errors.Join(a.Write(t.Context(), sample(1000)), b.Write(t.Context(), sample(1000))))
		}
		must(t, errors.Join(a.Seal(t.Context()), b.Seal(t.Context()), a.Publish(t.Context()), b.Publish(t.Context()), a.Close(), b.Close()))
		if took := time.Since(from); most.Load() != 4 || took != 5*time.Second {
			t.Errorf("%d at a time, %s", most.Load(), took)
		}
	})
}

// The context of the writes ends when all are done, before the object is sealed.
func TestTheContextOfAWriteDoesNotReachThePartsOnTheirWay(t *testing.T) {
	p := embedded(t)
	p.options = s3.InParts(p.options, 1000, 100)
	written := make(chan struct{})
	p.listen(&wire{before: func(kind string, _ int, _ *http.Request) (*http.Response, error) {
		if kind == "create" || kind == "part" {
			<-written
		}
		return nil, nil
	}})
	o, err := p.open(t, "").Create(t.Context(), "x")
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	must(t, o.Write(ctx, sample(2500)))
	cancel()
	close(written)
	must(t, errors.Join(o.Seal(t.Context()), o.Publish(t.Context()), o.Close()))
	p.shows(t, "x", sample(2500))
}
