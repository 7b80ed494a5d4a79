package commit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sluice/pipeline/report"
	"sluice/sink/target"
)

// A Manifest is the report of a run beside its data.
type Manifest struct {
	*report.Report

	// The ids of runs that stood there before, the last first: publish knows by them which run is not to come
	// back.
	Replaced []string `json:"replaced,omitempty"`
}

// Text is the manifest as it is written.
func (m *Manifest) Text() ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	return text.Bytes(), nil
}

// lists tells whether the run has an output of a name in a folder, whatever the case of its letters, or at a place of a
// bucket.
func (m *Manifest) lists(place, name string) bool {
	isBucket := strings.Contains(place, "://")
	return slices.ContainsFunc(m.Outputs, func(o report.OutputReport) bool {
		if isBucket {
			return o.URI == place+name
		}
		uri := "/" + strings.ToLower(filepath.ToSlash(o.URI))
		return strings.HasSuffix(uri, "/"+name)
	})
}

// report is what it says of its run, nil of none.
func (m *Manifest) report() *report.Report {
	if m == nil {
		return nil
	}
	return m.Report
}

// Replaced is the report of the run whose manifest of that name will be replaced, nil if none can be read.
func Replaced(ctx context.Context, t target.Target, name string) (*report.Report, error) {
	earlier, err := readManifest(ctx, t, name)
	return earlier.report(), err
}

// mostReplaced is how many runs a manifest remembers.
const mostReplaced = 100

// Replace enters the runs whose manifest this one takes the place of, if one can be read.
func (m *Manifest) Replace(ctx context.Context, t target.Target, name string) {
	earlier, _ := readManifest(ctx, t, name)
	if earlier != nil {
		m.Replaced = earlier.replacedBy(m.RunID)
	}
}

// replacedBy returns the ids that the manifest of the run id remembers which takes the place of this one.
func (m *Manifest) replacedBy(id string) []string {
	all := append([]string{m.RunID}, m.Replaced...)
	all = slices.DeleteFunc(all, func(known string) bool { return known == id || known == "" })
	return all[:min(len(all), mostReplaced)]
}

// readManifest returns the manifest of a name, nil if there is none.
func readManifest(ctx context.Context, t target.Target, name string) (*Manifest, error) {
	text, err := t.Head(ctx, name, longestText)
	return parseManifest(text), err
}

// parseManifest returns nil for what is no manifest.
func parseManifest(text []byte) *Manifest {
	m := &Manifest{Report: &report.Report{}}
	if json.Unmarshal(text, m) != nil {
		return nil
	}
	return m
}

// manifests returns those that are visible, by name: those that lie at the place itself, and the one that
// noteManifest has noted. What is no manifest does not matter.
func (s *Shared) manifests(ctx context.Context) (map[string]*Manifest, error) {
	names, err := s.store.List(ctx, manifestStem)
	if err != nil {
		return nil, err
	}
	noted, err := s.notedManifest(ctx)
	if err != nil {
		return nil, err
	}
	if noted != "" {
		names[noted] = time.Time{}
	}
	all := map[string]*Manifest{}
	for name := range names {
		m, err := readManifest(ctx, s.store, name)
		if err != nil {
			return nil, err
		}
		if m != nil {
			all[name] = m
		}
	}
	return all, nil
}

// noteName is the name of the text that says where the manifest of the run is, once it is published. It stays:
// who publishes the run again, or does a shard of it, must find the manifest.
func (s *Shared) noteName() string { return strings.TrimSuffix(s.names, "/") + ".manifest" }

// noteManifest notes where the manifest of the run will be, if that is not found by its name.
func (s *Shared) noteManifest(ctx context.Context, name string) error {
	if strings.HasPrefix(name, manifestStem) && !strings.Contains(name, "/") {
		return nil
	}
	noted := ""
	err := s.write(ctx, s.noteName(), name, &noted)
	if err != nil || noted == "" || noted == name {
		return err
	}
	// This run was published before, and then replaced.
	if err := s.store.Remove(ctx, s.noteName()); err != nil {
		return err
	}
	return s.write(ctx, s.noteName(), name, &noted)
}

// notedManifest is the name that noteManifest has noted, empty if it has none.
func (s *Shared) notedManifest(ctx context.Context) (name string, err error) {
	err = s.read(ctx, s.noteName(), &name)
	if err == nil && name != "" {
		err = CheckManifest(name)
	}
	return name, err
}

// published returns the manifest of the run, nil if there is none.
func (s *Shared) published(ctx context.Context) (*report.Report, error) {
	all, err := s.manifests(ctx)
	_, r := s.among(all)
	return r, err
}

// among returns the manifest of the run, with its name, nil if it is not among them.
func (s *Shared) among(manifests map[string]*Manifest) (string, *report.Report) {
	for name, m := range manifests {
		if m.RunID == s.id {
			return name, m.Report
		}
	}
	return "", nil
}
