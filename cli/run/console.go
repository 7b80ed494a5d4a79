package run

import (
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
)

// A console tells people what happens, and is the observer of a use case.
type console struct {
	world   *World
	secrets *secret.Set
	version string
	began   time.Time
	shown   Shown
	log     *view.Log

	// nil: none.
	live *view.Live

	// Who is told what happens: the log alone until a run begins.
	observers pipeline.Observers
}

// newConsole begins to tell of a use case.
func newConsole(w *World, secrets *secret.Set, o *Options) *console {
	c := &console{world: w, secrets: secrets, version: o.Version, began: w.Now(), shown: o.Shown}
	c.log = o.Shown.Log(w.Stderr, slog.LevelInfo, secrets)
	c.observers = pipeline.Observers{c.log}
	return c
}

// Log makes what the flags say; without a level it is the usual one.
func (s Shown) Log(w io.Writer, usual slog.Level, secrets *secret.Set) *view.Log {
	// What is no level, such as none, changes nothing.
	_ = usual.UnmarshalText([]byte(s.Level))
	return &view.Log{W: view.Printable(w), JSON: s.Format == "json", Level: usual, Secrets: secrets}
}

// Observe implements [pipeline.Observer].
func (c *console) Observe(e pipeline.Event) { c.observers.Observe(e) }

// message is a text as a message may have it.
func (c *console) message(text string) string { return pipeline.Brief(c.secrets.Redact(text)) }

// warn tells the observers of something that a person should know; job may be empty.
func (c *console) warn(job, text string) {
	c.Observe(pipeline.Warned{Job: job, Text: c.message(text), At: c.world.Now()})
}

// again tells that something cannot be stored there at first, and is tried again.
func (c *console) again(where string) func(reason string, delay time.Duration) {
	return func(reason string, delay time.Duration) {
		c.Observe(pipeline.StoringAgain{
			Where:  where,
			Reason: c.message(reason),
			Delay:  delay,
			At:     time.Now(),
		})
	}
}

// late makes a warning of an error that came when all data was visible.
func (c *console) late(r *report.Report, err error) {
	text := c.message(err.Error()) + " (the data is written, and all of it is visible)"
	r.Warnings = append(r.Warnings, text)
	c.log.Observe(pipeline.Warned{Text: text, At: c.world.Now()})
}

// head is the report of a run of which no more is known than when it began. A date that is not known is empty.
func (c *console) head(id, date string) report.Report {
	return report.Report{Version: c.version, RunID: id, Date: date, StartedAt: c.began.UTC()}
}

// failed is the report of a use case that ended with err.
func (c *console) failed(so *pipeline.Reporter, err error) *report.Report {
	return so.Failed(c.message(err.Error()), c.world.Now().UTC())
}

// watch makes the log, and the live view that --progress asks for. By itself there is one where people look at stderr,
// unless the data goes to the same terminal, or into a pipe, whose other end (| jq) mostly shows it there too.
func (c *console) watch(debug bool, output string) {
	usual := slog.LevelInfo
	if debug {
		usual = slog.LevelDebug
	}
	w := c.world
	c.log = c.shown.Log(w.Stderr, usual, c.secrets)
	c.observers = pipeline.Observers{c.log}
	if !c.wantsLive(output) {
		return
	}
	c.live = &view.Live{
		W:       w.Stderr,
		Size:    func() (width, height int) { return view.TerminalSize(w.Stderr) },
		Now:     w.Now,
		Colours: view.IsTerminal(w.Stderr) && w.Getenv("NO_COLOR") == "",
		Secrets: c.secrets,
	}
	c.log.W = view.Printable(c.live)
	if c.shown.Level == "" {
		// The live view shows them.
		c.log.Pages = slog.LevelDebug
	}
}

func (c *console) wantsLive(output string) bool {
	if c.shown.Progress != "auto" {
		return c.shown.Progress != "never"
	}
	w := c.world
	canDraw := view.IsTerminal(w.Stderr) && w.Getenv("TERM") != "dumb"
	if !canDraw || c.shown.Format != "text" {
		return false
	}
	if !isStdout(output, w.Stdout) {
		return true
	}
	to := stat(w.Stdout)
	return to != nil && to.Mode().IsRegular()
}

// IsTerminal tells whether people type what stdin has.
func (w *World) IsTerminal() bool { return view.IsTerminal(w.Stdin) }

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

// isFolder tells whether an output is a folder of files by its name.
func isFolder(output string) bool {
	return output != "" && os.IsPathSeparator(output[len(output)-1]) && !strings.Contains(output, "://")
}
