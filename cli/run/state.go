package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source"
)

// states is what --state holds: when the last complete run of each job began, and what it saw.
type states struct {
	// Of the last run in which all jobs were complete.
	Time *startedAt `json:"time,omitempty"`

	// By id; nil in a file of the old form.
	Jobs map[string]jobState `json:"jobs"`
}

type startedAt struct {
	// Unix seconds.
	PreviousStart int64 `json:"previousStart"`
}

// jobState is what the last run of a job saw that was complete.
type jobState struct {
	startedAt

	// The greatest number of items that a page had which was no doubtful one; 0: none had any, or an older program
	// wrote this.
	Most int `json:"most,omitempty"`

	// The greatest values of its items, by path.
	Last map[string]json.RawMessage `json:"last,omitempty"`

	// Of a child job that follows something: those of the items below each parent. nil: it follows nothing.
	Parents *source.Parents `json:"parents,omitempty"`
}

// stateInput is what a run has for the state; a shard leaves it for publishing.
type stateInput struct {
	StartedAt time.Time `json:"startedAt"`

	// Of source.Source.
	Trees [][]string `json:"trees"`

	Rest  [][]string                            `json:"rest"`
	Lasts map[string]map[string]json.RawMessage `json:"lasts"`

	// By the id of the child job.
	Parents map[string]*source.Parents `json:"parents,omitempty"`

	// By the id of the job, as jobState has it.
	Most map[string]int `json:"most,omitempty"`

	// What the page names that publishing makes.
	Subject *view.Subject `json:"subject,omitempty"`
}

// A state is the file or the object of --state.
type state struct {
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

func newState(p *process) *state {
	return &state{
		world:  p.world,
		name:   p.options.Beside.State,
		mark:   p.mark,
		shards: p.options.Shard.N,
		redact: p.secrets.Redact,
		log:    p.console.log,
	}
}

// open makes the file, or the object of a bucket.
func (s *state) open(bucket s3.Options) error {
	var err error
	s.file, err = openShared("--state", s.name, "state.json", bucket, s.mark)
	return err
}

// isPart tells whether the process does a part of the run.
func (s *state) isPart() bool { return s.shards > 0 }

// memory is what the state says to a run that begins.
func (s *state) memory(ctx context.Context) (source.EarlierRuns, error) {
	if s.name == "" {
		return source.EarlierRuns{}, nil
	}
	there, err := s.read(ctx)
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

// read reads it; where there is none the state is empty.
func (s *state) read(ctx context.Context) (*states, error) {
	text, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	there := &states{}
	if text == nil {
		return there, nil
	}
	err = json.Unmarshal(text, there)
	isEmpty := there.Time == nil && there.Jobs == nil
	if err == nil && isEmpty && !bytes.Equal(bytes.TrimSpace(text), []byte("{}")) {
		err = errors.New("it has neither jobs nor time")
	}
	if err != nil {
		return nil, Usagef(`--state: %s is not {"jobs": {"<id>": {"previousStart": …}}}: %w`, s.name, err)
	}
	return there, nil
}

// load returns the text of the state; there is none if that is nil.
func (s *state) load(ctx context.Context) ([]byte, error) {
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
func (s *state) prepare(ctx context.Context) error {
	if s.isPart() {
		return nil
	}
	return s.file.probe(ctx)
}

// ready makes the state ready that follows from the run, or enters into the report
// of a shard what it has for it.
func (s *state) ready(ctx context.Context, r *report.Report) error {
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
	next, err := s.read(ctx)
	if err != nil {
		// No mistake in how the program was called: it was good before.
		return errors.New(err.Error())
	}
	before := maps.Clone(next.Jobs)
	s.warnFull(r, next.advance(p, r))
	text, err := json.Marshal(next)
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf(
			"--state: it would have more than %d MiB: give some jobs a configuration and a state of "+
				"their own, or follow less with last below items",
			maxFile>>20,
		)
	}
	if err != nil {
		return err
	}
	s.moves = next.moves(before, p.Trees, r, s.redact)
	return s.file.ready(ctx, append(text, '\n'))
}

// place enters into the report where the state stayed as it was.
func (s *state) place(_ context.Context, r *report.Report) error {
	err := s.file.place()
	if err != nil {
		r.StateSaved = new(bool)
	}
	return err
}

func (s *state) discard(*report.Report) error {
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
