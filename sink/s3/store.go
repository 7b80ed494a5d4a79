package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Put implements [target.Store]. After a lost answer a token in the metadata tells whose text it is.
func (t *Target) Put(ctx context.Context, name string, text []byte) error {
	if err := t.connect(ctx); err != nil {
		return err
	}
	o := &bucketObject{target: t, key: t.prefix + name, token: rand.Text()}
	err := o.put(ctx, bytes.NewReader(text), int64(len(text)), true)
	if err == nil || o.stands(ctx) {
		return nil
	}
	switch codeOf(err) {
	// The second says that somebody puts it at this moment.
	case "PreconditionFailed", "ConditionalRequestConflict":
		return fmt.Errorf("%s: %w", o.URI(), fs.ErrExist)
	}
	return t.explain(ctx, o.key, err)
}

// List implements [target.Store].
func (t *Target) List(ctx context.Context, prefix string) (map[string]time.Time, error) {
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	all, err := t.list(ctx, t.prefix+prefix, "/")
	return all, t.explain(ctx, t.prefix+prefix, err)
}

// list returns the names of objects, and when they were written, and of folders if a delimiter ends the prefix.
func (t *Target) list(ctx context.Context, prefix, delimiter string) (map[string]time.Time, error) {
	all := map[string]time.Time{}
	pages := s3.NewListObjectsV2Paginator(
		t.client,
		&s3.ListObjectsV2Input{Bucket: &t.bucket, Prefix: &prefix, Delimiter: &delimiter},
	)
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx, t.promptly)
		if err != nil {
			return nil, err
		}
		for _, o := range out.Contents {
			all[strings.TrimPrefix(*o.Key, t.prefix)] = aws.ToTime(o.LastModified)
		}
		if prefix != "" && !strings.HasSuffix(prefix, "/") {
			continue
		}
		for _, folder := range out.CommonPrefixes {
			all[strings.TrimPrefix(*folder.Prefix, t.prefix)] = time.Time{}
		}
	}
	return all, nil
}
