package pipeline_test

import (
	"os"
	"testing"

	"sluice/pipeline"
)

func TestNothingIsLeftOfANamelessFile(t *testing.T) {
	dir := t.TempDir()
	f, err := pipeline.Nameless(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 4)
	if _, err := f.ReadAt(text, 0); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}
