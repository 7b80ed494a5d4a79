package target

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// An Attempt is an earlier process that did the same work, as far as it has left something.
type Attempt struct {
	ID string

	// Name and Hidden alone.
	Left []Sealed

	// It holds its lock, or has just begun.
	Alive bool
}

// Earlier returns the attempts at the same work that have left hidden files in the folders of names.
func (d *Folder) Earlier(names []string) ([]Attempt, error) {
	attempts := map[string]*Attempt{}
	seen := map[string]bool{}
	for _, name := range names {
		at, err := locate(d.path(name))
		folder := filepath.Dir(at.Path)
		if err != nil || seen[folder] {
			continue
		}
		seen[folder] = true
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, explain(folder, err)
		}
		for _, e := range entries {
			if id := d.Mark.earlier(e.Name()); id != "" {
				a := cmp.Or(attempts[id], &Attempt{ID: id})
				a.Left = append(a.Left, Sealed{Name: name, Hidden: e.Name()})
				attempts[id] = a
			}
		}
	}
	all := make([]Attempt, 0, len(attempts))
	for _, id := range slices.Sorted(maps.Keys(attempts)) {
		attempts[id].Alive = d.alive(attempts[id])
		all = append(all, *attempts[id])
	}
	return all, nil
}

// earlier returns the attempt at the same work that has made a hidden file; empty: none, or this one.
func (m Mark) earlier(name string) string {
	found := hiddenName().FindStringSubmatch(name)
	if found == nil {
		return ""
	}
	work, attempt := found[1], found[2]
	if work != m.work || attempt == m.attempt {
		return ""
	}
	return attempt
}

// alive tells whether the process of an attempt may go on.
func (d *Folder) alive(a *Attempt) bool {
	young := false
	for _, s := range a.Left {
		f, err := d.resume(s)
		if err != nil {
			continue
		}
		if isLock(s.Hidden) {
			return locked(f.temp)
		}
		info, err := os.Stat(f.temp)
		if err == nil && time.Since(info.ModTime()) < fresh {
			young = true
		}
	}
	return young
}

// EndEarlier removes all that they have left.
func (d *Folder) EndEarlier(ctx context.Context, names []string) error {
	if d.Mark.work == "" {
		return nil
	}
	attempts, err := d.Earlier(names)
	for _, a := range attempts {
		for _, s := range a.Left {
			err = errors.Join(err, d.Abandon(ctx, s))
		}
	}
	return err
}

// Hold makes the file whose lock says that this process is alive. Close removes it.
func (d *Folder) Hold() error {
	if d.held != nil || d.Mark.work == "" {
		return nil
	}
	if err := d.ensure(d.dir); err != nil {
		return err
	}
	path := filepath.Join(d.dir, d.Mark.file(lockEnd))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return explain(d.dir, err)
	}
	// A file system without locks says of nobody that he is alive.
	lock(f)
	d.held = f
	return nil
}

// letGo removes it.
func (d *Folder) letGo() error {
	f := d.held
	if f == nil {
		return nil
	}
	d.held = nil
	err := errors.Join(f.Close(), os.Remove(f.Name()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explain(d.dir, err)
}
