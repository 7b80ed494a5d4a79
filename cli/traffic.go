package cli

import "sluice/source/transport/record"

// traffic applies --record and --replay. The recorder is started when nothing else is
// wrong.
func (e *extraction) traffic() error {
	recordTo, replay := e.record, e.replay
	var err error
	switch {
	case recordTo != "" && replay != "":
		return usagef("--record and --replay: one of the two")
	case replay != "" && e.state != "":
		return usagef("--replay and --state: the recording says when the last successful run began")
	case replay != "":
		if e.source.Replay, err = record.OpenReplay(replay, e.secrets); err != nil {
			return usagef("--replay: %w", err)
		}
		e.source.PreviousStart = e.source.Replay.PreviousStart
	case recordTo != "":
		head := record.Head{Version: version, StartedAt: e.world.now().UTC(), PreviousStart: e.source.PreviousStart}
		e.source.Record = record.NewRecorder(recordTo, head, e.secrets)
	}
	return nil
}
