package item_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sluice/pipeline/item"
)

// noLimits are met by no test.
var noLimits = item.ColumnLimits{Names: 1 << 20, Bytes: 1 << 30}

// counted is what was counted, as text: each column with how many values of each kind it has.
func counted(c *item.Columns) string {
	text := ""
	for name, kinds := range c.All() {
		text += fmt.Sprintf("%q %v ", name, *kinds)
	}
	return text + fmt.Sprint(*c.Others(), c.Left())
}

// truth is what [counted] should be, by the standard library.
func truth(t *testing.T, items []string) string {
	t.Helper()
	var others item.Kinds
	counts := map[string]*item.Kinds{}
	var order []string
	for _, text := range items {
		d := json.NewDecoder(strings.NewReader(text))
		first, err := d.Token()
		if first != json.Delim('{') {
			others[kindOf(text)]++
			continue
		}
		last := map[string]item.KindOf{}
		for err == nil && d.More() {
			name, _ := d.Token()
			var value json.RawMessage
			err = d.Decode(&value)
			last[name.(string)] = kindOf(string(value))
			if counts[name.(string)] == nil {
				counts[name.(string)] = &item.Kinds{}
				order = append(order, name.(string))
			}
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for name, kind := range last {
			counts[name][kind]++
		}
	}
	text := ""
	for _, name := range order {
		text += fmt.Sprintf("%q %v ", name, *counts[name])
	}
	return text + fmt.Sprint(others, 0)
}

func kindOf(value string) item.KindOf {
	switch strings.TrimSpace(value)[0] {
	case '"':
		return item.IsString
	case '{':
		return item.IsObject
	case '[':
		return item.IsArray
	case 't', 'f':
		return item.IsBoolean
	case 'n':
		return item.IsNull
	}
	if _, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64); err == nil {
		return item.IsInteger
	}
	return item.IsNumber
}

// names and values are what random items are made of.
var (
	names = []string{
		`""`, `"a"`, `"\u0061"`, `"id"`, `"identifier"`, `"identity"`, `"a name of more than sixteen bytes"`,
		`"a name of more than Sixteen bytes"`, `"né"`, `"n\u00e9"`, `"\""`, `"1234567"`, `"123456"`, `"12345"`,
	}
	values = []string{
		`1`, `-7`, `0`, `1.5`, `1e3`, `-0.0`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`,
		`123456789012345678901234567890`, `""`, `"{"`, `"é"`, `true`, `false`, `null`, `[]`, `[1,{"a":2}]`, `{}`,
		`{"a":{"id":[1.5]}}`,
	}
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// randomItem is mostly the object that shape stands for.
func randomItem(r *rand.Rand, shape []string) string {
	if r.IntN(20) == 0 {
		return pick(r, values)
	}
	var members []string
	for _, name := range shape {
		switch r.IntN(8) {
		case 0:
			continue
		case 1:
			name = pick(r, names)
		}
		members = append(members, name+":"+pick(r, values))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func randomItems(seed uint64) (items []string) {
	r := rand.New(rand.NewPCG(seed, 36))
	shape := make([]string, r.IntN(12))
	for i := range shape {
		shape[i] = pick(r, names)
	}
	for range 50 {
		one := randomItem(r, shape)
		for range 1 + r.IntN(3) {
			items = append(items, one)
		}
	}
	return items
}

// count counts an item as a page does: it is an element of an array, with white space, or not looked through.
func count(t *testing.T, c *item.Columns, text string, how int) {
	t.Helper()
	top := item.Top{Columns: c}
	switch how % 4 {
	case 0:
		c.Add([]byte(text))
		return
	case 1:
		item.Valid([]byte(text), &top)
	case 2:
		item.Element([]byte(","+text+"]"), 100, &top)
	case 3:
		// An item that is left out does not count.
		item.Valid([]byte(`{"left":"out","id":1}`), &top)
		wide := strings.NewReplacer(`":`, "\" :\n ", `,"`, ` , "`).Replace(text)
		item.Element([]byte(", "+wide+" ,"), 100, &top)
	}
	if !c.Known() {
		t.Fatalf("%q was not looked through", text)
	}
	c.Count()
}

func TestTheMembersOfRandomItemsAreCountedAsTheStandardLibraryDoes(t *testing.T) {
	for seed := range uint64(300) {
		items := randomItems(seed)
		want := truth(t, items)
		whole := item.NewColumns(noLimits)
		page := item.NewColumns(noLimits)
		pages := item.NewColumns(noLimits)
		for i, text := range items {
			count(t, whole, text, int(seed))
			count(t, page, text, i)
			if i%7 == 0 {
				pages.Merge(page)
				page.Reset()
			}
		}
		pages.Merge(page)
		for how, c := range map[string]*item.Columns{"whole": whole, "in pages": pages} {
			if got := counted(c); got != want {
				t.Fatalf("seed %d, %s: got\n%s, want\n%s\nof %q", seed, how, got, want, items)
			}
		}
	}
}

func TestInvalidUTF8InANameIsSeenEachTime(t *testing.T) {
	c := item.NewColumns(noLimits)
	for range 3 {
		_, compact := item.Valid([]byte("{\"a\":1,\"n\xff\":2}"), &item.Top{Columns: c})
		if compact {
			t.Error("an item that must be mended is compact")
		}
	}
	mended, n := item.Compact(nil, []byte("{\"a\":1,\"n\xff\":2}"))
	top := item.Top{Columns: c}
	top.Compacted(n)
	if c.Known() {
		t.Error("the names before mending are known to be those after it")
	}
	c.Add(mended)
	want := "\"a\" [0 1 0 0 0 0 0] \"n\ufffd\" [0 1 0 0 0 0 0] [0 0 0 0 0 0 0] 0"
	if got := counted(c); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestColumnsBeyondTheLimitsAreLeftOutAndTheOthersAreRight(t *testing.T) {
	for _, limits := range []item.ColumnLimits{{Names: 2, Bytes: 1 << 10}, {Names: 10, Bytes: 2}} {
		c := item.NewColumns(limits)
		page := item.NewColumns(noLimits)
		for _, text := range []string{`{"a":1,"b":2,"c":3}`, `{"d":4,"a":"x"}`, `{"c":3,"c":4,"b":null}`} {
			c.Add([]byte(text))
			page.Add([]byte(text))
		}
		merged := item.NewColumns(limits)
		merged.Merge(page)
		want := `"a" [1 1 0 0 0 0 0] "b" [0 1 0 0 1 0 0] [0 0 0 0 0 0 0] 4`
		for _, got := range []string{counted(c), counted(merged)} {
			if got != want {
				t.Errorf("%+v: got %s, want %s", limits, got, want)
			}
		}
		c.Reset()
		c.Add([]byte(`{"z":1}`))
		if got := counted(c); got != `"z" [0 1 0 0 0 0 0] [0 0 0 0 0 0 0] 0` {
			t.Errorf("%+v: got %s after a new beginning", limits, got)
		}
	}
}

func TestAnItemAsDeepAsCanBeIsCountedWithinAnEnvelope(t *testing.T) {
	deep := strings.Repeat("[", item.MaxDepth) + strings.Repeat("]", item.MaxDepth)
	c := item.NewColumns(noLimits)
	c.Add([]byte(`{"page":1,"item":` + deep + `}`))
	if got := counted(c); got != `"page" [0 1 0 0 0 0 0] "item" [0 0 0 0 0 0 1] [0 0 0 0 0 0 0] 0` {
		t.Errorf("got %s", got)
	}
}

func TestCountingAllocatesNothingForNamesThatAreKnown(t *testing.T) {
	c := item.NewColumns(noLimits)
	text := []byte(`{"id":1,"name":"x","tags":[1,2]}`)
	c.Add(text)
	if n := testing.AllocsPerRun(100, func() { c.Add(text) }); n > 0 {
		t.Errorf("%v allocations an item", n)
	}
}
