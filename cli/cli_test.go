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
		w := &world{Stdin: strings.NewReader(`{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"endpoint": "a"}]}}`), Stdout: io.Discard, Stderr: &stderr,
			Getenv: func(string) string { return "" }, Now: time.Now}
		args := append([]string{"sluice"}, strings.Fields(words)...)
		status := invoke(context.Background(), w, append(args, "x\nsluice: all is well"))
		said := stderr.String()
		if status != statusUsage || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: status %d: %s", words, status, said)
		}
	}
}
