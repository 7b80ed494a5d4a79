package cli

import (
	"github.com/spf13/pflag"

	"sluice/source/transport"
)

// trafficFlags write the HTTP traffic down, or run from it.
func trafficFlags(f *pflag.FlagSet) {
	f.String("record", "", "write the HTTP traffic to files in `DIR`, secrets removed")
	f.String("replay", "", "run from the traffic that --record has written to `DIR`, without network")
}

// traffic applies trafficFlags. The recorder is started when nothing else is
// wrong.
func (e *extraction) traffic(c invocation) error {
	record, replay := c.String("record"), c.String("replay")
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
