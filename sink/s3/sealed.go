package s3

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/sink/target"
)

// Resume implements [target.Publisher]. The target must have been probed.
func (t *Target) Resume(s target.Sealed) target.Sealable {
	u := t.newUpload(context.Background(), t.prefix+s.Name)
	u.id = s.Hidden
	for i, p := range s.Parts {
		done := types.CompletedPart{PartNumber: aws.Int32(int32(i + 1)), ETag: aws.String(p.ETag)}
		if p.CRC32 != "" {
			done.ChecksumCRC32 = aws.String(p.CRC32)
		}
		u.done = append(u.done, done)
	}
	return &object{target: t, key: u.key, token: s.Token, upload: u, resumed: true}
}

// Sealed implements [target.Sealable].
func (o *object) Sealed() target.Sealed {
	s := target.Sealed{Hidden: o.upload.id, Token: o.token}
	for _, p := range o.upload.inOrder() {
		s.Parts = append(s.Parts, target.Part{ETag: *p.ETag, CRC32: aws.ToString(p.ChecksumCRC32)})
	}
	return s
}

// Stands implements [target.Sealable].
func (o *object) Stands(ctx context.Context) (bool, error) {
	t := o.target
	_, err := t.client.ListParts(ctx, &s3.ListPartsInput{Bucket: &t.bucket, Key: &o.key, UploadId: &o.upload.id, MaxParts: aws.Int32(1)}, t.promptly)
	if codeOf(err) != "NoSuchUpload" {
		return err == nil, t.explain(ctx, o.key, err)
	}
	there, err := t.head(ctx, o.key)
	return o.is(there), t.explain(ctx, o.key, err)
}
