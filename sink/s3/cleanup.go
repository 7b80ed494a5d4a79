package s3

import (
	"cmp"
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// giveUp aborts an upload, whatever became of the run's context. A bucket that does not
// answer costs the time of closing once, for all of them.
func (t *Target) giveUp(u *upload) {
	t.cleanup.begin(t.limits)
	if err := u.abort(); err != nil {
		t.cleanup.left = append(t.cleanup.left, u.key)
		t.cleanup.why = cmp.Or(t.cleanup.ctx.Err(), err)
	}
}

// abort ends the upload before the target closes. Parts that are on their way may end by themselves until
// drained is closed. A part that is sent whole by then may be stored after the upload has ended, and no sweep
// sees it: its answer is waited for, and the upload, if it has parts again, is aborted again.
func (u *upload) abort() error {
	t := u.target
	closing := t.cleanup.ctx
	defer u.leave()
	stop := context.AfterFunc(closing, u.leave)
	defer stop()
	u.fail(errAborted)
	resting := u.atRest()
	settled := true
	select {
	case <-resting:
	case <-t.cleanup.drained:
		settled = false
		u.cut()
		// Requests that were cancelled end soon.
		wait(resting, t.limits.storing)
	}
	<-u.begun
	if u.id == "" {
		// The upload has not begun, and whoever waited for it got the error.
		return nil
	}
	err := t.abort(closing, u.key, u.id)
	answered := u.waitForAnswers(resting)
	u.leave()
	u.work.Wait()
	if err != nil {
		return err
	}
	unstored := u.sent > len(u.done) && !u.unknown
	if !settled || unstored {
		err = u.abortAgain()
	}
	if err == nil && !answered {
		return context.DeadlineExceeded
	}
	return err
}

// waitForAnswers waits half of the time that is left, since requests follow, and tells whether that was enough.
func (u *upload) waitForAnswers(resting <-chan struct{}) bool {
	until, _ := u.target.cleanup.ctx.Deadline()
	return wait(resting, time.Until(until)/2)
}

// abortAgain aborts an aborted upload as long as parts that were cut are stored in it, at most three times.
func (u *upload) abortAgain() error {
	t := u.target
	closing := t.cleanup.ctx
	parts := &s3.ListPartsInput{Bucket: &t.bucket, Key: &u.key, UploadId: &u.id}
	for range 3 {
		// A part that was cut is stored by then.
		wait(closing.Done(), t.limits.storing)
		_, err := t.client.ListParts(closing, parts, once)
		if codeOf(err) == "NoSuchUpload" {
			return nil
		}
		// Whatever else the answer says, to abort again is right.
		if err := t.abort(closing, u.key, u.id); err != nil {
			return err
		}
	}
	return nil
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
