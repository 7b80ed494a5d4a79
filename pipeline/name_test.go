package pipeline_test

import (
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
