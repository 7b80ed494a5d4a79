package cli

import (
	"io"
	"io/fs"
	"log/slog"
	"os"

	"github.com/vbauerster/mpb/v8/cwriter"

	"sluice/cli/view"
)

// watch makes the log, and the live view that --progress asks for. By itself there is one where people look at stderr,
// unless the data goes to the same terminal, or into a pipe, whose other end (| jq) mostly shows it there too.
func (e *extraction) watch(debug bool) {
	usual := slog.LevelInfo
	if debug {
		usual = slog.LevelDebug
	}
	w := e.world
	e.log = e.logging.log(w.stderr, usual, e.secrets)
	to := stat(w.stdout)
	mixed := isStdout(e.sink.Output, w.stdout) && (to == nil || !to.Mode().IsRegular())
	if e.progress == "never" ||
		e.progress == "auto" &&
			(!isTerminal(w.stderr) || mixed || w.getenv("TERM") == "dumb" || e.logging.format != "text") {
		return
	}
	size := func() (width, height int) {
		if f, ok := w.stderr.(interface{ Fd() uintptr }); ok {
			width, height, _ = cwriter.GetSize(int(f.Fd()))
		}
		if width < 1 {
			// What terminals mostly have.
			return 80, 24
		}
		return width, height
	}
	e.live = &view.Live{
		W:       w.stderr,
		Size:    size,
		Now:     w.now,
		Colours: isTerminal(w.stderr) && w.getenv("NO_COLOR") == "",
		Secrets: e.secrets,
	}
	e.log.W = view.Printable(e.live)
	if e.logging.level == "" {
		// The live view shows them.
		e.log.Pages = slog.LevelDebug
	}
}

func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && cwriter.IsTerminal(int(f.Fd()))
}

// stat says what a stream is, nil if that is not known.
func stat(stream any) fs.FileInfo {
	f, ok := stream.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil
	}
	// nil with an error.
	info, _ := f.Stat()
	return info
}

// isStdout tells whether an output is stdout, by its own name or by that of its device or file.
func isStdout(output string, stdout io.Writer) bool {
	if output == "-" || output == "" {
		return true
	}
	here := stat(stdout)
	there, err := os.Stat(output)
	return err == nil && here != nil && os.SameFile(here, there)
}
