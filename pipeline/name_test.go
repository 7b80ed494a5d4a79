package pipeline_test

import (
	"regexp"
	"strings"
	"testing"

	"sluice/pipeline"
)

func TestADataTypeBecomesPartOfAFileName(t *testing.T) {
	for dataType, want := range map[string]string{
		"users": "users", "Users-2": "Users-2", "api/v1/users.json": "api_v1_users_json", "/a//b/": "a_b",
		"a__b": "a_b", "_a_": "a", "größe": "gr_e", "../../etc": "etc", "a b?c=1&d": "a_b_c_1_d", "-": "-", "///": "data", "": "data",
	} {
		if got := pipeline.FileName(dataType); got != want {
			t.Errorf("%q: got %q, want %q", dataType, got, want)
		}
	}
}

// FuzzFileName makes names of anything: they lead nowhere, and are their own name.
func FuzzFileName(f *testing.F) {
	for _, dataType := range []string{"users", "../../etc", "a b?c=1&d", "größe", "\xff/\x00", ""} {
		f.Add(dataType)
	}
	f.Fuzz(func(t *testing.T, dataType string) {
		name := pipeline.FileName(dataType)
		if !plainName.MatchString(name) || strings.Contains(name, "__") || pipeline.FileName(name) != name {
			t.Errorf("%q became %q", dataType, name)
		}
	})
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9-]([A-Za-z0-9_-]*[A-Za-z0-9-])?$`)
