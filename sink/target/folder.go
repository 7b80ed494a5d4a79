package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A Folder is a target whose objects are files in a folder of this machine. A file is written under a hidden
// name in its folder, and renamed at Publish. A symbolic link stays one, and a file that replaces another has
// its mode. A device or FIFO is written directly, and so is what is open already, under names such as
// /dev/stdout.
type Folder struct {
	// Mode is that of every file that is made, and folders that are made are their owner's alone. 0: as said
	// above.
	Mode fs.FileMode

	// Mark is that of its hidden files.
	Mark Mark

	dir   string
	makes bool

	// Folders that this one has made, in that order.
	made []string

	// Opened by Probe, not yet taken by Create.
	devices map[string]*os.File

	// By Hold; nil: none.
	held *os.File

	// What can fail on a disk; tests let it.
	create func(path string) (handle, error)
	rename func(from, to string) error
}

// A handle is an [os.File], or one that fails.
type handle interface {
	Write(p []byte) (int, error)
	WriteAt(p []byte, at int64) (int, error)
	Truncate(size int64) error
	Chmod(mode fs.FileMode) error
	Sync() error
	Close() error
}

// NewFolder returns the target of files below dir. If makes is set, folders that are
// missing are made; those that are empty at Close are removed again.
func NewFolder(dir string, makes bool) *Folder {
	return &Folder{dir: dir, makes: makes, devices: map[string]*os.File{}, create: create, rename: os.Rename}
}

// create makes a file that must not exist; the kernel takes the umask off its mode.
func create(path string) (handle, error) {
	const anew = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	//nolint:gosec // the umask decides about permissions
	return os.OpenFile(path, anew, 0o666)
}

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

// open returns the place of an object. What is written directly it opens, once.
func (d *Folder) open(ctx context.Context, name string) (at Place, device *os.File, err error) {
	device = d.devices[name]
	if device != nil {
		return at, device, nil
	}
	at, err = locate(d.path(name))
	if err != nil || !at.direct() {
		return at, nil, err
	}
	device, err = openDevice(ctx, at)
	return at, device, explain(d.path(name), err)
}

// try makes sure that a file can be created in folder.
func (d *Folder) try(folder, shown string) error {
	if err := d.ensure(folder); err != nil {
		return err
	}
	temp := d.Mark.hidden(folder)
	f, err := d.create(temp)
	if err != nil {
		return explain(shown, err)
	}
	err = f.Close()
	removing := os.Remove(temp)
	// A process that ends what others have left may have done so.
	if !errors.Is(removing, fs.ErrNotExist) {
		err = errors.Join(err, removing)
	}
	return explain(shown, err)
}

// Direct tells whether what was probed under name is written directly, and shows at once.
func (d *Folder) Direct(name string) bool { return d.devices[name] != nil }

// Create implements [Target].
func (d *Folder) Create(ctx context.Context, name string) (Object, error) {
	shown := d.path(name)
	at, device, err := d.open(ctx, name)
	if err != nil {
		return nil, err
	}
	if device != nil {
		delete(d.devices, name)
		return &stream{w: device, name: shown, uri: shown, closer: device}, nil
	}
	folder := filepath.Dir(at.Path)
	// A run beside this one may have removed it.
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
		// It is not empty, and that is well.
		_ = os.Remove(folder)
	}
	d.made = nil
	return err
}

func (d *Folder) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// ensure makes folder and what is missing above it, if it may.
func (d *Folder) ensure(folder string) error {
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		// What else is wrong shows when a file is made.
		return nil
	}
	if !d.makes {
		return fmt.Errorf("%s: there is no such folder; make it first", folder)
	}
	if err := d.ensure(filepath.Dir(folder)); err != nil {
		return err
	}
	return d.make(folder)
}

// Restore makes the folder again where a file has stood, if it has gone and the one above it has not.
func (d *Folder) Restore(name string) error {
	at, err := locate(d.path(name))
	if err != nil {
		return err
	}
	folder := filepath.Dir(at.Path)
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		// As above.
		return nil
	}
	err = d.make(folder)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: this folder has gone, and the one above it too: %w", folder, fs.ErrNotExist)
	}
	return err
}

// make makes a folder in one that is there.
func (d *Folder) make(folder string) error {
	// Of which the umask takes what it does not allow.
	mode := fs.FileMode(0o777)
	if d.Mode != 0 {
		mode = 0o700
	}
	err := os.Mkdir(folder, mode)
	if err == nil {
		d.made = append(d.made, folder)
	} else if errors.Is(err, fs.ErrExist) {
		// A run beside this one has made it.
		return nil
	}
	return explain(folder, err)
}
