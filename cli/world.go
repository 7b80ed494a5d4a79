package cli

import (
	"context"
	"os"
	"time"

	"sluice/cli/consent"
	"sluice/cli/run"
)

// world is what the program touches of what is around it; tests have others.
type world = run.World

func realWorld() *world {
	return &world{
		Stdin:   os.Stdin,
		Stdout:  pipe{os.Stdout},
		Stderr:  os.Stderr,
		Getenv:  os.Getenv,
		Environ: os.Environ(),
		Now:     time.Now,
		Hurry:   make(chan struct{}),
		Open:    consent.Browser(context.Background(), os.Getenv),
	}
}

// pipe is a stdout whose reader may go away, which is no other broken pipe, such as that of a connection.
type pipe struct{ *os.File }

func (p pipe) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	if brokenPipe(err) {
		err = run.ErrReaderGone
	}
	return n, err
}

// WriteString is Write: that of the file would not tell it apart.
func (p pipe) WriteString(s string) (int, error) { return p.Write([]byte(s)) }
