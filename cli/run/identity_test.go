package run

import (
	"testing"
)

func TestAnIdentitySaysWhatDiffers(t *testing.T) {
	one := &identity{RunID: "a", Configuration: "1", Flags: map[string]string{"--format": "csv", "--job": "x"}}
	for want, other := range map[string]*identity{
		"":                                   {RunID: "a", Configuration: "1", Flags: map[string]string{"--format": "csv", "--job": "x"}, Date: "2026-01-01"},
		`--run-id is "a" here and "b" there`: {RunID: "b", Configuration: "1", Flags: one.Flags},
		`--envelope is "" here and "true" there; --job is "x" here and "" there`: {RunID: "a", Configuration: "1", Flags: map[string]string{"--format": "csv", "--envelope": "true"}},
		"the configuration, or an attribute that is no secret, is another one":   {RunID: "a", Flags: one.Flags},
	} {
		if got := one.differs(other); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
