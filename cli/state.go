package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// state is what a run leaves for the next one (decisions.md, section 9).
type state struct {
	Time struct {
		PreviousStart int64 `json:"previousStart"` // Unix seconds
	} `json:"time"`
}

// previousStart reads --state: when the last successful run began, 0 if there
// was none.
func previousStart(file string) (int64, error) {
	if file == "" {
		return 0, nil
	}
	if file == "-" {
		return 0, usagef("--state -: name a file")
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, usagef("--state: %w", err)
	}
	var s state
	if err := json.Unmarshal(text, &s); err != nil {
		return 0, usagef(`--state: %s is not {"time": {"previousStart": …}}: %w`, file, err)
	}
	return s.Time.PreviousStart, nil
}

// withState runs do, and then records in the file when it began. A failed run
// leaves the file as it was; an empty name is no file.
func withState(ctx context.Context, file string, began time.Time, do func() error) error {
	n, err := openNote(ctx, "--state", file)
	if err != nil {
		return err
	}
	defer func() { _ = n.close() }() // what it gives up nobody needs
	if err := do(); err != nil {
		return err
	}
	var s state
	s.Time.PreviousStart = began.Unix()
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	return n.write(ctx, append(text, '\n'))
}
