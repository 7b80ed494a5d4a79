package cli

import "sluice/source/transport"

// traffic applies --record and --replay. The recorder is started when nothing else is
// wrong.
func (e *extraction) traffic() error {
	record, replay := e.record, e.replay
	var err error
	switch {
	case record != "" && replay != "":
		return usagef("--record and --replay: one of the two")
	case replay != "" && e.state != "":
		return usagef("--replay and --state: the recording says when the last successful run began")
	case replay != "":
		if e.source.Replay, err = transport.OpenReplay(replay); err != nil {
			return usagef("--replay: %w", err)
		}
		e.source.PreviousStart = e.source.Replay.PreviousStart
	case record != "":
		head := transport.Recording{Version: version, StartedAt: e.world.now().UTC(), PreviousStart: e.source.PreviousStart}
		e.source.Record = transport.NewRecorder(record, head, e.secrets)
	}
	return nil
}
