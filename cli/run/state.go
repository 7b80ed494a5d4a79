package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source"
)

// A stateFile is the file or the object of --state.
type stateFile struct {
	world *World

	// Empty: there is none.
	name string

	// Whose its hidden file is.
	mark target.Mark

	// In how many parts the run is divided; 0: it is not. A part leaves what it has seen in its report, for
	// publishing.
	shards int

	// nil where there is none, or before it is opened.
	file *sideFile

	// What this run has for it, once all is sealed.
	seen func(*report.Report) (*stateInput, error)

	// What is told of it once it is in place; nil: it was not made ready.
	moves []move

	// Nothing of the values of items is told that is a secret.
	redact func(string) string

	// Told what a person should know; nil where nothing is written.
	log *view.Log
}

func newState(p *process) *stateFile {
	return &stateFile{
		world:  p.world,
		name:   p.options.Beside.State,
		mark:   p.mark,
		shards: p.options.Shard.N,
		redact: p.secrets.Redact,
		log:    p.console.log,
	}
}

// open makes the file, or the object of a bucket.
func (s *stateFile) open(bucket s3.Options) error {
	var err error
	s.file, err = openShared("--state", s.name, "state.json", bucket, s.mark)
	return err
}

// isPart tells whether the process does a part of the run.
func (s *stateFile) isPart() bool { return s.shards > 0 }

// memory is what the state says to a run that begins.
func (s *stateFile) memory(ctx context.Context) (source.EarlierRuns, error) {
	if s.name == "" {
		return source.EarlierRuns{}, nil
	}
	there, err := s.read(ctx, nil)
	if err != nil {
		return source.EarlierRuns{}, err
	}
	m := source.EarlierRuns{
		PreviousStarts: map[string]int64{},
		Lasts:          map[string]map[string]json.RawMessage{},
		Parents:        map[string]*source.Parents{},
		Most:           map[string]int{},
	}
	if there.Jobs == nil && there.Time != nil {
		m.PreviousStarts[""] = there.Time.PreviousStart
	}
	for id, j := range there.Jobs {
		m.PreviousStarts[id], m.Lasts[id], m.Most[id] = j.PreviousStart, j.Last, j.Most
		if j.Parents != nil {
			m.Parents[id] = j.Parents
		}
	}
	return m, nil
}

// read reads it; where there is none the state is empty. Parents that a run began with, which has found these, are not
// kept again.
func (s *stateFile) read(ctx context.Context, found map[string]*source.Parents) (*states, error) {
	there, err := s.stream(ctx, found)
	if err == nil {
		return there, nil
	}
	text, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	there = &states{}
	if text == nil {
		return there, nil
	}
	quick, err := readStates(bytes.NewReader(text), found)
	if err == nil {
		return quick, nil
	}
	if err := there.parse(text); err != nil {
		return nil, Usagef("--state: %s is not {\"jobs\": {\"<id>\": {\"previousStart\": …}}}: %w", s.name, err)
	}
	return there, nil
}

// stream reads it without having all of its text, where it is a file that can be read again if that fails.
func (s *stateFile) stream(ctx context.Context, found map[string]*source.Parents) (*states, error) {
	info, err := os.Stat(s.name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, errOtherForm
	}
	return await(ctx, func() (*states, error) {
		file, err := os.Open(s.name)
		if err != nil {
			return nil, err
		}
		// What was wanted has been read.
		defer func() { _ = file.Close() }()
		return readStates(file, found)
	})
}

// load returns the text of the state; there is none if that is nil.
func (s *stateFile) load(ctx context.Context) ([]byte, error) {
	if strings.HasPrefix(s.name, "s3://") {
		text, err := s.file.target.Head(ctx, s.file.base, maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return text, s.file.explain(err)
	}
	text, err := s.world.Read(ctx, s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Usagef("--state: %w", err)
	}
	// An empty file is there.
	return append([]byte{}, text...), nil
}

// advance enters a run that has succeeded, jobs below one another together: a
// parent that did not show all hides children. full are the jobs that have more parents than are kept.
func (s *states) advance(p *stateInput, r *report.Report) (full []string) {
	if s.Jobs == nil {
		s.Jobs = map[string]jobState{}
		for _, id := range slices.Concat(slices.Concat(p.Trees, p.Rest)...) {
			if s.Time != nil {
				s.Jobs[id] = jobState{startedAt: *s.Time}
			}
		}
	}
	complete := make(map[string]bool)
	for _, j := range r.Jobs {
		complete[j.ID] = j.Verdict == report.Complete
	}
	began, all := startedAt{p.StartedAt.Unix()}, len(p.Rest) == 0
	moved := make(map[string]bool)
	for _, ids := range p.Trees {
		if slices.ContainsFunc(ids, func(id string) bool { return !complete[id] }) {
			all = false
			continue
		}
		for _, id := range ids {
			// Another document may have the job, too.
			if moved[id] {
				continue
			}
			moved[id] = true
			if s.move(id, began, p) {
				full = append(full, id)
			}
		}
	}
	if all {
		s.Time = &began
	}
	return full
}

// move enters a run in which a job was complete, and tells whether it has more parents than are kept.
func (s *states) move(id string, began startedAt, p *stateInput) (isFull bool) {
	before := s.Jobs[id]
	now := jobState{began, max(before.Most, p.Most[id]), map[string]json.RawMessage{}, before.Parents}
	maps.Copy(now.Last, before.Last)
	maps.Copy(now.Last, p.Lasts[id])
	if found := p.Parents[id]; found != nil {
		now.Parents, isFull = before.Parents.After(found)
	}
	s.Jobs[id] = now
	return isFull
}

// prepare finds out whether it can be written; a shard leaves that to publishing.
func (s *stateFile) prepare(ctx context.Context) error {
	if s.isPart() {
		return nil
	}
	return s.file.probe(ctx)
}

// ready makes the state ready that follows from the run, or enters into the report
// of a shard what it has for it.
func (s *stateFile) ready(ctx context.Context, r *report.Report) error {
	if s.name == "" && !s.isPart() {
		return nil
	}
	p, err := s.seen(r)
	if err != nil {
		return err
	}
	if s.isPart() {
		p.shorten(s.shards)
		r.Shard.Progress, err = json.Marshal(p)
		return err
	}
	// A run of another job may have written it.
	next, err := s.read(ctx, p.Parents)
	if err != nil {
		// No mistake in how the program was called: it was good before.
		return errors.New(err.Error())
	}
	before := maps.Clone(next.Jobs)
	s.warnFull(r, next.advance(p, r))
	tooLong := fmt.Errorf(
		"--state: it would have more than %d MiB: move some jobs to a configuration and a --state of their "+
			"own, or use the function last in fewer child jobs",
		maxFile>>20,
	)
	if err := next.write(&limited{left: maxFile, full: tooLong}); err != nil {
		return err
	}
	s.moves = next.moves(before, p.Trees, r, s.redact)
	return s.file.readyFrom(ctx, func(w io.Writer) error {
		if err := next.write(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	})
}

// place enters into the report where the state stayed as it was.
func (s *stateFile) place(_ context.Context, r *report.Report) error {
	err := s.file.place()
	if err != nil {
		r.StateSaved = new(bool)
	}
	return err
}

func (s *stateFile) discard(*report.Report) error {
	s.file.close()
	return nil
}

// seenByAll is what all shards of a run have for the state.
func seenByAll(shards []json.RawMessage) (*stateInput, error) {
	var all stateInput
	for _, text := range shards {
		lasts, parents, most := all.Lasts, all.Parents, all.Most
		all = stateInput{}
		err := json.Unmarshal(text, &all)
		if err == nil && most != nil {
			source.MergeMost(most, all.Most)
			all.Most = most
		}
		if err == nil {
			all.Lasts, err = source.Greatest(lasts, all.Lasts)
		}
		if err == nil && parents != nil {
			err = source.MergeParents(parents, all.Parents)
			all.Parents = parents
		}
		if err != nil {
			return nil, err
		}
	}
	return &all, nil
}

// warnFull tells of jobs that have more parents than the state keeps.
func (s *stateFile) warnFull(r *report.Report, jobs []string) {
	for _, id := range jobs {
		text := fmt.Sprintf("last: there are more parents than --state has room for, %d for each job: in each "+
			"run the others begin at the default", source.MostParents)
		at := slices.IndexFunc(r.Jobs, func(j report.JobReport) bool { return j.ID == id })
		if at >= 0 {
			r.Jobs[at].Warnings = append(r.Jobs[at].Warnings, text)
		}
		s.log.Observe(pipeline.Warned{Job: id, Text: text, At: s.world.Now()})
	}
}
