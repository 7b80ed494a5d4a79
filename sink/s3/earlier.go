package s3

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"sluice/sink/target"
)

// Touched returns when the last part of an upload was stored; zero if it has none.
func (t *Target) Touched(ctx context.Context, s target.Sealed) (last time.Time, err error) {
	if err := t.connect(ctx); err != nil {
		return last, err
	}
	key := t.prefix + s.Name
	pages := s3.NewListPartsPaginator(
		t.client,
		&s3.ListPartsInput{Bucket: &t.bucket, Key: &key, UploadId: &s.Hidden},
	)
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx, t.promptly)
		if codeOf(err) == "NoSuchUpload" {
			return last, nil
		}
		if err != nil {
			return last, t.explain(ctx, key, err)
		}
		for _, part := range out.Parts {
			if at := aws.ToTime(part.LastModified); at.After(last) {
				last = at
			}
		}
	}
	return last, nil
}

// Empty returns the open uploads without parts whose names begin as prefix says and match.
func (t *Target) Empty(
	ctx context.Context,
	prefix string,
	match func(name string) bool,
) (all []target.Sealed, err error) {
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	err = t.eachUpload(ctx, t.prefix+prefix, func(key, id string, _ time.Time) error {
		name := strings.TrimPrefix(key, t.prefix)
		if !match(name) {
			return nil
		}
		parts := &s3.ListPartsInput{Bucket: &t.bucket, Key: &key, UploadId: &id, MaxParts: aws.Int32(1)}
		out, err := t.client.ListParts(ctx, parts, t.promptly)
		if codeOf(err) == "NoSuchUpload" {
			return nil
		}
		if err != nil {
			return err
		}
		if len(out.Parts) == 0 {
			all = append(all, target.Sealed{Name: name, Hidden: id})
		}
		return nil
	})
	return all, t.explain(ctx, t.prefix+prefix, err)
}

// eachUpload tells of the open uploads, of every program, whose keys begin as prefix says.
func (t *Target) eachUpload(
	ctx context.Context,
	prefix string,
	tell func(key, id string, since time.Time) error,
) error {
	pages := s3.NewListMultipartUploadsPaginator(
		t.client,
		&s3.ListMultipartUploadsInput{Bucket: &t.bucket, Prefix: &prefix},
	)
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx, t.promptly)
		if codeOf(err) == "NoSuchUpload" {
			// How the embedded S3 says that there never was one.
			return nil
		}
		if err != nil {
			return err
		}
		for _, u := range out.Uploads {
			if err := tell(*u.Key, *u.UploadId, aws.ToTime(u.Initiated)); err != nil {
				return err
			}
		}
	}
	return nil
}
