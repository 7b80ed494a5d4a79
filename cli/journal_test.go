package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
	s3store "sluice/fixtures/s3"
)

// A stretch is a run with a journal in a bucket that is slow, or refuses.
type stretch struct {
	// refuses tells whether a segment is refused, so long after the first.
	refuses func(after time.Duration) bool

	output string
	mu     sync.Mutex
	first  time.Time

	// Segments that are being stored.
	under int
	// Pages that were asked for meanwhile.
	meanwhile int
	// Segments that were stored, and those of them that were when the output was there.
	stored, late int
}

// bucket holds each segment for 8 s, but the first.
func (s *stretch) bucket(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isSegment := r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, ".journal")
		if !isSegment || s.begin() {
			next.ServeHTTP(w, r)
			return
		}
		time.Sleep(8 * time.Second)
		if s.end() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// begin tells whether it is the first segment.
func (s *stretch) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first.IsZero() {
		s.first = time.Now()
		return true
	}
	s.under++
	return false
}

// end tells whether the segment is refused.
func (s *stretch) end() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under--
	if s.refuses(time.Since(s.first)) {
		return true
	}
	s.stored++
	if _, err := os.Stat(s.output); err == nil {
		s.late++
	}
	return false
}

// ServeHTTP serves pages of one item, and an empty one behind the last.
func (s *stretch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.under > 0 {
		s.meanwhile++
	}
	s.mu.Unlock()
	time.Sleep(100 * time.Millisecond)
	page := r.FormValue("page")
	if page == "301" {
		fmt.Fprint(w, "[]")
		return
	}
	fmt.Fprintf(w, `[{"page":%s}]`, page)
}

// run runs it in a bubble.
func (s *stretch) run(t *testing.T, network *api.Network) (status int, said string) {
	t.Helper()
	const text = `{"api": {"baseUrl": "http://api.test/", "pagination": {"method": "pagenum", "limit": 1}}, "config": {"jobs": [{"endpoint": "items"}]}}`
	bucket := s3store.New("bucket")
	for host, h := range map[string]http.Handler{"api.test": s, "store.test": s.bucket(bucket)} {
		stop, err := network.Serve(host, h)
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
	}
	var stderr bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(text), Stdout: &bytes.Buffer{}, Stderr: &stderr,
		Getenv: os.Getenv, Now: time.Now, Dial: network.Dial,
	}
	status = invoke(t.Context(), w, []string{"sluice", "run", "-", "-o", s.output, "--concurrency", "4", "--run-id", "a",
		"--checkpoint", "s3://bucket/journal/", "--s3-endpoint", "http://store.test", "--log-level", "warn"})
	return status, stderr.String()
}

// A segment takes 8 s, and for a while, or for ever, the bucket refuses: the walks go on, all is stored before the
// output shows, and a journal that cannot be written does not fail the run.
func TestASlowJournalDelaysOnlyItself(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "a-secret-key", "AWS_REGION": "us-east-1",
	} {
		t.Setenv(name, value)
	}
	var want strings.Builder
	for n := range 300 {
		fmt.Fprintf(&want, `{"page":%d}`+"\n", n+1)
	}
	const again = "sluice: warning: the journal: http://store.test answers 503 "
	const ended = ": the run goes on without the journal, and answers from now on are not kept"
	for name, c := range map[string]struct {
		refuses func(after time.Duration) bool
		says    []string
	}{
		"slow":              {refuses: func(time.Duration) bool { return false }},
		"away for a minute": {func(after time.Duration) bool { return after < time.Minute }, []string{again}},
		"away for good":     {func(time.Duration) bool { return true }, []string{again, ended}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &stretch{refuses: c.refuses, output: filepath.Join(t.TempDir(), "out.ndjson")}
			status, said := s.run(t, api.NewNetwork())
			got, err := os.ReadFile(s.output)
			if status != statusOK || string(got) != want.String() || err != nil {
				t.Errorf("%s: status %d, %v\n%s\n%s", name, status, err, said, got)
			}
			// With none in flight beside a segment there would be as many as segments at most.
			if s.meanwhile < 100 {
				t.Errorf("%s: %d pages were asked for while a segment was stored", name, s.meanwhile)
			}
			gone := strings.Contains(said, ended)
			isLast := s.late <= 1 // that all is visible
			if !isLast || gone == (s.stored > 0) {
				t.Errorf("%s: %d segments were stored, %d when the output was there", name, s.stored, s.late)
			}
			for _, text := range c.says {
				if !strings.Contains(said, text) {
					t.Errorf("%s: %q is not said:\n%s", name, text, said)
				}
			}
			if len(c.says) == 0 && strings.Contains(said, "journal") {
				t.Errorf("%s: %s", name, said)
			}
		})
	}
}
