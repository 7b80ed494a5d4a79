//go:build !windows

package pipeline

import (
	"errors"
	"os"
)

// Nameless makes a temporary file in dir, [os.TempDir] if that is empty, of which
// nothing is left once it is closed or the process has ended, whatever happens.
func Nameless(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "sluice-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
