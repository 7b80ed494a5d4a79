package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

func TestAValueOfAFlagForgesNoLine(t *testing.T) {
	for _, words := range []string{"run - --rate", "run - --job", "run - --format", "validate - --format"} {
		var stderr bytes.Buffer
		w := &world{stdin: strings.NewReader(`{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"endpoint": "a"}]}}`), stdout: io.Discard, stderr: &stderr,
			getenv: func(string) string { return "" }, now: time.Now}
		args := append([]string{"sluice"}, strings.Fields(words)...)
		status := run(context.Background(), w, append(args, "x\nsluice: all is well"))
		said := stderr.String()
		if status != statusUsage || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d: %s", words, status, said)
		}
	}
}
