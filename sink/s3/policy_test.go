package s3_test

import (
	"os"
	"strings"
	"testing"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	versity "sluice/fixtures/s3/gateway"
	"sluice/sink/s3"
)

// policy is the one that docs/s3.md shows.
func policy(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/s3.md")
	must(t, err)
	_, text, _ := strings.Cut(string(page), "```json policy.json\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("docs/s3.md shows no policy.json")
	}
	return text
}

func TestThePolicyOfTheDocumentsIsEnoughAndNoMore(t *testing.T) {
	address := versity.StartWithUser(t, t.TempDir(), accessKey, secretKey, "sluice", "secret-of-the-user")
	p := newPlace(t, "http://"+address, "lake", nil)
	_, err := p.client.CreateBucket(t.Context(), &sdk.CreateBucketInput{Bucket: &p.bucket})
	must(t, err)
	text := policy(t)
	_, err = p.client.PutBucketPolicy(t.Context(), &sdk.PutBucketPolicyInput{Bucket: &p.bucket, Policy: &text})
	must(t, err)
	t.Setenv("AWS_ACCESS_KEY_ID", "sluice")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret-of-the-user")
	p.options.PartSize = s3.MinPartSize
	must(t, p.object(t, "night/", "small", sample(10)))
	must(t, p.object(t, "night/", "large", sample(2*s3.MinPartSize)))
	to := p.open(t, "night/")
	if _, err := to.Head(t.Context(), "none", 10); err != nil {
		t.Errorf("to look for what is not there: %v", err)
	}
	if text, err := to.Head(t.Context(), "small", 100); err != nil || string(text) != string(sample(10)) {
		t.Errorf("to look at what is there: %q, %v", text, err)
	}
	must(t, to.Remove(t.Context(), "small"))
	p.begin(t, "night/left")
	left, err := s3.Sweep(t.Context(), p.options, p.uri("night/"), time.Now().Add(time.Hour))
	if err != nil || len(left) != 1 {
		t.Errorf("sweep found %d uploads: %v", len(left), err)
	}
	err = p.object(t, "day/", "small", sample(10))
	if err == nil || !strings.Contains(err.Error(), "403 AccessDenied") {
		t.Errorf("outside of the folder: %v", err)
	}
	p.options.Stored.Tags = []string{"a=b"}
	err = p.object(t, "night/", "tagged", sample(10))
	if err == nil || !strings.HasSuffix(err.Error(), "this takes the permission s3:PutObject, with --s3-tag s3:PutObjectTagging") {
		t.Errorf("a tag without its permission: %v", err)
	}
}
