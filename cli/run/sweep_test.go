package run

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"sluice/sink/target"
)

// keeping is a place of which one name cannot be removed, and of which perhaps not all can be read.
type keeping struct {
	target.Store
	names   []string
	unread  error
	removed []string
}

func (k *keeping) List(context.Context, string) (map[string]time.Time, error) {
	all := map[string]time.Time{}
	for _, name := range k.names {
		all[name] = time.Unix(1, 0)
	}
	return all, k.unread
}

func (k *keeping) Remove(_ context.Context, name string) error {
	if name == "00000002.journal" {
		return errors.New("permission denied")
	}
	k.removed = append(k.removed, name)
	return nil
}

func TestAJournalOfWhichSomethingStaysIsNotRemoved(t *testing.T) {
	for _, c := range []struct {
		store   *keeping
		shown   string
		removed int
		failed  bool
	}{
		{&keeping{names: []string{"00000001.journal", "00000003.journal"}}, "removed journal/\n", 2, false},
		{&keeping{names: []string{"00000001.journal", "00000002.journal", "00000003.journal"}}, "left journal/\n", 1, true},
		{&keeping{names: []string{"00000001.journal"}, unread: errors.New("input/output error")}, "", 0, true},
	} {
		var out bytes.Buffer
		w := &World{Stdout: &out, Stderr: &bytes.Buffer{}}
		err := sweepJournal(t.Context(), w, c.store, "journal/", time.Unix(2, 0))
		if !strings.HasSuffix(out.String(), c.shown) || (c.shown == "") != (out.Len() == 0) {
			t.Errorf("shown %q, want %q", out.String(), c.shown)
		}
		if (err != nil) != c.failed || len(c.store.removed) != c.removed {
			t.Errorf("%q: removed %v, %v", c.shown, c.store.removed, err)
		}
	}
}
