package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/target"
)

// sideFile is a small file beside the data, which is probed before the first request, made ready before anything shows,
// and replaced whole or not at all: --summary, --report, --state. A nil one writes nothing.
type sideFile struct {
	flag   string
	target target.Target
	base   string
	text   []byte

	// With the text, sealed; nil: none is ready.
	object target.Object
}

// newSideFile is the file of a flag, with a mode unless that is 0; nil for no name, or that of stdout.
func newSideFile(flag, name string, mode fs.FileMode, mark target.Mark) (*sideFile, error) {
	if name == "" || name == "-" {
		return nil, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() || os.IsPathSeparator(name[len(name)-1]) {
		return nil, fmt.Errorf("%s: %s is a folder; name a file", flag, name)
	}
	folder := target.NewFolder(filepath.Dir(name), false)
	folder.Mode, folder.Mark = mode, mark
	return &sideFile{flag: flag, target: folder, base: filepath.Base(name)}, nil
}

// probe finds out whether the file can be made.
func (f *sideFile) probe(ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f.explain(f.target.Probe(ctx, []string{f.base}))
}

// remove makes what an earlier run has left go away.
func (f *sideFile) remove(ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f.explain(f.target.Remove(ctx, f.base))
}

// prepare makes a text ready to be put in place, in place of any that was ready before.
func (f *sideFile) prepare(ctx context.Context, text []byte) error {
	if f == nil {
		return nil
	}
	f.discard()
	f.text = text
	if folder, ok := f.target.(*target.Folder); ok && folder.Direct(f.base) {
		// It would show at once.
		return nil
	}
	return f.fill(ctx)
}

// fill brings the text to the disk, still hidden.
func (f *sideFile) fill(ctx context.Context) (err error) {
	if f.object, err = f.target.Create(ctx, f.base); err == nil {
		err = f.object.Write(ctx, f.text)
	}
	if err == nil {
		err = f.object.Seal(ctx)
	}
	if err != nil {
		f.discard()
	}
	return f.explain(err)
}

// place makes what was prepared visible, if anything was, also when the run is over.
func (f *sideFile) place() error {
	if f == nil || f.text == nil {
		return nil
	}
	if f.object == nil {
		if err := f.fill(context.Background()); err != nil {
			return err
		}
	}
	return f.explain(f.object.Publish(context.Background()))
}

// endEarlier removes what earlier attempts at the run have left beside the file.
func (f *sideFile) endEarlier(ctx context.Context) error {
	if f == nil {
		return nil
	}
	if folder, ok := f.target.(*target.Folder); ok {
		return f.explain(folder.EndEarlier(ctx, []string{f.base}))
	}
	return nil
}

func (f *sideFile) discard() {
	if f.object != nil {
		// A hidden file that stays harms nobody.
		_ = f.object.Close()
		f.object = nil
	}
}

// close gives up what was not put in place; nobody needs it any more.
func (f *sideFile) close() {
	if f != nil {
		f.discard()
		if c, ok := f.target.(io.Closer); ok {
			_ = c.Close()
		}
	}
}

func (f *sideFile) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.flag, err)
}

// ready makes what stands beside the data ready, before any of it shows, so that a full disk ends the run. seen is what
// follows for the state.
func (e *extraction) ready(
	ctx context.Context,
	r *report.Report,
	seen func(*report.Report) (*progress, error),
) error {
	for _, step := range []func() error{
		e.recorder.Err, e.timeline.Close,
		func() error { return e.keepState(ctx, r, seen) },
		func() error { return e.prepareReports(r) },
		e.source.Journal.Seal,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	e.world.stage.Store(publishing)
	return nil
}

// prepareReports makes report and page ready, also when ctx has ended: an interrupted run has them too.
func (e *extraction) prepareReports(r *report.Report) error {
	var text bytes.Buffer
	if err := writeJSON(&text, e.secrets, r, "  "); err != nil {
		return fmt.Errorf("--summary: %w", err)
	}
	failed := e.summaryFile.prepare(context.Background(), text.Bytes())
	if e.pageFile == nil {
		return failed
	}
	page, err := e.timeline.Page(r, e.sink.Output)
	return cmp.Or(failed, err, e.pageFile.prepare(context.Background(), page))
}

func (e *extraction) eachReport(do func(*sideFile) error) error {
	return errors.Join(do(e.summaryFile), do(e.pageFile))
}

func (e *extraction) closeReports() {
	e.summaryFile.close()
	e.pageFile.close()
	e.summaryFile, e.pageFile = nil, nil
}

// place puts it in place. All data is visible then.
func (e *extraction) place(r *report.Report) {
	if err := e.stateFile.place(); err != nil {
		r.StateSaved = new(bool)
		e.late(r, err)
		// With the warning.
		e.late(r, e.prepareReports(r))
	}
	e.late(r, e.eachReport((*sideFile).place))
}

// placeReports puts report and page in place again, with a warning that came late.
func (e *extraction) placeReports(r *report.Report) {
	e.late(r, e.prepareReports(r))
	e.late(r, e.eachReport((*sideFile).place))
}

// late makes a warning of an error that came when all data was visible.
func (e *extraction) late(r *report.Report, err error) {
	if err != nil {
		text := e.secrets.Redact(err.Error()) + " (the data is written, and all of it is visible)"
		r.Warnings = append(r.Warnings, text)
		e.log.Observe(pipeline.Warned{Text: text, At: e.world.now()})
	}
}
