package run

import (
	"context"
	"fmt"
	"os"
	"strings"

	"sluice/sink/target"
)

// A Replacement puts a new text in the place of a file: whole or not at all. A symbolic link stays one, and the mode
// stays what it is.
type Replacement struct{ side *sideFile }

// NewReplacement makes sure that the file of a flag is there, and can be replaced.
func NewReplacement(ctx context.Context, flag, name string) (*Replacement, error) {
	if name == "-" || strings.HasPrefix(name, "s3://") {
		return nil, Usagef("%s %s: name a file", flag, name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, Usagef("%s: %w", flag, err)
	}
	if !info.Mode().IsRegular() {
		return nil, Usagef("%s: %s is no file, and cannot be replaced", flag, name)
	}
	side, err := newSideFile(flag, name, 0, target.NewMark("replacement", name))
	if err != nil {
		return nil, &UsageError{err}
	}
	r := &Replacement{side}
	if err := side.probe(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Write replaces the file, if it still has the text that was read.
func (r *Replacement) Write(ctx context.Context, w *World, name string, old, text []byte) error {
	now, err := w.Read(ctx, name)
	if err != nil {
		return fmt.Errorf("%s: %w", r.side.flag, err)
	}
	if string(now) != string(old) {
		return fmt.Errorf("%s: %s was changed meanwhile, and stays as it is now: try again", r.side.flag, name)
	}
	if err := r.side.ready(ctx, text); err != nil {
		return err
	}
	return r.side.place()
}

// Close gives up what was not put in place.
func (r *Replacement) Close() { r.side.close() }
