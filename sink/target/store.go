package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Put implements [Store]: a whole hidden file gets a second name, as a hard link, only once.
// Where something else than a file is, it is not opened: a FIFO would wait for a reader.
func (d *Folder) Put(ctx context.Context, name string, text []byte) error {
	info, err := os.Lstat(d.path(name))
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file: remove it", d.path(name))
	}
	o, err := d.Create(ctx, name)
	if err != nil {
		return err
	}
	f, ok := o.(*file)
	if !ok {
		return errors.Join(explain(d.path(name), fs.ErrExist), o.Close())
	}
	err = f.Write(ctx, text)
	if err == nil {
		err = f.Seal(ctx)
	}
	if err == nil {
		err = explain(f.shown, os.Link(f.temp, f.path))
	}
	return errors.Join(err, f.Close(), explain(f.shown, syncFolder(filepath.Dir(f.path))))
}

// List implements [Store]. Of a folder that is missing nothing is visible.
func (d *Folder) List(_ context.Context, prefix string) (map[string]time.Time, error) {
	folder, base := path.Split(prefix)
	entries, err := os.ReadDir(d.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, explain(d.path(folder), err)
	}
	all := map[string]time.Time{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			if base == "" {
				all[folder+e.Name()+"/"] = time.Time{}
			}
			continue
		}
		if !strings.HasPrefix(e.Name(), base) || IsHidden(e.Name()) {
			continue
		}
		info, err := e.Info()
		// It has just gone.
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, explain(d.path(folder+e.Name()), err)
		}
		all[folder+e.Name()] = info.ModTime()
	}
	return all, nil
}
