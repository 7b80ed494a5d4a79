package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/cases"
	anyapi "sluice/fixtures/world"
)

// TestCompleteMeansAllItemsOnceInAnyAPI runs the program in this process, over real sockets.
func TestCompleteMeansAllItemsOnceInAnyAPI(t *testing.T) {
	anyapi.Complete(t, cases.Few(48, 1), func(args ...string) (out, shown string, status int) {
		var stdout, stderr bytes.Buffer
		w := &world{
			Stdin:  strings.NewReader(""),
			Stdout: &stdout,
			Stderr: &stderr,
			Getenv: func(string) string { return "" },
			Now:    time.Now,
		}
		status = invoke(context.Background(), w, append([]string{"sluice"}, args...))
		return stdout.String(), stderr.String(), status
	})
}
