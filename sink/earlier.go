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

// A bucket can say which of its uploads have no parts.
type bucket interface {
	Empty(ctx context.Context, prefix string, match func(name string) bool) ([]target.Sealed, error)
}

// EndEarlier ends what earlier attempts at this run, or at this shard of it, have left at the places of its outputs. It
// is called before Probe. claimed says that none of them can publish any more; if not, those that may be alive are left
// alone. uploads are those that a journal knows of. What is still there when all is published, is ended then.
func (s *Sink) EndEarlier(ctx context.Context, claimed bool, uploads []target.Sealed) error {
	s.ends, s.uploads = true, uploads
	if b, ok := s.target.(bucket); ok {
		// They cost nothing, and a run may not be allowed to list them.
		s.idle, _ = s.emptyUploads(ctx, b)
	}
	if s.options.Shards > 0 {
		return s.share(s.target).EndDead(ctx, s.attempt(), claimed)
	}
	if !claimed {
		return nil
	}
	return s.endAll(ctx)
}

// EndShard does that for a shard that another process has done.
func (s *Sink) EndShard(ctx context.Context) {
	s.ends = true
	s.endRest(ctx)
}

// endRest ends, once all is visible or sealed, what EndEarlier has left. Its failure is a warning.
func (s *Sink) endRest(ctx context.Context) {
	if !s.ends {
		return
	}
	var err error
	if s.options.Shards > 0 {
		err = s.share(s.target).Tidy(ctx, s.attempt())
	} else {
		err = s.endAll(ctx)
	}
	if b, ok := s.target.(bucket); ok && len(s.idle) > 0 {
		err = errors.Join(err, s.endEmpty(ctx, b))
	}
	if err != nil {
		s.options.Warn("", "what earlier attempts have left could not all be removed: "+err.Error())
	}
}

// endAll ends what earlier attempts at a run that is not divided have left.
func (s *Sink) endAll(ctx context.Context) error {
	if folder, ok := s.target.(*target.Folder); ok {
		return folder.EndEarlier(ctx, s.places())
	}
	store, ok := s.target.(target.Store)
	if !ok {
		return nil
	}
	return commit.Abandon(ctx, store, s.uploads)
}

// attempt is this process, as one that does a shard.
func (s *Sink) attempt() commit.Attempt {
	return commit.Attempt{Shard: s.options.Shard, ID: s.options.Mark.Attempt(), Places: s.places()}
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
func (s *Sink) parts(o *output) (names []string) {
	for part := 1; part <= mostParts; part++ {
		name := s.nameOf(o, part)
		if _, err := os.Stat(filepath.Join(s.folder, path.Dir(name))); err != nil {
			break
		}
		names = append(names, name)
	}
	return names
}

// emptyUploads returns the uploads of these outputs, of whomever, that have no parts. A process that was killed between
// the beginning of an upload and its word about it leaves one.
func (s *Sink) emptyUploads(ctx context.Context, b bucket) ([]target.Sealed, error) {
	if len(s.outputs) == 0 {
		return nil, nil
	}
	prefix, names := "", make([]string, 0, len(s.outputs))
	for i, o := range s.outputs {
		template := s.withShard(cmp.Or(o.template, o.name))
		names = append(names, strings.ReplaceAll(regexp.QuoteMeta(template), commit.PartMark, `\d{5}`))
		before, _, _ := strings.Cut(template, commit.PartMark)
		if i == 0 {
			prefix = before
		}
		for !strings.HasPrefix(before, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	match := regexp.MustCompile("^(" + strings.Join(slices.Compact(names), "|") + ")$")
	return b.Empty(ctx, prefix, match.MatchString)
}

// withShard puts the numbers of the shard in the place of their marks.
func (s *Sink) withShard(template string) string {
	shard, shards := number(s.options.Shard), number(s.options.Shards)
	return strings.NewReplacer(commit.ShardMark, shard, commit.ShardsMark, shards).Replace(template)
}

// endEmpty ends those that had no parts when the run began, and have none now: whose process lives has gone on.
func (s *Sink) endEmpty(ctx context.Context, b bucket) error {
	now, err := s.emptyUploads(ctx, b)
	if err != nil {
		return err
	}
	was := map[string]bool{}
	for _, u := range s.idle {
		was[u.Hidden] = true
	}
	now = slices.DeleteFunc(now, func(u target.Sealed) bool { return !was[u.Hidden] })
	return commit.Abandon(ctx, s.target.(target.Store), now)
}
