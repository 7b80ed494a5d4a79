package commit

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Taken says that two outputs, or an output and the file of a flag, are one file.
type Taken struct{ error }

// Takenf returns a [Taken] with the message that [fmt.Errorf] makes.
func Takenf(format string, args ...any) error { return &Taken{fmt.Errorf(format, args...)} }

// checkObjects refuses a flag that names a file which is an output of the run, or its manifest.
func (s *Shared) checkObjects(f *Fragment) error {
	for _, o := range f.Objects {
		flag := s.place.Flags[s.place.Path(o.Name)]
		if flag != "" {
			return Takenf("%s names %s, which holds items of this run: name another file", flag, o.Name)
		}
	}
	return s.checkManifest(f.Manifest)
}

// checkManifest refuses a flag that names the manifest.
func (s *Shared) checkManifest(name string) error {
	flag := s.place.Flags[s.place.Path(name)]
	if flag != "" {
		return Takenf("%s names the manifest, %s: name another file", flag, name)
	}
	return nil
}

// checkFlags refuses a flag that names a file which the manifest of an earlier run lists, or which publishing itself
// writes, such as a manifest.
func (s *Shared) checkFlags(manifests map[string]*Manifest) error {
	if len(s.place.Flags) == 0 {
		return nil
	}
	folder := ""
	if !strings.Contains(s.place.URI, "://") {
		folder = filepath.Dir(s.place.Path(manifestStem+".json")) + string(filepath.Separator)
	}
	for path, flag := range s.place.Flags {
		name, isBelow := strings.CutPrefix(path, folder)
		if !isBelow {
			continue
		}
		if err := s.checkFlag(flag, filepath.ToSlash(name), manifests); err != nil {
			return err
		}
	}
	return nil
}

// checkFlag is checkFlags for the file of one flag, by its name at the place.
func (s *Shared) checkFlag(flag, name string, manifests map[string]*Manifest) error {
	if strings.HasPrefix(name, manifestStem) || strings.HasPrefix(name, texts) {
		return Takenf("%s names %s, which is for what publishing writes itself: name another file", flag, name)
	}
	for _, m := range manifests {
		if m.lists(s.place.URI, name) {
			return Takenf(
				"%s names %s, which holds items of the run %s: name another file", flag, name, m.RunID)
		}
	}
	return nil
}
