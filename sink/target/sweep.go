package target

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Leftover is what a killed run left at a destination, or what one under way has there: no reader sees it.
type Leftover struct {
	URI string

	// Of an upload.
	ID string

	// Zero if that is not known.
	Since time.Time

	// By this sweep.
	Removed bool
}

// Sweep lists the hidden files of all runs in a folder and below it. It removes those last written before a
// time.
func Sweep(folder string, before time.Time) (all []Leftover, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, explain(folder, err)
	}
	// It was only read.
	defer func() { _ = root.Close() }()
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() || !IsHidden(d.Name()) {
			return nil
		}
		info, err := d.Info()
		// Its run has just ended.
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		left := Leftover{URI: filepath.Join(folder, path), Since: info.ModTime()}
		if ends(left, before) {
			err = root.Remove(path)
			left.Removed = err == nil
		}
		all = append(all, left)
		return err
	})
	return all, explain(folder, err)
}

// ends tells whether a sweep removes a hidden file: no run publishes it, and no process holds its lock.
func ends(left Leftover, before time.Time) bool {
	if !left.Since.Before(before) || publishing(left.URI) {
		return false
	}
	inUse := isLock(filepath.Base(left.URI)) && locked(left.URI)
	return !inUse
}

// publishing tells whether a run of shards above a file is being published, which its hidden files belong to.
func publishing(file string) bool {
	file, err := filepath.Abs(file)
	for at := ""; err == nil && at != file; {
		at, file = file, filepath.Dir(file)
		if found, _ := fs.Glob(os.DirFS(file), "_sluice/*/commit.json"); found != nil {
			return true
		}
	}
	return false
}
