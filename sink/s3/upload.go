package s3

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/pipeline"
	"sluice/sink/target"
)

// An upload is a multipart upload, begun and filled in the background.
type upload struct {
	target *Target
	key    string

	// ctx ends when fail is told the first failure. No part begins after that.
	ctx  context.Context
	fail context.CancelCauseFunc

	// last is the context of all requests in the background; they outlive the call that brings a part. leave
	// ends it.
	last  context.Context
	leave context.CancelFunc

	// wire, below last, is the context of parts. cut ends it, but no part that is sent whole and not answered.
	wire context.Context
	cut  context.CancelFunc

	// What is done in the background.
	work sync.WaitGroup

	// Closed once the upload has begun, or could not.
	begun chan struct{}

	// Known once begun is closed; empty if the upload could not begin.
	id string

	// Note has failed, so that no later process would find the upload: it gets no part.
	unknown bool

	// How many parts put has taken.
	sent int

	// mu guards done, the parts that are stored, in any order.
	mu   sync.Mutex
	done []types.CompletedPart
}

// newUpload begins an upload. ctx does not end that: nobody would abort it.
func (t *Target) newUpload(ctx context.Context, key, token string) *upload {
	u := &upload{target: t, key: key, begun: make(chan struct{})}
	ctx = context.WithoutCancel(ctx)
	u.ctx, u.fail = context.WithCancelCause(ctx)
	u.last, u.leave = context.WithCancel(ctx)
	u.wire, u.cut = context.WithCancel(u.last)
	u.start(func() error { return u.begin(token) })
	return u
}

// begin creates the upload. Without a token nobody is told, since it only is a probe.
func (u *upload) begin(token string) error {
	defer close(u.begun)
	t := u.target
	out, err := t.client.CreateMultipartUpload(u.last, &s3.CreateMultipartUploadInput{
		Bucket:            &t.bucket,
		Key:               &u.key,
		ContentType:       t.contentType(u.key),
		Metadata:          t.metadata(token),
		ChecksumAlgorithm: t.checksums,

		ServerSideEncryption: types.ServerSideEncryption(t.options.Stored.Encryption),
		SSEKMSKeyId:          t.options.Stored.key(),
		StorageClass:         types.StorageClass(t.options.Stored.Class),
		Tagging:              t.options.Stored.tagging(),
		ACL:                  types.ObjectCannedACL(t.options.Stored.ACL),
	}, t.promptly)
	if err != nil {
		return t.explain(u.last, u.key, err)
	}
	u.id = *out.UploadId
	if err := t.encrypted(u.key, out.ServerSideEncryption); err != nil {
		return err
	}
	if token == "" || t.options.Note == nil {
		return nil
	}
	name := strings.TrimPrefix(u.key, t.prefix)
	err = t.options.Note(u.last, target.Sealed{Name: name, Hidden: u.id})
	u.unknown = err != nil
	return err
}

// start does something in the background.
func (u *upload) start(do func() error) {
	u.work.Go(func() {
		if err := pipeline.Guard(do); err != nil {
			u.fail(err)
		}
	})
}

// put takes p over and uploads it, once there is a place for it. After an error p stays with the caller.
func (u *upload) put(ctx context.Context, number int32, p *pendingPart) error {
	select {
	case u.target.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-u.ctx.Done():
		return u.failure()
	}
	// If both are ready, select may choose the free place although the upload has failed.
	if u.ctx.Err() != nil {
		<-u.target.slots
		return u.failure()
	}
	u.sent++
	u.start(func() error {
		defer func() {
			p.close()
			<-u.target.slots
		}()
		return u.send(number, p)
	})
	return nil
}

// send uploads a part. To send the same part twice does no harm.
func (u *upload) send(number int32, p *pendingPart) error {
	<-u.begun
	if u.id == "" || u.unknown {
		// The error of begin was told already.
		return nil
	}
	if u.wire.Err() != nil {
		return context.Cause(u.wire)
	}
	t := u.target
	text := p.reader()
	ctx, cut := context.WithCancel(u.last)
	defer cut()
	stop := context.AfterFunc(u.wire, func() {
		if !text.whole.Load() {
			cut()
		}
	})
	defer stop()
	out, err := t.client.UploadPart(ctx, &s3.UploadPartInput{
		Bucket:            &t.bucket,
		Key:               &u.key,
		UploadId:          &u.id,
		PartNumber:        &number,
		Body:              text,
		ContentLength:     &p.size,
		ChecksumAlgorithm: t.checksums,
	}, func(o *s3.Options) {
		o.Retryer = t.retryer(t.limits.tries, func() bool {
			// If the part is sent again, it counts as not yet sent whole.
			text.whole.Store(false)
			return u.ctx.Err() == nil
		})
	})
	if err != nil {
		err = t.explain(u.wire, u.key, err)
		// The upload fails before there is a place for another part.
		u.fail(err)
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done = append(u.done, types.CompletedPart{
		PartNumber: &number,
		ETag:       out.ETag,
		// No other algorithm is in use.
		ChecksumCRC32: out.ChecksumCRC32,
	})
	return nil
}

// failure returns what went wrong in the background so far, if anything did.
func (u *upload) failure() error { return context.Cause(u.ctx) }

// atRest is closed once nothing is done any more.
func (u *upload) atRest() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		u.work.Wait()
		close(done)
	}()
	return done
}

// settle waits until every part is there, one has failed, or ctx ends.
func (u *upload) settle(ctx context.Context) error {
	select {
	case <-u.atRest():
		return u.failure()
	case <-u.ctx.Done():
		return u.failure()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// complete makes the object of the parts that are stored.
func (u *upload) complete(ctx context.Context) error {
	slices.SortFunc(u.done, func(a, b types.CompletedPart) int {
		return cmp.Compare(*a.PartNumber, *b.PartNumber)
	})
	t := u.target
	out, err := t.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket:          &t.bucket,
		Key:             &u.key,
		UploadId:        &u.id,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: u.done},
	}, t.patiently)
	if err == nil && out.ETag == nil {
		return errNoTag
	}
	return err
}

// release ends the contexts of an upload that is complete.
func (u *upload) release() {
	u.fail(errAborted)
	u.leave()
}

// errNoTag is an answer of 200 that is no answer of S3: it was cut, or something in between has given it.
var errNoTag = errors.New("its answer has no tag of the object, and the object is not there")

var errAborted = errors.New("the upload was aborted")
