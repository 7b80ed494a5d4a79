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
