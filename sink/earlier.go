package sink

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sluice/sink/commit"
	"sluice/sink/target"
)

// EndEarlier removes the hidden files and aborts the uploads that earlier attempts at this run, or at this shard of it,
// have left at the places of its outputs. It is called before Probe. claimed says that none of these attempts can publish
// any more. If it is false, attempts that may be alive are left alone: what they have left is removed when all is
// published. uploads are those that a journal knows of.
func (s *Sink) EndEarlier(ctx context.Context, claimed bool, uploads []target.Sealed) error {
	s.ends, s.uploads = true, uploads
	s.empty = s.findEmpty(ctx)
	if s.options.Shards > 0 {
		return s.shared().EndDead(ctx, s.attempt(), claimed)
	}
	if !claimed {
		return nil
	}
	return s.endAll(ctx)
}

// EndShard does the same for a shard that another process has done.
func (s *Sink) EndShard(ctx context.Context) {
	s.ends = true
	s.endRest(ctx)
}

// endRest removes, once all is visible or sealed, what EndEarlier has left alone. Its failure is a warning.
func (s *Sink) endRest(ctx context.Context) {
	if !s.ends {
		return
	}
	var err error
	if s.options.Shards > 0 {
		err = s.shared().Tidy(ctx, s.attempt())
	} else {
		err = s.endAll(ctx)
	}
	err = errors.Join(err, s.empty.End(ctx))
	if err != nil {
		s.options.Warn("", "some of what earlier attempts left could not be removed: "+err.Error())
	}
}

// endAll removes what earlier attempts at a run without shards have left.
func (s *Sink) endAll(ctx context.Context) error {
	if hiding, ok := s.target.(target.Hiding); ok {
		return hiding.EndEarlier(ctx, s.places())
	}
	store, ok := s.target.(target.Store)
	if !ok {
		return nil
	}
	return commit.Abandon(ctx, store, s.uploads)
}

// attempt is this process, as one that does a shard.
func (s *Sink) attempt() commit.ShardAttempt {
	return commit.ShardAttempt{Shard: s.options.Shard, ID: s.options.Mark.Attempt(), Places: s.places()}
}

// places are names in all folders in which an attempt may have hidden files.
func (s *Sink) places() []string {
	var names []string
	for _, o := range s.outputs {
		names = append(names, o.name)
		if strings.Contains(path.Dir(o.template), commit.PartMark) {
			names = append(names, s.parts(o)...)
		}
	}
	if s.manifest != "" {
		names = append(names, s.manifest)
	}
	return names
}

// parts are names in the folders that have the number of a part, as many as there are.
func (s *Sink) parts(o *openOutput) (names []string) {
	for part := 1; part <= mostParts; part++ {
		name := s.nameOf(o, part)
		if _, err := os.Stat(filepath.Join(s.folder, path.Dir(name))); err != nil {
			break
		}
		names = append(names, name)
	}
	return names
}

// findEmpty returns the uploads of these outputs that have no parts.
func (s *Sink) findEmpty(ctx context.Context) commit.EmptyUploads {
	if len(s.outputs) == 0 {
		return commit.EmptyUploads{}
	}
	var prefixes, names []string
	for _, o := range s.outputs {
		template := s.withShard(cmp.Or(o.template, o.name))
		before, _, _ := strings.Cut(template, commit.PartMark)
		prefixes = append(prefixes, before)
		names = append(names, strings.ReplaceAll(regexp.QuoteMeta(template), commit.PartMark, `\d{5}`))
	}
	match := regexp.MustCompile("^(" + strings.Join(slices.Compact(names), "|") + ")$")
	return commit.FindEmpty(ctx, s.target, commonPrefix(prefixes), match.MatchString)
}
