package s3

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/pipeline"
	"sluice/sink/target"
)

// Sealed implements [target.Object].
func (o *object) Sealed() target.Sealed {
	s := target.Sealed{Hidden: o.upload.id, Token: o.token, Parts: make([][2]string, len(o.upload.done))}
	for _, p := range o.upload.done {
		s.Parts[*p.PartNumber-1] = [2]string{*p.ETag, aws.ToString(p.ChecksumCRC32)}
	}
	return s
}

// Stands implements [target.Store].
func (t *Target) Stands(ctx context.Context, s target.Sealed) (bool, error) {
	o := t.resume(s)
	_, err := t.client.ListParts(ctx, &s3.ListPartsInput{Bucket: &t.bucket, Key: &o.key, UploadId: &s.Hidden, MaxParts: aws.Int32(1)}, t.promptly)
	if codeOf(err) != "NoSuchUpload" {
		return err == nil, t.explain(ctx, o.key, err)
	}
	if o.stands(ctx) { // in a moment, where another process is completing it
		return true, nil
	}
	_, err = t.head(ctx, o.key)
	return false, t.explain(ctx, o.key, err)
}

// Finish implements [target.Store]. Some servers call an upload complete that another
// process is completing, or whose object somebody has replaced: so it always looks.
func (t *Target) Finish(ctx context.Context, s target.Sealed) error {
	o := t.resume(s)
	err := o.upload.complete(ctx)
	switch {
	case o.stands(ctx):
		return nil
	case err == nil:
		return pipeline.Temporary(fmt.Errorf("%s: the upload is complete, and it is not what stands there", o.URI()))
	}
	return t.explain(ctx, o.key, err)
}

// Abandon implements [target.Store].
func (t *Target) Abandon(ctx context.Context, s target.Sealed) error {
	key := t.prefix + s.Name
	return t.explain(ctx, key, t.abort(ctx, key, s.Hidden))
}

func (t *Target) resume(s target.Sealed) *object {
	u := &upload{target: t, key: t.prefix + s.Name, id: s.Hidden}
	for i, p := range s.Parts {
		part := types.CompletedPart{PartNumber: aws.Int32(int32(i + 1)), ETag: &p[0]}
		if p[1] != "" {
			part.ChecksumCRC32 = &p[1]
		}
		u.done = append(u.done, part)
	}
	return &object{target: t, key: u.key, token: s.Token, upload: u, resumed: true}
}
