package report_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/pipeline/report"
)

// A billion items, or a thousand shards, must not make it more.
func TestWhatAShardTellsIsSmallAndComesBack(t *testing.T) {
	told := report.ShardItems{First: 1, Key: "id", Every: 1 << 62}
	for i := range 1 << 13 {
		told.Edges = append(told.Edges, report.Edge{Page: i, First: 1, Last: ^uint64(0), FirstKey: 3, LastKey: 4, Order: 5, Answer: 6, Texts: 7, Sum: 8})
	}
	for i := range uint64(1 << 16) {
		told.Keys = append(told.Keys, i<<48)
	}
	text, err := json.Marshal(told)
	if err != nil || len(text) > 1_500_000 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	var back report.ShardItems
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(told, back); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, cut := range []string{`{"keys":"AAAA"}`, `{"pages":"AAAAAAAAAAA="}`, `{"pages":"?"}`} {
		if json.Unmarshal([]byte(cut), &back) == nil {
			t.Errorf("%s is taken", cut)
		}
	}
}
