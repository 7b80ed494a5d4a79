package s3

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/pipeline"
	"sluice/sink/target"
)

// An upload is a multipart upload, begun and filled in the background.
type upload struct {
	target *Target
	key    string

	// Ends with the first failure; no part begins after it.
	ctx context.Context

	// Gives the failure.
	fail context.CancelCauseFunc

	// Of the requests of parts, which outlive the call that brings them.
	wire context.Context

	// Ends those requests, but for the ones that are sent and not answered.
	cut context.CancelFunc

	// Of those, and of the beginning.
	last context.Context

	// Ends them too.
	leave context.CancelFunc

	// What is done in the background.
	work sync.WaitGroup

	// Closed once id is known.
	begun chan struct{}

	// Empty if the upload could not begin.
	id string

	// No later process would find it: it gets no part.
	unknown bool

	mu   sync.Mutex
	sent int
	done []types.CompletedPart
}

var errAborted = errors.New("the upload was aborted")

// newUpload begins an upload. ctx does not end that: nobody would abort it.
func (t *Target) newUpload(ctx context.Context, key, token string) *upload {
	u := &upload{target: t, key: key, begun: make(chan struct{})}
	ctx = context.WithoutCancel(ctx)
	u.ctx, u.fail = context.WithCancelCause(ctx)
	u.last, u.leave = context.WithCancel(ctx)
	u.wire, u.cut = context.WithCancel(u.last)
	u.start(func() error {
		defer close(u.begun)
		out, err := t.client.CreateMultipartUpload(u.last, &s3.CreateMultipartUploadInput{
			Bucket: &t.bucket, Key: &key, ContentType: contentType(key), Metadata: t.metadata(token), ChecksumAlgorithm: t.checksums,
		}, t.promptly)
		if err != nil {
			return t.explain(u.last, key, err)
		}
		u.id = *out.UploadId
		if token == "" || t.options.Note == nil {
			return nil
		}
		err = t.options.Note(u.last, target.Sealed{Name: strings.TrimPrefix(key, t.prefix), Hidden: u.id})
		u.unknown = err != nil
		return err
	})
	return u
}

// start does something in the background.
func (u *upload) start(do func() error) {
	u.work.Go(func() {
		if err := pipeline.Guard(do); err != nil {
			u.fail(err)
		}
	})
}

// put takes p over and uploads it, once there is a place for it. After an error it has not.
func (u *upload) put(ctx context.Context, number int32, p *part) error {
	select {
	case u.target.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-u.ctx.Done():
		return u.failure()
	}
	// There was a place as well.
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
func (u *upload) send(number int32, p *part) error {
	<-u.begun
	if u.id == "" || u.unknown {
		// The failure of the upload is told by who began it.
		return nil
	}
	if u.wire.Err() != nil {
		return context.Cause(u.wire)
	}
	t, text := u.target, p.reader()
	ctx, cut := context.WithCancel(u.last)
	defer cut()
	defer context.AfterFunc(u.wire, func() {
		if !text.whole.Load() {
			cut()
		}
	})()
	out, err := t.client.UploadPart(ctx, &s3.UploadPartInput{
		Bucket: &t.bucket, Key: &u.key, UploadId: &u.id, PartNumber: &number, Body: text, ContentLength: &p.size, ChecksumAlgorithm: t.checksums,
	}, func(o *s3.Options) {
		o.Retryer = t.retryer(t.limits.tries, func() bool {
			text.whole.Store(false)
			return u.ctx.Err() == nil
		})
	})
	if err != nil {
		err = t.explain(u.wire, u.key, err)
		// Before there is a place for another part.
		u.fail(err)
		return err
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

func (u *upload) complete(ctx context.Context) error {
	slices.SortFunc(
		u.done,
		func(a, b types.CompletedPart) int { return cmp.Compare(*a.PartNumber, *b.PartNumber) },
	)
	t := u.target
	_, err := t.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &t.bucket, Key: &u.key, UploadId: &u.id, MultipartUpload: &types.CompletedMultipartUpload{Parts: u.done},
	}, t.patiently)
	return err
}

// abort ends the upload before the target closes. Parts that are on their way may end by themselves until it has
// drained. One that is sent by then may still be stored, after the upload has ended and where no sweep sees it: its
// answer is waited for, and the upload, if it has parts again, is aborted again.
func (u *upload) abort() error {
	t := u.target
	defer u.leave()
	defer context.AfterFunc(t.closing, u.leave)()
	u.fail(errAborted)
	resting, settled := u.atRest(), true
	select {
	case <-resting:
	case <-t.drain:
		settled = false
		u.cut()
		// What is cut ends soon.
		wait(resting, t.limits.storing)
	}
	if <-u.begun; u.id == "" {
		// Nothing has begun, and who waited for it got the error.
		return nil
	}
	err := t.abort(t.closing, u.key, u.id)
	var unanswered error
	until, _ := t.closing.Deadline()
	// The other half is for the requests after that.
	if !wait(resting, time.Until(until)/2) {
		unanswered = context.DeadlineExceeded
	}
	u.leave()
	u.work.Wait()
	cut := !settled || u.sent > len(u.done) && !u.unknown
	for again := 0; err == nil && again < 3 && cut; again++ {
		// Until a part that was cut is stored.
		wait(t.closing.Done(), t.limits.storing)
		_, held := t.client.ListParts(
			t.closing,
			&s3.ListPartsInput{Bucket: &t.bucket, Key: &u.key, UploadId: &u.id},
			func(o *s3.Options) {
				// Whatever else it says, to abort again is right.
				o.Retryer = aws.NopRetryer{}
			},
		)
		if codeOf(held) == "NoSuchUpload" {
			break
		}
		err = t.abort(t.closing, u.key, u.id)
	}
	return cmp.Or(err, unanswered)
}

// wait tells whether something is done within a time.
func wait(done <-chan struct{}, most time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(most):
		return false
	}
}

// abort ends an upload. That there is none is no error.
func (t *Target) abort(ctx context.Context, key, id string) error {
	_, err := t.client.AbortMultipartUpload(
		ctx,
		&s3.AbortMultipartUploadInput{Bucket: &t.bucket, Key: &key, UploadId: &id},
		t.promptly,
	)
	if codeOf(err) == "NoSuchUpload" {
		return nil
	}
	return err
}
