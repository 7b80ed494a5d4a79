package cli

import "sluice/source/transport/record"

// traffic applies --record and --replay. The recorder is started when nothing else is
// wrong.
func (e *extraction) traffic() error {
	var err error
	switch {
	case e.record != "" && e.replay != "":
		return usagef("--record and --replay: one of the two")
	case e.replay != "" && e.state != "":
		return usagef("--replay and --state: the recording says when the last successful run began")
	case e.replay != "":
		if e.source.Replay, err = record.OpenReplay(e.replay, e.secrets); err != nil {
			return usagef("--replay: %w", err)
		}
		e.source.PreviousStarts = e.source.Replay.PreviousStarts
	case e.record != "":
		head := record.Head{Version: version, StartedAt: e.world.now().UTC(), PreviousStarts: e.source.PreviousStarts}
		e.source.Record = record.NewRecorder(e.record, head, e.secrets)
	}
	return nil
}
