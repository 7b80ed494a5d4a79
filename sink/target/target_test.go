//go:build unix

package target_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sluice/fixtures/targettest"
	"sluice/sink/target"
)

func TestAFolderIsATarget(t *testing.T) {
	targettest.Run(t, func(t *testing.T) targettest.Place {
		dir := filepath.Join(t.TempDir(), "made", "by the run")
		return targettest.Place{
			Open: func() target.Target { return target.NewFolder(dir, true) },
			Put: func(name, text string) {
				must(t, os.MkdirAll(dir, 0o777))
				must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			},
			Read: func(name string) (string, bool) {
				text, err := os.ReadFile(filepath.Join(dir, name))
				return string(text), err == nil
			},
			Left: func() []string { return list(dir) },
		}
	})
}

func TestStdoutIsATargetThatCannotTakeBack(t *testing.T) {
	targettest.RunStream(t, func(*testing.T) targettest.Place {
		var out bytes.Buffer
		return targettest.Place{
			Open: func() target.Target { return target.Stdout(&out) },
			Read: func(string) (string, bool) { return out.String(), true },
		}
	})
}

// object runs one object through to where it fails, and closes everything.
func object(t *testing.T, to target.Target, name, text string) error {
	t.Helper()
	ctx := t.Context()
	err := to.Probe(ctx, []string{name})
	if c, ok := to.(io.Closer); ok {
		defer func() { must(t, c.Close()) }()
	}
	if err != nil {
		return err
	}
	o, err := to.Create(ctx, name)
	if err != nil {
		return err
	}
	defer func() { must(t, o.Close()) }()
	if err := o.Write(ctx, []byte(text)); err != nil {
		return err
	}
	if err := o.Seal(ctx); err != nil {
		return err
	}
	return o.Publish(ctx)
}

func TestADiskThatFailsIsNamedAndLeavesNothing(t *testing.T) {
	for what, c := range map[string]struct{ full, seal, rename error }{
		"write":  {full: syscall.ENOSPC},
		"seal":   {seal: syscall.EIO},
		"rename": {rename: &os.LinkError{Op: "rename", Old: "hidden", New: "shown", Err: syscall.EACCES}},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "users.csv"), []byte("earlier"), 0o666))
			reason := errors.Join(c.full, c.seal, c.rename)
			err := object(t, target.NewBrokenFolder(dir, 3, c.full, c.seal, c.rename), "users.csv", "some text")
			var number syscall.Errno
			if !errors.As(reason, &number) || err == nil || err.Error() != filepath.Join(dir, "users.csv")+": "+number.Error() {
				t.Errorf("got %v", err)
			}
			if !errors.Is(err, number) {
				t.Errorf("%v is not %v", err, number)
			}
			if got := strings.Join(list(dir), " "); got != "users.csv" || read(t, dir, "users.csv") != "earlier" {
				t.Errorf("the folder holds %s", got)
			}
		})
	}
}

func TestAFolderThatCannotBeWrittenShowsInTheProbe(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o777))
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	for _, c := range []struct {
		name  string
		makes bool
		want  string
	}{
		{"folder", false, "folder is a folder; write "},
		{"missing/file.csv", false, "missing: there is no such folder; make it first"},
		{"file/x", true, "file/x: not a directory: a part of the path is a file: name another folder"},
		{"loop", true, "loop: too many levels of symbolic links"},
		{strings.Repeat("x", 300), true, "file name too long"},
	} {
		err := object(t, target.NewFolder(dir, c.makes), c.name, "x")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20s: got %v, want %s", c.name, err, c.want)
		}
	}
	if got := strings.Join(list(dir), " "); got != "file folder loop" {
		t.Errorf("left is %s", got)
	}
}

func TestANewFileHasTheModeOfTheUmaskAndAnOldOneKeepsIts(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "old"), nil, 0o600))
	must(t, os.Chmod(filepath.Join(dir, "old"), 0o604))
	for name, want := range map[string]fs.FileMode{"new": 0o640, "old": 0o604} {
		must(t, object(t, target.NewFolder(dir, false), name, "x"))
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s: got mode %o, want %o", name, info.Mode().Perm(), want)
		}
	}
}

func TestASymbolicLinkStaysAndWhatItPointsToIsReplaced(t *testing.T) {
	for name, c := range map[string]struct{ real, link string }{
		"relative":                {"real/f", "../real/f"},
		"to nothing yet":          {"real/new", "../real/new"},
		"through a linked folder": {"real/f", "../elsewhere/f"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, folder := range []string{"real", "deep/links"} {
				must(t, os.MkdirAll(filepath.Join(dir, folder), 0o777))
			}
			must(t, os.WriteFile(filepath.Join(dir, "real/f"), []byte("earlier"), 0o666))
			must(t, os.Symlink("real", filepath.Join(dir, "elsewhere")))
			// The link lies in deep/links, the folder is named by the link "links": .. is deep.
			must(t, os.Symlink("deep/links", filepath.Join(dir, "links")))
			must(t, os.Symlink("../"+c.link, filepath.Join(dir, "deep/links/l")))
			must(t, object(t, target.NewFolder(filepath.Join(dir, "links"), false), "l", "text"))
			if got := read(t, dir, c.real); got != "text" {
				t.Errorf("the file holds %q", got)
			}
			if info, err := os.Lstat(filepath.Join(dir, "links/l")); err != nil || info.Mode().Type() != fs.ModeSymlink {
				t.Errorf("the link is gone: %v", err)
			}
			if got := list(filepath.Join(dir, "deep/links")); len(got) != 1 {
				t.Errorf("beside the link is %q", got)
			}
		})
	}
}

func TestAFileDoesNotShowInAFolderThatItsPathHasLeft(t *testing.T) {
	steps := map[string]func(target.Object) error{
		"before it is sealed":    func(o target.Object) error { return o.Seal(t.Context()) },
		"before it is published": func(o target.Object) error { return o.Publish(t.Context()) },
	}
	for name, step := range steps {
		dir := t.TempDir()
		link := filepath.Join(dir, "link")
		for _, folder := range []string{"first", "second"} {
			must(t, os.Mkdir(filepath.Join(dir, folder), 0o700))
		}
		must(t, os.Symlink("first", link))
		o, err := target.NewFolder(link, false).Create(t.Context(), "a")
		must(t, err)
		must(t, o.Write(t.Context(), []byte("1\n")))
		if name == "before it is published" {
			must(t, o.Seal(t.Context()))
		}
		must(t, errors.Join(os.Remove(link), os.Symlink("second", link)))
		err = step(o)
		must(t, o.Close())
		if err == nil || !strings.Contains(err.Error(), "leads to another folder") {
			t.Errorf("%s: got %v", name, err)
		}
		if first, second := list(filepath.Join(dir, "first")), list(filepath.Join(dir, "second")); len(first)+len(second) > 0 {
			t.Errorf("%s: there is %v and %v", name, first, second)
		}
	}
}

func TestAFIFOIsWrittenStraightAndNeverReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	must(t, syscall.Mkfifo(path, 0o600))
	text := make(chan string)
	go func() {
		all, _ := os.ReadFile(path)
		text <- string(all)
	}()
	must(t, object(t, target.NewFolder(filepath.Dir(path), false), "fifo", "through the pipe\n"))
	if got := <-text; got != "through the pipe\n" {
		t.Errorf("the reader got %q", got)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("the FIFO is gone: %v, %v", info, err)
	}
}

func TestWaitingForTheReaderOfAFIFOCanBeCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	must(t, syscall.Mkfifo(path, 0o600))
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("enough"))
	defer cancel()
	err := target.NewFolder(filepath.Dir(path), false).Probe(ctx, []string{"fifo"})
	if err == nil || err.Error() != path+": enough" {
		t.Errorf("got %v", err)
	}
}

func TestAReaderOfAFIFOThatWentAwayShowsAsEPIPE(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	must(t, syscall.Mkfifo(path, 0o600))
	go func() {
		if f, err := os.Open(path); err == nil {
			f.Close()
		}
	}()
	to := target.NewFolder(filepath.Dir(path), false)
	defer to.Close()
	must(t, to.Probe(t.Context(), []string{"fifo"}))
	o, err := to.Create(t.Context(), "fifo")
	must(t, err)
	defer o.Close()
	for err == nil {
		err = o.Write(t.Context(), []byte("x"))
	}
	if !errors.Is(err, syscall.EPIPE) {
		t.Errorf("got %v, want EPIPE", err)
	}
}

func TestADeviceIsWrittenStraight(t *testing.T) {
	must(t, object(t, target.NewFolder("/dev", false), "null", "x"))
	err := object(t, target.NewFolder("/dev", false), "full", "x")
	if err == nil || err.Error() != "/dev/full: no space left on device" {
		t.Errorf("got %v", err)
	}
}

func TestAReaderOfStdoutThatWentAwayShowsAsEPIPE(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	defer w.Close()
	r.Close()
	err = object(t, target.Stdout(w), "-", "x")
	if !errors.Is(err, syscall.EPIPE) || err.Error() != "standard output: broken pipe" {
		t.Errorf("got %v", err)
	}
}

func TestAFolderOfOurMakingThatSomebodyUsesStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out", "deep")
	to := target.NewFolder(dir, true)
	must(t, to.Probe(t.Context(), []string{"x"}))
	must(t, os.WriteFile(filepath.Join(dir, "theirs"), nil, 0o666))
	must(t, to.Close())
	if got := list(dir); len(got) != 1 {
		t.Errorf("left is %q", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	must(t, err)
	return string(text)
}

func list(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAFolderThatCannotBeEnteredIsNotEmpty(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may enter every folder")
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "one"), nil, 0o600))
	must(t, os.Chmod(dir, 0o400))
	names, err := target.NewFolder(dir, false).List(t.Context(), "")
	must(t, os.Chmod(dir, 0o700))
	if !errors.Is(err, fs.ErrPermission) || names != nil {
		t.Errorf("%v, %v", names, err)
	}
}

func TestATextIsReadIntoOneBuffer(t *testing.T) {
	whole := strings.Repeat("x", 1<<20)
	for _, size := range []int64{-1, 0, 1 << 20} {
		for n, want := range map[int64]string{10: whole[:10], 1 << 21: whole} {
			text, err := target.ReadAtMost(strings.NewReader(whole), n, size)
			if string(text) != want || err != nil {
				t.Errorf("%d of %d: %d bytes, %v", n, size, len(text), err)
			}
		}
	}
	text, err := target.ReadAtMost(strings.NewReader(whole), 1<<21, 1<<20)
	if cap(text) > len(text)+4096*4 || err != nil {
		t.Errorf("%d bytes are held for %d, %v", cap(text), len(text), err)
	}
	text, err = target.ReadAtMost(strings.NewReader(""), 10, 0)
	if text == nil || err != nil {
		t.Errorf("an empty text is none: %v", err)
	}
}

func TestAStoreTakesRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, syscall.Mkfifo(at("fifo"), 0o600))
	must(t, os.Symlink("missing", at("link")))
	must(t, os.Mkdir(at("folder"), 0o700))
	d := target.NewFolder(dir, true)
	for _, name := range []string{"fifo", "link", "folder"} {
		err := d.Put(t.Context(), name, []byte("text"))
		want := at(name) + " is no regular file: remove it"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	names, err := d.List(t.Context(), "")
	got := fmt.Sprint(slices.Sorted(maps.Keys(names)))
	if err != nil || got != "[fifo/ folder/ link/]" {
		t.Errorf("%v, %v", names, err)
	}
	if names, err = d.List(t.Context(), "f"); err != nil || len(names) > 0 {
		t.Errorf("%v, %v", names, err)
	}
}
