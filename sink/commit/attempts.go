package commit

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/sink/target"
)

// quiet is for how long an attempt at a shard may store nothing in a bucket. After that a later attempt takes its
// process for dead.
const quiet = time.Hour

// What becomes of an attempt at a shard is decided once. Either it may seal the shard, or a later attempt removes what
// it has stored.
const (
	fateSealed = "sealed"
	fateEnded  = "ended"
)

// A ShardAttempt is a process that does a shard.
type ShardAttempt struct {
	Shard int

	// Of [target.Mark.Attempt].
	ID string

	// Names in all folders in which an attempt may have hidden files.
	Places []string
}

// EndDead removes what earlier attempts at a shard have stored, but for attempts that may be alive, or that have sealed the
// shard. claimed says that none of them can go on.
func (s *Shared) EndDead(ctx context.Context, own ShardAttempt, claimed bool) error {
	attempts, err := s.attempts(ctx, own)
	if err != nil {
		return err
	}
	for _, a := range attempts {
		if a.ID == own.ID {
			continue
		}
		isDead := claimed
		if !isDead {
			isDead, err = s.isDead(ctx, a)
		}
		if err == nil && isDead {
			err = s.end(ctx, own.Shard, a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isDead tells whether an attempt shows no life, and has stored no part for a while.
func (s *Shared) isDead(ctx context.Context, a target.Attempt) (bool, error) {
	if a.Alive {
		return false, nil
	}
	b, ok := s.store.(interface {
		Touched(ctx context.Context, s target.Sealed) (time.Time, error)
	})
	if !ok {
		return true, nil
	}
	for _, u := range a.Left {
		at, err := b.Touched(ctx, u)
		if err != nil || time.Since(at) < quiet {
			return false, err
		}
	}
	return true, nil
}

// end removes what an attempt at a shard has stored, unless the attempt has sealed the shard. Tidy removes the decisions of
// a shard that is done, so whether it is done is looked at after the decision is made.
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
		return s.store.Remove(ctx, s.fateName(shard, a.ID))
	}
	return Abandon(ctx, s.store, a.Left)
}

func (s *Shared) fateName(shard int, attempt string) string { return s.of(shard, "."+attempt+".end") }

// settle decides what becomes of an attempt at a shard, or returns what was decided.
func (s *Shared) settle(ctx context.Context, shard int, attempt, fate string) (string, error) {
	first := fate
	err := s.write(ctx, s.fateName(shard, attempt), fate, &first)
	return first, err
}

// MaySeal decides that this attempt seals its shard. It is [ErrOvertaken] if a later one has ended what this
// one had.
func (s *Shared) MaySeal(ctx context.Context, own ShardAttempt) error {
	fate, err := s.settle(ctx, own.Shard, own.ID, fateSealed)
	if err == nil && fate != fateSealed {
		return ErrOvertaken
	}
	return err
}

// Overtaken tells whether a later attempt at a shard has ended what this one had, or has done the shard.
func (s *Shared) Overtaken(ctx context.Context, shard int, mark target.Mark) bool {
	var fate string
	_ = s.read(ctx, s.fateName(shard, mark.Attempt()), &fate)
	done, _ := s.Done(ctx, shard)
	return fate == fateEnded || done != nil
}

// Note writes down that an attempt at a shard has begun an upload. It is [ErrOvertaken] if the run is published, or
// swept: nobody would look for the upload any more. It is used by several goroutines, and so asks only what changes
// nothing in the store.
func (s *Shared) Note(ctx context.Context, shard int, mark target.Mark, u target.Sealed) error {
	name := s.of(shard, "."+mark.Attempt()+"."+rand.Text()+".upload")
	if err := s.write(ctx, name, u, nil); err != nil {
		return err
	}
	// Forget removes it before it looks for notes.
	goesOn, err := s.isThere(ctx, s.runName())
	if err != nil || goesOn {
		return err
	}
	// A sweep removes what stays.
	_ = s.store.Remove(ctx, name)
	return ErrOvertaken
}

// attempts returns all attempts at a shard that have left something, this one too if it has uploads.
func (s *Shared) attempts(ctx context.Context, own ShardAttempt) ([]target.Attempt, error) {
	if hiding, ok := s.store.(target.Hiding); ok {
		return hiding.Earlier(append(slices.Clone(own.Places), s.runName()))
	}
	prefix := s.of(own.Shard, ".")
	names, err := s.store.List(ctx, prefix)
	if err != nil {
		return nil, err
	}
	var all []target.Attempt
	for _, name := range slices.Sorted(maps.Keys(names)) {
		words := strings.Split(strings.TrimPrefix(name, prefix), ".")
		if len(words) != 3 || words[2] != "upload" {
			continue
		}
		var u target.Sealed
		if err := s.read(ctx, name, &u); err != nil {
			return nil, err
		}
		if u.Name == "" {
			// It has just gone.
			continue
		}
		if len(all) == 0 || all[len(all)-1].ID != words[0] {
			all = append(all, target.Attempt{ID: words[0]})
		}
		a := &all[len(all)-1]
		a.Left = append(a.Left, u)
		a.Alive = a.Alive || time.Since(names[name]) < quiet
	}
	return all, nil
}

// Tidy removes, once a shard is sealed, or its run is published, all that other attempts at the shard have stored.
func (s *Shared) Tidy(ctx context.Context, own ShardAttempt) error {
	attempts, err := s.attempts(ctx, own)
	if err != nil {
		return err
	}
	var f Fragment
	if err := s.read(ctx, s.of(own.Shard, ".json"), &f); err != nil {
		return err
	}
	if f.Report == nil {
		r, err := s.published(ctx)
		if r == nil {
			return err
		}
	}
	sealed := map[string]bool{}
	for _, o := range f.Objects {
		sealed[o.Hidden] = true
	}
	for _, a := range attempts {
		if a.ID == own.ID {
			continue
		}
		left := slices.DeleteFunc(a.Left, func(u target.Sealed) bool { return sealed[u.Hidden] })
		err = errors.Join(err, Abandon(ctx, s.store, left))
	}
	if err != nil {
		return err
	}
	return s.forgetAttempts(ctx, own.Shard)
}

// forgetAttempts removes the texts of all attempts at a shard.
func (s *Shared) forgetAttempts(ctx context.Context, shard int) error {
	names, err := s.store.List(ctx, s.of(shard, "."))
	for name := range names {
		ofAttempt := strings.HasSuffix(name, ".upload") || strings.HasSuffix(name, ".end")
		if err == nil && ofAttempt {
			err = s.store.Remove(ctx, name)
		}
	}
	return err
}
