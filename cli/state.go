package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"sluice/pipeline"
)

// previousStart reads --state: when the last successful run began, in Unix seconds, and
// 0 if there was none.
func previousStart(file string) (int64, error) {
	if file == "" {
		return 0, nil
	}
	if file == "-" {
		return 0, usagef("--state -: name a file")
	}
	text, err := readFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, usagef("--state: %w", err)
	}
	type state struct {
		Time struct {
			PreviousStart int64 `json:"previousStart"`
		} `json:"time"`
	}
	var s state
	if err := json.Unmarshal(text, &s); err != nil {
		return 0, usagef(`--state: %s is not {"time": {"previousStart": …}}: %w`, file, err)
	}
	return s.Time.PreviousStart, nil
}

// nextState is what --state holds after a run that has succeeded: when it began.
func nextState(r *pipeline.Report) []byte {
	return fmt.Appendf(nil, "{\"time\":{\"previousStart\":%d}}\n", r.StartedAt.Unix())
}
