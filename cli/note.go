package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sluice/sink/target"
)

// A note is a small file that a run leaves beside its data: --summary, --state.
// Its place is probed before the first request, so that what cannot be written shows
// then, and is replaced whole or not at all. A nil note writes nothing.
type note struct {
	flag   string
	folder *target.Folder
	base   string
}

// openNote probes the file; an empty name, or that of stdout, is no file.
func openNote(ctx context.Context, flag, name string) (*note, error) {
	if name == "" || name == "-" {
		return nil, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		return nil, fmt.Errorf("%s: %s is a folder; name a file", flag, name)
	}
	n := &note{flag, target.NewFolder(filepath.Dir(name), false), filepath.Base(name)}
	if err := n.folder.Probe(ctx, []string{n.base}); err != nil {
		return nil, errors.Join(n.because(err), n.close())
	}
	return n, nil
}

func (n *note) write(ctx context.Context, text []byte) error {
	if n == nil {
		return nil
	}
	o, err := n.folder.Create(ctx, n.base)
	if err != nil {
		return n.because(err)
	}
	err = o.Write(ctx, text)
	if err == nil {
		err = o.Seal(ctx)
	}
	if err == nil {
		err = o.Publish(ctx)
	}
	return n.because(errors.Join(err, o.Close()))
}

// close gives up a device that was probed and not written.
func (n *note) close() error {
	if n == nil {
		return nil
	}
	return n.because(n.folder.Close())
}

func (n *note) because(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", n.flag, err)
}
