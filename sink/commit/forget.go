package commit

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"sluice/sink/target"
)

// Forget removes all texts of the run, the commit last: nobody needs them once everything is in place. It ends
// what publishing that was killed has left of its own, and the uploads that attempts at shards have noted and
// left.
func (s *Shared) Forget(ctx context.Context) error {
	// This text goes first: a shard that notes an upload later then sees that the run is over, see Note.
	if err := s.store.Remove(ctx, s.runName()); err != nil {
		return err
	}
	if err := s.forgetTexts(ctx); err != nil {
		return err
	}
	if err := s.empty.End(ctx); err != nil {
		return err
	}
	// Hidden files beside the manifest and the texts.
	manifest := cmp.Or(s.manifest, manifestStem+".json")
	if err := target.EndEarlier(ctx, s.store, manifest, s.runName(), s.noteName()); err != nil {
		return err
	}
	if !strings.Contains(s.place.URI, "://") {
		// A folder in which another process writes stays: it is not empty.
		_ = os.Remove(filepath.Join(s.place.URI, s.names))
		_ = os.Remove(filepath.Join(s.place.URI, texts))
	}
	return nil
}

// forgetTexts removes the texts, and ends the uploads that they note.
func (s *Shared) forgetTexts(ctx context.Context) error {
	names, err := s.store.List(ctx, s.names)
	if err != nil {
		return err
	}
	delete(names, s.commitName())
	for name := range names {
		if strings.HasSuffix(name, ".upload") {
			if err := s.abandonIn(ctx, name); err != nil {
				return err
			}
		}
		if err := s.store.Remove(ctx, name); err != nil {
			return err
		}
	}
	return s.store.Remove(ctx, s.commitName())
}
