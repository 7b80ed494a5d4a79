//go:build !windows

package target

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed, or its process ends.
func lock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// locked tells whether a process holds the lock of a file.
func locked(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	// Close lets go of the lock, and nothing was written.
	defer func() { _ = f.Close() }()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// acquire makes a file, and locks it; [ErrLocked] if another process has.
func acquire(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrLocked
		}
		if err != nil {
			// Nothing was written.
			_ = f.Close()
			return nil, err
		}
		// The process that had the lock before may have removed the file meanwhile.
		if isStill(f, path) {
			return f, nil
		}
		_ = f.Close()
	}
}

// isStill tells whether a path leads to an open file.
func isStill(f *os.File, path string) bool {
	here, err := f.Stat()
	there, missing := os.Stat(path)
	return err == nil && missing == nil && os.SameFile(here, there)
}

// release removes the file of a lock while nobody else can have it, and lets go. Where somebody has removed it another
// process may have made one.
func release(f *os.File) {
	if isStill(f, f.Name()) {
		// A file that stays is locked by the next process.
		_ = os.Remove(f.Name())
	}
	_ = f.Close()
}
