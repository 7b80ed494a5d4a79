package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sluice/pipeline"
)

// writeSummary writes the report to its file; "-" is a line on stdout. It is
// done also when the run was interrupted, so it heeds no context.
func writeSummary(stdout io.Writer, name string, file *record, r *pipeline.Report) error {
	if name == "" {
		return nil
	}
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
	return file.write(context.Background(), text.Bytes())
}

// isStdout tells whether an output is stdout, by its own name or by that of the
// device or file that it is.
func isStdout(output string, stdout io.Writer) bool {
	if output == "-" || output == "" {
		return true
	}
	there, err := os.Stat(output)
	if err != nil {
		return false
	}
	f, ok := stdout.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	here, err := f.Stat()
	return err == nil && os.SameFile(here, there)
}
