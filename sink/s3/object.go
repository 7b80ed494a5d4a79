package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/pipeline"
)

// A bucketObject is one key that is being written.
type bucketObject struct {
	target *Target
	key    string
	token  string

	// The part that is being filled; nil: nothing is in it yet.
	part *pendingPart

	// How many parts have begun so far.
	parts int

	// nil as long as one part is enough, and after Publish or Close.
	upload *upload

	// Another process has sealed it, and yet another may publish it too.
	resumed bool
}

func (o *bucketObject) URI() string { return o.target.uri(o.key) }

// Write fills parts, and sends those that are full.
func (o *bucketObject) Write(ctx context.Context, p []byte) error {
	for len(p) > 0 {
		if err := o.failure(ctx); err != nil {
			return err
		}
		if o.part == nil {
			if err := o.beginPart(); err != nil {
				return err
			}
		}
		n := min(int64(len(p)), o.target.options.PartSize-o.part.size)
		if err := o.part.write(p[:n]); err != nil {
			return err
		}
		p = p[n:]
		if o.part.size == o.target.options.PartSize {
			if err := o.sendPart(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// failure returns why the object cannot be completed any more.
func (o *bucketObject) failure(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil || o.upload == nil {
		return err
	}
	return o.upload.failure()
}

func (o *bucketObject) beginPart() (err error) {
	if most := o.target.limits.parts; o.parts == most {
		return fmt.Errorf("%s: more than %d parts of %s: set --s3-part-size to %s or more",
			o.URI(), most, pipeline.Size(o.target.options.PartSize), pipeline.Size(4*o.target.options.PartSize))
	}
	o.parts++
	o.part, err = newPart(o.URI())
	return err
}

func (o *bucketObject) sendPart(ctx context.Context) error {
	if o.upload == nil {
		o.upload = o.target.newUpload(ctx, o.key, o.token)
	}
	err := o.upload.put(ctx, int32(o.parts), o.part)
	if err == nil {
		o.part = nil
	}
	return err
}

// Seal uploads the last part and waits for all. An object of one part is sent by Publish, unless
// [Options].Uploads is set.
func (o *bucketObject) Seal(ctx context.Context) error {
	if err := o.failure(ctx); err != nil {
		return err
	}
	if o.upload == nil && o.part == nil {
		if err := o.beginPart(); err != nil {
			return err
		}
	}
	if o.upload == nil && !o.target.options.Uploads {
		return nil
	}
	if o.part != nil {
		if err := o.sendPart(ctx); err != nil {
			return err
		}
	}
	return o.upload.settle(ctx)
}

// Publish implements [target.Object]. After an error, or a lost answer, it looks whether the object stands.
func (o *bucketObject) Publish(ctx context.Context) error {
	err := o.failure(ctx)
	if err != nil {
		return err
	}
	if o.upload != nil {
		err = o.upload.complete(ctx)
	} else {
		err = o.put(ctx, o.part.reader(), o.part.size, false)
	}
	if errors.As(err, new(*unencrypted)) {
		return err
	}
	if err != nil && !o.stands(ctx) {
		return o.target.explain(ctx, o.key, err)
	}
	if o.upload != nil {
		o.upload.release()
		o.upload = nil
	}
	return o.Close()
}

// put stores a text under the key; if first says so, only where nothing is.
func (o *bucketObject) put(ctx context.Context, body io.ReadSeeker, size int64, first bool) error {
	t := o.target
	in := &s3.PutObjectInput{
		Bucket:        &t.bucket,
		Key:           &o.key,
		Body:          body,
		ContentLength: &size,
		ContentType:   o.target.contentType(o.key),
		Metadata:      t.metadata(o.token),

		ServerSideEncryption: types.ServerSideEncryption(t.options.Stored.Encryption),
		SSEKMSKeyId:          t.options.Stored.key(),
		StorageClass:         types.StorageClass(t.options.Stored.Class),
		Tagging:              t.options.Stored.tagging(),
		ACL:                  types.ObjectCannedACL(t.options.Stored.ACL),
	}
	version, looked := t.seen[o.key]
	guarded := looked && t.options.Guarded
	nothingSeen := guarded && version == ""
	switch {
	case first, nothingSeen:
		in.IfNoneMatch = aws.String("*")
	case guarded:
		in.IfMatch = &version
	}
	out, err := t.client.PutObject(ctx, in, t.promptly)
	if err != nil {
		return err
	}
	if out.ETag == nil {
		return errNoTag
	}
	return t.encrypted(o.key, out.ServerSideEncryption)
}

// stands tells whether what is visible is this very object.
func (o *bucketObject) stands(ctx context.Context) bool { return o.visible(ctx) != nil }

// visible is what is visible if it is this very object, else nil. Where the answer is no longer
// waited for, or another process may publish it too, the server gets a moment.
func (o *bucketObject) visible(ctx context.Context) *s3.HeadObjectOutput {
	const pauses = 10
	waits := ctx.Err() != nil || o.resumed
	if waits {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(context.WithoutCancel(ctx), o.target.limits.looking)
		defer stop()
	}
	for {
		there, err := o.target.head(ctx, o.key)
		if err == nil && o.stored(there) {
			return there
		}
		if !waits || ctx.Err() != nil {
			return nil
		}
		time.Sleep(o.target.limits.looking / pauses)
	}
}

// Replaced implements [target.Object]. Another attempt at the run may have stored the same bytes.
func (o *bucketObject) Replaced(ctx context.Context, sum string) (bool, error) {
	there, err := o.target.head(ctx, o.key)
	if err != nil || there == nil || o.stored(there) {
		return false, o.target.explain(ctx, o.key, err)
	}
	_, got, err := o.target.read(ctx, o.key)
	if codeOf(err) == "NoSuchKey" {
		return false, nil
	}
	return err == nil && got != sum, o.target.explain(ctx, o.key, err)
}

// stored tells whether what is visible, nil for nothing, is this very object.
func (o *bucketObject) stored(there *s3.HeadObjectOutput) bool {
	return there != nil && o.token == tokenOf(there.Metadata)
}

// tokenOf is the token that an object was stored with. Servers differ about the case of names.
func tokenOf(metadata map[string]string) string {
	if token := metadata[commitKey]; token != "" {
		return token
	}
	return metadata[http.CanonicalHeaderKey(commitKey)]
}

// Close aborts the upload. One that stays open is an error of the target's Close.
func (o *bucketObject) Close() error {
	if o.part != nil {
		o.part.close()
		o.part = nil
	}
	if o.upload != nil {
		o.target.giveUp(o.upload)
		o.upload = nil
	}
	return nil
}

// head returns the head of what is visible under key, nil if nothing is.
func (t *Target) head(ctx context.Context, key string) (*s3.HeadObjectOutput, error) {
	out, err := t.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &t.bucket, Key: &key}, t.promptly)
	if errors.As(err, new(*types.NotFound)) {
		return nil, nil
	}
	return out, err
}
