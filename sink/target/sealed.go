package target

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Sealed is what another process needs to publish an object that this one has sealed.
type Sealed struct {
	Name   string      `json:"name"` // below the target
	SHA256 string      `json:"sha256"`
	Like   string      `json:"like"`            // the name with marks where the numbers of {part}, {shard} and {shards} stand
	Hidden string      `json:"hidden"`          // the name of the hidden file, or the id of the upload
	Token  string      `json:"token,omitempty"` // that the object of the upload has, and no other
	Parts  [][2]string `json:"parts,omitempty"` // of the upload, from 1: ETag and CRC-32
}

// Sealed implements [Object].
func (f *file) Sealed() Sealed { return Sealed{Hidden: filepath.Base(f.temp)} }

// Sealed implements [Object]: nobody can publish a stream.
func (*stream) Sealed() Sealed { return Sealed{} }

// Stands implements [Store]: the hidden file is there, or its bytes under the name.
func (d *Folder) Stands(_ context.Context, s Sealed) (bool, error) {
	f := d.resume(s)
	if _, err := os.Lstat(f.temp); !errors.Is(err, fs.ErrNotExist) {
		return err == nil, explain(f.shown, err)
	}
	there, err := os.Open(f.path)
	if err != nil {
		return false, nil // what cannot be read is not that file
	}
	defer func() { _ = there.Close() }() // it was only read
	sum := sha256.New()
	_, err = io.Copy(sum, there)
	return hex.EncodeToString(sum.Sum(nil)) == s.SHA256, explain(f.shown, err)
}

// Finish implements [Store].
func (d *Folder) Finish(ctx context.Context, s Sealed) error {
	err := d.resume(s).Publish(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		if stands, _ := d.Stands(ctx, s); stands {
			return nil
		}
	}
	return err
}

// Abandon implements [Store].
func (d *Folder) Abandon(_ context.Context, s Sealed) error { return d.resume(s).Close() }

func (d *Folder) resume(s Sealed) *file {
	shown := d.path(s.Name)
	path := follow(shown)
	return &file{shown: shown, path: path, temp: filepath.Join(filepath.Dir(path), filepath.Base(s.Hidden)), rename: d.rename}
}
