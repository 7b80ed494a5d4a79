package report

import (
	"fmt"
	"slices"
	"strings"
)

// A Verdict says what is known about the completeness of the data. The greater one is the worse.
type Verdict int

// The verdicts.
const (
	// It ended as the API's own rules say.
	Complete Verdict = iota
	// It was ended by a bound of the configuration, or something looks odd.
	Unverified
	// There is evidence that items are missing.
	Incomplete
)

var verdicts = [...]string{"complete", "unverified", "incomplete"}

// String returns the verdict as the report writes it.
func (v Verdict) String() string { return verdicts[v] }

// MarshalText implements encoding.TextMarshaler.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown verdict %q (have %s)", text, strings.Join(verdicts[:], ", "))
	}
	*v = Verdict(i)
	return nil
}
