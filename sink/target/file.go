package target

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// A file is an object of a [Folder] that stands under a hidden name until it is published.
type file struct {
	// nil once closed.
	handle handle

	// As the user knows it.
	shown string

	// Where it will stand, links followed.
	path string

	// Where it stands now; empty once it does not.
	temp string

	// By Reserve, in bytes; what is written takes the place of what fills it.
	reserved int64

	// In bytes.
	written int64

	// As it was published; nil: it is not.
	published fs.FileInfo

	rename func(from, to string) error
}

// reserve takes room on the disk for n bytes that are written later, so that a disk which is full by then takes
// them all the same. It is called before the first Write.
func (f *file) reserve(n int) error {
	_, err := f.handle.Write(bytes.Repeat([]byte{'\n'}, n))
	if err == nil {
		err = f.handle.Sync()
	}
	f.reserved = int64(n)
	return explain(f.shown, err)
}

// URI implements [Object]: the path, as the command line gave it.
func (f *file) URI() string { return f.shown }

func (f *file) Write(ctx context.Context, p []byte) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	var err error
	if f.reserved > 0 {
		_, err = f.handle.WriteAt(p, f.written)
	} else {
		_, err = f.handle.Write(p)
	}
	f.written += int64(len(p))
	return explain(f.shown, err)
}

// Seal brings the file to the disk; a disk that is full may say so only here.
func (f *file) Seal(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	h := f.handle
	f.handle = nil
	err := f.stays()
	if err == nil && f.reserved > f.written {
		err = h.Truncate(f.written)
	}
	return explain(f.shown, errors.Join(err, h.Sync(), h.Close()))
}

// stays tells whether the name still leads to the folder of the file: a link above it may lead elsewhere meanwhile.
func (f *file) stays() error {
	own, err := os.Stat(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	named, err := os.Stat(filepath.Dir(follow(f.shown)))
	if err == nil && !os.SameFile(own, named) {
		err = errors.New("a symbolic link of its path leads to another folder than when the run began: run again")
	}
	return err
}

// Publish implements [Object]: the rename, made durable.
func (f *file) Publish(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	var info fs.FileInfo
	err := f.stays()
	if err == nil {
		info, err = os.Lstat(f.temp)
	}
	if err == nil {
		err = f.rename(f.temp, f.path)
	}
	if err != nil {
		return explain(f.shown, err)
	}
	f.published = info
	f.temp = ""
	return explain(f.shown, syncFolder(filepath.Dir(f.path)))
}

// Replaced implements [Object].
func (f *file) Replaced(_ context.Context, sum string) (bool, error) {
	there, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || f.published == nil {
		return false, explain(f.shown, err)
	}
	isSame := there.Size() == f.published.Size() && there.ModTime().Equal(f.published.ModTime())
	if isSame || !there.Mode().IsRegular() {
		return !isSame, nil
	}
	got, err := sumOf(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && got != sum, explain(f.shown, err)
}

func (f *file) Close() error {
	var err error
	if f.handle != nil {
		err = f.handle.Close()
	}
	if f.temp != "" {
		if removing := os.Remove(f.temp); !errors.Is(removing, fs.ErrNotExist) {
			err = errors.Join(err, removing)
		}
	}
	f.handle, f.temp = nil, ""
	return explain(f.shown, err)
}

// syncFolder makes renames and removals in folder durable, where the file system can.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		// Windows cannot sync a folder. It keeps changes of names by itself.
		return nil
	}
	f, err := os.Open(folder)
	if err == nil {
		err = f.Sync()
		// It was only read.
		_ = f.Close()
	}
	for _, cannot := range []error{fs.ErrPermission, syscall.EINVAL, errors.ErrUnsupported} {
		// A folder may be written and yet not read.
		if errors.Is(err, cannot) {
			return nil
		}
	}
	return err
}
