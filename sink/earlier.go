package sink

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/target"
)

// quiet is how long an attempt at a shard may store nothing in a bucket before a later one takes it for dead.
const quiet = time.Hour

// What becomes of an attempt at a shard is decided once: it may seal, or a later one ends what it has.
const (
	fateSealed = "sealed"
	fateEnded  = "ended"
)

// ErrOvertaken says that a later attempt at this shard has ended what this one had.
var ErrOvertaken = pipeline.Temporary(
	errors.New("another process does this shard, and has ended what this one had stored"),
)

// A bucket can say of its uploads what a folder says of its hidden files.
type bucket interface {
	Touched(ctx context.Context, s target.Sealed) (time.Time, error)
	Empty(ctx context.Context, prefix string, match func(name string) bool) ([]target.Sealed, error)
}

// EndEarlier ends what earlier attempts at this run, or at this shard of it, have left at the places of its outputs. It
// is called before Probe. claimed says that none of them can publish any more; if not, those that may be alive are left
// alone. uploads are those that a journal knows of. What is still there when all is published, is ended then.
func (s *Sink) EndEarlier(ctx context.Context, claimed bool, uploads []target.Sealed) error {
	s.ends, s.uploads = true, uploads
	if b, ok := s.target.(bucket); ok {
		// They cost nothing, and a run may not be allowed to list them.
		s.empty, _ = s.emptyUploads(ctx, b)
	}
	if s.options.Shards > 0 {
		return s.share(s.target).endDead(ctx, s.options, s.places(), claimed)
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
		err = s.share(s.target).tidy(ctx, s.options, s.places())
	} else {
		err = s.endAll(ctx)
	}
	if b, ok := s.target.(bucket); ok && len(s.empty) > 0 {
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
	return abandon(ctx, store, s.uploads)
}

// places are names in all folders in which an attempt may have hidden files.
func (s *Sink) places() []string {
	var names []string
	for _, o := range s.outputs {
		names = append(names, o.name)
		if strings.Contains(path.Dir(o.template), partMark) {
			names = append(names, s.parts(o)...)
		}
	}
	if s.manifest != "" {
		names = append(names, s.manifest)
	}
	if s.options.Shards > 0 {
		names = append(names, textsOf(s.options.RunID)+"run.json")
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
		names = append(names, strings.ReplaceAll(regexp.QuoteMeta(template), partMark, `\d{5}`))
		before, _, _ := strings.Cut(template, partMark)
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
	return strings.NewReplacer(shardMark, shard, shardsMark, shards).Replace(template)
}

// endEmpty ends those that had no parts when the run began, and have none now: whose process lives has gone on.
func (s *Sink) endEmpty(ctx context.Context, b bucket) error {
	now, err := s.emptyUploads(ctx, b)
	if err != nil {
		return err
	}
	was := map[string]bool{}
	for _, u := range s.empty {
		was[u.Hidden] = true
	}
	now = slices.DeleteFunc(now, func(u target.Sealed) bool { return !was[u.Hidden] })
	return abandon(ctx, s.target.(target.Store), now)
}

// endDead ends what earlier attempts at a shard have left, but for those that may be alive, or have sealed.
func (s *Shared) endDead(ctx context.Context, o *Options, places []string, claimed bool) error {
	attempts, err := s.attempts(ctx, o, places)
	for _, a := range attempts {
		if err != nil {
			return err
		}
		if a.ID == o.Mark.Attempt() {
			continue
		}
		alive := a.Alive
		if !alive && !claimed {
			alive, err = s.busy(ctx, a)
		}
		if err == nil && (claimed || !alive) {
			err = s.end(ctx, o.Shard, a)
		}
	}
	return err
}

// end ends what an attempt at a shard has left, unless it has sealed. Where the shard is done, tidy has removed what was
// decided: so that is looked at after the decision.
func (s *Shared) end(ctx context.Context, shard int, a target.Attempt) error {
	fate, err := s.settle(ctx, shard, a.ID, fateEnded)
	if err != nil || fate != fateEnded {
		return err
	}
	done, err := s.Done(ctx, shard)
	if err != nil {
		return err
	}
	if done != nil {
		return s.Remove(ctx, s.fateOf(shard, a.ID))
	}
	return abandon(ctx, s.Store, a.Left)
}

func (s *Shared) fateOf(shard int, attempt string) string { return s.of(shard, "."+attempt+".end") }

// settle decides what becomes of an attempt at a shard, or returns what was decided.
func (s *Shared) settle(ctx context.Context, shard int, attempt, fate string) (string, error) {
	first := fate
	err := s.write(ctx, s.fateOf(shard, attempt), fate, &first)
	return first, err
}

// Overtaken tells whether a later attempt at a shard has ended what this one had, or has done the shard.
func (s *Shared) Overtaken(ctx context.Context, shard int, mark target.Mark) bool {
	var fate string
	_ = s.read(ctx, s.fateOf(shard, mark.Attempt()), &fate)
	done, _ := s.Done(ctx, shard)
	return fate == fateEnded || done != nil
}

// Note keeps that an attempt at a shard has begun an upload.
func (s *Shared) Note(ctx context.Context, shard int, mark target.Mark, u target.Sealed) error {
	return s.write(ctx, s.of(shard, "."+mark.Attempt()+"."+rand.Text()+".upload"), u, nil)
}

// attempts returns all attempts at a shard that have left something, this one too if it has uploads.
func (s *Shared) attempts(ctx context.Context, o *Options, places []string) (all []target.Attempt, err error) {
	if folder, ok := s.Store.(*target.Folder); ok {
		return folder.Earlier(places)
	}
	names, err := s.List(ctx, s.of(o.Shard, "."))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		words := strings.Split(strings.TrimPrefix(name, s.of(o.Shard, ".")), ".")
		if len(words) != 3 || words[2] != "upload" {
			continue
		}
		var u target.Sealed
		if err := s.read(ctx, name, &u); err != nil {
			return nil, err
		}
		if len(all) == 0 || all[len(all)-1].ID != words[0] {
			all = append(all, target.Attempt{ID: words[0]})
		}
		a := &all[len(all)-1]
		a.Left = append(a.Left, u)
		a.Alive = a.Alive || time.Since(names[name]) < quiet
	}
	return all, err
}

// busy tells whether an attempt has stored a part not long ago.
func (s *Shared) busy(ctx context.Context, a target.Attempt) (bool, error) {
	b, ok := s.Store.(bucket)
	if !ok {
		return false, nil
	}
	for _, u := range a.Left {
		at, err := b.Touched(ctx, u)
		if err != nil || time.Since(at) < quiet {
			return true, err
		}
	}
	return false, nil
}

// tidy ends, once a shard is sealed, or its run published, all that other attempts at it have left.
func (s *Shared) tidy(ctx context.Context, o *Options, places []string) error {
	attempts, err := s.attempts(ctx, o, places)
	if err != nil {
		return err
	}
	var f fragment
	err = s.read(ctx, s.of(o.Shard, ".json"), &f)
	if err == nil && f.Report == nil {
		var r *report.Report
		if r, err = s.published(ctx); r == nil {
			return err
		}
	}
	stays := map[string]bool{}
	for _, o := range f.Objects {
		stays[o.Hidden] = true
	}
	for _, a := range attempts {
		left := slices.DeleteFunc(a.Left, func(u target.Sealed) bool { return stays[u.Hidden] })
		if a.ID != o.Mark.Attempt() {
			err = errors.Join(err, abandon(ctx, s.Store, left))
		}
	}
	if err != nil {
		return err
	}
	return s.forgetAttempts(ctx, o.Shard)
}

// forgetAttempts removes the texts of all attempts at a shard.
func (s *Shared) forgetAttempts(ctx context.Context, shard int) error {
	names, err := s.List(ctx, s.of(shard, "."))
	for name := range names {
		ofAttempt := strings.HasSuffix(name, ".upload") || strings.HasSuffix(name, ".end")
		if err == nil && ofAttempt {
			err = s.Remove(ctx, name)
		}
	}
	return err
}
