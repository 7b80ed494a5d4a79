package s3

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/pipeline"
)

// An upload is a multipart upload: begun in the background, filled by several
// parts at a time, then completed or aborted.
type upload struct {
	target *Target
	key    string

	ctx   context.Context // of the parts, which outlive the call that brings them
	fail  context.CancelCauseFunc
	parts sync.WaitGroup

	begun  chan struct{}      // closed when the rest is known:
	giveUp context.CancelFunc // ends the attempt to begin
	id     string
	again  bool          // the answer may have been lost before: there may be a twin
	took   time.Duration // to begin
	err    error

	mu   sync.Mutex
	sent int
	done []types.CompletedPart
}

var errGivenUp = errors.New("the upload was given up")

// begin creates an upload. ctx does not end it: an answer that nobody waits for
// is an upload that nobody aborts.
func (t *Target) begin(ctx context.Context, key string, h heading) *upload {
	u := &upload{target: t, key: key, begun: make(chan struct{})}
	ctx = context.WithoutCancel(ctx)
	u.ctx, u.fail = context.WithCancelCause(ctx)
	ctx, u.giveUp = context.WithCancel(ctx)
	var beginning sync.WaitGroup
	beginning.Go(func() {
		defer close(u.begun)
		u.err = pipeline.Guard(func() error { return u.create(ctx, h) })
	})
	return u
}

func (u *upload) create(ctx context.Context, h heading) error {
	c := u.target.connection
	from := time.Now()
	out, err := c.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &u.target.bucket, Key: &u.key, ContentType: &h.contentType, Metadata: h.metadata, ChecksumAlgorithm: c.checksums,
	}, c.promptly)
	if err != nil {
		return u.target.because(ctx, u.key, err)
	}
	u.id, u.took = *out.UploadId, time.Since(from)
	attempts, _ := retry.GetAttemptResults(out.ResultMetadata)
	u.again = len(attempts.Results) > 1
	return nil
}

// wait waits until the upload has begun.
func (u *upload) wait(ctx context.Context) error {
	select {
	case <-u.begun:
		return u.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// put takes p over and uploads it, once there is a place for it.
func (u *upload) put(ctx context.Context, number int32, p *part) error {
	select {
	case u.target.slots <- struct{}{}:
	case <-ctx.Done():
		p.close()
		return context.Cause(ctx)
	case <-u.ctx.Done():
		p.close()
		return context.Cause(u.ctx)
	}
	u.sent++
	u.parts.Go(func() {
		defer func() {
			p.close()
			<-u.target.slots
		}()
		if err := pipeline.Guard(func() error { return u.send(number, p) }); err != nil {
			u.fail(err)
		}
	})
	return nil
}

// send uploads a part. To send the same part twice does no harm.
func (u *upload) send(number int32, p *part) error {
	if err := u.wait(u.ctx); err != nil {
		return err
	}
	c := u.target.connection
	out, err := c.client.UploadPart(u.ctx, &s3.UploadPartInput{
		Bucket: &u.target.bucket, Key: &u.key, UploadId: &u.id, PartNumber: &number, Body: p.reader(), ContentLength: &p.size, ChecksumAlgorithm: c.checksums,
	}, c.promptly)
	if err != nil {
		return u.target.because(u.ctx, u.key, err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done = append(u.done, types.CompletedPart{
		PartNumber: &number, ETag: out.ETag, ChecksumCRC32: out.ChecksumCRC32, // the only algorithm in use
	})
	return nil
}

// failure returns what went wrong in the background so far, if anything did.
func (u *upload) failure() error { return context.Cause(u.ctx) }

// settle waits until every part is there.
func (u *upload) settle(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { u.fail(context.Cause(ctx)) })
	defer stop()
	u.parts.Wait()
	if err := u.failure(); err != nil {
		return err
	}
	if u.again {
		_ = u.abortAll(ctx, u.twins(ctx)) // what stays is swept
	}
	return nil
}

func (u *upload) complete(ctx context.Context) error {
	slices.SortFunc(u.done, func(a, b types.CompletedPart) int { return cmp.Compare(*a.PartNumber, *b.PartNumber) })
	c := u.target.connection
	_, err := c.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &u.target.bucket, Key: &u.key, UploadId: &u.id, MultipartUpload: &types.CompletedMultipartUpload{Parts: u.done},
	}, c.patiently)
	return err
}

// abort ends the upload and what is on its way to it, within ctx.
func (u *upload) abort(ctx context.Context) error {
	u.fail(errGivenUp)
	u.parts.Wait()
	select {
	case <-u.begun:
	case <-ctx.Done():
		u.giveUp()
		<-u.begun
	}
	u.giveUp()
	if u.err != nil {
		return nil //nolint:nilerr // nothing has begun, and whoever waited for it was told why
	}
	ids := []string{u.id}
	if u.again {
		ids = append(ids, u.twins(ctx)...)
	}
	if u.sent > len(u.done) {
		// A part that was cut may have arrived whole, and be stored behind the abort.
		ids = append(ids, u.id)
	}
	return u.abortAll(ctx, ids)
}

func (u *upload) abortAll(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if err := u.target.connection.abort(ctx, u.target.bucket, u.key, id); err != nil {
			return u.target.stillOpen(ctx, u.key, err)
		}
	}
	return nil
}

// abort ends an upload. That there is none is no error.
func (c *connection) abort(ctx context.Context, bucket, key, id string) error {
	_, err := c.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &bucket, Key: &key, UploadId: &id}, c.promptly)
	if codeOf(err) == "NoSuchUpload" {
		return nil
	}
	return err
}

// twins returns the uploads that this one's creation left behind, when an
// earlier answer to it was lost. They cannot be told from uploads of other
// programs for certain, so they must be under the same key, of the time when this
// one was created, and have no parts although this one has all of its own. What is
// missed costs nothing and is swept.
func (u *upload) twins(ctx context.Context) []string {
	var at time.Time
	var others []types.MultipartUpload
	c := u.target.connection
	for m, err := range c.open(ctx, u.target.bucket, u.key) {
		switch {
		case err != nil:
			return nil // to look may be forbidden
		case m.Initiated == nil || *m.Key != u.key:
		case *m.UploadId == u.id:
			at = *m.Initiated
		default:
			others = append(others, m)
		}
	}
	const rounding = 2 * time.Second
	var ids []string
	for _, m := range others {
		before := at.Sub(*m.Initiated)
		if before < -rounding || before > u.took+rounding {
			continue
		}
		out, err := c.client.ListParts(ctx, &s3.ListPartsInput{Bucket: &u.target.bucket, Key: &u.key, UploadId: m.UploadId}, c.promptly)
		if err == nil && len(out.Parts) == 0 {
			ids = append(ids, *m.UploadId)
		}
	}
	return ids
}
