package s3

import (
	"context"
	"iter"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// An Upload is a multipart upload that is open: of a run that is under way, or
// that was killed. Its parts are stored and paid for, and no reader sees them.
type Upload struct {
	URI       string
	ID        string
	Initiated time.Time // zero if the server does not say
	Aborted   bool      // by this sweep
}

// Sweep lists the open uploads whose keys begin as uri says, s3://bucket or
// s3://bucket/prefix, whoever began them. If abort is set it ends those that are
// older than olderThan; one of unknown age stays. What was found is returned also
// with an error.
func Sweep(ctx context.Context, o Options, uri string, olderThan time.Duration, abort bool) ([]Upload, error) {
	t, err := New(o, uri)
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }() // it only ends idle connections
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	before := t.options.Now().Add(-olderThan)
	var all []Upload
	for m, err := range t.connection.open(ctx, t.bucket, t.prefix) {
		if err != nil {
			return all, t.because(ctx, t.prefix, err)
		}
		u := Upload{URI: t.uri(*m.Key), ID: *m.UploadId}
		if m.Initiated != nil {
			u.Initiated = *m.Initiated
		}
		all = append(all, u)
		if !abort || u.Initiated.IsZero() || u.Initiated.After(before) {
			continue
		}
		if err := t.connection.abort(ctx, t.bucket, *m.Key, u.ID); err != nil {
			return all, t.because(ctx, *m.Key, err)
		}
		all[len(all)-1].Aborted = true
	}
	return all, nil
}

// open goes through the uploads that are open under a prefix, until the first error.
func (c *connection) open(ctx context.Context, bucket, prefix string) iter.Seq2[types.MultipartUpload, error] {
	return func(yield func(types.MultipartUpload, error) bool) {
		in := &s3.ListMultipartUploadsInput{Bucket: &bucket, Prefix: &prefix}
		for {
			out, err := c.client.ListMultipartUploads(ctx, in, c.promptly)
			if codeOf(err) == "NoSuchUpload" {
				return // how the embedded S3 says that there never was one
			}
			if err != nil {
				yield(types.MultipartUpload{}, err)
				return
			}
			for _, m := range out.Uploads {
				if !yield(m, nil) {
					return
				}
			}
			if out.NextKeyMarker == nil || out.IsTruncated == nil || !*out.IsTruncated {
				return
			}
			in.KeyMarker, in.UploadIdMarker = out.NextKeyMarker, out.NextUploadIdMarker
		}
	}
}
