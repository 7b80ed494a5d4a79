package evidence_test

import (
	"net/http"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// BenchmarkSigns is of a page with little around its items, as most pages have.
func BenchmarkSigns(b *testing.B) {
	total := item.Found{Path: item.Path{"total"}, Value: []byte("10000")}
	meta := item.Found{Path: item.Path{"meta"}, Value: []byte(`{"page":7,"more_info":"none","has_more":true}`)}
	a := &evidence.Answer{
		Items:  1,
		Array:  true,
		Around: []item.Found{meta, total},
		Header: http.Header{"Content-Type": {"application/json"}},
		Asked:  at("https://a.test/x?limit=1&offset=7"),
	}
	reads := map[string]evidence.Reads{"sized": {Sized: true, Size: 1}, "not sized": {}}
	for name, r := range reads {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.Signs(r)
			}
		})
	}
}

// BenchmarkNotable is of the names of members beside the items.
func BenchmarkNotable(b *testing.B) {
	names := [][]byte{[]byte(`"total"`), []byte(`"meta"`), []byte(`"has_more"`), []byte(`"request_id"`)}
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			evidence.Notable(name)
		}
	}
}
