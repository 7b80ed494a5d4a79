package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sluice/pipeline"
)

// prepareSummary makes the report ready to be put in place. A context that has ended
// does not stop it: an interrupted run has a report too.
func (e *extraction) prepareSummary(r *pipeline.Report) error {
	var text bytes.Buffer
	if err := writeJSON(&text, e.secrets, r, "  "); err != nil {
		return fmt.Errorf("--summary: %w", err)
	}
	return e.summaryFile.prepare(context.Background(), text.Bytes())
}

// leaveSummary is prepareSummary and puts it in place.
func (e *extraction) leaveSummary(r *pipeline.Report) error {
	if err := e.prepareSummary(r); err != nil {
		return err
	}
	return e.summaryFile.place(context.Background())
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
