package target

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// A ResolvedFile is the file that a name resolves to.
type ResolvedFile struct {
	// Symbolic links followed even if they lead nowhere yet.
	Path string

	// nil: nothing is there.
	Info fs.FileInfo
}

// Resolve returns the place of a file, with its absolute path, by the name that the user gave.
func Resolve(name string) (ResolvedFile, error) {
	at, err := locate(name)
	if err == nil {
		at.Path, err = filepath.Abs(at.Path)
		at.Path = follow(at.Path)
	}
	return at, err
}

// locate returns the place of a file.
func locate(shown string) (ResolvedFile, error) {
	info, err := os.Stat(shown)
	at := ResolvedFile{shown, info}
	switch {
	case err == nil && info.IsDir():
		return at, fmt.Errorf("%s is a folder; write %s%c to put one file per data type there",
			shown, shown, filepath.Separator)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return at, explain(shown, err)
	// Links such as /dev/fd/1 must not be followed by name.
	case !at.direct():
		at.Path = follow(shown)
	}
	return at, nil
}

// direct tells whether the place is written directly: what is no file, and a file that
// is open already and named by its descriptor, into which others may go on to write.
func (p ResolvedFile) direct() bool {
	if p.Info == nil {
		return false
	}
	_, open := descriptor(p.Path)
	return open || !p.Info.Mode().IsRegular()
}

// descriptor returns the number that a path such as /dev/stdout stands for.
func descriptor(path string) (int, bool) {
	switch path {
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	folder, name := filepath.Split(path)
	n, err := strconv.Atoi(name)
	return n, err == nil && (folder == "/dev/fd/" || folder == "/proc/self/fd/")
}

// isFile tells whether a file is there that is opened by its name.
func (p ResolvedFile) isFile() bool { return p.Info != nil && !p.direct() }

// Same tells whether two places are one file, of which there may be several names.
func (p ResolvedFile) Same(q ResolvedFile) bool {
	if p.Path == q.Path {
		return true
	}
	return p.Info != nil && q.Info != nil && os.SameFile(p.Info, q.Info)
}

// Below tells whether a folder is another one, or below it, and if below, the first step of the way. Neither
// has to be there.
func Below(folder, top string) (step string, below bool) {
	at, top := absolute(folder), absolute(top)
	above, err := os.Stat(top)
	for {
		here, missing := os.Stat(at)
		same := err == nil && missing == nil && os.SameFile(here, above)
		if same || at == top {
			return step, true
		}
		up := filepath.Dir(at)
		if up == at {
			return "", false
		}
		step, at = filepath.Base(at), up
	}
}

// absolute is the path of a folder without symbolic links.
func absolute(folder string) string {
	path := follow(filepath.Clean(folder))
	if whole, err := filepath.Abs(path); err == nil {
		return follow(whole)
	}
	return path
}

// follow follows the symbolic links of a path that leads into no circle.
func follow(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	folder := filepath.Dir(path)
	switch to, err := os.Readlink(path); {
	case err == nil && filepath.IsAbs(to):
		return follow(to)
	case err == nil:
		// Which cleans .. away by text: right only where no link is left.
		return follow(filepath.Join(follow(folder), to))
	case folder == path:
		return path
	}
	return filepath.Join(follow(folder), filepath.Base(path))
}
