package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"sluice/pipeline"
	"sluice/source"
)

// state is what --state holds (docs/decisions.md, section 9).
type state struct {
	Time *startedAt          `json:"time,omitempty"` // of the last run in which all jobs were complete
	Jobs map[string]jobState `json:"jobs"`           // by id; nil in a file of the old form
}

type startedAt struct {
	PreviousStart int64 `json:"previousStart"` // Unix seconds
}

// jobState is what the last run of a job saw that was complete.
type jobState struct {
	startedAt
	Last map[string]json.RawMessage `json:"last,omitempty"` // the greatest values of its items, by path
}

// readState reads --state, which is a file, or an object of a bucket; where there is none
// it is an empty state.
func readState(ctx context.Context, w *world, file string, bucket *sideFile) (*state, error) {
	if file == "-" {
		return nil, usagef("--state -: name a file")
	}
	s := &state{}
	var text []byte
	var err error
	if bucket != nil {
		text, err = bucket.read(ctx)
	} else if text, err = w.read(ctx, file); err != nil {
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
		return nil, usagef(`--state: %s is not {"jobs": {"<id>": {"previousStart": …}}}: %w`, file, err)
	}
	return s, nil
}

// previousStarts enters what --state says into o.
func previousStarts(ctx context.Context, w *world, file string, bucket *sideFile, o *source.Options) error {
	s, err := readState(ctx, w, file, bucket)
	if err != nil {
		return err
	}
	o.PreviousStarts, o.Lasts = make(map[string]int64), make(map[string]map[string]json.RawMessage)
	if s.Jobs == nil && s.Time != nil {
		o.PreviousStarts[""] = s.Time.PreviousStart
	}
	for id, j := range s.Jobs {
		o.PreviousStarts[id], o.Lasts[id] = j.PreviousStart, j.Last
	}
	return nil
}

// advance enters a run that has succeeded. Jobs below one another advance together: a
// parent that did not show all its items hides children, and one that is not asked for
// again hides those that failed.
func (s *state) advance(src *source.Source, lasts map[string]map[string]json.RawMessage, r *pipeline.Report) {
	trees, rest := src.Trees(false), src.Trees(true)
	if s.Jobs == nil {
		s.Jobs = map[string]jobState{}
		for _, id := range slices.Concat(slices.Concat(trees, rest)...) {
			if s.Time != nil {
				s.Jobs[id] = jobState{startedAt: *s.Time}
			}
		}
	}
	complete := make(map[string]bool)
	for _, j := range r.Jobs {
		complete[j.ID] = j.Verdict == pipeline.Complete
	}
	began, all := startedAt{r.StartedAt.Unix()}, len(rest) == 0
	for _, ids := range trees {
		if slices.ContainsFunc(ids, func(id string) bool { return !complete[id] }) {
			all = false
			continue
		}
		for _, id := range ids {
			now := jobState{began, maps.Clone(s.Jobs[id].Last)}
			if now.Last == nil {
				now.Last = map[string]json.RawMessage{}
			}
			maps.Copy(now.Last, lasts[id])
			s.Jobs[id] = now
		}
	}
	if all {
		s.Time = &began
	}
}

// nextState is what the file holds after a run that has succeeded. It is read again for
// that, since a run of another job may have written it meanwhile. Without the flag there is none.
func (e *extraction) nextState(ctx context.Context, r *pipeline.Report) ([]byte, error) {
	if e.state == "" {
		return nil, nil
	}
	s, err := readState(ctx, e.world, e.state, e.stateBucket)
	if err != nil {
		return nil, errors.New(err.Error()) // no mistake in how the program was called: it was good before
	}
	lasts, err := e.src.Lasts()
	if err != nil {
		return nil, err
	}
	s.advance(e.src, lasts, r)
	text, err := json.Marshal(s)
	return append(text, '\n'), err
}
