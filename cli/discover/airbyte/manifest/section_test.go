package manifest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sluice/cli/discover/airbyte/manifest"
)

func TestReferencesAndParametersHoldWhereTheyAreUsed(t *testing.T) {
	const text = `
definitions:
  page: 100
  deep/name: odd
  list: [zero, {one: 1}]
  requester:
    type: HttpRequester
    path: ""
    http_method: GET
    authenticator: {type: BearerAuthenticator}
  stream:
    type: DeclarativeStream
    $parameters: {url_base: outer, name: base}
    retriever:
      requester:
        $ref: "#/definitions/requester"
        http_method: POST
  merged: &anchor {a: 1, b: 2}
  own: {<<: *anchor, b: 3}
  truth: yes
streams:
  - $ref: "#/definitions/stream"
    $parameters: {name: users, path: /users, retriever: lost}
    size: "#/definitions/page"
    odd: "#/definitions/deep/name"
    one: "#/definitions/list/1/one"
    own: "#/definitions/own"
    truth: "#/definitions/truth"
`
	tests := []struct {
		path       []any
		kind, text string
	}{
		{path: []any{"streams", 0}, kind: "DeclarativeStream"},
		{path: []any{"streams", 0, "name"}, text: "users"},
		{path: []any{"streams", 0, "url_base"}},
		{path: []any{"streams", 0, "size"}, text: "100"},
		{path: []any{"streams", 0, "odd"}, text: "odd"},
		{path: []any{"streams", 0, "one"}, text: "1"},
		{path: []any{"streams", 0, "own", "a"}, text: "1"},
		{path: []any{"streams", 0, "own", "b"}, text: "3"},
		{path: []any{"streams", 0, "truth"}, text: "True"},
		{path: []any{"streams", 0, "retriever"}, kind: "SimpleRetriever"},
		{path: []any{"streams", 0, "retriever", "requester"}, kind: "HttpRequester"},
		{path: []any{"streams", 0, "retriever", "requester", "path"}, text: "/users"},
		{path: []any{"streams", 0, "retriever", "requester", "http_method"}, text: "POST"},
		{path: []any{"streams", 0, "retriever", "requester", "authenticator"}, kind: "BearerAuthenticator"},
		{path: []any{"streams", 0, "retriever", "requester", "authenticator", "name"}, text: "users"},
		{path: []any{"nowhere", "below"}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.path...), func(t *testing.T) {
			kind, text, err := at(text, tt.path...)
			if err != nil {
				t.Fatal(err)
			}
			if kind != tt.kind || text != tt.text {
				t.Errorf("%q %q, want %q %q", kind, text, tt.kind, tt.text)
			}
		})
	}
}

func TestWhatNobodyLooksAtIsNamed(t *testing.T) {
	const text = `{"a": {"b": 1, "c": null, "type": "X"}, "d": [1, {"e": 2}], "f": 3,
		"g": {"type": "RequestOption", "field_name": "x", "page_size": 5}}`
	got, err := unread(text, "a", "d", "g")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.b", "d[0]", "d[1]", "f", "g.field_name"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAManifestThatCannotBeReadIsAnError(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for text, want := range map[string]string{
		"":     "it is empty",
		"[1]":  "it is not an object",
		"a: [": "line 1",
		`a: {$ref: "#/b"}` + "\n" + `b: {c: {$ref: "#/a"}}`: "leads to itself",
		`a: "#/b/c"`: "line 1: the reference #/b/c leads nowhere",
		"a: &x [*x]": "contains itself",
		"a: " + deep: "nested deeper than 200",
		"? [1]\n: 2": "is not a text",
	} {
		t.Run(text[:min(20, len(text))], func(t *testing.T) {
			_, err := unread(text)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func TestABombOfReferencesIsAnError(t *testing.T) {
	var aliases, references, members strings.Builder
	aliases.WriteString("a0: &a0 [x]\n")
	references.WriteString("a0: [x]\n")
	members.WriteString("a0: {x: 1}\n")
	for i := 1; i < 60; i++ {
		fmt.Fprintf(&aliases, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1)
		fmt.Fprintf(&references, "a%d: ['#/a%d', '#/a%d', '#/a%d']\n", i, i-1, i-1, i-1)
		fmt.Fprintf(&members, "a%d: {p: '#/a%d', q: '#/a%d', r: '#/a%d'}\n", i, i-1, i-1, i-1)
	}
	for _, text := range []string{aliases.String(), references.String(), members.String()} {
		d := walk(text)
		if d == nil || !strings.Contains(d.Error(), "aliases and references expand to more than 1048576 values here") {
			t.Errorf("error %v", d)
		}
	}
}

// Each merge copies all members of a large object.
func TestABombOfMergesIsAnError(t *testing.T) {
	var large, merges, references strings.Builder
	large.WriteString("large: &large {a0: 1")
	for i := range 2000 {
		fmt.Fprintf(&large, ", a%d: 1", i+1)
		fmt.Fprintf(&merges, "m%d: {<<: *large}\n", i)
		fmt.Fprintf(&references, "m%d: {$ref: '#/large'}\n", i)
	}
	large.WriteString("}\n")
	list := "list: {<<: [" + strings.Repeat("*large,", 2000) + "]}\n"
	for _, text := range []string{merges.String(), references.String(), list} {
		_, err := unread(large.String() + text)
		if err == nil || !strings.Contains(err.Error(), "aliases and references expand to more than") {
			t.Errorf("error %v", err)
		}
	}
}

// unread are the places that nobody has looked at after some members were looked at.
func unread(text string, looked ...string) ([]string, error) {
	d, err := manifest.Read([]byte(text))
	if err != nil {
		return nil, err
	}
	for _, name := range looked {
		d.Root.Get(name)
	}
	var all []string
	for _, n := range d.Root.Unread() {
		all = append(all, n.Place)
	}
	return all, d.Err()
}

// at is the kind and the text of the node at a path of names and numbers.
func at(text string, path ...any) (kind, said string, err error) {
	d, err := manifest.Read([]byte(text))
	if err != nil {
		return "", "", err
	}
	n := d.Root
	for _, step := range path {
		switch step := step.(type) {
		case string:
			n = n.Get(step)
		case int:
			n = n.Elements()[step]
		}
	}
	return n.Kind(), n.Text(), nil
}

// walk looks at all of a manifest.
func walk(text string) error {
	d, err := manifest.Read([]byte(text))
	if err != nil {
		return err
	}
	lookAtAll(d.Root)
	return d.Err()
}

func lookAtAll(n *manifest.Section) {
	for _, m := range n.Members() {
		lookAtAll(m.Value)
	}
	if n.IsList() {
		for _, e := range n.Elements() {
			lookAtAll(e)
		}
	}
}

// FuzzManifest: whatever a manifest is, it is read or refused, in time.
func FuzzManifest(f *testing.F) {
	for _, text := range []string{
		"a: &a {b: *a}", "a: '#/b'\nb: '#/a'", "a: {<<: [{b: 1}, *c]}", "{\"a\": [1, 1e3, 0x10, .5]}",
		"x: {$ref: '#/y', $parameters: {z: {type: A}}}\ny: {type: B, z: 1}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		_ = walk(text)
		_, _ = unread(text, "a", "x", "streams")
	})
}
