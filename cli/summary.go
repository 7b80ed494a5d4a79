package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// writeSummary writes the report to its file. A context that has ended does not stop
// it: an interrupted run has a report too.
func writeSummary(file *sideFile, secrets *secret.Set, r *pipeline.Report) error {
	if file == nil {
		return nil
	}
	var text bytes.Buffer
	if err := writeJSON(&text, secrets, r, "  "); err != nil {
		return fmt.Errorf("--summary: %w", err)
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
