package page_test

import (
	"fmt"
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

func TestThePageSaysWhichMembersTheItemsHaveThatAreGivenAway(t *testing.T) {
	const body = `[{"a":1},{"left":2},{"a":"x","b":[]} , {"a":2}]`
	left := func(text []byte) error {
		if strings.Contains(string(text), "left") {
			return page.ErrLeftOut
		}
		return nil
	}
	many := strings.Repeat(`{"a":1},`, 2000)
	for _, d := range []*page.Decoder{{}, {ChunkSize: 1, HoldLimit: -1}, {ChunkSize: 30}} {
		d.Folder = t.TempDir()
		d.Columns = true
		for _, c := range []struct {
			body, want string
			dropped    []bool
			changes    bool
		}{
			{body: body, want: "a [1 2 0 0 0 0 0] b [0 0 0 0 0 0 1] "},
			// As far as the decoder reads, and beyond.
			{body: "[" + many + body[1:], want: "a [1 2002 0 0 0 0 0] b [0 0 0 0 0 0 1] "},
			{body: "[" + many + "1]", want: "a [0 2000 0 0 0 0 0] "},
			{body: body, dropped: []bool{true, false, false}, want: "not counted"},
			{body: body, changes: true, want: "not counted"},
			{body: manyNames(), want: "not counted"},
			{body: "[]", want: ""},
		} {
			spec := detect()
			spec.Each = left
			spec.Changes = c.changes
			p, err := d.Decode(strings.NewReader(c.body), spec)
			if err != nil {
				t.Fatal(err)
			}
			p.Drop(c.dropped)
			if got := columnsOf(t, p); got != c.want {
				t.Errorf("chunks of %d, %.60s: got %q, want %q", d.ChunkSize, c.body, got, c.want)
			}
		}
	}
}

// manyNames are items of more members than a page counts.
func manyNames() string {
	var all []string
	for i := range 600 {
		all = append(all, fmt.Sprintf(`{"n%d":1}`, i))
	}
	return "[" + strings.Join(all, ",") + "]"
}

// columnsOf gives the items of a page away, and returns what it says of them: once, and of all or of none.
func columnsOf(t *testing.T, p *page.Page) (text string) {
	t.Helper()
	times := 0
	err := p.Batches(func(b *pipeline.Batch) error {
		switch {
		case !b.Counted:
			text = "not counted"
		case b.Columns != nil:
			times++
			for name, kinds := range b.Columns.All() {
				text += fmt.Sprintf("%s %v ", name, *kinds)
			}
		}
		return release(b)
	})
	if err != nil || times > 1 {
		t.Errorf("columns came %d times, %v", times, err)
	}
	return text
}
