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

// writeSummary writes the report to its file. It is done also when the run was
// interrupted, so it heeds no context.
func writeSummary(file *note, r *pipeline.Report) error {
	if file == nil {
		return nil
	}
	text, err := reportText(r, "  ")
	if err != nil {
		return err
	}
	return file.write(context.Background(), text)
}

// printSummary writes the report as one line.
func printSummary(stdout io.Writer, r *pipeline.Report) error {
	text, err := reportText(r, "")
	if err != nil {
		return err
	}
	_, err = stdout.Write(text)
	return err
}

func reportText(r *pipeline.Report, indent string) ([]byte, error) {
	var text bytes.Buffer
	if err := encodeJSON(&text, r, indent); err != nil {
		return nil, fmt.Errorf("--summary: %w", err)
	}
	return text.Bytes(), nil
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
