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
	if path, err = filepath.Abs(path); err != nil {
		return Place{}, err
	}
	return Place{filepath.Join(realFolder(filepath.Dir(path)), filepath.Base(path)), info}, nil
}

// realFolder follows the links in the path of a folder as far as there is one.
func realFolder(folder string) string {
	path, err := filepath.EvalSymlinks(folder)
	switch above := filepath.Dir(folder); {
	case err == nil:
		return path
	case above == folder:
		return folder
	default:
		return filepath.Join(realFolder(above), filepath.Base(folder))
	}
}

// Same tells whether two places are one file, of which there may be several names.
func (p Place) Same(q Place) bool {
	return p.Path == q.Path || p.Info != nil && q.Info != nil && os.SameFile(p.Info, q.Info)
}
