package convert

import "sluice/cli/discover/airbyte/jq"

// Filter is the filter of jq for the items of the stream; empty: they need none.
func (s *Stream) Filter() string { return jq.Filter(s.Steps) }

// Program is that of jq for all streams whose items are to be changed; empty: there are none.
func Program(streams []*Stream) string {
	var parts []jq.Change
	for _, s := range streams {
		if len(s.Steps) > 0 {
			parts = append(parts, jq.Change{Stream: s.Name, Steps: s.Steps})
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return jq.Program(parts)
}
