package s3_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	fake "sluice/fixtures/s3"
	"sluice/sink/s3"
)

// told are the headers that say what an object is to be stored with.
var told = []string{
	"X-Amz-Server-Side-Encryption", "X-Amz-Server-Side-Encryption-Aws-Kms-Key-Id", "X-Amz-Storage-Class", "X-Amz-Tagging", "X-Amz-Acl",
}

// listening returns a bucket of the S3 in this process, which says that it encrypts by the word says, and tells what
// requests that begin or store an object said.
func listening(t *testing.T, says string) (p *place, said func() []string) {
	var mu sync.Mutex
	var all []string
	bucket := fake.New("bucket")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isUpload := r.Method == http.MethodPost && r.URL.Query().Has("uploads")
		isPut := r.Method == http.MethodPut && !r.URL.Query().Has("partNumber")
		if isUpload || isPut {
			words := []string{r.Method}
			for _, name := range told {
				words = append(words, r.Header.Get(name))
			}
			mu.Lock()
			all = append(all, strings.Join(words, "|"))
			mu.Unlock()
			if says != "" {
				w.Header().Set("X-Amz-Server-Side-Encryption", says)
			}
		}
		bucket.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return newPlace(t, server.URL, "bucket", nil), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

func TestEveryObjectIsStoredWithWhatWasSaid(t *testing.T) {
	p, said := listening(t, "aws:kms")
	p.options.PartSize = s3.MinPartSize
	p.options.Stored = s3.Stored{
		Encryption: "aws:kms", Key: "the-key", Class: "STANDARD_IA", Tags: []string{"team=data & more", "of=ü=1"}, ACL: "bucket-owner-full-control",
	}
	must(t, p.object(t, "", "small", sample(10)))
	must(t, p.object(t, "", "large", sample(s3.MinPartSize+1)))
	const with = "|aws:kms|the-key|STANDARD_IA|team=data%20%26%20more&of=%C3%BC%3D1|bucket-owner-full-control"
	// A probe each, what fits into a part, and an upload.
	want := []string{"POST" + with, "PUT" + with, "POST" + with, "POST" + with}
	if got := said(); !slices.Equal(got, want) {
		t.Errorf("it was said\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWithoutAWordObjectsAreStoredAsTheBucketSays(t *testing.T) {
	p, said := listening(t, "AES256")
	must(t, p.object(t, "", "small", sample(10)))
	want := []string{"POST|||||", "PUT|||||"}
	if got := said(); !slices.Equal(got, want) {
		t.Errorf("it was said %q, not %q", got, want)
	}
}

func TestAServerThatDoesNotEncryptAsItWasAskedIsRefused(t *testing.T) {
	for says, want := range map[string]string{
		"":       "--s3-sse aws:kms: %s was asked to encrypt so, and does not say that it does",
		"AES256": "--s3-sse aws:kms: %s was asked to encrypt so, and says AES256 instead",
	} {
		p, _ := listening(t, says)
		p.options.Stored = s3.Stored{Encryption: "aws:kms"}
		want = fmt.Sprintf("s3://bucket/x: "+want, p.options.Endpoint)
		to := p.open(t, "")
		if err := to.Probe(t.Context(), []string{"x"}); err == nil || err.Error() != want {
			t.Errorf("%s:\n%v, want\n%s", says, err, want)
		}
		if err := store(t.Context(), to, "x", sample(10)); err == nil || err.Error() != want {
			t.Errorf("%s: what fits into a part:\n%v, want\n%s", says, err, want)
		}
		must(t, to.Close())
		out, err := p.client.ListMultipartUploads(t.Context(), &sdk.ListMultipartUploadsInput{Bucket: &p.bucket})
		must(t, err)
		if len(out.Uploads) > 0 {
			t.Errorf("%s: %d uploads are open", says, len(out.Uploads))
		}
	}
}

func TestWhatCannotBeStoredSoIsRefusedByName(t *testing.T) {
	eleven := make([]string, 11)
	for i := range eleven {
		eleven[i] = fmt.Sprintf("t%d=x", i)
	}
	for want, stored := range map[string]s3.Stored{
		"--s3-kms-key wants --s3-sse aws:kms beside it":         {Key: "k", Encryption: "AES256"},
		"--s3-sse foo: is not known (have AES256, ":             {Encryption: "foo"},
		"--s3-sse aes256: is not known (have ":                  {Encryption: "aes256"},
		"--s3-acl foo: is not known (have private, public-read": {ACL: "foo"},
		"--s3-storage-class DEEP_ARCHIVE: its objects":          {Class: "DEEP_ARCHIVE"},
		"--s3-tag x: must be NAME=VALUE":                        {Tags: []string{"x"}},
		"--s3-tag a: is given twice":                            {Tags: []string{"a=1", "a=2"}},
		"--s3-tag: 11 tags are too many":                        {Tags: eleven},
	} {
		_, err := s3.New(s3.Options{Stored: stored}, "s3://bucket/")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestWordsThatSomeServerKnowsAreAsked(t *testing.T) {
	for _, stored := range []s3.Stored{
		{Encryption: "AES256"},
		{Encryption: "aws:kms:dsse", Key: "k"},
		{ACL: "bucket-owner-full-control"},
		{ACL: "project-private"},
		{Class: "A_CLASS_OF_ITS_OWN"},
	} {
		_, err := s3.New(s3.Options{Stored: stored}, "s3://bucket/")
		must(t, err)
	}
}

func TestAnAnswerThatKnowsNoneOfItNamesTheFlags(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotImplemented)
		_, _ = w.Write([]byte("<Error><Code>NotImplemented</Code><Message>A header</Message></Error>"))
	}))
	t.Cleanup(server.Close)
	p := newPlace(t, server.URL, "bucket", nil)
	p.options.Stored = s3.Stored{Class: "COLD", Tags: []string{"a=1"}}
	err := p.open(t, "").Probe(t.Context(), []string{"x"})
	if err == nil || !strings.HasSuffix(err.Error(), "501 NotImplemented: A header; it may be about --s3-storage-class, --s3-tag") {
		t.Error(err)
	}
}

func TestGatewayKeepsTheTagsOfObjects(t *testing.T) {
	p := gateway(t)
	p.options.PartSize = s3.MinPartSize
	p.options.Stored = s3.Stored{Tags: []string{"team=data more", "night=ü"}}
	for name, size := range map[string]int{"small": 10, "large": s3.MinPartSize + 1} {
		must(t, p.object(t, "tagged/", name, sample(size)))
		key := "tagged/" + name
		out, err := p.client.GetObjectTagging(t.Context(), &sdk.GetObjectTaggingInput{Bucket: &p.bucket, Key: &key})
		must(t, err)
		got := map[string]string{}
		for _, tag := range out.TagSet {
			got[*tag.Key] = *tag.Value
		}
		if len(got) != 2 || got["team"] != "data more" || got["night"] != "ü" {
			t.Errorf("%s has the tags %v", name, got)
		}
	}
}
