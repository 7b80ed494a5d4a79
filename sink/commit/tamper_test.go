package commit_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/target"
)

// A sealedFolder is one in which the shards of a run have sealed what is to be published, again and again.
type sealedFolder struct {
	*testing.T
	above, dir string            // the folder is in one that holds nothing else
	saved      map[string]string // its files
}

func sealFolder(t *testing.T) *sealedFolder {
	s := &sealedFolder{T: t, above: t.TempDir()}
	s.dir = filepath.Join(s.above, "out")
	p := &sharedPlace{t: t, open: func() target.Store { return target.NewFolder(s.dir, true) }}
	p.seal()
	s.saved = s.files()
	return s
}

// files are those of the folder and beside it, with their texts.
func (s *sealedFolder) files() map[string]string {
	s.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.above, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if !d.Type().IsRegular() {
			text, err = []byte("no file"), nil
		}
		name, _ := filepath.Rel(s.dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	must(s.T, err)
	return all
}

// restore undoes everything that was done since the shards have sealed.
func (s *sealedFolder) restore() {
	s.Helper()
	must(s.T, os.RemoveAll(s.dir))
	for name, text := range s.saved {
		s.write(name, text)
	}
}

func (s *sealedFolder) path(name string) string {
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

func (s *sealedFolder) write(name, text string) {
	s.Helper()
	must(s.T, os.MkdirAll(filepath.Dir(s.path(name)), 0o700))
	must(s.T, os.WriteFile(s.path(name), []byte(text), 0o600))
}

// publish publishes what there is, by a process that step may end.
func (s *sealedFolder) publish(verify bool, step func(int) error) error {
	p := &sharedPlace{t: s.T, run: 1, open: func() target.Store { return target.NewFolder(s.dir, true) }}
	o, _ := p.options(step)
	shared, err := sink.Share(o)
	must(s.T, err)
	shared.Verify = verify
	_, err = shared.Publish(s.Context(), p.shards(), pipeline.Options{}, func(*report.Report, []json.RawMessage) error { return nil })
	return err
}

// hidden are the names of the hidden files.
func (s *sealedFolder) hidden() (all []string) {
	for name := range s.saved {
		if strings.HasPrefix(name, ".sluice-") {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// shown are the files that readers see.
func (s *sealedFolder) shown() map[string]string {
	all := s.files()
	maps.DeleteFunc(all, func(name, _ string) bool {
		return strings.HasPrefix(name, ".sluice-") || strings.HasPrefix(name, "_sluice/")
	})
	return all
}

// refused publishes what was changed, and checks that nothing of it shows.
func (s *sealedFolder) refused(what string, verify bool) {
	s.Helper()
	before := s.shown()
	err := s.publish(verify, goesOn)
	after := s.shown()
	if err == nil || !maps.Equal(before, after) {
		s.Errorf("%s: %v, and there is %v", what, err, slices.Sorted(maps.Keys(after)))
	}
}

func TestSealedFilesThatWereChangedAreNotPublished(t *testing.T) {
	s := sealFolder(t)
	file, fragment := s.hidden()[0], "_sluice/run+1/shard-00000.json"
	final := "a-00000-of-00003.ndjson"
	for what, change := range map[string]func(){
		"cut":      func() { s.write(file, "1") },
		"longer":   func() { s.write(file, "1\n\n") },
		"emptied":  func() { s.write(file, "") },
		"gone":     func() { must(t, os.Remove(s.path(file))) },
		"a folder": func() { must(t, errors.Join(os.Remove(s.path(file)), os.Mkdir(s.path(file), 0o700))) },
		"a link": func() {
			s.write("copy", s.saved[file])
			must(t, errors.Join(os.Remove(s.path(file)), os.Symlink("copy", s.path(file))))
		},
		"its final name is a folder":  func() { must(t, os.Mkdir(s.path(final), 0o700)) },
		"a link leads to a folder":    func() { must(t, os.Symlink(s.above, s.path(final))) },
		"the manifest is a folder":    func() { must(t, os.Mkdir(s.path("_manifest.json"), 0o700)) },
		"the fragment is cut":         func() { s.write(fragment, s.saved[fragment][:100]) },
		"the fragment is empty":       func() { s.write(fragment, "") },
		"the fragment is {}":          func() { s.write(fragment, "{}") },
		"the fragment is another one": func() { s.write(fragment, s.saved["_sluice/run+1/shard-00001.json"]) },
		"the fragment is a link": func() {
			must(t, errors.Join(os.Remove(s.path(fragment)), os.Symlink("shard-00001.json", s.path(fragment))))
		},
		"the commit is cut": func() { s.write("_sluice/run+1/commit.json", "{}") },
	} {
		s.restore()
		change()
		s.refused(what, false)
	}
	s.restore()
	s.write(file, "7\n")
	s.refused("other bytes", true)
	s.restore()
	must(t, s.publish(true, goesOn))
}

// A change is one that somebody made to a JSON text.
type change struct {
	path  string
	value any // nil: the member is removed
}

// changes are those of all members of a value.
func changes(path string, value any) (all []change) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := path + "\x00" + name
			all = append(all, change{at, nil})
			all = append(all, changes(at, v[name])...)
		}
	case []any:
		all = append(all, change{path, []any{}})
		for i, member := range v {
			all = append(all, changes(fmt.Sprint(path, "\x00", i), member)...)
		}
	case string:
		for _, other := range []string{"", "../x", v + "x", "_manifest.json", "_sluice/x", "."} {
			all = append(all, change{path, other})
		}
	case float64:
		all = append(all, change{path, v + 1}, change{path, -1.0}, change{path, 0.0})
	case bool:
		all = append(all, change{path, !v})
	}
	return append(all, change{path, "text"}, change{path, map[string]any{}})
}

// apply makes the change to a value.
func (c change) apply(value any) any {
	return changed(value, strings.Split(c.path, "\x00")[1:], c.value)
}

func changed(value any, path []string, to any) any {
	if len(path) == 0 {
		return to
	}
	switch v := value.(type) {
	case map[string]any:
		clone := maps.Clone(v)
		if clone[path[0]] = changed(v[path[0]], path[1:], to); clone[path[0]] == nil {
			delete(clone, path[0])
		}
		return clone
	case []any:
		clone := slices.Clone(v)
		for i := range v {
			if fmt.Sprint(i) == path[0] {
				clone[i] = changed(v[i], path[1:], to)
			}
		}
		return clone
	}
	return value
}

func parsed(t *testing.T, text string) (value any) {
	t.Helper()
	must(t, json.Unmarshal([]byte(text), &value))
	return value
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	return string(text)
}

// signedAgain has the checksum of a text that was changed, as only somebody makes it who knows how.
func signedAgain(t *testing.T, of any) string {
	t.Helper()
	text := encoded(t, of)
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf(`{"sha256":%q,"text":%s}`, hex.EncodeToString(sum[:]), text)
}

func TestAChangeToAnyMemberOfAFragmentIsRefusedOrChangesNothing(t *testing.T) {
	s := sealFolder(t)
	must(t, s.publish(false, goesOn))
	want := s.shown()
	s.restore()
	// Of the commit too, by the process that goes on with it.
	for n := 1; ; n++ {
		must(t, ignored(s.publish(false, killed(n))))
		if len(s.files()["_sluice/run+1/commit.json"]) > 0 {
			break
		}
		s.restore()
	}
	s.saved = s.files()
	for _, name := range []string{"shard-00000.json", "shard-00002.json", "commit.json"} {
		name = "_sluice/run+1/" + name
		original := parsed(t, s.saved[name])
		for i, c := range changes("", original) {
			if !cases.All() && i%4 != 0 {
				continue
			}
			if !strings.HasSuffix(name, "commit.json") {
				must(t, os.RemoveAll(s.path("_sluice/run+1/commit.json")))
			}
			s.write(name, encoded(t, c.apply(original)))
			what := fmt.Sprintf("%s: %q becomes %v", name, c.path, c.value)
			err := s.publish(false, goesOn)
			got := s.shown()
			if err != nil && len(got) > 0 {
				t.Errorf("%s: %v, and there is %v", what, err, slices.Sorted(maps.Keys(got)))
			}
			if err != nil {
				continue
			}
			if !maps.Equal(want, got) {
				t.Errorf("%s: it is published with other bytes or another manifest: %v", what, slices.Sorted(maps.Keys(got)))
			}
			s.restore()
		}
		s.restore()
	}
}

// ignored is no error of a process that was killed.
func ignored(err error) error {
	if errors.Is(err, errKilled) {
		return nil
	}
	return err
}

// Whoever can sign the text anew gets nothing published that the manifest does not list with its bytes, nor anything
// outside the folder.
func TestAFragmentThatWasChangedAndSignedShowsNothingButWhatItsManifestLists(t *testing.T) {
	s := sealFolder(t)
	name := "_sluice/run+1/shard-00001.json"
	original := parsed(t, s.saved[name]).(map[string]any)["text"]
	for i, c := range changes("", original) {
		if !cases.All() && i%8 != 0 {
			continue
		}
		s.restore()
		s.write(name, signedAgain(t, c.apply(original)))
		what := fmt.Sprintf("%q becomes %v", c.path, c.value)
		err := s.publish(false, goesOn)
		got := s.shown()
		if err != nil && len(got) > 0 {
			t.Errorf("%s: %v, and there is %v", what, err, slices.Sorted(maps.Keys(got)))
		}
		if err != nil {
			continue
		}
		var r report.Report
		must(t, json.Unmarshal([]byte(got["_manifest.json"]), &r))
		for _, o := range r.Outputs {
			base := filepath.Base(o.URI)
			sum := sha256.Sum256([]byte(got[base]))
			if hex.EncodeToString(sum[:]) != o.SHA256 || int64(len(got[base])) != o.Bytes {
				t.Errorf("%s: the manifest lists %+v, and there is %q", what, o, got[base])
			}
		}
		if len(got) != len(r.Outputs)+1 {
			t.Errorf("%s: there is %v", what, slices.Sorted(maps.Keys(got)))
		}
	}
}

// An asker counts how often it is asked whether an object stands.
type asker struct {
	target.Store
	mu    sync.Mutex
	asked map[string]int
}

func (a *asker) Stands(ctx context.Context, s target.Sealed) (bool, error) {
	a.mu.Lock()
	a.asked[s.Name]++
	a.mu.Unlock()
	return a.Store.Stands(ctx, s)
}

func TestPublishAsksOnceForEachSealedObject(t *testing.T) {
	s := sealFolder(t)
	a := &asker{Store: target.NewFolder(s.dir, true), asked: map[string]int{}}
	shared, err := sink.Share(sink.Options{
		Output:      "test://place/",
		RunDetails:  sink.RunDetails{RunID: "run 1"},
		Environment: opens(a),
	})
	must(t, err)
	_, err = shared.Publish(t.Context(), 3, pipeline.Options{}, func(*report.Report, []json.RawMessage) error { return nil })
	must(t, err)
	for i := range 3 {
		name := fmt.Sprintf("a-%05d-of-00003.ndjson", i)
		if a.asked[name] != 1 {
			t.Errorf("it asked %d times for %s", a.asked[name], name)
		}
	}
}

func TestPublishingThatFailsReportsWhatIsVisible(t *testing.T) {
	s := sealFolder(t)
	for n := 1; ; n++ {
		s.restore()
		p := &sharedPlace{t: t, run: 1, open: func() target.Store { return target.NewFolder(s.dir, true) }}
		o, _ := p.options(killed(n))
		shared, err := sink.Share(o)
		must(t, err)
		r, err := shared.Publish(t.Context(), 3, pipeline.Options{}, func(*report.Report, []json.RawMessage) error { return nil })
		got := s.shown()
		delete(got, "_manifest.json")
		if err == nil {
			break
		}
		if r != nil && len(r.Outputs) != len(got) || r == nil && len(got) > 0 {
			t.Errorf("killed at %d: the report has %v, and there is %v", n, r, slices.Sorted(maps.Keys(got)))
		}
	}
}
