package s3

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"sluice/sink/target"
)

// Probe implements [target.Target]: it makes a temporary file, and it begins and aborts an upload under the
// first name.
func (t *Target) Probe(ctx context.Context, names []string) error {
	for _, name := range names {
		key := t.prefix + name
		if len(key) > longestKey {
			const tooLong = "%s: a key of %d bytes is too long, %d are allowed"
			return fmt.Errorf(tooLong, t.uri(key), len(key), longestKey)
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
	return t.probeUpload(ctx, key)
}

// probeUpload begins an upload and aborts it.
func (t *Target) probeUpload(ctx context.Context, key string) error {
	u := t.newUpload(ctx, key, "")
	err := u.settle(ctx)
	if err == nil {
		defer u.leave()
		// The abort is tried as long as any other request.
		err = t.abort(ctx, key, u.id)
		if err != nil && ctx.Err() == nil {
			return temporaryIf(err, t.stillOpen([]string{key}, err))
		}
	}
	if ctx.Err() != nil || errors.As(err, new(*unencrypted)) {
		t.giveUp(u)
	}
	return cmp.Or(context.Cause(ctx), err)
}

// Create implements [target.Target]. Nothing is sent before the first part is full.
func (t *Target) Create(ctx context.Context, name string) (target.Object, error) {
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	return &bucketObject{target: t, key: t.prefix + name, token: rand.Text()}, nil
}

// Head implements [target.Target].
func (t *Target) Head(ctx context.Context, name string, n int64) ([]byte, error) {
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	key := t.prefix + name
	got, err := t.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &t.bucket, Key: &key}, t.promptly)
	t.see(key, "")
	if codeOf(err) == "NoSuchKey" {
		return nil, nil
	}
	if err != nil {
		return nil, t.explain(ctx, key, err)
	}
	// What was wanted has been read.
	defer func() { _ = got.Body.Close() }()
	t.see(key, aws.ToString(got.ETag))
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

// Close ends the idle connections. Its error names the uploads that are still open.
func (t *Target) Close() error {
	t.cleanup.end()
	if t.client != nil {
		t.prompt.CloseIdleConnections()
		t.patient.CloseIdleConnections()
	}
	left := t.cleanup.left
	t.cleanup.left = nil
	if left == nil {
		return nil
	}
	return t.stillOpen(left, t.cleanup.why)
}
