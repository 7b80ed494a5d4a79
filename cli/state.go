package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"
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

// withState calls do, and then writes to the file when the run began. A failed run
// leaves the file as it was; an empty name is no file.
func withState(ctx context.Context, file string, began time.Time, do func() error) error {
	f, err := openSideFile(ctx, "--state", file)
	if err != nil {
		return err
	}
	defer f.close()
	if err := do(); err != nil {
		return err
	}
	return f.write(ctx, fmt.Appendf(nil, "{\"time\":{\"previousStart\":%d}}\n", began.Unix()))
}
