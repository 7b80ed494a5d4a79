package s3

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"sluice/sink/target"
)

// Sweep lists the open uploads whose keys begin as uri says, s3://bucket or
// s3://bucket/prefix, of every program. It ends those that began before the time
// before, none if that is zero; one of unknown age stays. What was found is returned
// also with an error.
func Sweep(ctx context.Context, o Options, uri string, before time.Time) ([]target.Leftover, error) {
	t, err := New(o, uri)
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }() // it only ends idle connections
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	var all []target.Leftover
	pages := s3.NewListMultipartUploadsPaginator(t.client, &s3.ListMultipartUploadsInput{Bucket: &t.bucket, Prefix: &t.prefix})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx, t.promptly)
		if codeOf(err) == "NoSuchUpload" {
			return all, nil // how the embedded S3 says that there never was one
		}
		if err != nil {
			return all, t.explain(ctx, t.prefix, err)
		}
		for _, m := range out.Uploads {
			u := target.Leftover{URI: t.uri(*m.Key), ID: *m.UploadId, Since: aws.ToTime(m.Initiated)}
			if !u.Since.IsZero() && !u.Since.After(before) {
				err = t.abort(ctx, *m.Key, u.ID)
				u.Removed = err == nil
			}
			all = append(all, u)
			if err != nil {
				return all, t.explain(ctx, *m.Key, err)
			}
		}
	}
	return all, nil
}
