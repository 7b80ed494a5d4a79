package cli

import (
	"errors"
	"os"
	"time"

	"sluice/cli/run"
)

// world is what the program touches of what is around it; tests have others.
type world = run.World

func realWorld() *world {
	return &world{
		Stdin:   os.Stdin,
		Stdout:  pipe{os.Stdout, closedAtStart()},
		Stderr:  os.Stderr,
		Getenv:  os.Getenv,
		Environ: os.Environ(),
		Now:     time.Now,
		Hurry:   make(chan struct{}),
	}
}

// pipe is a stdout whose reader may go away, which is no other broken pipe, such as that of a connection.
type pipe struct {
	*os.File
	closed bool
}

// errStdoutClosed says that what is written to stdout would be lost.
var errStdoutClosed = errors.New(
	"stdout is closed, or is the null device opened for reading too, which looks the same: " +
		"nobody would get what is written; --output names a file, and --output /dev/null throws the items away",
)

func (p pipe) Write(b []byte) (int, error) {
	if p.closed {
		return 0, errStdoutClosed
	}
	// Which asks only whether it is closed.
	if len(b) == 0 {
		return 0, nil
	}
	n, err := p.File.Write(b)
	if brokenPipe(err) {
		err = run.ErrReaderGone
	}
	return n, err
}

// WriteString is Write: that of the file would not tell it apart.
func (p pipe) WriteString(s string) (int, error) { return p.Write([]byte(s)) }
