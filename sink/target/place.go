package target

import (
	"io/fs"
	"os"
	"path/filepath"
)

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
