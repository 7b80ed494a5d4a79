package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What a process leaves that is killed while it looks whether the place can be written is removed by the next login.
func TestALoginRemovesWhatAKilledProbeLeft(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	file := filepath.Join(dir, "tokens.json")
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	if err != nil {
		t.Skip("nobody tells which files are made: ", err)
	}
	defer func() { _ = unix.Close(watch) }()
	if _, err := unix.InotifyAddWatch(watch, dir, unix.IN_CREATE); err != nil {
		t.Fatal(err)
	}
	if err := opened(t, file, "killed", &now).prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	var events [4096]byte
	n, err := unix.Read(watch, events[:])
	if err != nil || n <= unix.SizeofInotifyEvent {
		t.Fatal(n, err)
	}
	length := (*unix.InotifyEvent)(unsafe.Pointer(&events[0])).Len
	made := string(bytes.TrimRight(events[unix.SizeofInotifyEvent:][:length], "\x00"))
	if !strings.HasPrefix(made, ".sluice-") {
		t.Fatalf("it made %q", made)
	}
	left := filepath.Join(dir, made)
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	next := opened(t, file, "next", &now)
	if _, _, err := next.Begin("seed", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", made, err)
	}
	if err := next.End(nil); err != nil {
		t.Fatal(err)
	}
}
