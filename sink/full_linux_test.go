package sink_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"sluice/pipeline"
	"sluice/sink"
)

func TestADiskThatIsFullEndsTheRunAndLeavesTheEarlierFiles(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("this test needs to mount a small tmpfs: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	for _, c := range []struct {
		o    sink.Options
		temp string
		want string
	}{
		{sink.Options{Output: dir + "/a.ndjson"}, elsewhere, dir + "/a.ndjson: no space left on device"},
		{sink.Options{Output: dir + "/a.csv"}, elsewhere, dir + "/a.csv: no space left on device"},
		{sink.Options{Output: dir + "/", Compress: "gzip"}, elsewhere, dir + "/a.ndjson.gz: no space left on device"},
		{sink.Options{Format: "csv", Environment: sink.Environment{Stdout: &bytes.Buffer{}}}, dir, "the temporary file for the rows of a in " + dir + ": no space left on device; set TMPDIR to a folder with more room, or name the columns with --columns"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "a.ndjson"), []byte("earlier"), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", c.temp)
		line := noise(100 << 10)
		_, err := run(t, c.o, outputs("a"), batch("a", line), batch("a", line), batch("a", line), batch("a", line))
		if err == nil || err.Error() != c.want || pipeline.IsTemporary(err) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		if got := list(t, dir); got != "a.ndjson" || read(t, dir, "a.ndjson") != "earlier" {
			t.Errorf("left is %s", got)
		}
	}
}
