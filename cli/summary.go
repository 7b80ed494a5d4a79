package cli

import (
	"bytes"
	"context"
	"fmt"

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
