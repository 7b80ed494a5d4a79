package transport_test

import (
	"io"
	"math"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/transport"
	"sluice/source/transport/record"
)

// answering is a network that gives the same answer to every request.
type answering string

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(string(a)))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body}, nil
}

func TestAnExchangeMakesLittleAnew(t *testing.T) {
	var o transport.Options
	o.Secrets = &secret.Set{}
	network := answering(strings.Repeat("x", 64<<10))
	o.Wrap = func(http.RoundTripper, *record.ExchangeDetails) http.RoundTripper { return network }
	client := transport.New(o)
	defer client.Close()
	asked := ask("http://api.test/items?limit=1&offset=1")
	read := func(r *transport.Response) error {
		_, err := io.Copy(io.Discard, r.Body)
		return err
	}
	least, leastBytes := uint64(math.MaxUint64), uint64(math.MaxUint64)
	// A pool loses what the collector takes, and under the race detector, at random, what it is given.
	for range 20 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := client.Do(t.Context(), pipeline.Call{Job: "items", Page: 1}, asked, nil, read)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, after.Mallocs-before.Mallocs)
		leastBytes = min(leastBytes, after.TotalAlloc-before.TotalAlloc)
	}
	const most, mostBytes = 20, 4 << 10
	if least > most {
		t.Errorf("an exchange makes %d objects, of which %d are enough", least, most)
	}
	if leastBytes > mostBytes {
		t.Errorf("an exchange takes %d bytes, of which %d are enough", leastBytes, mostBytes)
	}
}
