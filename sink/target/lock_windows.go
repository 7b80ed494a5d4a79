package target

import (
	"errors"
	"io/fs"
	"os"
)

// lock does nothing: Windows does not remove a file that is open.
func lock(*os.File) {}

// locked tells whether a process has a file open. One that nobody has open is removed.
func locked(path string) bool {
	err := os.Remove(path)
	return err != nil && !errors.Is(err, fs.ErrNotExist)
}

// acquire makes a file that nobody has; [ErrLocked] if another process has it open. What a killed process has left
// is removed.
func acquire(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		if locked(path) {
			return nil, ErrLocked
		}
	}
}

// release lets go of a lock, and removes its file.
func release(f *os.File) {
	// One that stays is removed by whoever wants the lock.
	_ = f.Close()
	_ = os.Remove(f.Name())
}
