package s3_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/fixtures/api"
	fake "sluice/fixtures/s3"
	"sluice/fixtures/targettest"
	"sluice/sink"
	"sluice/sink/s3"
	"sluice/sink/target"
)

const (
	accessKey = "an-access-key"
	secretKey = "a-secret-key-0123456789"
)

// A place is a bucket that tests write to, and look into through a client of
// their own.
type place struct {
	options s3.Options
	bucket  string
	client  *sdk.Client
}

// embedded returns a bucket of the S3 in this process, behind a real socket.
func embedded(t *testing.T) *place {
	server := httptest.NewServer(fake.New("bucket"))
	t.Cleanup(server.Close)
	return newPlace(t, server.URL, "bucket", nil)
}

// inMemory returns a bucket that is served without sockets, for a bubble of
// testing/synctest; h nil is the S3 in this process.
func inMemory(t *testing.T, h http.Handler) *place {
	if h == nil {
		h = fake.New("bucket")
	}
	network := api.NewNetwork()
	stop, err := network.Serve("s3.test", h)
	must(t, err)
	t.Cleanup(stop)
	return newPlace(t, "http://s3.test", "bucket", network.Dial)
}

func newPlace(t *testing.T, endpoint, bucket string, dial func(context.Context, string, string) (net.Conn, error)) *place {
	environment(t, map[string]string{"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey})
	transport := &http.Transport{DialContext: dial}
	t.Cleanup(transport.CloseIdleConnections)
	return &place{
		options: s3.Options{Endpoint: endpoint, RunID: "the-run", ContentTypes: sink.ContentTypes(), Dial: dial},
		bucket:  bucket,
		client: sdk.New(sdk.Options{
			BaseEndpoint: &endpoint, Region: "us-east-1", UsePathStyle: true, HTTPClient: &http.Client{Transport: transport},
			Credentials:                credentials.NewStaticCredentialsProvider(accessKey, secretKey, ""),
			RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
			ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		}),
	}
}

// environment is all that the AWS SDK sees of that of the machine.
func environment(t *testing.T, with map[string]string) {
	for _, name := range []string{
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION",
		"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_CA_BUNDLE", "AWS_MAX_ATTEMPTS", "AWS_RETRY_MODE",
		"AWS_REQUEST_CHECKSUM_CALCULATION", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN", "AWS_NEW_RETRIES_2026",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "HTTP_PROXY", "http_proxy",
	} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	for name, value := range with {
		t.Setenv(name, value)
	}
}

func (p *place) uri(prefix string) string { return "s3://" + p.bucket + "/" + prefix }

// open returns the target of the keys below prefix.
func (p *place) open(t *testing.T, prefix string) *s3.Target {
	t.Helper()
	to, err := s3.New(p.options, p.uri(prefix))
	must(t, err)
	t.Cleanup(func() { must(t, to.Close()) })
	return to
}

// object runs one object through to where it fails, and closes it.
func (p *place) object(t *testing.T, prefix, name string, text []byte) error {
	t.Helper()
	to := p.open(t, prefix)
	if err := to.Probe(t.Context(), []string{name}); err != nil {
		return err
	}
	return store(t.Context(), to, name, text)
}

func store(ctx context.Context, to target.Target, name string, text []byte) error {
	o, err := to.Create(ctx, name)
	if err != nil {
		return err
	}
	err = o.Write(ctx, text)
	if err == nil {
		err = o.Seal(ctx)
	}
	if err == nil {
		err = o.Publish(ctx)
	}
	return errors.Join(err, o.Close())
}

func (p *place) put(t *testing.T, key, text string) {
	t.Helper()
	_, err := p.client.PutObject(context.WithoutCancel(t.Context()), &sdk.PutObjectInput{Bucket: &p.bucket, Key: &key, Body: strings.NewReader(text)})
	must(t, err)
}

func (p *place) read(key string) ([]byte, bool) {
	out, err := p.client.GetObject(context.Background(), &sdk.GetObjectInput{Bucket: &p.bucket, Key: &key})
	if err != nil {
		return nil, false
	}
	defer out.Body.Close()
	text, err := io.ReadAll(out.Body)
	return text, err == nil
}

// begin opens an upload as somebody else does.
func (p *place) begin(t *testing.T, key string) string {
	t.Helper()
	out, err := p.client.CreateMultipartUpload(t.Context(), &sdk.CreateMultipartUploadInput{Bucket: &p.bucket, Key: &key})
	must(t, err)
	return *out.UploadId
}

// keys lists what is visible.
func (p *place) keys() []string {
	var all []string
	out, err := p.client.ListObjectsV2(context.Background(), &sdk.ListObjectsV2Input{Bucket: &p.bucket})
	if err != nil {
		return []string{err.Error()}
	}
	for _, o := range out.Contents {
		all = append(all, *o.Key)
	}
	return all
}

// uploads lists what is open.
func (p *place) uploads() []string {
	var all []string
	out, err := p.client.ListMultipartUploads(context.Background(), &sdk.ListMultipartUploadsInput{Bucket: &p.bucket})
	var none *types.NoSuchUpload
	if err != nil {
		if errors.As(err, &none) || strings.Contains(err.Error(), "NoSuchUpload") {
			return nil
		}
		return []string{err.Error()}
	}
	for _, u := range out.Uploads {
		all = append(all, *u.Key)
	}
	return all
}

// holds checks what is visible, and that nothing is open.
func (p *place) holds(t *testing.T, keys ...string) {
	t.Helper()
	if got := p.keys(); !slices.Equal(got, keys) {
		t.Errorf("the bucket holds %q, want %q", got, keys)
	}
	if got := p.uploads(); len(got) > 0 {
		t.Errorf("open are %q", got)
	}
}

func (p *place) shows(t *testing.T, key string, want []byte) {
	t.Helper()
	if got, visible := p.read(key); !visible || !bytes.Equal(got, want) {
		t.Errorf("%s: visible %t, %d bytes that are not the %d expected", key, visible, len(got), len(want))
	}
}

// conformance is the place as the suite of all targets sees it.
func (p *place) conformance(t *testing.T) targettest.Place {
	const prefix = "a prefix/"
	return targettest.Place{
		Open: func() target.Target { return p.open(t, prefix) },
		Put:  func(name, text string) { p.put(t, prefix+name, text) },
		Read: func(name string) (string, bool) {
			text, visible := p.read(prefix + name)
			return string(text), visible
		},
		Left: func() []string {
			all := append(p.keys(), p.uploads()...)
			for i := range all {
				all[i] = strings.TrimPrefix(all[i], prefix)
			}
			slices.Sort(all)
			return all
		},
	}
}

// A wire sees every request of a target, and may answer it or lose the answer.
type wire struct {
	// before, if set, is asked before the n-th request of a kind, from 1: what it
	// returns is the answer, and the server sees nothing.
	before func(kind string, n int, r *http.Request) (*http.Response, error)
	// loses, if set, tells whether the answer is lost after the server has acted.
	loses func(kind string, n int) bool

	mu     sync.Mutex
	counts map[string]int
	log    []string
}

// listen puts the wire between the targets of p and the bucket.
func (p *place) listen(w *wire) *wire {
	w.counts = map[string]int{}
	p.options = s3.Through(p.options, func(next http.RoundTripper) http.RoundTripper {
		return &end{w, next}
	})
	return w
}

// An end of a wire is one of the transports of a target.
type end struct {
	*wire
	next http.RoundTripper
}

func (w *end) RoundTrip(r *http.Request) (*http.Response, error) {
	kind := kindOf(r)
	w.mu.Lock()
	w.counts[kind]++
	n := w.counts[kind]
	w.log = append(w.log, kind)
	w.mu.Unlock()
	if w.before != nil {
		if answer, err := w.before(kind, n, r); answer != nil || err != nil {
			return answer, err
		}
	}
	answer, err := w.next.RoundTrip(r)
	if err == nil && w.loses != nil && w.loses(kind, n) {
		answer.Body.Close()
		return nil, errLost
	}
	return answer, err
}

// CloseIdleConnections lets a target end what the wire leads to.
func (w *end) CloseIdleConnections() { w.next.(*http.Transport).CloseIdleConnections() }

var errLost = &net.OpError{Op: "read", Net: "tcp", Err: errors.New("connection reset by peer")}

// seen returns the kinds of all requests so far, in order, and forgets them.
func (w *wire) seen() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	log := strings.Join(w.log, " ")
	w.log = nil
	return log
}

func kindOf(r *http.Request) string {
	q := r.URL.Query()
	switch {
	case q.Has("uploads") && r.Method == http.MethodPost:
		return "create"
	case q.Has("uploads"):
		return "uploads"
	case q.Has("partNumber"):
		return "part"
	case q.Has("uploadId") && r.Method == http.MethodPost:
		return "complete"
	case q.Has("uploadId") && r.Method == http.MethodDelete:
		return "abort"
	case q.Has("uploadId"):
		return "parts"
	}
	return strings.ToLower(r.Method)
}

// answers returns an answer that is an error.
func answers(r *http.Request, status int, code, message string) *http.Response {
	text := fmt.Sprintf("<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/xml"}}, Body: io.NopCloser(strings.NewReader(text)), ContentLength: int64(len(text)),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sample returns n bytes that do not repeat, the same ones each time.
func sample(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b) // it cannot fail
	return b
}
