package s3_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	versity "sluice/fixtures/s3/gateway"
	"sluice/fixtures/targettest"
	"sluice/pipeline"
	"sluice/sink/s3"
)

// start starts a real S3 gateway on loopback and returns its address, and what
// kills it.
func start(t *testing.T) (address string, kill func()) {
	t.Helper()
	return versity.Start(t, t.TempDir(), accessKey, secretKey)
}

// bucketAt makes a bucket at a gateway.
func bucketAt(t *testing.T, address string) *place {
	t.Helper()
	p := newPlace(t, "http://"+address, "bucket-"+strings.ToLower(rand.Text()), nil)
	_, err := p.client.CreateBucket(t.Context(), &sdk.CreateBucketInput{Bucket: &p.bucket})
	must(t, err)
	return p
}

// gateway returns a bucket of a gateway that nobody else uses.
func gateway(t *testing.T) *place {
	t.Helper()
	address, _ := start(t)
	return bucketAt(t, address)
}

func TestGatewayIsATarget(t *testing.T) {
	address, _ := start(t)
	targettest.Run(t, func(t *testing.T) targettest.Place { return bucketAt(t, address).conformance(t) })
}

func TestGatewayStoresObjectsOfAnySize(t *testing.T) {
	p := gateway(t)
	p.options.PartSize = s3.MinPartSize
	for _, size := range []int{0, 1, s3.MinPartSize - 1, s3.MinPartSize, s3.MinPartSize + 1, 3 * s3.MinPartSize} {
		must(t, p.object(t, "sizes/", "x", sample(size)))
		p.shows(t, "sizes/x", sample(size))
	}
	p.holds(t, "sizes/x")
}

func TestGatewayTakesKeysAsTheyAre(t *testing.T) {
	p := gateway(t)
	p.options.PartSize = s3.MinPartSize
	for _, key := range keys {
		for _, size := range []int{10, s3.MinPartSize + 1} {
			i := strings.LastIndexByte(key, '/') + 1
			must(t, p.object(t, key[:i], key[i:], sample(size)))
			p.shows(t, key, sample(size))
		}
	}
	if got := p.keys(); len(got) != len(keys) {
		t.Errorf("the bucket holds %q", got)
	}
}

func TestGatewayReturnsALargeObjectByteForByte(t *testing.T) {
	for _, checksums := range []string{"", "when_supported"} {
		p := gateway(t)
		t.Setenv("AWS_REQUEST_CHECKSUM_CALCULATION", checksums)
		w := p.listen(&wire{})
		to := p.open(t, "large/")
		o, err := to.Create(t.Context(), "x.ndjson")
		must(t, err)
		want := sha256.New()
		for i := range 67 {
			text := sample(1<<20 + i)
			want.Write(text)
			must(t, o.Write(t.Context(), text))
		}
		must(t, o.Seal(t.Context()))
		if got := p.keys(); len(got) > 0 {
			t.Errorf("before it is published there is %q", got)
		}
		must(t, errors.Join(o.Publish(t.Context()), o.Close()))
		if got := w.seen(); got != "create part part part part part complete" {
			t.Errorf("requests %s", got)
		}
		key := "large/x.ndjson"
		out, err := p.client.GetObject(t.Context(), &sdk.GetObjectInput{Bucket: &p.bucket, Key: &key})
		must(t, err)
		got := sha256.New()
		_, err = io.Copy(got, out.Body)
		must(t, errors.Join(err, out.Body.Close()))
		if string(got.Sum(nil)) != string(want.Sum(nil)) {
			t.Errorf("what comes back is not what was written")
		}
		if *out.ContentType != "application/x-ndjson" || out.ContentEncoding != nil && *out.ContentEncoding != "" || out.Metadata["sluice-run-id"] != "the-run" {
			t.Errorf("it is stored with %s, %v, %v", *out.ContentType, out.ContentEncoding, out.Metadata)
		}
	}
}

func TestGatewayTakesTenObjectsAtOnceInLittleMemory(t *testing.T) {
	p := gateway(t)
	p.options.PartSize = s3.MinPartSize
	var h heap
	h.watch(p)
	tenAtOnce(t, p.open(t, ""), 11<<20)
	const bound = (4 + 1) * s3.MinPartSize
	if h.most == 0 || h.grew() > bound {
		t.Errorf("memory grew by %d KiB", h.grew()>>10)
	}
	if got := p.keys(); len(got) != 10 {
		t.Errorf("the bucket holds %q", got)
	}
}

func TestGatewayWithALostAnswer(t *testing.T) {
	address, _ := start(t)
	for _, kind := range []string{"create", "part", "complete", "put", "abort", "delete"} {
		t.Run(kind, func(t *testing.T) {
			p := bucketAt(t, address)
			p.options.PartSize = s3.MinPartSize
			p.options = s3.Brisk(p.options)
			w := p.listen(&wire{loses: func(k string, n int) bool { return k == kind && n == 1 }})
			p.put(t, "_manifest.json", "earlier")
			to := p.open(t, "")
			must(t, to.Probe(t.Context(), []string{"x"}))
			must(t, to.Remove(t.Context(), "_manifest.json"))
			size := 2*s3.MinPartSize + 1
			if kind == "put" {
				size = 10
			}
			must(t, store(t.Context(), to, "x", sample(size)))
			if kind == "create" { // the lost answer leaves an upload that nobody knows of
				sweep(t, p, 0)
			}
			p.holds(t, "x")
			p.shows(t, "x", sample(size))
			if seen := w.seen(); strings.Count(seen, kind) < 2 {
				t.Errorf("nothing was lost in %s", seen)
			}
		})
	}
}

func TestGatewayRefusesInOneLine(t *testing.T) {
	p := gateway(t)
	endpoint := p.options.Endpoint
	for name, c := range map[string]struct {
		bucket      string
		environment map[string]string
		want        string
	}{
		"bucket": {"other", nil, "s3://other/x: there is no such bucket at " + endpoint + ": make it, or name another"},
		"key": {p.bucket, map[string]string{"AWS_ACCESS_KEY_ID": "somebody"},
			p.uri("x") + ": " + endpoint + " does not know this access key: check AWS_ACCESS_KEY_ID, or the profile"},
		"secret": {p.bucket, map[string]string{"AWS_SECRET_ACCESS_KEY": "hunter2hunter2"},
			p.uri("x") + ": " + endpoint + " says that the secret key does not fit the access key: check AWS_SECRET_ACCESS_KEY, or the profile"},
		"region": {p.bucket, map[string]string{"AWS_REGION": "eu-west-1"},
			"AuthorizationHeaderMalformed"},
	} {
		t.Run(name, func(t *testing.T) {
			for variable, value := range c.environment {
				t.Setenv(variable, value)
			}
			to, err := s3.New(p.options, "s3://"+c.bucket+"/")
			must(t, err)
			defer to.Close()
			err = to.Probe(t.Context(), []string{"x"})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || pipeline.IsTemporary(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestGatewayThatGoesAwayIsTemporary(t *testing.T) {
	for _, when := range []string{"create", "part", "complete", "put"} {
		t.Run(when, func(t *testing.T) {
			address, kill := start(t)
			p := bucketAt(t, address)
			p.options.PartSize = s3.MinPartSize
			p.options = s3.Stubborn(p.options)
			p.listen(&wire{before: func(kind string, _ int, _ *http.Request) (*http.Response, error) {
				if kind == when {
					kill()
				}
				return nil, nil
			}})
			size := s3.MinPartSize + 1
			if when == "put" {
				size = 10
			}
			to, err := s3.New(p.options, p.uri(""))
			must(t, err)
			err = store(t.Context(), to, "x", sample(size))
			if !pipeline.IsTemporary(err) || !strings.Contains(err.Error(), "connection refused") {
				t.Errorf("got %v", err)
			}
			left := to.Close()
			if open := when == "part" || when == "complete"; open != (left != nil && strings.Contains(left.Error(), "its upload is still open")) {
				t.Errorf("closing says %v", left)
			}
		})
	}
}

func TestAHoleInTheNetworkIsTemporary(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // nobody accepts
	must(t, err)
	defer l.Close()
	p := newPlace(t, fmt.Sprintf("http://%s", l.Addr()), "bucket", nil)
	p.options = s3.Hasty(p.options, 200*time.Millisecond)
	err = p.open(t, "").Probe(t.Context(), []string{"x"})
	if !pipeline.IsTemporary(err) || !strings.HasSuffix(err.Error(), "does not answer") {
		t.Errorf("got %v", err)
	}
}

// A run that is killed closes nothing.
func TestGatewayShowsNothingOfAKilledRunAndIsSwept(t *testing.T) {
	p := gateway(t)
	p.options.PartSize = s3.MinPartSize
	to := p.open(t, "a/")
	var closing []io.Closer
	for _, name := range []string{"x", "ü +"} {
		o, err := to.Create(t.Context(), name)
		must(t, err)
		must(t, o.Write(t.Context(), sample(2*s3.MinPartSize)))
		must(t, o.Seal(t.Context()))
		closing = append(closing, o)
	}
	if got := p.keys(); len(got) > 0 {
		t.Errorf("visible is %q", got)
	}
	all, err := s3.Sweep(t.Context(), p.options, p.uri("a/"), time.Time{})
	if err != nil || len(all) != 2 || time.Since(all[0].Since) > time.Minute {
		t.Errorf("got %v, %v", all, err)
	}
	if other, err := s3.Sweep(t.Context(), p.options, p.uri("b/"), time.Now()); err != nil || len(other) != 0 {
		t.Errorf("below another prefix: %v, %v", other, err)
	}
	if young := sweep(t, p, time.Hour); len(young) != 2 || young[0].Removed || young[1].Removed {
		t.Errorf("got %v", young)
	}
	sweep(t, p, 0)
	p.holds(t)
	for _, c := range closing {
		must(t, c.Close())
	}
}

func TestGatewayKeepsNothingOfACancelledRun(t *testing.T) {
	address, _ := start(t)
	for _, when := range []string{"create", "part", "complete"} {
		t.Run(when, func(t *testing.T) {
			p := bucketAt(t, address)
			p.options.PartSize = s3.MinPartSize
			reason := errors.New("terminated")
			ctx, cancel := context.WithCancelCause(t.Context())
			p.listen(&wire{before: func(kind string, _ int, _ *http.Request) (*http.Response, error) {
				if kind == when {
					cancel(reason)
				}
				return nil, nil
			}})
			if err := store(ctx, p.open(t, ""), "x", sample(3*s3.MinPartSize+1)); !errors.Is(err, reason) {
				t.Errorf("got %v", err)
			}
			p.holds(t)
		})
	}
}
