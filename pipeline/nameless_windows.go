package pipeline

import (
	"crypto/rand"
	"os"
	"path/filepath"
)

// deleteOnClose is FILE_FLAG_DELETE_ON_CLOSE, which os.OpenFile hands on.
const deleteOnClose = 0x04000000

// Nameless makes a temporary file in dir, [os.TempDir] if that is empty, of which
// nothing is left once it is closed or the process has ended, whatever happens. An
// open file cannot be removed here; the system does it.
func Nameless(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	return os.OpenFile(filepath.Join(dir, "sluice-"+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL|deleteOnClose, 0o600)
}
