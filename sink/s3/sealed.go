package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/sink/target"
)

// Sealed implements [target.Object].
func (o *bucketObject) Sealed() target.Sealed {
	s := target.Sealed{Hidden: o.upload.id, Token: o.token, Parts: make([][2]string, len(o.upload.done))}
	for _, p := range o.upload.done {
		s.Parts[*p.PartNumber-1] = [2]string{*p.ETag, aws.ToString(p.ChecksumCRC32)}
	}
	return s
}

// Stands implements [target.Store].
func (t *Target) Stands(ctx context.Context, s target.Sealed) (bool, error) {
	o := t.resume(s)
	if s.Token == "" {
		return false, fmt.Errorf("%s: the upload has no token: %w", o.URI(), target.ErrChanged)
	}
	parts, bytes, err := t.parts(ctx, o.key, s.Hidden)
	if err != nil && codeOf(err) != "NoSuchUpload" {
		return false, t.explain(ctx, o.key, err)
	}
	isOpen := err == nil
	if isOpen && len(parts) == len(s.Parts) && bytes == s.Bytes {
		err := sameParts(parts, s.Parts)
		if err != nil {
			return false, fmt.Errorf("%s: %w", o.URI(), err)
		}
		return true, nil
	}
	// In a moment, where another process is completing it: some servers list no parts meanwhile.
	there, err := o.complete(ctx, s)
	if there || err != nil {
		return there, err
	}
	if isOpen {
		const otherParts = "%s: the upload has %d parts of %d bytes together, and %d of %d were sealed: %w"
		return false, fmt.Errorf(otherParts, o.URI(), len(parts), bytes, len(s.Parts), s.Bytes, target.ErrChanged)
	}
	_, err = t.head(ctx, o.key)
	return false, t.explain(ctx, o.key, err)
}

// Shows implements [target.Store].
func (t *Target) Shows(ctx context.Context, s target.Sealed) (bool, error) {
	o := t.resume(s)
	there, err := t.head(ctx, o.key)
	return err == nil && o.stored(there), t.explain(ctx, o.key, err)
}

// complete tells whether the object that was sealed is visible. Somebody may have completed its upload with
// other parts.
func (o *bucketObject) complete(ctx context.Context, s target.Sealed) (bool, error) {
	there := o.visible(ctx)
	if there == nil {
		return false, nil
	}
	bytes := aws.ToInt64(there.ContentLength)
	if bytes != s.Bytes {
		return false, fmt.Errorf("%s: it has %d bytes, and %d were sealed: %w",
			o.URI(), bytes, s.Bytes, target.ErrChanged)
	}
	return true, nil
}

// sameParts refuses parts with other tags than those that were sealed. A server that tells no tags is believed.
func sameParts(parts []types.Part, sealed [][2]string) error {
	tags := map[int32]string{}
	for _, p := range parts {
		tags[aws.ToInt32(p.PartNumber)] = strings.Trim(aws.ToString(p.ETag), `"`)
	}
	for i, p := range sealed {
		number := int32(i + 1)
		tag, isThere := tags[number]
		isUntold := isThere && tag == ""
		if !isUntold && tag != strings.Trim(p[0], `"`) {
			return fmt.Errorf("part %d of the upload differs from the one that was sealed: "+
				"%w", number, target.ErrChanged)
		}
	}
	return nil
}

// parts returns the parts of an upload, by their numbers, and how many bytes they have together.
func (t *Target) parts(ctx context.Context, key, id string) (all []types.Part, bytes int64, err error) {
	pages := s3.NewListPartsPaginator(t.client, &s3.ListPartsInput{Bucket: &t.bucket, Key: &key, UploadId: &id})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx, t.promptly)
		if err != nil {
			return nil, 0, err
		}
		for _, p := range out.Parts {
			bytes += aws.ToInt64(p.Size)
		}
		all = append(all, out.Parts...)
	}
	return all, bytes, nil
}

// Sum implements [target.Store]: an upload can be read once it is complete.
func (t *Target) Sum(ctx context.Context, s target.Sealed) (string, error) {
	key := t.prefix + s.Name
	token, sum, err := t.read(ctx, key)
	if codeOf(err) == "NoSuchKey" || err == nil && token != s.Token {
		return "", fs.ErrNotExist
	}
	return sum, t.explain(ctx, key, err)
}

// read reads what is visible under key, and returns its token and its SHA-256.
func (t *Target) read(ctx context.Context, key string) (token, sum string, err error) {
	got, err := t.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &t.bucket, Key: &key}, t.promptly)
	if err != nil {
		return "", "", err
	}
	// What was wanted has been read.
	defer func() { _ = got.Body.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, got.Body)
	return tokenOf(got.Metadata), hex.EncodeToString(hash.Sum(nil)), err
}

// Finish implements [target.Store]. Some servers call an upload complete that another
// process is completing, or whose object somebody has replaced: so it always looks.
func (t *Target) Finish(ctx context.Context, s target.Sealed) error {
	o := t.resume(s)
	err := o.upload.complete(ctx)
	there, changed := o.complete(ctx, s)
	if there || changed != nil {
		return changed
	}
	if err == nil {
		_, err = t.head(ctx, o.key)
	}
	if err == nil {
		return fmt.Errorf("%s: the upload is complete, and the object there is not its own: another run has "+
			"replaced it", o.URI())
	}
	if codeOf(err) == "InvalidPart" {
		return fmt.Errorf("%s: a part of the upload differs from the one that was sealed: "+
			"%w", o.URI(), target.ErrChanged)
	}
	return t.explain(ctx, o.key, err)
}

// Abandon implements [target.Store].
func (t *Target) Abandon(ctx context.Context, s target.Sealed) error {
	if err := t.connect(ctx); err != nil {
		return err
	}
	key := t.prefix + s.Name
	return t.explain(ctx, key, t.abort(ctx, key, s.Hidden))
}

// resume returns the object that another process has sealed, with all its parts.
func (t *Target) resume(s target.Sealed) *bucketObject {
	u := &upload{target: t, key: t.prefix + s.Name, id: s.Hidden}
	for i, p := range s.Parts {
		part := types.CompletedPart{PartNumber: aws.Int32(int32(i + 1)), ETag: &p[0]}
		if p[1] != "" {
			part.ChecksumCRC32 = &p[1]
		}
		u.done = append(u.done, part)
	}
	return &bucketObject{target: t, key: u.key, token: s.Token, upload: u, resumed: true}
}
