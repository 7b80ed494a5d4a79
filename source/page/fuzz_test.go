package page_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"sluice/pipeline/item"
	"sluice/source/page"
)

// expected is what encoding/json makes of a body: the items as compact lines,
// and whether there is an error.
func expected(body []byte, s *page.Spec) (lines []string, bad bool) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if len(bytes.Trim(body, " \t\r\n")) == 0 {
		return nil, false
	}
	if !json.Valid(body) {
		return nil, true
	}
	value := json.RawMessage(bytes.Trim(body, " \t\r\n"))
	var steps []string
	if !s.Detect {
		steps = s.Select
	} else if value[0] == '{' {
		arrays := 0
		names := map[string]int{}
		for _, m := range members(value) {
			names[m.name]++
			if m.value[0] == '[' {
				arrays++
				steps = []string{m.name}
			}
		}
		if arrays == 0 {
			return nil, false
		}
		if arrays > 1 || names[steps[0]] > 1 {
			return nil, true
		}
	} else if value[0] != '[' && value[0] != 'n' {
		return nil, true
	} else if all := elements(value); len(all) == 2 && all[0][0] == '{' && (all[1][0] == '[' || all[1][0] == 'n') {
		return nil, true
	}
	items, bad := at(value, steps, s, len(steps) > 0)
	for _, i := range items {
		lines = append(lines, compact(i)+"\n")
	}
	return lines, bad
}

// at lists the items that the steps lead to; alone: the response has nothing beside them.
func at(value json.RawMessage, steps []string, s *page.Spec, alone bool) (items []json.RawMessage, bad bool) {
	var next []json.RawMessage
	switch {
	case len(steps) == 0:
		items := itemsOf(value)
		isStray := len(items) > 0 && value[0] != '[' && value[0] != '{' && !strings.HasSuffix(s.Field, "*")
		return items, isStray && !s.Scalar && !alone
	case value[0] == '{':
		all := members(value)
		alone = alone && len(all) == 1
		for _, m := range all {
			if m.name == steps[0] {
				next = append(next, m.value)
			}
		}
		if len(next) > 1 {
			return nil, true
		}
	case value[0] == '[':
		alone = false
		for i, v := range elements(value) {
			if digits, _ := json.Marshal(i); string(digits) == steps[0] || steps[0] == "*" {
				next = append(next, v)
			}
		}
	}
	for _, v := range next {
		more, badHere := at(v, steps[1:], s, alone)
		items, bad = append(items, more...), bad || badHere
	}
	return items, bad
}

func itemsOf(value json.RawMessage) (items []json.RawMessage) {
	switch value[0] {
	case '[':
		return elements(value)
	case '{', 't':
		items = append(items, value)
	case '"':
		if len(value) > 2 {
			items = append(items, value)
		}
	case 'n', 'f':
	default:
		if strings.ContainsAny(strings.SplitN(strings.ToLower(string(value)), "e", 2)[0], "123456789") {
			items = append(items, value)
		}
	}
	return items
}

type member struct {
	name  string
	value json.RawMessage
}

func members(object json.RawMessage) (all []member) {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.Token()
	for dec.More() {
		name, _ := dec.Token()
		m := member{name: name.(string)}
		dec.Decode(&m.value)
		all = append(all, m)
	}
	return all
}

func elements(array json.RawMessage) (all []json.RawMessage) {
	json.Unmarshal(array, &all)
	return all
}

func compact(raw []byte) string {
	var b bytes.Buffer
	json.Compact(&b, raw)
	return string([]rune(b.String()))
}

func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		``, ` `, `null`, `0`, `"x"`, `[]`, `{}`, `[1,[2],{"a":3}]`, `{"a":[1, 2.0,"é\ud800"],"b":{"a":[]}}`,
		`{"a":{"b":[{"c":1e400}]},"x":[1]}`, `{"a":[1],"a":[2]}`, `{"a":{"a":1,"\u0061":2}}`, "{\"a\xff\":[\"\xe2\x82\"]}",
		`[1}`, `{"a":[1`, `<html>`, "\ufeff[1]", `[1] [2]`, `{"a":-0.0}`, `[[["x"]]]`, "[ \n{ } ,\t[ ] ]",
		`[{"a":1},null]`, `[{"a":[2]},[{"a":3}],[]]`, `[[],{}]`, `{"a":"Max calls per sec rate limit reached"}`, `{"a":[true,"x"]}`,
	} {
		for _, path := range []string{"", ".", ".!", "a", "a!", "a.b", "a.0", "1", "0.0.0", "*", "a.*", "*.*.a"} {
			f.Add([]byte(body), path)
		}
	}
	folder := f.TempDir()
	plain, tight := &page.Decoder{}, &page.Decoder{ChunkSize: 5, HoldLimit: 7, Folder: folder}
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		path, scalar := strings.CutSuffix(path, "!")
		s := &page.Spec{Detect: path == "", Field: path, Form: page.Form{Scalar: scalar}, Wants: []item.Path{nil, {"a"}, {"a", "0"}}}
		if !s.Detect {
			s.Select = item.ParsePath(path, ".")
		}
		want, bad := expected(body, s)
		p, err := plain.Decode(bytes.NewReader(body), s)
		q, again := tight.Decode(iotest.OneByteReader(bytes.NewReader(body)), s)
		if (err != nil) != bad || (again != nil) != bad {
			t.Fatalf("%q in %q: errors %v and %v, want one: %t", path, body, err, again, bad)
		}
		if bad {
			var e *page.Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v is no Error", body, err)
			}
			return
		}
		if p.Hash != q.Hash || p.Bytes != q.Bytes || p.First != q.First || p.Last != q.Last || p.Replaced != q.Replaced {
			t.Errorf("%q in %q: the facts of the spilled page differ", path, body)
		}
		whole := compact(bytes.TrimPrefix(body, []byte("\ufeff")))
		if p.Bytes != int64(len(whole)) {
			t.Errorf("%q: %d bytes, want %d", body, p.Bytes, len(whole))
		}
		for i, w := range s.Wants {
			want := item.Lookup([]byte(whole), w)
			if whole == "" {
				want = nil
			}
			if !bytes.Equal(p.Wanted[i], want) || !bytes.Equal(q.Wanted[i], want) {
				t.Errorf("%q in %q: wanted %q is %q and %q, want %q", path, body, w, p.Wanted[i], q.Wanted[i], want)
			}
		}
		got, spilled := strings.Join(given(t, p), ""), strings.Join(given(t, q), "")
		if got != strings.Join(want, "") || spilled != got {
			t.Errorf("%q in %q: got %q, spilled %q, want %q", path, body, got, spilled, want)
		}
	})
}
