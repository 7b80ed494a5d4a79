package view

import (
	"bytes"
	"fmt"
	"io"
)

// screen is the bottom of a terminal, below the log: lines that stand there until the next ones replace them.
type screen struct {
	w io.Writer

	// How many lines stand there now.
	lines int
}

// replace removes what stands there, and writes log, which stays, and the new lines below it. All of it is one write, so
// that nothing flickers. There is nobody to tell if it fails.
func (s *screen) replace(log []byte, lines []string) {
	var text bytes.Buffer
	if s.lines > 0 {
		// The cursor may stand behind a ^C that the terminal shows: to the start of its line, up, and clear all below.
		fmt.Fprintf(&text, "\r\x1b[%dA\x1b[J", s.lines)
	}
	text.Write(log)
	for _, line := range lines {
		text.WriteString(line + "\n")
	}
	_, _ = text.WriteTo(s.w)
	s.lines = len(lines)
}
