package sink

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"sluice/pipeline/report"
	"sluice/sink/target"
)

const (
	// The folder of what shards share.
	texts = "_sluice/"
	// That is read of it.
	longestText = 128 << 20
)

// Shared is what the processes of a run share: texts that are written once (docs/decisions.md, section 23).
type Shared struct {
	target.Store

	// [Shared.Publish] compares what is sealed with its SHA-256.
	Verify bool

	plan *plan
	id   string

	// DIR/ or s3://bucket/prefix/.
	place string

	// The beginning of the names of the texts.
	names string
}

// Share returns what the run of these options shares. It does no I/O.
func Share(o Options) (*Shared, error) {
	p := &plan{options: &o, flags: map[string]string{}}
	p.locate(o.Output)
	if p.single != "" {
		return nil, fmt.Errorf(
			"%s: the shards of a run write to a folder (DIR/) or below a prefix (s3://bucket/prefix/)",
			cmp.Or(o.Output, "-"),
		)
	}
	p.reserve()
	t, err := p.open()
	if err != nil {
		return nil, err
	}
	return p.share(t), nil
}

func (p *plan) share(t target.Target) *Shared {
	return &Shared{
		Store: t.(target.Store),
		plan:  p,
		id:    p.options.RunID,
		place: p.folder,
		names: textsOf(p.options.RunID),
	}
}

func textsOf(id string) string {
	return texts + strings.ReplaceAll(url.QueryEscape(id), ".", "%2E") + "/"
}

// ShardName begins the names of what is kept of a shard.
func ShardName(shard int) string { return fmt.Sprintf("shard-%05d", shard) }

func (s *Shared) of(shard int, ext string) string { return s.names + ShardName(shard) + ext }

// A signed text has a checksum, so that nothing is published by a text that was changed or cut.
type signed struct {
	// Of Text, as it stands.
	SHA256 string `json:"sha256"`

	Text json.RawMessage `json:"text"`
}

var errDamaged = errors.New("this is not what sluice has written: it was changed or cut")

// read reads a text; into stays as it is if there is none.
func (s *Shared) read(ctx context.Context, name string, into any) error {
	text, err := s.Head(ctx, name, longestText)
	if text == nil && err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var t signed
	if json.Unmarshal(text, &t) != nil || t.SHA256 != sumOf(t.Text) || json.Unmarshal(t.Text, into) != nil {
		return fmt.Errorf("%s: %w", name, errDamaged)
	}
	return nil
}

// write writes a text. If it was written before, that is put into first.
func (s *Shared) write(ctx context.Context, name string, value, first any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	text, err = json.Marshal(signed{sumOf(text), text})
	if len(text) > longestText {
		return fmt.Errorf("%s: it has %d bytes, and %d are read at most", name, len(text), longestText)
	}
	if err == nil {
		err = s.Put(ctx, name, text)
	}
	if errors.Is(err, fs.ErrExist) && first != nil {
		return s.read(ctx, name, first)
	}
	return err
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A manifest is the report of a run beside its data.
type manifest struct {
	*report.Report

	// The ids of runs of shards that stood there before, the last first.
	Replaced []string `json:"replaced,omitempty"`
}

// manifests returns those that are visible, by name. What is no manifest does not matter.
func (s *Shared) manifests(ctx context.Context) (map[string]*manifest, error) {
	all := map[string]*manifest{}
	names, err := s.List(ctx, manifestStem)
	for name := range names {
		m, err := s.manifest(ctx, name)
		if err != nil {
			return nil, err
		}
		if m != nil {
			all[name] = m
		}
	}
	return all, err
}

// manifest returns the one of a name, nil if there is none.
func (s *Shared) manifest(ctx context.Context, name string) (*manifest, error) {
	text, err := s.Head(ctx, name, longestText)
	m := &manifest{Report: &report.Report{}}
	if err != nil || json.Unmarshal(text, m) != nil {
		return nil, err
	}
	return m, nil
}

// published returns the manifest of the run, nil if there is none.
func (s *Shared) published(ctx context.Context) (*report.Report, error) {
	all, err := s.manifests(ctx)
	for _, m := range all {
		if m.RunID == s.id {
			return m.Report, nil
		}
	}
	return nil, err
}

// Done returns the report of the run, if it is published, else that of the shard, if it is sealed.
func (s *Shared) Done(ctx context.Context, shard int) (*report.Report, error) {
	var f fragment
	r, err := s.published(ctx)
	if err == nil && r == nil {
		err = s.read(ctx, s.of(shard, ".json"), &f)
	}
	return cmp.Or(r, f.Report), err
}

// Join enters what all shards have in common, or puts into first what the first of them has entered.
func (s *Shared) Join(ctx context.Context, record, first any) error {
	err := s.write(ctx, s.names+"run.json", record, first)
	if err == nil {
		return nil
	}
	// Whoever has published the run meanwhile has removed the folder of its texts.
	there, _ := s.published(ctx)
	if there != nil {
		return ErrOvertaken
	}
	return err
}

// Fail leaves the status of a shard that has failed for good.
func (s *Shared) Fail(ctx context.Context, shard, status int) error {
	return s.write(ctx, s.of(shard, ".failed"), status, new(int))
}

// leave ends a shard, and tells whether what it has sealed stays: not if another process has done the same.
func (s *Shared) leave(ctx context.Context, shard int, f *fragment) (bool, error) {
	err := s.write(ctx, s.of(shard, ".json"), f, nil)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		// It may be there all the same.
		return true, err
	}
	// Who publishes removes fragments only after the manifest is there.
	if r, err := s.published(ctx); err != nil || r == nil {
		return true, cmp.Or(err, s.Remove(ctx, s.of(shard, ".failed")))
	}
	return false, s.Remove(ctx, s.of(shard, ".json"))
}

// Sweep lists the sharded runs that nobody has published, or that of an id alone. It ends those of which the last
// text was written before a time, with what is sealed, unless their publishing has begun.
func Sweep(
	ctx context.Context,
	at target.Store,
	place, id string,
	before time.Time,
) (found []target.Leftover, err error) {
	runs, err := at.List(ctx, texts)
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		if err != nil || !strings.HasSuffix(run, "/") || id != "" && run != textsOf(id) {
			continue
		}
		s, left := &Shared{
			Store: at,
			place: place,
			names: run,
		}, target.Leftover{
			URI: strings.TrimSuffix(place, "/") + "/" + run,
		}
		var names map[string]time.Time
		if names, err = s.List(ctx, run); len(names) > 0 {
			left.Since = slices.MaxFunc(slices.Collect(maps.Values(names)), time.Time.Compare)
		}
		_, publishing := names[run+"commit.json"]
		switch old := left.Since.Before(before); {
		case err != nil || !old:
		case !publishing:
			err = s.abandon(ctx, names)
			left.Removed = err == nil
		case id != "":
			err = fmt.Errorf("%s: its publishing has begun, and only sluice publish can end that", left.URI)
		}
		found = append(found, left)
	}
	return found, err
}

// abandon ends what the shards of a run have sealed, and its texts.
func (s *Shared) abandon(ctx context.Context, names map[string]time.Time) error {
	for name := range names {
		var f fragment
		if strings.HasSuffix(name, ".json") {
			err := s.read(ctx, name, &f)
			// What a damaged text has sealed goes by its age.
			if err != nil && !errors.Is(err, errDamaged) {
				return err
			}
		}
		if strings.HasSuffix(name, ".upload") {
			f.Objects = make([]target.Sealed, 1)
			err := s.read(ctx, name, &f.Objects[0])
			if err != nil && !errors.Is(err, errDamaged) {
				return err
			}
		}
		if err := abandon(ctx, s.Store, f.Objects); err != nil {
			return err
		}
	}
	return s.Forget(ctx)
}

// abandon ends objects that are sealed, or are about to be.
func abandon(ctx context.Context, store target.Store, objects []target.Sealed) error {
	return each(ctx, objects, func(ctx context.Context, _ int, o target.Sealed) error {
		return store.Abandon(ctx, o)
	})
}
