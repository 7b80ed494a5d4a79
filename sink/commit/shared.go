// Package commit is how several processes make one run visible. Each shard seals its part, and leaves a
// fragment that says what it has sealed. Whoever publishes shows all of it or nothing, and the manifest last.
// What the processes share are texts below _sluice/ at the destination, which are written once.
package commit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"sluice/sink/target"
)

// Shared is what the processes of a run share at a destination.
type Shared struct {
	// [Shared.Publish] compares what is sealed with its SHA-256.
	Verify bool

	store target.Store
	id    string
	place SharedPlace

	// The beginning of the names of the texts.
	names string

	// Once it is known to publishing, its name, and what uploads are under it.
	manifest string
	empty    EmptyUploads
}

// A SharedPlace is a destination of several processes.
type SharedPlace struct {
	// DIR/ or s3://bucket/prefix/.
	URI string

	// The flags that name files of this machine, or objects of the bucket, by their paths. None may be one of
	// the run.
	Flags map[string]string

	// Manifest is --manifest for a run of a date; nil: as the shards have it.
	Manifest func(date string) (string, error)

	// Path is what a name at the place stands for: two names of one path are one file.
	Path func(name string) string
}

// New returns what the processes of the run id share at a place, which store holds. It does no I/O.
func New(store target.Store, id string, at SharedPlace) *Shared {
	return &Shared{store: store, id: id, place: at, names: textsOf(id)}
}

func textsOf(id string) string {
	return texts + strings.ReplaceAll(url.QueryEscape(id), ".", "%2E") + "/"
}

// ShardName begins the names of what is kept of a shard.
func ShardName(shard int) string { return fmt.Sprintf("shard-%05d", shard) }

func (s *Shared) of(shard int, ext string) string { return s.names + ShardName(shard) + ext }

// runName is the name of the text of what all shards have in common.
func (s *Shared) runName() string { return s.names + "run.json" }

func (s *Shared) commitName() string { return s.names + "commit.json" }

// A signed text has a checksum, so that nothing is published by a text that was changed or cut.
type signed struct {
	// Of Text, as it stands.
	SHA256 string `json:"sha256"`

	Text json.RawMessage `json:"text"`
}

var errDamaged = errors.New("this is not what sluice has written: it was changed or cut")

// read reads a text; into stays as it is if there is none.
func (s *Shared) read(ctx context.Context, name string, into any) error {
	text, err := s.store.Head(ctx, name, longestText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if text == nil {
		return nil
	}
	if !decode(text, into) {
		return fmt.Errorf("%s: %w", name, errDamaged)
	}
	return nil
}

// isThere tells whether there is a text. It reads it, since a store may list a new name late.
func (s *Shared) isThere(ctx context.Context, name string) (bool, error) {
	text, err := s.store.Head(ctx, name, 1)
	// It has just gone.
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return text != nil, err
}

// decode tells whether a signed text is as it was written, and puts its value into into.
func decode(text []byte, into any) bool {
	var t signed
	if json.Unmarshal(text, &t) != nil || t.SHA256 != sumOf(t.Text) {
		return false
	}
	return json.Unmarshal(t.Text, into) == nil
}

// write writes a text. If it was written before, that is put into first.
func (s *Shared) write(ctx context.Context, name string, value, first any) error {
	text, err := encode(name, value)
	if err != nil {
		return err
	}
	err = s.store.Put(ctx, name, text)
	if errors.Is(err, fs.ErrExist) && first != nil {
		return s.read(ctx, name, first)
	}
	return err
}

// encode returns the signed text of a value.
func encode(name string, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	text, err = json.Marshal(signed{sumOf(text), text})
	if len(text) > longestText {
		return nil, fmt.Errorf("%s: it has %d bytes, and %d are read at most", name, len(text), longestText)
	}
	return text, err
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
