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

// Sealed is all that another process needs to publish an object that this one has sealed.
type Sealed struct {
	Name   string `json:"name"` // below the target
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Hidden string `json:"hidden"`          // the name of the hidden file, or the id of the upload
	Token  string `json:"token,omitempty"` // that the object of the upload has and no other
	Parts  []Part `json:"parts,omitempty"` // of the upload, from 1
}

// A Part of an upload.
type Part struct {
	ETag  string `json:"etag"`
	CRC32 string `json:"crc32,omitempty"`
}

// Sealable is an [Object] that another process can publish.
type Sealable interface {
	Object

	// Sealed, after Seal, tells how. Name, Bytes and SHA256 are not in it.
	Sealed() Sealed

	// Stands tells whether the object can still be published, or is.
	Stands(ctx context.Context) (bool, error)
}

// A Publisher is a [Target] of which another process can publish the objects.
type Publisher interface {
	Target

	// Resume returns the object, for Stands and for Publish, which are safe to repeat
	// and to run twice at a time. It does no I/O.
	Resume(s Sealed) Sealable
}

// Resume implements [Publisher].
func (d *Folder) Resume(s Sealed) Sealable {
	shown := d.path(s.Name)
	path := follow(shown)
	return &file{shown: shown, path: path, temp: filepath.Join(filepath.Dir(path), filepath.Base(s.Hidden)), rename: d.rename, resumed: &s}
}

// Sealed implements [Sealable].
func (f *file) Sealed() Sealed { return Sealed{Hidden: filepath.Base(f.temp)} }

// Stands implements [Sealable].
func (f *file) Stands(context.Context) (bool, error) {
	_, err := os.Lstat(f.temp)
	if errors.Is(err, fs.ErrNotExist) {
		return f.shows()
	}
	return err == nil, explain(f.shown, err)
}

// shows tells whether the bytes of a resumed file are what stands under its name.
func (f *file) shows() (bool, error) {
	there, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, explain(f.shown, err)
	}
	defer func() { _ = there.Close() }() // it was only read
	sum := sha256.New()
	_, err = io.Copy(sum, there)
	return hex.EncodeToString(sum.Sum(nil)) == f.resumed.SHA256, explain(f.shown, err)
}
