package cli

import (
	"time"

	"sluice/source/transport/record"
)

// traffic applies --record and --replay. The recorder is started when nothing else is
// wrong.
func (e *extraction) traffic() error {
	switch {
	case e.record != "" && e.replay != "":
		return usagef("--record and --replay: one of the two")
	case e.replay != "" && e.state != "":
		return usagef("--replay and --state: the recording says when the last successful run began")
	case e.replay != "":
		replay, err := record.OpenReplay(e.replay, e.secrets)
		if err != nil {
			return usagef("--replay: %w", err)
		}
		ahead := replay.StartedAt.Sub(e.world.now())
		e.source.Wrap, e.source.Instant, e.source.PreviousStarts, e.source.Lasts = replay.Wrap, true, replay.PreviousStarts, replay.Lasts
		e.source.Clock = func() time.Time { return e.world.now().Add(ahead) }
	case e.record != "":
		head := record.Head{Version: version, StartedAt: e.world.now().UTC(), PreviousStarts: e.source.PreviousStarts, Lasts: e.source.Lasts}
		e.recorder = record.NewRecorder(e.record, head, e.secrets)
		e.source.Wrap = e.recorder.Wrap
	}
	return nil
}
