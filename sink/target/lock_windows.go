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
