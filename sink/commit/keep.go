package commit

import (
	"context"
	"fmt"

	"sluice/pipeline/report"
	"sluice/sink/target"
)

// An EmptyOutput is an output without items.
type EmptyOutput struct {
	Name   string
	Output report.OutputReport
}

// KeepFull refuses outputs without items where something is that they would replace: its error is
// [report.ErrNotComplete]. What is there may be empty too, or have the same bytes, such as a header.
func KeepFull(ctx context.Context, t target.Target, outputs []EmptyOutput) error {
	for _, o := range outputs {
		there, err := t.Head(ctx, o.Name, o.Output.Bytes+1)
		if err != nil {
			return fmt.Errorf(
				"%w: no items came for %s, and what is there cannot be read: %w",
				report.ErrNotComplete, o.Output.URI, err,
			)
		}
		if len(there) > 0 && sumOf(there) != o.Output.SHA256 {
			return fmt.Errorf(
				"%w: no items came for %s, and something else is there, which --strict does not replace",
				report.ErrNotComplete, o.Output.URI,
			)
		}
	}
	return nil
}
