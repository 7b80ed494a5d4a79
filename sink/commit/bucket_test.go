package commit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"

	fake "sluice/fixtures/s3"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/commit"
	"sluice/sink/s3"
	"sluice/sink/target"
)

// bucket is the name of the bucket of tests that look into it by a client of their own.
var bucket = "bucket"

// inBucket returns a place in a bucket, and the client.
func inBucket(t *testing.T) (*sharedPlace, *sdk.Client) {
	t.Helper()
	server := httptest.NewServer(fake.New(bucket))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret-0123456789")
	p := &sharedPlace{t: t, open: func() target.Store {
		to, err := s3.New(s3.Options{Endpoint: server.URL, Uploads: true}, "s3://"+bucket+"/")
		must(t, err)
		t.Cleanup(func() { to.Close() })
		return to
	}}
	return p, sdk.New(sdk.Options{
		BaseEndpoint: &server.URL, Region: "us-east-1", UsePathStyle: true,
		Credentials:                credentials.NewStaticCredentialsProvider("key", "secret-0123456789", ""),
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
	})
}

// openUploads are the ids of the open uploads, by key.
func openUploads(t *testing.T, client *sdk.Client) map[string]string {
	t.Helper()
	all := map[string]string{}
	out, err := client.ListMultipartUploads(t.Context(), &sdk.ListMultipartUploadsInput{Bucket: &bucket})
	must(t, err)
	for _, u := range out.Uploads {
		all[*u.Key] = *u.UploadId
	}
	return all
}

// replacePart puts another part of its length in the place of that of an open upload.
func replacePart(t *testing.T, client *sdk.Client, key string) {
	t.Helper()
	id := openUploads(t, client)[key]
	_, err := client.UploadPart(t.Context(), &sdk.UploadPartInput{
		Bucket: &bucket, Key: &key, UploadId: &id, PartNumber: aws.Int32(1), Body: strings.NewReader("7\n"),
	})
	must(t, err)
}

// A finisher does something before an object is published.
type finisher struct {
	target.Store
	before func(s target.Sealed)
}

func (f finisher) Finish(ctx context.Context, s target.Sealed) error {
	f.before(s)
	return f.Store.Finish(ctx, s)
}

func TestPartsThatWereReplacedBeforePublishingLeaveEverythingInvisible(t *testing.T) {
	p, client := inBucket(t)
	p.seal()
	replacePart(t, client, "a-00001-of-00003.ndjson")
	_, err := p.publish(goesOn)
	if err == nil || !strings.Contains(err.Error(), "nothing is published: remove what is left with sluice sweep") {
		t.Errorf("got %v", err)
	}
	if all, err := p.open().List(t.Context(), "a-"); len(all) > 0 || err != nil {
		t.Errorf("there is %v, %v", all, err)
	}
}

// What was sealed and is another's when all but it is visible cannot be published: the message says the way out, and it is
// one.
func TestPartsThatAreReplacedWhilePublishingHaveAWayOut(t *testing.T) {
	p, client := inBucket(t)
	p.seal()
	open := p.open
	p.open = func() target.Store {
		return finisher{open(), func(s target.Sealed) {
			if s.Name == "a-00001-of-00003.ndjson" {
				replacePart(t, client, s.Name)
			}
		}}
	}
	_, err := p.publish(goesOn)
	p.open = open
	_, again := p.publish(goesOn)
	for _, err := range []error{err, again} {
		if err == nil || !strings.Contains(err.Error(), "run all shards again with another --run-id") {
			t.Fatalf("got %v", err)
		}
		for _, said := range []string{
			"sluice sweep test://place/ --abort --run-id run 1", "remove test://place/_sluice/run+1/commit.json",
		} {
			if !strings.Contains(err.Error(), said) {
				t.Errorf("it does not say %s: %v", said, err)
			}
		}
	}
	if !strings.Contains(err.Error(), "outputs are visible: a-") && !strings.Contains(err.Error(), "no output is visible") {
		t.Errorf("it does not say what is visible: %v", err)
	}
	p.run = 2
	p.seal()
	_, err = p.publish(goesOn)
	must(t, err)
	p.whole(true, "with another id")
	to := p.open()
	must(t, to.Remove(t.Context(), "_sluice/run+1/commit.json"))
	_, err = commit.Sweep(t.Context(), to, "test://place/", "run 1", time.Now().Add(time.Hour))
	must(t, err)
	left, err := to.List(t.Context(), "_sluice/")
	if err != nil || len(left) > 0 || len(openUploads(t, client)) > 0 {
		t.Errorf("left: %v, %v, %v", left, err, openUploads(t, client))
	}
	p.whole(true, "swept")
}

// publishAlone publishes the run of a place, by a process whose bucket is asked for everything.
func publishAlone(p *sharedPlace) {
	p.t.Helper()
	id := fmt.Sprint("run ", p.run)
	path := func(name string) string { return name }
	shared := commit.New(p.open(), id, commit.SharedPlace{URI: "s3://bucket/", Path: path})
	ready := func(*report.Report, []json.RawMessage) error { return nil }
	_, err := shared.Publish(p.t.Context(), p.shards(), pipeline.Options{}, ready)
	must(p.t, err)
	must(p.t, shared.Forget(p.t.Context()))
}

// Publishing that is killed while it tries whether it may write leaves an upload of the manifest.
func TestPublishEndsTheUploadOfTheManifestThatOneHasLeftWhichWasKilled(t *testing.T) {
	p, client := inBucket(t)
	beginUpload(t, client, "_manifest-other.json")
	for _, isPublished := range []bool{false, true} {
		if !isPublished {
			p.seal()
		}
		beginUpload(t, client, "_manifest.json")
		publishAlone(p)
		p.whole(true, "published")
		open := openUploads(t, client)
		if open["_manifest.json"] != "" || open["_manifest-other.json"] == "" || len(open) != 1 {
			t.Errorf("published before: %t; open: %v", isPublished, open)
		}
	}
}

func TestPublishLeavesAnUploadOfTheManifestAloneThatHasParts(t *testing.T) {
	p, client := inBucket(t)
	key := "_manifest.json"
	id := beginUpload(t, client, key)
	replacePart(t, client, key)
	p.seal()
	publishAlone(p)
	if open := openUploads(t, client); open[key] != id {
		t.Errorf("open: %v", open)
	}
}

// An attempt at a shard that stood still while another has done it, and the run was published, goes on with an upload.
func TestAnUploadThatIsNotedOnceTheRunIsPublishedLeavesNoText(t *testing.T) {
	p, client := inBucket(t)
	mark := target.NewMark("run 1", "0/3")
	shared := p.joined(1)
	must(t, shared.Note(t.Context(), 0, mark, target.Sealed{Name: "a", Hidden: beginUpload(t, client, "a")}))
	p.seal()
	late := target.Sealed{Name: "b", Hidden: beginUpload(t, client, "b")}
	publishAlone(p)
	if open := openUploads(t, client); len(open) != 1 || open["b"] == "" {
		t.Errorf("what was noted and left is not ended: %v", open)
	}
	err := shared.Note(t.Context(), 0, mark, late)
	if !errors.Is(err, commit.ErrOvertaken) {
		t.Errorf("got %v", err)
	}
	p.whole(true, "noted late")
}

// Whatever comes below the texts of a run that is published goes with a sweep.
func TestASweepRemovesTextsOfARunThatIsPublished(t *testing.T) {
	p, client := inBucket(t)
	p.seal()
	publishAlone(p)
	shared := p.joined(1)
	mark := target.NewMark("run 1", "0/3")
	must(t, shared.Note(t.Context(), 0, mark, target.Sealed{Name: "a", Hidden: beginUpload(t, client, "a")}))
	to := p.open()
	damaged := "_sluice/run+1/shard-00000.X.Y.upload"
	must(t, to.Put(t.Context(), damaged, []byte("{}")))
	for _, before := range []time.Time{{}, time.Now().Add(time.Hour)} {
		found, err := commit.Sweep(t.Context(), to, "s3://bucket/", "", before)
		must(t, err)
		if len(found) != 1 || found[0].Removed == before.IsZero() {
			t.Errorf("found %v", found)
		}
	}
	if open := openUploads(t, client); len(open) > 0 {
		t.Errorf("open: %v", open)
	}
	p.whole(true, "swept")
}

// joined is what a shard of a run shares that has joined it.
func (p *sharedPlace) joined(run int) *commit.Shared {
	p.t.Helper()
	shared := commit.New(p.open(), fmt.Sprint("run ", run), commit.SharedPlace{URI: "s3://bucket/"})
	must(p.t, shared.Join(p.t.Context(), "what all have in common", new(string)))
	return shared
}

// beginUpload begins an upload, and returns its id.
func beginUpload(t *testing.T, client *sdk.Client, key string) string {
	t.Helper()
	out, err := client.CreateMultipartUpload(t.Context(), &sdk.CreateMultipartUploadInput{Bucket: &bucket, Key: &key})
	must(t, err)
	return *out.UploadId
}
