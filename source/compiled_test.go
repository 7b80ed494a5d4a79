package source_test

import (
	"net/http"
	"testing"

	"sluice/fixtures/api"
	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

// run extracts within a bubble, and returns the error that it ended with.
func run(t *testing.T, text string, o source.Options, h http.Handler, emit func(*pipeline.Batch) error) error {
	t.Helper()
	return compiled(t, text, o, h).Extract(t.Context(), emit)
}

// compiled returns the source of a configuration whose http://api.test/ is h, until
// the bubble ends.
func compiled(t *testing.T, text string, o source.Options, h http.Handler) *source.Source {
	t.Helper()
	network := api.NewNetwork()
	stop, err := network.Serve("api.test", h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	var p config.Problems
	o.Secrets = &secret.Set{}
	o.Dial = network.Dial
	src := source.New([]*config.Document{config.Decode(config.Parse("test", []byte(text), &p), o.Secrets, &p)}, o, &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return src
}
