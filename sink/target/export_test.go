package target

import "io/fs"

// NewBrokenFolder is [NewFolder] on a disk that fails: seal and rename, if set,
// are what those operations return, and a file takes room bytes at most before
// full is returned.
func NewBrokenFolder(dir string, room int, full, seal, rename error) *Folder {
	f := NewFolder(dir, true)
	f.create = func(path string) (handle, error) {
		h, err := create(path)
		return &brokenHandle{h, room, full, seal}, err
	}
	if rename != nil {
		f.rename = func(string, string) error { return rename }
	}
	return f
}

type brokenHandle struct {
	handle
	room       int
	full, seal error
}

func (h *brokenHandle) Write(p []byte) (int, error) {
	if h.full != nil && len(p) > h.room {
		n, _ := h.handle.Write(p[:h.room])
		return n, &fs.PathError{Op: "write", Path: "a hidden name", Err: h.full}
	}
	h.room -= len(p)
	return h.handle.Write(p)
}

func (h *brokenHandle) Sync() error {
	if h.seal != nil {
		return &fs.PathError{Op: "sync", Path: "a hidden name", Err: h.seal}
	}
	return h.handle.Sync()
}
