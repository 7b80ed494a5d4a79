package pipeline

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// deleteOnClose is FILE_FLAG_DELETE_ON_CLOSE of Windows, which os.OpenFile hands on there.
const deleteOnClose = 0x04000000

// Nameless makes a temporary file in dir, [os.TempDir] if that is empty, of which nothing is left once it is
// closed or the process has ended, whatever happens.
func Nameless(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	flags := os.O_RDWR | os.O_CREATE | os.O_EXCL
	// Else the system has to do it, since an open file cannot be removed.
	removable := runtime.GOOS != "windows"
	if !removable {
		flags |= deleteOnClose
	}
	f, err := os.OpenFile(filepath.Join(dir, "sluice-"+rand.Text()), flags, 0o600)
	if err != nil || !removable {
		return f, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
