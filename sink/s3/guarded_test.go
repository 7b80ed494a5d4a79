package s3_test

import (
	"strings"
	"testing"
)

func TestAGuardedObjectReplacesOnlyWhatWasSeen(t *testing.T) {
	t.Run("gateway", func(t *testing.T) { replaceGuarded(t, gateway(t)) })
	t.Run("embedded", func(t *testing.T) { replaceGuarded(t, embedded(t)) })
}

func replaceGuarded(t *testing.T, p *place) {
	p.options.Guarded = true
	ours := p.open(t, "state/")
	look := func(want string) {
		t.Helper()
		text, err := ours.Head(t.Context(), "s.json", 1000)
		if must(t, err); string(text) != want {
			t.Fatalf("there is %q, not %q", text, want)
		}
	}
	refused := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "another process has written it meanwhile") {
			t.Errorf("an object was replaced that had changed: %v", err)
		}
	}
	look("")
	p.put(t, "state/s.json", "first of another")
	refused(store(t.Context(), ours, "s.json", []byte("ours")))
	look("first of another")
	must(t, store(t.Context(), ours, "s.json", []byte("ours")))
	look("ours")
	p.put(t, "state/s.json", "")
	look("")
	must(t, store(t.Context(), ours, "s.json", []byte("ours, in place of nothing")))
	look("ours, in place of nothing")
	p.put(t, "state/s.json", "second of another")
	refused(store(t.Context(), ours, "s.json", []byte("ours again")))
	p.shows(t, "state/s.json", []byte("second of another"))
}
