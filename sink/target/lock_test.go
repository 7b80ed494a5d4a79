package target_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sluice/sink/target"
)

func TestOneProcessHasTheLockOfAFile(t *testing.T) {
	dir := t.TempDir()
	ours, other := target.NewFolder(dir, false), target.NewFolder(dir, false)
	unlock, err := ours.Lock("tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Lock("tokens.json"); !errors.Is(err, target.ErrLocked) {
		t.Errorf("two have it: %v", err)
	}
	elsewhere, err := other.Lock("others.json")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere()
	unlock()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	// A process was killed that had it.
	if err := os.WriteFile(filepath.Join(dir, "tokens.json.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, err = other.Lock("tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := target.NewFolder(filepath.Join(dir, "nowhere"), false).Lock("tokens.json"); err == nil {
		t.Error("a folder that is missing has locks")
	}
}

// Somebody has removed the file of a lock, and another process has made it anew.
func TestALockThatAnotherProcessHasStays(t *testing.T) {
	dir := t.TempDir()
	ours, other := target.NewFolder(dir, false), target.NewFolder(dir, false)
	unlock, err := ours.Lock("tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	// Windows removes no file that is open.
	if err := os.Remove(filepath.Join(dir, "tokens.json.lock")); err != nil {
		unlock()
		return
	}
	end, err := other.Lock("tokens.json")
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	unlock()
	if _, err := ours.Lock("tokens.json"); !errors.Is(err, target.ErrLocked) {
		t.Errorf("two have it: %v", err)
	}
}

// A full disk takes what there was room for.
func TestWhatWasReservedNeedsNoMoreRoom(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		room  int
		fails bool
	}{
		"as much":  {[]string{"0123456789"}, 10, false},
		"less":     {[]string{"012", "34"}, 10, false},
		"nothing":  {nil, 10, false},
		"too much": {[]string{"01234567890"}, 5, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			folder := target.NewBrokenFolder(dir, c.room, syscall.ENOSPC, nil, nil)
			o, err := folder.Reserve(t.Context(), "a", 10)
			if o == nil {
				t.Fatal(err)
			}
			defer func() { _ = o.Close() }()
			if c.fails != (err != nil) {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			for _, text := range c.texts {
				err = errors.Join(err, o.Write(t.Context(), []byte(text)))
			}
			err = errors.Join(err, o.Seal(t.Context()), o.Publish(t.Context()))
			text, _ := os.ReadFile(filepath.Join(dir, "a"))
			if err != nil || string(text) != strings.Join(c.texts, "") {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}
