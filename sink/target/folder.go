package target

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Folder is a target whose objects are files in a folder of this machine.
//
// A file is written under a hidden name in the folder that it will stand in, and
// renamed at Publish. A symbolic link stays one: the file it points to is
// replaced. A new file has the mode that the umask gives, one that replaces
// another has that one's. A device or FIFO is written directly, and so is what
// is open already, under names such as /dev/stdout.
type Folder struct {
	Mode fs.FileMode // of every file that is made; 0: as said above

	dir     string
	makes   bool
	made    []string            // folders that this one has made, in that order
	devices map[string]*os.File // opened by Probe, not yet taken by Create
	tried   map[string]bool     // folders in which Probe has made a file

	// What can fail on a disk; tests let it.
	create func(path string) (handle, error)
	rename func(from, to string) error
}

// A handle is an [os.File], or one that fails.
type handle interface {
	Write(p []byte) (int, error)
	Chmod(mode fs.FileMode) error
	Sync() error
	Close() error
}

// NewFolder returns the target of files below dir. If makes is set, folders that
// are missing are made; those of them that are empty at Close, since the run
// failed, are removed again.
func NewFolder(dir string, makes bool) *Folder {
	return &Folder{
		dir: dir, makes: makes,
		devices: map[string]*os.File{}, tried: map[string]bool{},
		create: create, rename: os.Rename,
	}
}

// create makes a file that must not exist; the kernel takes the umask off its mode.
func create(path string) (handle, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // the umask decides about permissions
}

// Probe implements [Target]: folders are made, in each a file is created and
// removed, devices and FIFOs are opened.
func (d *Folder) Probe(ctx context.Context, names []string) error {
	for _, name := range names {
		shown := d.path(name)
		path, _, device, err := open(ctx, shown)
		if err == nil && device == nil {
			err = d.try(filepath.Dir(path), shown)
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

// open returns where the file shown stands and what is there, as locate does. What
// is written directly it opens.
func open(ctx context.Context, shown string) (path string, info fs.FileInfo, device *os.File, err error) {
	if path, info, err = locate(shown); err != nil || info == nil || !direct(path, info) {
		return path, info, nil, err
	}
	device, err = openDevice(ctx, path, info)
	return path, info, device, explain(shown, err)
}

// try makes sure that a file can be created in folder.
func (d *Folder) try(folder, shown string) error {
	if d.tried[folder] {
		return nil
	}
	if err := d.ensure(folder); err != nil {
		return err
	}
	temp := hidden(folder)
	f, err := d.create(temp)
	if err != nil {
		return explain(shown, err)
	}
	d.tried[folder] = true
	return explain(shown, errors.Join(f.Close(), os.Remove(temp)))
}

// Direct tells whether what was probed under name is written directly, so that all of
// it shows at once.
func (d *Folder) Direct(name string) bool { return d.devices[name] != nil }

// Create implements [Target].
func (d *Folder) Create(ctx context.Context, name string) (Object, error) {
	shown := d.path(name)
	var path string
	var info fs.FileInfo
	var err error
	device := d.devices[name]
	delete(d.devices, name)
	if device == nil {
		path, info, device, err = open(ctx, shown)
	}
	switch {
	case err != nil:
		return nil, err
	case device != nil:
		return &stream{w: device, name: shown, uri: shown, closer: device}, nil
	}
	// A run beside this one may have removed the folder that it had made.
	if err := d.ensure(filepath.Dir(path)); err != nil {
		return nil, err
	}
	temp := hidden(filepath.Dir(path))
	h, err := d.create(temp)
	if err != nil {
		return nil, explain(shown, err)
	}
	f := &file{handle: h, shown: shown, path: path, temp: temp, rename: d.rename}
	mode := d.Mode
	if mode == 0 && info != nil {
		mode = info.Mode().Perm()
	}
	if mode != 0 {
		if err := h.Chmod(mode); err != nil {
			return nil, errors.Join(explain(shown, err), f.Close())
		}
	}
	return f, nil
}

// Head implements [Target].
func (d *Folder) Head(_ context.Context, name string, n int64) ([]byte, error) {
	shown := d.path(name)
	path, info, err := locate(shown)
	if err != nil || info == nil || direct(path, info) {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, explain(shown, err)
	}
	defer func() { _ = f.Close() }() // what was wanted has been read
	text, err := io.ReadAll(io.LimitReader(f, n))
	return text, explain(shown, err)
}

// Remove implements [Target]. A symbolic link stays, as at Publish; so does a device.
func (d *Folder) Remove(_ context.Context, name string) error {
	shown := d.path(name)
	path, info, err := locate(shown)
	if err != nil || info == nil || direct(path, info) {
		return err
	}
	err = os.Remove(path)
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explain(shown, err)
}

// Close removes the folders that this one has made and that are still empty.
func (d *Folder) Close() error {
	var err error
	for name, f := range d.devices {
		err = errors.Join(err, f.Close())
		delete(d.devices, name)
	}
	for _, folder := range slices.Backward(d.made) {
		_ = os.Remove(folder) // it is not empty, and that is well
	}
	d.made = nil
	return err
}

func (d *Folder) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// ensure makes folder and what is missing above it, if it may.
func (d *Folder) ensure(folder string) error {
	var missing []string
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break // what else is wrong shows when a file is made
		}
		missing = append(missing, at)
	}
	if missing == nil {
		return nil
	}
	if !d.makes {
		return fmt.Errorf("%s: there is no such folder; make it first", folder)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil { //nolint:gosec // the umask decides about permissions
		return explain(folder, err)
	}
	slices.Reverse(missing)
	d.made = append(d.made, missing...)
	return nil
}

// locate returns where the file shown really stands, symbolic links followed
// even if they lead nowhere yet, and what is there, nil if nothing is.
func locate(shown string) (string, fs.FileInfo, error) {
	info, err := os.Stat(shown)
	switch {
	case err == nil && info.IsDir():
		return "", nil, fmt.Errorf("%s is a folder; write %s%c to put one file per data type there", shown, shown, filepath.Separator)
	case err == nil && direct(shown, info):
		return shown, info, nil // links such as /dev/fd/1 must not be followed by name
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", nil, explain(shown, err)
	}
	return follow(shown), info, nil
}

// follow follows the symbolic links of a path that leads into no circle.
func follow(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	folder := filepath.Dir(path)
	switch to, err := os.Readlink(path); {
	case err == nil && filepath.IsAbs(to):
		return follow(to)
	case err == nil:
		return follow(filepath.Join(follow(folder), to)) // which cleans .. away by text: right only where no link is left
	case folder == path:
		return path
	}
	return filepath.Join(follow(folder), filepath.Base(path))
}

// A Place is what a name resolves to.
type Place struct {
	Path string      // absolute, symbolic links followed even if they lead nowhere yet
	Info fs.FileInfo // nil: nothing is there
}

// Resolve returns the place of a file, by the name that the user gave.
func Resolve(name string) (Place, error) {
	path, info, err := locate(name)
	if err != nil {
		return Place{}, err
	}
	path, err = filepath.Abs(path)
	return Place{follow(path), info}, err
}

// Same tells whether two places are one file, of which there may be several names.
func (p Place) Same(q Place) bool {
	return p.Path == q.Path || p.Info != nil && q.Info != nil && os.SameFile(p.Info, q.Info)
}

// hidden returns a new name for a file that is not to be seen yet.
func hidden(folder string) string {
	return filepath.Join(folder, ".sluice-"+rand.Text()+".tmp")
}
