package page_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"syscall"
	"testing"

	"sluice/pipeline"
	"sluice/source/page"
)

func TestSpilledItemsComeBackAsTheyWere(t *testing.T) {
	body := string(workload())
	want, plain, err := lines(t, &page.Decoder{}, body, field("items"))
	if err != nil || len(want) != 1000 {
		t.Fatal(len(want), err)
	}
	for _, d := range []*page.Decoder{
		{ChunkSize: 1, HoldLimit: -1},
		{ChunkSize: 3000, HoldLimit: 10000},
		{ChunkSize: 100_000, HoldLimit: 1},
		{HoldLimit: 1},
	} {
		d.Folder = t.TempDir()
		for range 2 { // the second time with used buffers
			got, p, err := lines(t, d, body, field("items"))
			if err != nil || strings.Join(got, "") != strings.Join(want, "") {
				t.Errorf("chunks of %d, %d held: the items differ, %v", d.ChunkSize, d.HoldLimit, err)
			}
			if p.Hash != plain.Hash || p.Last != plain.Last || p.First != plain.First || p.Bytes != plain.Bytes {
				t.Errorf("chunks of %d, %d held: the facts differ", d.ChunkSize, d.HoldLimit)
			}
		}
	}
}

func TestAChunkIsOfWholeLinesAndNotMuchLargerThanItsSize(t *testing.T) {
	d := &page.Decoder{ChunkSize: 4096}
	p, err := d.Decode(strings.NewReader(`["`+strings.Repeat("x", 10000)+`",`+strings.Repeat(`"abc",`, 5000)+`0]`), detect())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = p.Batches(func(b *pipeline.Batch) error {
		if len(b.Text) > 4096 && b.Items > 1 {
			t.Errorf("batch %d has %d bytes", n, len(b.Text))
		}
		n++
		return release(b)
	})
	if err != nil || n < 8 || n > 12 {
		t.Errorf("%d batches, %v", n, err)
	}
}

func TestTheTemporaryFileHasNoNameAndIsGivenUp(t *testing.T) {
	var opened []*os.File
	folder := t.TempDir()
	d := &page.Decoder{Folder: folder, ChunkSize: 100, HoldLimit: 1000}
	p, err := d.Decode(strings.NewReader(string(workload())), field("items"))
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("%v stands in the folder", left)
	}
	p.Close()
	d.SetCreate(func() (*os.File, error) {
		f, err := os.Create(filepath.Join(folder, "spill"))
		opened = append(opened, f)
		return f, err
	})
	broken := errors.New("broken pipe")
	for name, use := range map[string]func() error{
		"closed": func() error {
			p, _ := d.Decode(strings.NewReader(string(workload())), field("items"))
			p.Close()
			return nil
		},
		"given away":   func() error { _, _, err := lines(t, d, string(workload()), field("items")); return err },
		"bad at last":  func() error { _, _, err := lines(t, d, string(workload())+"x", field("items")); return wanted(err) },
		"refused once": func() error { return refuse(d, broken) },
	} {
		if err := use(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(opened) != 1 {
			t.Fatalf("%s: %d files were made", name, len(opened))
		}
		if err := opened[0].Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: the file is still open", name)
		}
		opened = nil
	}
}

func wanted(err error) error {
	if err == nil {
		return errors.New("an error is wanted")
	}
	return nil
}

func refuse(d *page.Decoder, with error) error {
	p, err := d.Decode(strings.NewReader(string(workload())), field("items"))
	if err != nil {
		return err
	}
	err = p.Batches(func(b *pipeline.Batch) error {
		b.Release()
		return with
	})
	if err != with {
		return fmt.Errorf("got %v", err)
	}
	return nil
}

func TestAFolderThatIsOfNoUseIsNamedWithTheReason(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	d := &page.Decoder{Folder: missing, HoldLimit: 100}
	_, _, err := lines(t, d, string(workload()), field("items"))
	if err == nil || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "temporary folder "+missing) {
		t.Errorf("got %v", err)
	}

	d = &page.Decoder{Folder: "here", HoldLimit: 100}
	d.SetCreate(func() (*os.File, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) })
	_, _, err = lines(t, d, string(workload()), field("items"))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "temporary folder here") || isError(err) {
		t.Errorf("got %v", err)
	}

	short := filepath.Join(t.TempDir(), "short")
	d = &page.Decoder{Folder: "here", HoldLimit: -1}
	d.SetCreate(func() (*os.File, error) { return os.Create(short) })
	p, err := d.Decode(strings.NewReader(string(workload())), field("items"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(short, 10); err != nil {
		t.Fatal(err)
	}
	if err := p.Batches(release); !errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "temporary folder here") {
		t.Errorf("got %v", err)
	}
}

func TestADecoderServesManyPagesAtOnce(t *testing.T) {
	d := &page.Decoder{ChunkSize: 10_000, HoldLimit: 50_000, Folder: t.TempDir()}
	body := string(workload())
	want, _, err := lines(t, d, body, field("items"))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 4 {
				got, _, err := lines(t, d, body, field("items"))
				if err != nil || strings.Join(got, "") != strings.Join(want, "") {
					t.Errorf("the items differ, %v", err)
				}
			}
		})
	}
	all.Wait()
}

// endless repeats one text between a head and a tail.
type endless struct {
	text, tail string
	times      int
	rest       string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" && e.times > 0 {
		e.times--
		e.rest = e.text
		if e.times == 0 {
			e.rest += e.tail
		}
	}
	if e.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func TestMemoryDoesNotGrowWithThePage(t *testing.T) {
	const room = 6 << 20
	item := `{"id":1,"text":"` + strings.Repeat("x", 4000) + `"}`
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 {
		runtime.GC() // what is dead would be counted until it is swept
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	for name, head := range map[string]string{"selected": `{"a":[` + item, "unselected": `{"x":{"y":[[` + item} {
		tail := strings.Repeat("]", strings.Count(head, "[")) + strings.Repeat("}", strings.Count(head, "{")-1)
		body := io.MultiReader(strings.NewReader(head), &endless{text: "," + item, times: 8000, tail: tail})
		runtime.GC() // what pools keep goes with the second
		before, most, n := heap(), uint64(0), 0
		measure := func(io.Reader) io.Reader {
			return readerFunc(func(p []byte) (int, error) {
				if n++; n%100 == 0 {
					most = max(most, heap())
				}
				return body.Read(p)
			})
		}
		d := &page.Decoder{Folder: t.TempDir()}
		p, err := d.Decode(measure(body), field("a"))
		if err != nil {
			t.Fatal(name, err)
		}
		if p.Bytes < 2*room || most < before || most-before > room {
			t.Errorf("%s: a page of %d MiB took %d MiB of memory", name, p.Bytes>>20, (most-before)>>20)
		}
		p.Close()
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestDecodingAllocatesLittle(t *testing.T) {
	body := string(workload())
	for name, d := range map[string]*page.Decoder{"held": {}, "spilled": {HoldLimit: 100_000, Folder: t.TempDir()}} {
		s := detect()
		least := math.Inf(1)
		for range 5 { // under the race detector a pool loses, at random, what it is given
			least = min(least, testing.AllocsPerRun(1, func() {
				p, err := d.Decode(strings.NewReader(body), s)
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Batches(release); err != nil {
					t.Fatal(err)
				}
			}))
		}
		if perItem := least / 1000; perItem > 0.05 {
			t.Errorf("%s: %v allocations an item", name, perItem)
		}
	}
}
