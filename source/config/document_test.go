package config_test

import (
	"strings"
	"testing"

	"sluice/pipeline/secret"
	"sluice/source/config"
)

// Ten times as many jobs of one data type take about ten times as much to name.
func TestManyJobsOfOneDataTypeAreNamedInLinearTime(t *testing.T) {
	allocations := func(jobs int) float64 {
		n := parse(t, `{"api":{"baseUrl":"http://api.test/"},"config":{"jobs":[`+strings.Repeat(`{"endpoint":"users"},`, jobs-1)+`{"endpoint":"users"}]}}`)
		return testing.AllocsPerRun(1, func() { config.Decode(n, &secret.Set{}, &config.Problems{}) })
	}
	if few, many := allocations(200), allocations(2000); many > 15*few {
		t.Errorf("%v allocations for 200 jobs, %v for 2,000", few, many)
	}
}

func TestAFingerprintIsTheSameForOtherSecretsOnly(t *testing.T) {
	of := func(text string) string {
		var p config.Problems
		return config.Decode(config.Parse("x", []byte(text), &p), &secret.Set{}, &p).Fingerprint
	}
	const text = `{"api": {"baseUrl": "http://h/"}, "config": {"#a": "1", "#b": {"c": 2}, "d": "3", "jobs": []}}`
	if of(text) != of(strings.NewReplacer(`"1"`, `"9"`, `2`, `null`).Replace(text)) {
		t.Error("another secret makes another fingerprint")
	}
	for _, other := range []string{`"3": "3"`, `"d": "4"`, `"d": 3`, `"d": ["3"]`} {
		if of(text) == of(strings.Replace(text, `"d": "3"`, other, 1)) {
			t.Errorf("%s has the same fingerprint", other)
		}
	}
}
