package cli

import (
	"os"

	"github.com/vbauerster/mpb/v8/cwriter"

	"sluice/cli/view"
)

// liveView makes the view that --progress asks for, nil if there is to be
// none. Without being told, there is one where people look at stderr, unless the
// data goes to the same terminal, or into a pipe: what is at its other end (| jq)
// mostly shows it there too, and the view would be drawn over it.
func liveView(e *extraction) *view.Live {
	w := e.world
	mixed := isStdout(e.sink.Output, w.stdout) && !isRegular(w.stdout)
	if e.progress == "never" || e.progress == "auto" && (!isTerminal(w.stderr) || mixed || w.getenv("TERM") == "dumb" || e.logging.format != "text") {
		return nil
	}
	size := func() (int, int) { return terminalSize(w.stderr) }
	return &view.Live{W: w.stderr, Size: size, Now: w.now, Colours: isTerminal(w.stderr) && w.getenv("NO_COLOR") == "", Secrets: e.secrets}
}

func isTerminal(stream any) bool {
	f, ok := file(stream)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}

// terminalSize is the size of a terminal, the usual one for anything else.
func terminalSize(stream any) (width, height int) {
	if f, ok := file(stream); ok {
		width, height, _ = cwriter.GetSize(int(f.Fd()))
	}
	if width < 1 {
		return 80, 24
	}
	return width, height
}

func isRegular(stream any) bool {
	f, ok := file(stream)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

func file(stream any) (*os.File, bool) {
	if p, ok := stream.(pipe); ok {
		return p.File, true
	}
	f, ok := stream.(*os.File)
	return f, ok
}
