package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"sluice/pipeline"
	"sluice/sink/target"
)

// writeSummary writes the report to a file, in the place of an earlier one only
// when it is whole; "-" is a line on stdout. It is done also when the run was
// interrupted, so it heeds no context.
func writeSummary(stdout io.Writer, name string, r *pipeline.Report) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if name != "-" {
		e.SetIndent("", "  ")
	}
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("--summary: %w", err)
	}
	if name == "-" {
		_, err := stdout.Write(text.Bytes())
		return err
	}
	if err := replace(context.Background(), name, text.Bytes()); err != nil {
		return fmt.Errorf("--summary: %w", err)
	}
	return nil
}

// replace writes a file, whole or not at all.
func replace(ctx context.Context, name string, text []byte) error {
	o, err := target.NewFolder(filepath.Dir(name), false).Create(ctx, filepath.Base(name))
	if err != nil {
		return err
	}
	err = o.Write(ctx, text)
	if err == nil {
		err = o.Seal(ctx)
	}
	if err == nil {
		err = o.Publish(ctx)
	}
	return errors.Join(err, o.Close())
}
