package s3

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

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

	begun  chan struct{}      // closed once id or err is known
	giveUp context.CancelFunc // ends the attempt to begin
	id     string
	err    error

	mu   sync.Mutex
	sent int
	done []types.CompletedPart
}

var errAborted = errors.New("the upload was aborted")

// begin creates an upload. ctx does not end it: an upload whose id nobody waits
// for is one that nobody aborts.
func (t *Target) begin(ctx context.Context, key, token string) *upload {
	u := &upload{target: t, key: key, begun: make(chan struct{})}
	ctx = context.WithoutCancel(ctx)
	u.ctx, u.fail = context.WithCancelCause(ctx)
	ctx, u.giveUp = context.WithCancel(ctx)
	go func() {
		defer close(u.begun)
		u.err = pipeline.Guard(func() error { return u.create(ctx, token) })
	}()
	return u
}

func (u *upload) create(ctx context.Context, token string) error {
	t := u.target
	out, err := t.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &t.bucket, Key: &u.key, ContentType: contentType(u.key), Metadata: t.metadata(token), ChecksumAlgorithm: t.checksums,
	}, t.promptly)
	if err != nil {
		return t.explain(ctx, u.key, err)
	}
	u.id = *out.UploadId
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
	t := u.target
	out, err := t.client.UploadPart(u.ctx, &s3.UploadPartInput{
		Bucket: &t.bucket, Key: &u.key, UploadId: &u.id, PartNumber: &number, Body: p.reader(), ContentLength: &p.size, ChecksumAlgorithm: t.checksums,
	}, t.promptly)
	if err != nil {
		return t.explain(u.ctx, u.key, err)
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
	return u.failure()
}

func (u *upload) complete(ctx context.Context) error {
	slices.SortFunc(u.done, func(a, b types.CompletedPart) int { return cmp.Compare(*a.PartNumber, *b.PartNumber) })
	t := u.target
	_, err := t.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &t.bucket, Key: &u.key, UploadId: &u.id, MultipartUpload: &types.CompletedMultipartUpload{Parts: u.done},
	}, t.patiently)
	return err
}

// abort ends the upload and what is on its way to it, within ctx.
func (u *upload) abort(ctx context.Context) error {
	u.fail(errAborted)
	u.parts.Wait()
	select {
	case <-u.begun:
	case <-ctx.Done():
		u.giveUp()
		<-u.begun
	}
	u.giveUp()
	if u.err != nil {
		return nil //nolint:nilerr // nothing has begun, and the caller that waited for it got the error
	}
	err := u.target.abort(ctx, u.key, u.id)
	if err == nil && u.sent > len(u.done) {
		// A part that was cut may have arrived whole, and be stored after the abort.
		err = u.target.abort(ctx, u.key, u.id)
	}
	if err != nil {
		return u.target.stillOpen(ctx, u.key, err)
	}
	return nil
}

// abort ends an upload. That there is none is no error.
func (t *Target) abort(ctx context.Context, key, id string) error {
	_, err := t.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &t.bucket, Key: &key, UploadId: &id}, t.promptly)
	if codeOf(err) == "NoSuchUpload" {
		return nil
	}
	return err
}
