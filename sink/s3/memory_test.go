package s3_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"sync"
	"testing"

	"sluice/sink/s3"
	"sluice/sink/target"
)

// swallow is an S3 that keeps nothing.
func swallow(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("ETag", `"x"`)
	switch kindOf(r) {
	case "create":
		fmt.Fprint(w, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
	case "complete":
		fmt.Fprint(w, "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>")
	}
}

// heap watches what is alive whenever a part is sent.
type heap struct {
	mu   sync.Mutex
	base uint64
	most uint64
}

func (h *heap) look() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (h *heap) watch(p *place) {
	h.base = h.look()
	p.listen(&wire{before: func(kind string, _ int, _ *http.Request) (*http.Response, error) {
		if kind == "part" {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.most = max(h.most, h.look())
		}
		return nil, nil
	}})
}

func (h *heap) grew() int64 { return int64(h.most) - int64(h.base) }

// tenAtOnce writes ten objects of size bytes side by side.
func tenAtOnce(t *testing.T, to *s3.Target, size int) {
	t.Helper()
	const objects, piece = 10, 256 << 10
	text := sample(piece)
	var all []target.Object
	for i := range objects {
		o, err := to.Create(t.Context(), fmt.Sprint(i))
		must(t, err)
		defer func() { must(t, o.Close()) }()
		all = append(all, o)
	}
	for range size / piece {
		for _, o := range all {
			must(t, o.Write(t.Context(), text))
		}
	}
	for _, o := range all {
		must(t, o.Seal(t.Context()))
	}
	for _, o := range all {
		must(t, o.Publish(t.Context()))
	}
}

func TestMemoryHoldsNoParts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(swallow))
	defer server.Close()
	for _, part := range []int64{s3.MinPartSize, 2 * s3.MinPartSize} {
		p := newPlace(t, server.URL, "bucket", nil)
		p.options.PartSize = part
		var h heap
		h.watch(p)
		tenAtOnce(t, p.open(t, ""), 11<<20)
		if h.most == 0 || h.grew() > 4<<20 {
			t.Errorf("parts of %d MiB: memory grew by %d KiB", part>>20, h.grew()>>10)
		}
	}
}

func TestPartsLeaveNoFilesBehind(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := embedded(t)
	p.options = s3.InParts(p.options, 1000, 10)
	to := p.open(t, "")
	o, err := to.Create(t.Context(), "x")
	must(t, err)
	must(t, o.Write(t.Context(), sample(2500)))
	if files, err := os.ReadDir(os.TempDir()); err != nil || len(files) > 0 {
		t.Errorf("while it is written: %v, %v", files, err)
	}
	before := descriptors(t)
	must(t, errors.Join(o.Seal(t.Context()), o.Publish(t.Context()), o.Close()))
	for range 100 {
		must(t, store(t.Context(), to, "x", sample(2500)))
		must(t, store(t.Context(), to, "x", sample(10)))
	}
	if after := descriptors(t); after > before+50 {
		t.Errorf("%d files are open, %d were", after, before)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(all)
}
