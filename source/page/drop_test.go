package page_test

import (
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/source/page"
)

func TestDroppedItemsAreNotGivenAway(t *testing.T) {
	for _, d := range []*page.Decoder{{}, {ChunkSize: 1, HoldLimit: -1}, {ChunkSize: 6}} {
		d.Folder = t.TempDir()
		p, err := d.Decode(strings.NewReader(`[11,22,33,44,55,66]`), detect())
		if err != nil {
			t.Fatal(err)
		}
		p.Drop([]bool{true, false, false, true, false, true})
		var got strings.Builder
		items, firsts := 0, 0
		err = p.Batches(func(b *pipeline.Batch) error {
			got.Write(b.Text)
			items += b.Items
			if b.First {
				firsts++
			}
			return release(b)
		})
		isRight := got.String() == "22\n33\n55\n" && items == 3 && firsts == 1
		if err != nil || !isRight || p.Items-p.LeftOut != 3 {
			t.Errorf("chunks of %d: %q, %d items, %d begin the page, %v", d.ChunkSize, &got, items, firsts, err)
		}
	}
}
