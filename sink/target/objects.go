package target

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Probe implements [Target]: a file is created and removed, devices and FIFOs are opened.
func (d *Folder) Probe(ctx context.Context, names []string) error {
	for _, name := range names {
		at, device, err := d.open(ctx, name)
		if err == nil && device == nil {
			err = d.try(filepath.Dir(at.Path), d.path(name))
		}
		if err != nil {
			return err
		}
		if device != nil {
			d.devices[name] = device
		}
	}
	return nil
}

// Create implements [Target].
func (d *Folder) Create(ctx context.Context, name string) (Object, error) {
	shown := d.path(name)
	at, device, err := d.open(ctx, name)
	if err != nil {
		return nil, err
	}
	if device != nil {
		delete(d.devices, name)
		return &streamObject{w: device, name: shown, uri: shown, closer: device}, nil
	}
	folder := filepath.Dir(at.Path)
	// Another run may have removed it meanwhile.
	if err := d.ensure(folder); err != nil {
		return nil, err
	}
	f := &file{shown: shown, path: at.Path, temp: d.Mark.hidden(folder), rename: d.rename}
	f.handle, err = d.create(f.temp)
	if err != nil {
		return nil, explain(shown, err)
	}
	mode := d.Mode
	if mode == 0 && at.Info != nil {
		mode = at.Info.Mode().Perm()
	}
	if mode != 0 {
		err = f.handle.Chmod(mode)
	}
	if err != nil {
		return nil, errors.Join(explain(shown, err), f.Close())
	}
	return f, nil
}

// Reserve implements [Reserver].
func (d *Folder) Reserve(ctx context.Context, name string, n int) (Object, error) {
	o, err := d.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	f, ok := o.(*file)
	if !ok {
		return o, nil
	}
	return f, f.reserve(n)
}

// Head implements [Target].
func (d *Folder) Head(_ context.Context, name string, n int64) ([]byte, error) {
	shown := d.path(name)
	at, err := locate(shown)
	if err != nil || !at.isFile() {
		return nil, err
	}
	f, err := os.Open(at.Path)
	if err != nil {
		return nil, explain(shown, err)
	}
	// What was wanted has been read.
	defer func() { _ = f.Close() }()
	text, err := ReadAtMost(f, n, at.Info.Size())
	return text, explain(shown, err)
}

// Remove implements [Target]. A symbolic link stays, as at Publish; so does a device.
func (d *Folder) Remove(_ context.Context, name string) error {
	shown := d.path(name)
	at, err := locate(shown)
	if err != nil || !at.isFile() {
		return err
	}
	err = os.Remove(at.Path)
	if err == nil {
		err = syncFolder(filepath.Dir(at.Path))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explain(shown, err)
}

// Close removes the folders that this one has made and that are still empty.
func (d *Folder) Close() error {
	err := d.letGo()
	for name, f := range d.devices {
		err = errors.Join(err, f.Close())
		delete(d.devices, name)
	}
	for _, folder := range slices.Backward(d.made) {
		// A folder that is not empty stays, as it should.
		_ = os.Remove(folder)
	}
	d.made = nil
	return err
}
