package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sluice/sink/target"
)

// A record is a small file that a run leaves beside its data: --summary, --state.
// It is made before the first request, so that what cannot be written shows
// then, and is replaced whole or not at all. A nil record writes nothing.
type record struct {
	flag   string
	folder *target.Folder
	base   string
}

// openRecord probes the file; an empty name, or "-", is no file.
func openRecord(ctx context.Context, flag, name string) (*record, error) {
	if name == "" || name == "-" {
		return nil, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		return nil, fmt.Errorf("%s: %s is a folder; name a file", flag, name)
	}
	r := &record{flag, target.NewFolder(filepath.Dir(name), false), filepath.Base(name)}
	if err := r.folder.Probe(ctx, []string{r.base}); err != nil {
		return nil, errors.Join(r.because(err), r.close())
	}
	return r, nil
}

func (r *record) write(ctx context.Context, text []byte) error {
	if r == nil {
		return nil
	}
	o, err := r.folder.Create(ctx, r.base)
	if err != nil {
		return r.because(err)
	}
	err = o.Write(ctx, text)
	if err == nil {
		err = o.Seal(ctx)
	}
	if err == nil {
		err = o.Publish(ctx)
	}
	return r.because(errors.Join(err, o.Close()))
}

// close gives up a device that was probed and not written.
func (r *record) close() error {
	if r == nil {
		return nil
	}
	return r.because(r.folder.Close())
}

func (r *record) because(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", r.flag, err)
}
