package run

import (
	"testing"
)

func TestAnIdentitySaysWhatDiffers(t *testing.T) {
	one := &runIdentity{RunID: "a", Configuration: "1", Flags: map[string]string{"--format": "csv", "--job": "x"}}
	for want, other := range map[string]*runIdentity{
		"": {RunID: "a", Configuration: "1", Flags: map[string]string{"--format": "csv", "--job": "x"}, Date: "2026-01-01"},
		`--run-id is "a" in this process and "b" in the earlier one`:                                                             {RunID: "b", Configuration: "1", Flags: one.Flags},
		`--envelope is "" in this process and "true" in the earlier one; --job is "x" in this process and "" in the earlier one`: {RunID: "a", Configuration: "1", Flags: map[string]string{"--format": "csv", "--envelope": "true"}},
		"the configuration, or an attribute that is not secret, differs":                                                         {RunID: "a", Flags: one.Flags},
	} {
		if got := one.differs(other); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
