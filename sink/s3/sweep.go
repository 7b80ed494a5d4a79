package s3

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"sluice/sink/target"
)

// Sweep lists the open uploads, of every program, whose keys begin as uri says. It ends those that began before a time,
// none if that is zero; one of unknown age stays. What was found is returned also with an error.
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
	known := map[string]bool{}
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
				var stays bool
				if stays, err = t.publishing(ctx, *m.Key, known); err == nil && !stays {
					err = t.abort(ctx, *m.Key, u.ID)
					u.Removed = err == nil
				}
			}
			all = append(all, u)
			if err != nil {
				return all, t.explain(ctx, *m.Key, err)
			}
		}
	}
	return all, nil
}

// publishing tells whether a run of shards above a key is being published, which its uploads belong to.
func (t *Target) publishing(ctx context.Context, key string, known map[string]bool) (bool, error) {
	key = key[:strings.LastIndexByte(key, '/')+1]
	if stays, ok := known[key]; ok {
		return stays, nil
	}
	texts, err := t.list(ctx, key+"_sluice/", "")
	if err != nil {
		return true, err
	}
	stays := false
	for name := range texts {
		stays = stays || strings.HasSuffix(name, "/commit.json")
	}
	if !stays && key != "" {
		stays, err = t.publishing(ctx, strings.TrimSuffix(key, "/"), known)
	}
	known[key] = stays
	return stays, err
}
