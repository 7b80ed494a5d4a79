package target

import (
	"errors"
	"fmt"
	"os"
)

// ErrLocked says that another process of this machine has the lock of a file.
var ErrLocked = errors.New("another process has its lock")

// Lock makes this process the only one that has a file of the folder to itself, until unlock: a file beside it is
// locked, which is there as long as the lock, or until the next one where its process was killed. Where another
// process has it the error is [ErrLocked].
func (d *Folder) Lock(name string) (unlock func(), err error) {
	shown := d.path(name)
	at, err := locate(shown)
	if err != nil {
		return nil, err
	}
	f, err := acquire(at.Path + ".lock")
	switch {
	case errors.Is(err, ErrLocked):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: its folder must allow that files are created and locked",
			explain(shown+".lock", err))
	}
	return func() { release(f) }, nil
}

// Machine names the machine whose processes see the locks of this one, until it is started anew; empty where
// nobody knows.
func Machine() string {
	// Linux says it; containers of a machine have the same.
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return string(id[:min(len(id), lengthOfUUID)])
}

const lengthOfUUID = 36
