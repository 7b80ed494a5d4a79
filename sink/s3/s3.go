// Package s3 is the target of objects in a bucket: Amazon S3, or what speaks its protocol. An object that is
// larger than a part is a multipart upload that is completed at Publish; a smaller one is put then. Parts are
// uploaded from temporary files, so memory does not grow.
package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/sink/target"
)

const (
	// The most parts of a target that are on their way at a time.
	uploads = 4
	// In bytes, as S3 allows.
	longestKey = 1024
	// The characters of a name. Gateways take upper case and _ too.
	inBucket = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
)

// Options say how the bucket is reached. The rest, and credentials, the AWS environment says.
type Options struct {
	// URL of a gateway or another S3.
	Endpoint string

	// Empty: what the environment says, or else us-east-1 at a custom endpoint.
	Region string

	// nil: only for custom endpoints.
	PathStyle *bool

	// In bytes; 0 is DefaultPartSize.
	PartSize int64

	Stored Stored

	// It goes into the metadata.
	RunID string

	// Media types of objects, by the end of the name, such as csv; that of json is known.
	ContentTypes map[string]string

	// Requests are not signed, the environment is not read: for a bucket that anybody may write.
	Anonymous bool

	// An object of one part replaces only what Head has seen last.
	Guarded bool

	// What fits into a part is an upload too: sealed, it holds no open file, and another process can publish
	// it.
	Uploads bool

	// It learns the credentials; nil: nobody does.
	Secrets *secret.Set

	// Note keeps that an upload has begun, before its first part: a later process ends it if this one cannot.
	// It is used by several goroutines. nil: nobody keeps that.
	Note func(ctx context.Context, s target.Sealed) error

	// It is told before something is tried again; nil: nobody is.
	Again func(reason string, delay time.Duration)

	// nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// nil: usual. Tests wait less.
	limits *retryLimits

	// nil: requests are sent as they are. Tests lose answers.
	wrap func(http.RoundTripper) http.RoundTripper
}

// A Target is a [target.Target] of the keys below a prefix of a bucket.
type Target struct {
	options        Options
	bucket, prefix string
	limits         retryLimits

	// Each part that is on its way takes one.
	slots chan struct{}

	// The ETag of what Head has seen, by key; empty where nothing was. A guarded target replaces nothing else.
	seen map[string]string

	// Made by connect, at the first use.
	connection

	// Begun by giveUp, at the first upload that is given up.
	cleanup cleanup
}

// A connection is what a target sends its requests with.
type connection struct {
	// Credentials were found, or none are wanted.
	connected bool

	client *s3.Client

	// The HTTP client of requests that are answered at once, and the one of Complete.
	prompt, patient *http.Client

	// The checksum that parts are sent with; empty: none.
	checksums types.ChecksumAlgorithm

	// What messages call the server.
	endpoint string

	// The most attempts of one request.
	attempts int
}

// A cleanup is the time in which a target aborts all uploads that it gives up. The zero value has not begun.
type cleanup struct {
	// ctx ends when the time is over, or by cancel.
	ctx    context.Context
	cancel context.CancelFunc

	// Closed when parts that are on their way are not waited for any longer.
	drained chan struct{}

	// Keys whose uploads could not be aborted.
	left []string

	// Why the last of them could not.
	why error
}

// begin starts the time, the first time that it is called.
func (c *cleanup) begin(l retryLimits) {
	if c.ctx != nil {
		return
	}
	c.ctx, c.cancel = context.WithTimeout(context.Background(), l.closing)
	c.drained = make(chan struct{})
	time.AfterFunc(l.drain, func() { close(c.drained) })
}

// end ends the time.
func (c *cleanup) end() {
	if c.cancel != nil {
		c.cancel()
	}
}

// New returns the target of the keys that begin as place says, "s3://bucket/prefix/". Its
// errors are errors of usage; it does no I/O.
func New(o Options, place string) (*Target, error) {
	bucket, prefix, err := split(place)
	if err != nil {
		return nil, err
	}
	if err := o.Stored.check(); err != nil {
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
		return nil, fmt.Errorf("--s3-part-size: %s is not between %s and %s",
			pipeline.Size(o.PartSize), pipeline.Size(l.smallestPart), pipeline.Size(MaxPartSize))
	}
	if o.Endpoint != "" {
		u := parseEndpoint(o.Endpoint)
		if u == nil || u.User != nil {
			return nil, errors.New(
				"--s3-endpoint must be a URL such as https://s3.example.com:9000, without user and password")
		}
	}
	return &Target{
		options: o,
		bucket:  bucket,
		prefix:  prefix,
		limits:  l,
		slots:   make(chan struct{}, uploads),
		seen:    map[string]string{},
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
		const write = "write s3://bucket/prefix/; a bucket has letters, digits, dots and hyphens"
		return "", "", fmt.Errorf("%q names no bucket: %s", uri, write)
	}
	return bucket, prefix, nil
}

// parseEndpoint returns nil for what is not the URL of a server.
func parseEndpoint(endpoint string) *url.URL {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return nil
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	return u
}

// see keeps what Head has seen where that matters: else Head and Put go on beside each other.
func (t *Target) see(key, version string) {
	if t.options.Guarded {
		t.seen[key] = version
	}
}

func (t *Target) uri(key string) string { return "s3://" + t.bucket + "/" + key }

// metadata returns what an object is stored with. A token tells it from every other under its key.
func (t *Target) metadata(token string) map[string]string {
	all := map[string]string{}
	if t.options.RunID != "" {
		// The header is ASCII; text that is plain ASCII stays as it is.
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

// contentType is that of an object, by the end of its name. There is no Content-Encoding: no reader decompresses unasked.
func (t *Target) contentType(key string) *string {
	ending := key[strings.LastIndexByte(key, '.')+1:]
	known := cmp.Or(t.options.ContentTypes[ending], "application/octet-stream")
	// Reports, manifests, and whatever else describes the data.
	if ending == "json" {
		known = "application/json"
	}
	return &known
}
