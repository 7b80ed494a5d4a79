package target

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// open returns the place of an object. What is written directly it opens, once.
func (d *Folder) open(ctx context.Context, name string) (at ResolvedFile, device *os.File, err error) {
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
	// Another process that removes hidden files may have removed it.
	if !errors.Is(removing, fs.ErrNotExist) {
		err = errors.Join(err, removing)
	}
	return explain(shown, err)
}

// Direct tells whether what was probed under name is written directly, and shows at once.
func (d *Folder) Direct(name string) bool { return d.devices[name] != nil }

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
		err = fmt.Errorf("%s: this folder was removed, and the one above it, too: %w", folder, fs.ErrNotExist)
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
		// Another run has made it meanwhile.
		return nil
	}
	return explain(folder, err)
}
