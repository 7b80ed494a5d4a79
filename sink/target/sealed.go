package target

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged says that what is there is not what was sealed, or stands where that cannot be published.
var ErrChanged = errors.New("it is not what a shard has sealed")

// Sealed implements [Object].
func (f *file) Sealed() Sealed { return Sealed{Hidden: filepath.Base(f.temp)} }

// Sealed implements [Object]: nobody can publish a stream.
func (*streamObject) Sealed() Sealed { return Sealed{} }

// Replaced implements [Object]: nobody can replace what a stream has taken.
func (*streamObject) Replaced(context.Context, string) (bool, error) { return false, nil }

// Stands implements [Store]: the hidden file is there, or its bytes under the name.
func (d *Folder) Stands(_ context.Context, s Sealed) (bool, error) {
	f, err := d.resume(s)
	if err != nil {
		return false, err
	}
	// In this order: another process may rename it in between.
	sealed, err := os.Lstat(f.temp)
	there, missing := os.Lstat(f.path)
	if missing == nil && !there.Mode().IsRegular() {
		return false, fmt.Errorf("%s: what stands there is no file: %w", f.shown, ErrChanged)
	}
	if err == nil {
		return true, explain(f.shown, sameKind(sealed, s))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, explain(f.shown, err)
	}
	if there == nil || there.Size() != s.Bytes {
		return false, nil
	}
	sum, err := sumOf(f.path)
	return sum == s.SHA256, explain(f.shown, err)
}

// Shows implements [Store]: what has been renamed has those bytes.
func (d *Folder) Shows(_ context.Context, s Sealed) (bool, error) {
	f, err := d.resume(s)
	if err != nil {
		return false, err
	}
	if _, err := os.Lstat(f.temp); err == nil {
		return false, nil
	}
	there, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, explain(f.shown, err)
	}
	if !there.Mode().IsRegular() || there.Size() != s.Bytes {
		return false, nil
	}
	sum, err := sumOf(f.path)
	return sum == s.SHA256, explain(f.shown, err)
}

// sameKind tells whether a file is a regular one of the size that was sealed.
func sameKind(info fs.FileInfo, s Sealed) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("the hidden file %s is no file any more: %w", s.Hidden, ErrChanged)
	case info.Size() != s.Bytes:
		return fmt.Errorf("the hidden file %s has %d bytes, and %d were sealed: %w",
			s.Hidden, info.Size(), s.Bytes, ErrChanged)
	}
	return nil
}

// Sum implements [Store].
func (d *Folder) Sum(_ context.Context, s Sealed) (string, error) {
	f, err := d.resume(s)
	if err != nil {
		return "", err
	}
	sum, err := sumOf(f.temp)
	if errors.Is(err, fs.ErrNotExist) {
		sum, err = sumOf(f.path)
	}
	return sum, explain(f.shown, err)
}

// sumOf is the SHA-256 of a file.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	// It was only read.
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// Finish implements [Store].
func (d *Folder) Finish(ctx context.Context, s Sealed) error {
	f, err := d.resume(s)
	if err == nil {
		err = f.Publish(ctx)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if stands, _ := d.Stands(ctx, s); stands {
			return nil
		}
	}
	return err
}

// Abandon implements [Store].
func (d *Folder) Abandon(_ context.Context, s Sealed) error {
	f, err := d.resume(s)
	if err != nil {
		return err
	}
	return f.Close()
}

// resume is the hidden file that another process has sealed. No other file is taken for one.
func (d *Folder) resume(s Sealed) (*file, error) {
	shown := d.path(s.Name)
	if !IsHidden(s.Hidden) {
		return nil, fmt.Errorf("%s: %q is no name of a hidden file: %w", shown, s.Hidden, ErrChanged)
	}
	path := follow(shown)
	return &file{
		shown:  shown,
		path:   path,
		temp:   filepath.Join(filepath.Dir(path), s.Hidden),
		rename: d.rename,
	}, nil
}
