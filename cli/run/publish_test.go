package run

import (
	"bytes"
	"io"
	"testing"
	"time"

	"sluice/fixtures/api"
	"sluice/fixtures/s3"
	"sluice/pipeline/secret"
)

// Each object of a run says which run wrote it, the state too.
func TestPublishingEntersTheRunIntoItsObjects(t *testing.T) {
	const host, bucket = "api.invalid", "bucket"
	network := api.NewNetwork()
	stop, err := network.Serve(host, api.New(api.Options{Items: 3, NoLog: true}))
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	store := s3.New(bucket)
	stopStore, err := network.Serve("s3.invalid", store)
	if err != nil {
		t.Fatal(err)
	}
	defer stopStore()
	w := &World{
		Stdin:       bytes.NewReader(api.Config("http://"+host+"/", 0)),
		Stdout:      io.Discard,
		Stderr:      io.Discard,
		Getenv:      func(string) string { return "" },
		Now:         time.Now,
		Dial:        network.Dial,
		FinalStatus: func(error) int { return 0 },
	}
	o := Options{
		RunID:  "1",
		Input:  ConfigurationInput{Config: "-"},
		API:    Sending{Concurrency: 1},
		Data:   Data{Output: "s3://" + bucket + "/export/"},
		Shard:  Shard{I: 0, N: 1},
		Bucket: Bucket{Endpoint: "http://s3.invalid", Anonymous: true},
		Shown:  Shown{Progress: "never"},
	}
	if err := Run(t.Context(), w, &secret.Set{}, o); err != nil {
		t.Fatal(err)
	}
	o.Shard, o.Beside.State = Shard{}, "s3://"+bucket+"/state.json"
	if err := Publish(t.Context(), w, &secret.Set{}, o, PublishOptions{Shards: 1}); err != nil {
		t.Fatal(err)
	}
	objects, err := store.Objects(bucket)
	if err != nil || len(objects) != 3 {
		t.Fatalf("%v, %v", objects, err)
	}
	for _, o := range objects {
		if o.Metadata["sluice-run-id"] != "1" {
			t.Errorf("%s has %v", o.Key, o.Metadata)
		}
	}
}
