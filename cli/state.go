package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/pipeline/report"
	"sluice/sink/s3"
	"sluice/source"
)

// state is what --state holds (docs/decisions.md, section 9).
type state struct {
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

	// The greatest values of its items, by path.
	Last map[string]json.RawMessage `json:"last,omitempty"`
}

// readState reads --state, a file or an object of a bucket; where there is none it is an empty state.
func (e *extraction) readState(ctx context.Context) (*state, error) {
	if e.state == "-" {
		return nil, usagef("--state -: name a file")
	}
	s := &state{}
	var text []byte
	var err error
	if strings.HasPrefix(e.state, "s3://") {
		text, err = e.stateFile.target.Head(ctx, e.stateFile.base, maxFile)
		err = e.stateFile.explain(err)
	} else if text, err = e.world.read(ctx, e.state); err != nil {
		err = usagef("--state: %w", err)
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && text == nil {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, s)
	if err == nil && s.Time == nil && s.Jobs == nil && !bytes.Equal(bytes.TrimSpace(text), []byte("{}")) {
		err = errors.New("it has neither jobs nor time")
	}
	if err != nil {
		return nil, usagef(`--state: %s is not {"jobs": {"<id>": {"previousStart": …}}}: %w`, e.state, err)
	}
	return s, nil
}

// openState makes the file of --state, or the object of a bucket.
func (e *extraction) openState() (err error) {
	at := strings.LastIndexByte(e.state, '/') + 1
	switch {
	case !strings.HasPrefix(e.state, "s3://"):
		e.stateFile, err = newSideFile("--state", e.state, 0o600, e.sink.Mark)
		return err
	case at == len(e.state):
		return usagef("--state %s: name an object, such as %sstate.json", e.state, e.state)
	}
	o := e.s3
	// It replaces only what was read last.
	o.Guarded = true
	bucket, err := s3.New(o, e.state[:at])
	if err != nil {
		return usagef("--state: %w", err)
	}
	e.stateFile = &sideFile{flag: "--state", target: bucket, base: e.state[at:]}
	return nil
}

// previousStarts enters what --state says into the options of the source.
func (e *extraction) previousStarts(ctx context.Context) error {
	if e.state == "" {
		return nil
	}
	if err := e.openState(); err != nil {
		return err
	}
	s, err := e.readState(ctx)
	if err != nil {
		return err
	}
	e.source.PreviousStarts = map[string]int64{}
	e.source.Lasts = map[string]map[string]json.RawMessage{}
	if s.Jobs == nil && s.Time != nil {
		e.source.PreviousStarts[""] = s.Time.PreviousStart
	}
	for id, j := range s.Jobs {
		e.source.PreviousStarts[id], e.source.Lasts[id] = j.PreviousStart, j.Last
	}
	return nil
}

// progress is what a run has for the state; a shard leaves it for sluice publish.
type progress struct {
	StartedAt time.Time `json:"startedAt"`

	// Of source.Source.
	Trees [][]string `json:"trees"`

	Rest  [][]string                            `json:"rest"`
	Lasts map[string]map[string]json.RawMessage `json:"lasts"`
}

// advance enters a run that has succeeded, jobs below one another together: a parent that did not show all hides children.
func (s *state) advance(p *progress, r *report.Report) {
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
	for _, ids := range p.Trees {
		if slices.ContainsFunc(ids, func(id string) bool { return !complete[id] }) {
			all = false
			continue
		}
		for _, id := range ids {
			now := jobState{began, map[string]json.RawMessage{}}
			maps.Copy(now.Last, s.Jobs[id].Last)
			maps.Copy(now.Last, p.Lasts[id])
			s.Jobs[id] = now
		}
	}
	if all {
		s.Time = &began
	}
}

// seen is what this run has for the state.
func (e *extraction) seen(r *report.Report) (*progress, error) {
	lasts, err := e.src.Lasts()
	return &progress{cmp.Or(e.source.Start, r.StartedAt), e.src.Trees(false), e.src.Trees(true), lasts}, err
}

// seenByAll is what all shards of a run have for the state.
func seenByAll(shards []json.RawMessage) (*progress, error) {
	var all progress
	for _, text := range shards {
		lasts := all.Lasts
		all = progress{}
		err := json.Unmarshal(text, &all)
		if err == nil {
			all.Lasts, err = source.Greatest(lasts, all.Lasts)
		}
		if err != nil {
			return nil, err
		}
	}
	return &all, nil
}

// keepState makes the state ready that follows from a run, or from a shard what it has for it.
func (e *extraction) keepState(
	ctx context.Context,
	r *report.Report,
	seen func(*report.Report) (*progress, error),
) error {
	if e.state == "" && e.sink.Shards == 0 {
		return nil
	}
	p, err := seen(r)
	if err != nil {
		return err
	}
	if e.sink.Shards > 0 {
		r.Shard.Progress, err = json.Marshal(p)
		return err
	}
	return e.nextState(ctx, p, r)
}

// nextState makes the state after this run ready; it is read again, since a run of another job may have written it.
func (e *extraction) nextState(ctx context.Context, p *progress, r *report.Report) error {
	s, err := e.readState(ctx)
	if err != nil {
		// No mistake in how the program was called: it was good before.
		return errors.New(err.Error())
	}
	s.advance(p, r)
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return e.stateFile.prepare(ctx, append(text, '\n'))
}
