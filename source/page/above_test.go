package page_test

import (
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/page"
)

// with is the Spec of a dataField as a configuration writes it, of which it has the members path, rows, members and with.
func with(t testing.TB, text string) *page.Spec {
	t.Helper()
	var problems config.Problems
	n := config.Parse("dataField", []byte(text), &problems)
	s := field(n.Member("path").Text())
	if members := n.Member("members"); members != nil {
		s.Members = members.Text()
	}
	s.Bare = page.NewBare(n.Member("rows"), &problems)
	s.With = page.NewWith(n.Member("with"), s, ".", &problems)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestItemsGetWhatStandsAboveTheirList(t *testing.T) {
	const series = `{"path":"d.*.v","rows":["t","o"],"with":{"labels":"metric"}}`
	d := newDecoders(t)
	for name, c := range map[string]struct{ field, body, want string }{
		"rows, before": {
			series, `{"d":[{"metric":{"a": 1.0},"v":[[1,"x"],[2]]},{"metric":null,"v":[[3,"y"]]}]}`,
			`{"labels":{"a":1.0},"t":1,"o":"x"} {"labels":{"a":1.0},"t":2} {"labels":null,"t":3,"o":"y"}`,
		},
		"rows, behind": {
			series, `{"d":[{"v":[[1,"x"], []],"metric":"m"},{"v":[],"x":7},{"metric":2,"v":[[3]]}]}`,
			`{"labels":"m","t":1,"o":"x"} {"labels":"m"} {"labels":2,"t":3}`,
		},
		"the nearest object": {series, `{"metric":0,"d":[{"metric":1,"v":[[1]]}]}`, `{"labels":1,"t":1}`},
		"objects": {
			`{"path":"d.*.v","with":{"b":"id","a":"of.name"}}`,
			`{"d":[{"id":7,"of":{"name":"n","x":1},"v":[{"k" : 1},{}]},{"of":{"name":"o"},"v":[{"k":2}],"id":8}]}`,
			`{"b":7,"a":"n","k":1} {"b":7,"a":"n"} {"b":8,"a":"o","k":2}`,
		},
		"one object":          {`{"path":"d","with":{"at":"time"}}`, `{"d":{"k":1},"time":9}`, `{"at":9,"k":1}`},
		"elements under star": {`{"path":"d.*","with":{"at":"time"}}`, `{"d":[{"k":1},{}],"time":9}`, `{"at":9,"k":1} {"at":9}`},
		"a map": {
			`{"path":"d","members":"id","with":{"at":"time"}}`, `{"d":{"x":{"k":1},"y":2},"time":9}`,
			`{"at":9,"id":"x","k":1} {"at":9,"id":"y","value":2}`,
		},
		"a map, streamed": {`{"path":"d","members":"id","with":{"at":"time"}}`, `{"time":9,"d":{"x":{}}}`, `{"at":9,"id":"x"}`},
		"columns":         {`{"path":"d","rows":"columns","with":{"at":"time"}}`, `{"time":9,"d":{"a":[1,2],"b":[3,4]}}`, `{"at":9,"a":1,"b":3} {"at":9,"a":2,"b":4}`},
		"columns, behind": {`{"path":"d","rows":"columns","with":{"at":"time"}}`, `{"d":{"a":[1],"b":[3]},"time":9}`, `{"at":9,"a":1,"b":3}`},
		"a header":        {`{"path":"d.*.v","rows":"header","with":{"at":"time"}}`, `{"d":[{"v":[["a"],[1]],"time":9},{"time":8,"v":[["b"],[2]]}]}`, `{"at":9,"a":1} {"at":8,"b":2}`},
		"lists in lists":  {`{"path":"d.*","with":{"at":"time"}}`, `{"time":9,"d":[[{"k":1}],[{"k":2}]]}`, `{"at":9,"k":1} {"at":9,"k":2}`},
		"nothing there":   {series, `{"d":[{"v":[]},{"v":null},{}]}`, ``},
		"no list":         {series, `{}`, ``},
	} {
		got, err := d.decode(t, []byte(c.body), with(t, c.field))
		want := strings.ReplaceAll(c.want, " ", "\n")
		if want != "" {
			want += "\n"
		}
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestWhatItemsCannotGetIsAnErrorThatSaysWhere(t *testing.T) {
	const rows, objects = `{"path":"d.*.v","rows":"header","with":{"at":"time"}}`, `{"path":"d.*.v","with":{"at":"time"}}`
	d := newDecoders(t)
	for _, c := range []struct{ field, body, want string }{
		{objects, `{"d":[{"v":[{"k":1}]}]}`, `the object above the list at d.*.v has no time, which dataField.with names for "at": take it out there, or ask the API for it`},
		{`{"path":"d","with":{"at":"time.of"}}`, `{"time":{},"d":[{}]}`, `the object above the list at d has no time.of, which dataField.with names for "at": take it out there, or ask the API for it`},
		{objects, `{"d":[{"time":1,"v":[{"at":1}]}]}`, `an item of the list at d.*.v has a member "at" itself: give it another name in dataField.with`},
		{objects, `{"d":[{"v":[{"a\u0074":1}],"time":1}]}`, `an item of the list at d.*.v has a member "at" itself: give it another name in dataField.with`},
		{rows, `{"d":[{"time":1,"v":[["at"],[1]]}]}`, `an item of the list at d.*.v has a member "at" itself: give it another name in dataField.with`},
		{objects, `{"d":[{"time":1,"v":[7]}]}`, `an item of the list at d.*.v is a number, where dataField.with wants an object`},
		{objects, `{"d":[{"v":[{"k":1},null],"time":1}]}`, `an item of the list at d.*.v is null, where dataField.with wants an object`},
		{`{"path":"d.*","with":{"at":"time"}}`, `{"time":1,"d":[7]}`, `an item of the list at d.* is a number, where dataField.with wants an object`},
		{`{"path":"*","with":{"at":"time"}}`, `[{"k":1}]`, `no object stands above the list at *, in which dataField.with could be read`},
		{objects, `{"d":[{"time":1,"time":2,"v":[{}]}]}`, `the object above the list has the member "time" more than once, where dataField.with wants one`},
		{objects, `{"d":[{"time":1,"v":[{}],"time":2}]}`, `the object above the list has the member "time" more than once, where dataField.with wants one`},
		{objects, `{"d":[{"time":"` + strings.Repeat("x", 64<<10) + `","v":[{}]}]}`, `the member "time" is longer than 65536 bytes, the limit for what each item gets by dataField.with`},
	} {
		_, err := d.decode(t, []byte(c.body), with(t, c.field))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.body[:min(len(c.body), 80)], err, c.want)
		}
	}
}

// A list streams, whatever its length, if what its items get stands before it; else it waits as a whole.
func TestAListThatWaitsIsBoundedAsOneItemIs(t *testing.T) {
	s := with(t, `{"path":"d.*.v","rows":["t"],"with":{"at":"time"}}`)
	d := &page.Decoder{ItemLimit: 1 << 20, HoldLimit: -1, Folder: t.TempDir(), PageLimit: 16 << 20}
	long := `"v":[` + strings.Repeat("[1],", 1<<18) + `[1]]`
	items, _, err := lines(t, d, `{"d":[{"time":1,`+long+`}]}`, s)
	if err != nil || len(items) != 1<<18+1 {
		t.Errorf("%d items, %v", len(items), err)
	}
	_, _, err = lines(t, d, `{"d":[{`+long+`,"time":1}]}`, s)
	const want = `a value of more than 1 MiB, the limit for one item, at byte 11 within "d.0.v": the list is held until ` +
		`time has come, which dataField.with names and which stands behind the list: ` +
		`ask for less at a time, or take it out of with`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	// Many lists of one object wait together.
	half := `[` + strings.Repeat("[1],", 1<<17) + `[1]]`
	s = with(t, `{"path":"d.*","rows":["t"],"with":{"at":"time"}}`)
	_, _, err = lines(t, d, `{"d":[`+half+`,`+half+`],"time":1}`, s)
	if err == nil || !strings.Contains(err.Error(), "the list is held until time has come") {
		t.Errorf("got %v", err)
	}
	// What each item gets makes much of little.
	labels := strings.Repeat("x", 60<<10)
	_, _, err = lines(t, d, `{"d":[`+half+`],"time":"`+labels+`"}`, s)
	if err == nil || !strings.HasPrefix(err.Error(), "the response is longer than 16 MiB") {
		t.Errorf("got %v", err)
	}
}

// A page says the same of itself, wherever in the object stands what the items get.
func TestAListThatHasWaitedCountsAsOneThatStreamed(t *testing.T) {
	s := with(t, `{"path":"d.*.v","with":{"at":"time"}}`)
	s.Wants = []item.Path{item.ParsePath("d.0.v.1.k", "."), item.ParsePath("d.0", "."), {"next"}}
	_, streamed, err := lines(t, &page.Decoder{}, `{"d":[{"time":1,"v":[{"k":1},{"k":2}]}],"next":7}`, s)
	if err != nil {
		t.Fatal(err)
	}
	_, waited, err := lines(t, &page.Decoder{}, `{"d":[{"v":[{"k":1},{"k":2}],"time":1}],"next":7}`, s)
	if err != nil {
		t.Fatal(err)
	}
	if waited.Bytes != streamed.Bytes || waited.Texts != streamed.Texts || waited.Items != 2 || waited.Selected != '[' {
		t.Errorf("got %+v, want %+v", waited, streamed)
	}
	if string(waited.Wanted[0]) != "2" || string(waited.Wanted[2]) != "7" {
		t.Errorf("wanted %q", waited.Wanted)
	}
	if want := `{"v":[{"k":1},{"k":2}],"time":1}`; string(waited.Wanted[1]) != want {
		t.Errorf("wanted %q", waited.Wanted[1])
	}
}
