package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/transport/record"
)

// A traffic is where answers come from: the network, recorded with --record, or what was recorded (--replay).
type traffic struct {
	// nil: nothing is recorded.
	recorder *record.Recorder

	// nil: the network.
	replay *record.Replay

	// Of the recording that is replayed.
	parents map[string]*source.Parents

	// How much later the time of the recording is.
	ahead time.Duration
}

// open opens what --record and --replay name. The recorder is started when nothing else is wrong.
func (t *traffic) open(w *World, secrets *secret.Set, o *Options, m source.EarlierRuns) error {
	api := o.API
	switch {
	case api.Record != "" && api.Replay != "":
		return Usagef("--record and --replay exclude each other: give one of the two")
	case api.Replay != "" && o.Beside.State != "":
		return Usagef("--replay and --state exclude each other: the recording has the start of the last " +
			"successful run, so leave --state out")
	case api.Replay != "" && o.Beside.Tokens != "":
		return Usagef("--replay and --tokens exclude each other: a recording has no tokens, so leave --tokens out")
	case api.Replay != "":
		replay, err := record.OpenReplay(api.Replay, secrets)
		if err != nil {
			return Usagef("--replay: %w", err)
		}
		t.replay, t.ahead = replay, replay.StartedAt.Sub(w.Now())
		if replay.Parents != nil {
			err = json.Unmarshal(replay.Parents, &t.parents)
		}
		if err != nil {
			return Usagef("--replay: %w", err)
		}
	case api.Record != "":
		head := record.Head{
			Version:        o.Version,
			StartedAt:      w.Now().UTC(),
			PreviousStarts: m.PreviousStarts,
			Lasts:          m.Lasts,
			Most:           m.Most,
		}
		if len(m.Parents) > 0 {
			// It was read from JSON.
			head.Parents, _ = json.Marshal(m.Parents)
		}
		t.recorder = record.NewRecorder(api.Record, head, secrets)
	}
	return nil
}

// enter makes the source take its answers from there.
func (t *traffic) enter(o *source.Options, w *World) {
	if t.recorder != nil {
		o.Wrap = t.recorder.Wrap
	}
	if t.replay != nil {
		o.Wrap, o.Instant = t.replay.Wrap, true
		o.Tokens = recordedTokens{}
		o.Clock = func() time.Time { return w.Now().Add(t.ahead) }
	}
}

// memory is what earlier runs are known to have seen: with --replay what the recorded one knew.
func (t *traffic) memory(m source.EarlierRuns) source.EarlierRuns {
	if t.replay == nil {
		return m
	}
	return source.EarlierRuns{
		PreviousStarts: t.replay.PreviousStarts,
		Lasts:          t.replay.Lasts,
		Most:           t.replay.Most,
		Parents:        t.parents,
	}
}

func (t *traffic) prepare(context.Context) error {
	err := t.recorder.Start()
	switch {
	case errors.Is(err, record.ErrRecorded):
		return Usagef("--record: %w", err)
	case err != nil:
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

func (t *traffic) ready(context.Context, *report.Report) error { return t.recorder.Err() }

func (t *traffic) place(context.Context, *report.Report) error { return nil }

func (t *traffic) discard(*report.Report) error { return nil }
