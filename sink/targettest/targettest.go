// Package targettest is the conformance suite of targets. Each target runs it,
// through a whole sink, as a program would.
package targettest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/sink"
	"sluice/sink/target"
)

// A Place is a destination as the suite sees it, empty at first.
type Place struct {
	// Open returns a target at the place, as each run of the program does.
	Open func() target.Target
	// Put makes an object as an earlier run, or somebody else, did.
	Put func(name, text string)
	// Read returns what a reader of the place sees under name.
	Read func(name string) (text string, visible bool)
	// Left lists everything at the place by name, sorted, also what no reader
	// sees: temporary files, open uploads.
	Left func() []string
}

const manifest = "_manifest.json"

var errBroken = errors.New("the wire is broken")

// Run checks a target whose objects are invisible until they are published.
func Run(t *testing.T, place func(t *testing.T) Place) {
	for name, test := range map[string]func(*testing.T, Place){
		"what is committed takes the place of what stood there, whole": committed,
		"what is closed without commit leaves nothing":                 closed,
		"a data type without items has its object":                     noItems,
		"a run that is cancelled in a write shows nothing":             cancelled,
		"a run that is cancelled when all is sealed is finished":       finished,
	} {
		t.Run(name, func(t *testing.T) { test(t, place(t)) })
	}
	for _, f := range []struct {
		operation string
		n         int
	}{
		{"create", 1}, {"create", 2}, {"create", 3}, {"write", 1}, {"write", 4}, {"write", writes}, {"write", writes + 1},
		{"seal", 1}, {"seal", 2}, {"seal", 3}, {"remove", 1}, {"publish", 1},
	} {
		t.Run(fmt.Sprintf("%s %d fails: the earlier objects stand untouched and nothing is left", f.operation, f.n), func(t *testing.T) {
			broken(t, place(t), f.operation, f.n)
		})
	}
	for n := 2; n <= 3; n++ {
		t.Run(fmt.Sprintf("publish %d fails: what was published stays, the manifest is gone", n), func(t *testing.T) {
			halfPublished(t, place(t), n)
		})
	}
}

// RunStream checks a target whose writes are out at once.
func RunStream(t *testing.T, place func(t *testing.T) Place) {
	t.Run("what is committed is there", func(t *testing.T) {
		p := place(t)
		r, err := p.run(t.Context(), nil, "a", batches("a")...)
		p.shows(t, "a", all("a"))
		if err != nil || len(r.Outputs) != 0 {
			t.Errorf("got %v and the outputs %v, want none", err, r.Outputs)
		}
	})
	for _, n := range []int{1, 2, len(batches("a"))} {
		t.Run(fmt.Sprintf("write %d fails: what came before is there, in whole lines", n), func(t *testing.T) {
			p := place(t)
			_, err := p.run(t.Context(), failing("write", n), "a", batches("a")...)
			if !errors.Is(err, errBroken) {
				t.Errorf("got %v, want %v", err, errBroken)
			}
			var want strings.Builder
			for _, b := range batches("a")[:n-1] {
				want.Write(b.Text)
			}
			p.shows(t, "a", want.String())
		})
	}
	t.Run("a run without items writes nothing", func(t *testing.T) {
		p := place(t)
		if _, err := p.run(t.Context(), nil, "a"); err != nil {
			t.Error(err)
		}
		p.shows(t, "a", "")
	})
}

func committed(t *testing.T, p Place) {
	p.putAll()
	hook := func(_ context.Context, operation string, n int) error {
		if operation == "seal" {
			p.stands(t)
		}
		if _, visible := p.Read(manifest); operation == "publish" && n <= 3 && visible {
			t.Errorf("at publish %d a manifest stands there", n)
		}
		return nil
	}
	r, err := p.run(t.Context(), hook, "", both()...)
	if err != nil || len(r.Outputs) != 2 {
		t.Fatalf("got %v and the outputs %v, want 2", err, r.Outputs)
	}
	p.showsBoth(t)
	for i, dataType := range []string{"a", "b"} {
		o, text := r.Outputs[i], all(dataType)
		if o.DataType != dataType || o.Items != items || o.Bytes != int64(len(text)) || o.SHA256 != fmt.Sprintf("%x", sha256.Sum256([]byte(text))) ||
			!strings.HasSuffix(o.URI, dataType+".ndjson") {
			t.Errorf("the report says %+v of %s", o, dataType)
		}
	}
	text, _ := p.Read(manifest)
	var document struct{ Outputs []pipeline.OutputReport }
	if err := json.Unmarshal([]byte(text), &document); err != nil || len(document.Outputs) != 2 || document.Outputs[1].SHA256 != r.Outputs[1].SHA256 {
		t.Errorf("the manifest is not the report: %v, %s", err, text)
	}
}

func closed(t *testing.T, p Place) {
	s := p.sink(nil, "")
	if err := errors.Join(s.Probe(t.Context()), feed(t.Context(), s, both())); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"a.ndjson", "b.ndjson", manifest} {
		if _, visible := p.Read(name); visible {
			t.Errorf("%s is visible", name)
		}
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Errorf("close: %v", err)
	}
	p.holds(t)
	if err := s.Commit(t.Context(), func() *pipeline.Report { return &pipeline.Report{} }); err == nil {
		t.Error("a closed sink commits")
	}
}

func noItems(t *testing.T, p Place) {
	r, err := p.run(t.Context(), nil, "", batches("b")...)
	if err != nil || len(r.Outputs) != 2 || r.Outputs[0].Items != 0 {
		t.Errorf("got %v and the outputs %v, want two, the first without items", err, r.Outputs)
	}
	p.shows(t, "a.ndjson", "")
	p.shows(t, "b.ndjson", all("b"))
}

func cancelled(t *testing.T, p Place) {
	p.putAll()
	reason := errors.New("somebody interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	hook := func(_ context.Context, operation string, n int) error {
		if operation == "write" && n == 3 {
			cancel(reason)
		}
		return nil
	}
	if _, err := p.run(ctx, hook, "", both()...); !errors.Is(err, reason) {
		t.Errorf("got %v, want the cause", err)
	}
	p.stands(t)
	p.holds(t, manifest, "a.ndjson", "b.ndjson")
}

func finished(t *testing.T, p Place) {
	p.putAll()
	for operation, n := range map[string]int{"remove": 1, "publish": 2} {
		ctx, cancel := context.WithCancelCause(t.Context())
		hook := func(_ context.Context, o string, i int) error {
			if o == operation && i == n {
				cancel(errors.New("somebody interrupted"))
			}
			return nil
		}
		r, err := p.run(ctx, hook, "", both()...)
		if err != nil || len(r.Outputs) != 2 {
			t.Errorf("cancelled at %s %d: %v, and the outputs %v", operation, n, err, r.Outputs)
		}
		p.showsBoth(t)
	}
}

func broken(t *testing.T, p Place, operation string, n int) {
	p.putAll()
	if _, err := p.run(t.Context(), failing(operation, n), "", both()...); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want %v", err, errBroken)
	}
	if operation == "publish" { // then only the manifest is gone
		p.holds(t, "a.ndjson", "b.ndjson")
		p.Put(manifest, "earlier")
	}
	p.stands(t)
	p.holds(t, manifest, "a.ndjson", "b.ndjson")
}

func halfPublished(t *testing.T, p Place, n int) {
	p.putAll()
	r, err := p.run(t.Context(), failing("publish", n), "", both()...)
	if !errors.Is(err, errBroken) {
		t.Errorf("got %v, want %v", err, errBroken)
	}
	if len(r.Outputs) != n-1 {
		t.Errorf("the report says that %v are visible, want %d", r.Outputs, n-1)
	}
	p.shows(t, "a.ndjson", all("a"))
	p.holds(t, "a.ndjson", "b.ndjson")
}

func failing(operation string, n int) Hook {
	return func(_ context.Context, o string, i int) error {
		if o == operation && i == n {
			return errBroken
		}
		return nil
	}
}

const (
	items  = 6 * 300
	writes = 12 // of a whole run, the manifest not counted
)

// batches returns six batches of a data type.
func batches(dataType string) []*pipeline.Batch {
	var all []*pipeline.Batch
	for page := 1; page <= 6; page++ {
		b := &pipeline.Batch{Job: dataType, DataType: dataType, Page: page, Items: 300}
		for i := range b.Items {
			b.Text = fmt.Appendf(b.Text, `{"page":%d,"i":%d,"text":%q}`+"\n", page, i, strings.Repeat(dataType, 100))
		}
		all = append(all, b)
	}
	return all
}

// both returns the batches of a and b in turn.
func both() []*pipeline.Batch {
	var all []*pipeline.Batch
	for i, b := range batches("b") {
		all = append(all, batches("a")[i], b)
	}
	return all
}

func all(dataType string) string {
	var text strings.Builder
	for _, b := range batches(dataType) {
		text.Write(b.Text)
	}
	return text.String()
}

// sink returns a sink at the place: of a and b into a folder, or of a alone
// under name.
func (p Place) sink(h Hook, name string) *sink.Sink {
	outputs := []pipeline.Output{{DataType: "a", Name: "a", Jobs: []string{"a"}}, {DataType: "b", Name: "b", Jobs: []string{"b"}}}
	if name != "" {
		outputs = outputs[:1]
	}
	s, err := sink.New(sink.Options{
		Output: "test://place/" + name,
		Targets: map[string]func(string) (target.Target, error){"test": func(string) (target.Target, error) {
			if h == nil {
				return p.Open(), nil
			}
			return Hooked(p.Open(), h), nil
		}},
	}, outputs)
	if err != nil {
		panic(err)
	}
	return s
}

// run is a whole run of the program.
func (p Place) run(ctx context.Context, h Hook, name string, all ...*pipeline.Batch) (*pipeline.Report, error) {
	s := p.sink(h, name)
	r := &pipeline.Report{}
	err := s.Probe(ctx)
	if err == nil {
		err = feed(ctx, s, all)
	}
	if err == nil {
		err = s.Commit(ctx, func() *pipeline.Report { return r })
	}
	return r, errors.Join(err, s.Close())
}

// feed writes the batches, and spoils each when it is written: a target must not
// keep what it was lent.
func feed(ctx context.Context, s *sink.Sink, all []*pipeline.Batch) error {
	for _, b := range all {
		if err := s.Write(ctx, b); err != nil {
			return err
		}
		clear(b.Text)
	}
	return nil
}

func (p Place) putAll() {
	for _, name := range []string{"a.ndjson", "b.ndjson", manifest} {
		p.Put(name, "earlier")
	}
}

// stands checks that what putAll put is what a reader sees.
func (p Place) stands(t *testing.T) {
	t.Helper()
	for _, name := range []string{"a.ndjson", "b.ndjson", manifest} {
		p.shows(t, name, "earlier")
	}
}

func (p Place) shows(t *testing.T, name, want string) {
	t.Helper()
	got, visible := p.Read(name)
	if !visible || got != want {
		t.Errorf("%s: visible %t, %d bytes that are not the %d expected", name, visible, len(got), len(want))
	}
}

// showsBoth checks that a reader sees all of a and b.
func (p Place) showsBoth(t *testing.T) {
	t.Helper()
	p.shows(t, "a.ndjson", all("a"))
	p.shows(t, "b.ndjson", all("b"))
	p.holds(t, manifest, "a.ndjson", "b.ndjson")
}

func (p Place) holds(t *testing.T, names ...string) {
	t.Helper()
	if got := p.Left(); !slices.Equal(got, names) {
		t.Errorf("the place holds %q, want %q", got, names)
	}
}
