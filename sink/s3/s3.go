// Package s3 is the target of objects in a bucket: Amazon S3, or what speaks its protocol. An object that is larger than a
// part is a multipart upload that is completed at Publish; a smaller one is put then. Parts are uploaded from temporary
// files, so memory does not grow.
package s3

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/sink/target"
)

// Sizes of parts, in bytes. S3 allows the two bounds.
const (
	// Makes room for objects of 156 GiB.
	DefaultPartSize = 16 << 20
	MinPartSize     = 5 << 20
	MaxPartSize     = 5 << 30
)

const (
	// Parts of a target that are on their way.
	uploads = 4
	// In bytes, as S3 allows.
	longestKey = 1024
	// Gateways take upper case and _ too.
	inBucket = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
)

// Options say how the bucket is reached. The rest, and credentials, the AWS environment says.
type Options struct {
	// URL of a gateway or another S3.
	Endpoint string

	// Default for custom endpoints: us-east-1.
	Region string

	// default: only for custom endpoints.
	PathStyle *bool

	// In bytes; 0 is DefaultPartSize.
	PartSize int64

	// Goes into the metadata.
	RunID string

	// Requests are not signed, the environment is not read: for a bucket that anybody may write.
	Anonymous bool

	// An object of one part replaces only what Head has seen last.
	Guarded bool

	// What fits into a part is an upload too: sealed, it holds no open file, and another process can publish
	// it.
	Uploads bool

	// Learns the credentials; nil: nobody does.
	Secrets *secret.Set

	// Note keeps that an upload has begun, before its first part: a later process ends it if this one cannot.
	// It is used by several goroutines. nil: nobody keeps that.
	Note func(ctx context.Context, s target.Sealed) error

	// Told before something is tried again; nil: nobody.
	Again func(reason string, delay time.Duration)

	// nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// nil: usual; tests wait less.
	limits *limits

	// nil: nothing; tests lose answers.
	wrap func(http.RoundTripper) http.RoundTripper
}

// A Target is a [target.Target] of the keys below a prefix of a bucket.
type Target struct {
	options        Options
	bucket, prefix string
	limits         limits

	// One taken by each part that is on its way.
	slots chan struct{}

	// Of a guarded target: the ETag of what Head has seen, by key; empty where nothing was.
	seen map[string]string

	// Set by connect, at the first use:
	connected       bool
	client          *s3.Client
	prompt, patient *http.Client

	// Of parts; "" is none.
	checksums types.ChecksumAlgorithm

	// For messages.
	endpoint string

	// Most, of one request.
	attempts int

	// Of what is given up, from the first time on, see giveUp:
	closing context.Context
	cancel  context.CancelFunc
	drain   chan struct{}

	// Keys whose uploads could not be aborted.
	left []string

	// Of the last one.
	why error
}

// New returns the target of the keys that begin as place says, "s3://bucket/prefix/". Its
// errors are errors of usage; it does no I/O.
func New(o Options, place string) (*Target, error) {
	bucket, prefix, err := split(place)
	if err != nil {
		return nil, err
	}
	if o.PartSize == 0 {
		o.PartSize = DefaultPartSize
	}
	l := usual(o.PartSize)
	if o.limits != nil {
		l = *o.limits
	}
	if o.PartSize < l.smallestPart || o.PartSize > MaxPartSize {
		return nil, fmt.Errorf(
			"--s3-part-size: %s is not between %s and %s",
			pipeline.Size(o.PartSize),
			pipeline.Size(l.smallestPart),
			pipeline.Size(MaxPartSize),
		)
	}
	if u := parseEndpoint(o.Endpoint); o.Endpoint != "" && (u == nil || u.User != nil) {
		return nil, errors.New(
			"--s3-endpoint must be a URL such as https://s3.example.com:9000, without user and password",
		)
	}
	return &Target{
		options: o, bucket: bucket, prefix: prefix, limits: l,
		slots: make(chan struct{}, uploads), cancel: func() {}, seen: map[string]string{},
	}, nil
}

// split takes an s3:// URI apart. Nothing in a key is an escape.
func split(uri string) (bucket, prefix string, err error) {
	rest, ok := strings.CutPrefix(uri, "s3://")
	if !ok {
		return "", "", fmt.Errorf("%q is no place in a bucket: it must begin with s3://", uri)
	}
	bucket, prefix, _ = strings.Cut(rest, "/")
	if bucket == "" || strings.Trim(bucket, inBucket) != "" {
		return "", "", fmt.Errorf(
			"%q names no bucket: write s3://bucket/prefix/; a bucket has letters, digits, dots and hyphens",
			uri,
		)
	}
	return bucket, prefix, nil
}

// parseEndpoint returns nil for what is not the URL of a server.
func parseEndpoint(endpoint string) *url.URL {
	u, err := url.Parse(endpoint)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil
	}
	return u
}

// Probe implements [target.Target]: it creates and aborts an upload under the first name.
func (t *Target) Probe(ctx context.Context, names []string) error {
	for _, name := range names {
		if key := t.prefix + name; len(key) > longestKey {
			return fmt.Errorf(
				"%s: a key of %d bytes is too long, %d are allowed",
				t.uri(key),
				len(key),
				longestKey,
			)
		}
	}
	if len(names) == 0 {
		return t.connect(ctx)
	}
	key := t.prefix + names[0]
	spare, err := newPart(t.uri(key))
	if err != nil {
		return err
	}
	spare.close()
	if err := t.connect(ctx); err != nil {
		return err
	}
	u := t.newUpload(ctx, key, "")
	if err = u.settle(ctx); err == nil {
		defer u.leave()
		// It is tried as long as everything else.
		if err = t.abort(ctx, key, u.id); err != nil && ctx.Err() == nil {
			return temporaryIf(err, t.stillOpen([]string{key}, err))
		}
	}
	if ctx.Err() != nil {
		t.giveUp(u)
	}
	return cmp.Or(context.Cause(ctx), err)
}

// Create implements [target.Target]. Nothing is sent before the first part is full.
func (t *Target) Create(ctx context.Context, name string) (target.Object, error) {
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	return &object{target: t, key: t.prefix + name, token: rand.Text()}, nil
}

// Head implements [target.Target].
func (t *Target) Head(ctx context.Context, name string, n int64) ([]byte, error) {
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	key := t.prefix + name
	got, err := t.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &t.bucket, Key: &key}, t.promptly)
	if t.seen[key] = ""; codeOf(err) == "NoSuchKey" {
		return nil, nil
	}
	if err != nil {
		return nil, t.explain(ctx, key, err)
	}
	// What was wanted has been read.
	defer func() { _ = got.Body.Close() }()
	t.seen[key] = aws.ToString(got.ETag)
	text, err := target.ReadAtMost(got.Body, n, aws.ToInt64(got.ContentLength))
	return text, t.explain(ctx, key, err)
}

// Remove implements [target.Target]. It looks first, since in a versioned bucket to delete leaves a marker.
func (t *Target) Remove(ctx context.Context, name string) error {
	if err := t.connect(ctx); err != nil {
		return err
	}
	key := t.prefix + name
	if there, err := t.head(ctx, key); err == nil && there == nil {
		return nil
	}
	_, err := t.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &t.bucket, Key: &key}, t.promptly)
	return t.explain(ctx, key, err)
}

// head returns the head of what is visible under key, nil if nothing is.
func (t *Target) head(ctx context.Context, key string) (*s3.HeadObjectOutput, error) {
	out, err := t.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &t.bucket, Key: &key}, t.promptly)
	if errors.As(err, new(*types.NotFound)) {
		return nil, nil
	}
	return out, err
}

// Close ends the idle connections. Its error names the uploads that are still open.
func (t *Target) Close() error {
	t.cancel()
	if t.client != nil {
		t.prompt.CloseIdleConnections()
		t.patient.CloseIdleConnections()
	}
	left := t.left
	if t.left = nil; left == nil {
		return nil
	}
	return t.stillOpen(left, t.why)
}

// giveUp aborts an upload, whatever became of the run's context. A bucket that does not
// answer costs the time of closing once, for all of them.
func (t *Target) giveUp(u *upload) {
	if t.closing == nil {
		t.closing, t.cancel = context.WithTimeout(context.Background(), t.limits.closing)
		t.drain = make(chan struct{})
		time.AfterFunc(t.limits.drain, func() { close(t.drain) })
	}
	if err := u.abort(); err != nil {
		t.left, t.why = append(t.left, u.key), cmp.Or(t.closing.Err(), err)
	}
}

func (t *Target) uri(key string) string { return "s3://" + t.bucket + "/" + key }

// metadata returns what an object is stored with. A token tells it from every other under its key.
func (t *Target) metadata(token string) map[string]string {
	all := map[string]string{}
	if t.options.RunID != "" {
		// Plain ASCII stays.
		all[runIDKey] = mime.QEncoding.Encode("utf-8", t.options.RunID)
	}
	if token != "" {
		all[commitKey] = token
	}
	return all
}

const (
	runIDKey  = "sluice-run-id"
	commitKey = "sluice-commit"
)

// contentTypes by the end of the name. There is no Content-Encoding: no reader decompresses unasked.
var contentTypes = map[string]string{
	"ndjson": "application/x-ndjson",
	"csv":    "text/csv",
	"json":   "application/json",
	"gz":     "application/gzip",
	"zst":    "application/zstd",
}

func contentType(key string) *string {
	t := cmp.Or(contentTypes[key[strings.LastIndexByte(key, '.')+1:]], "application/octet-stream")
	return &t
}
