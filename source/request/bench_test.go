package request_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"sluice/source/request"
)

// BenchmarkHTTP builds the request for a page as each attempt does: a copy, the
// paging parameters, the query, the headers.
func BenchmarkHTTP(b *testing.B) {
	u, err := url.Parse("https://api.example.com/v1/users")
	if err != nil {
		b.Fatal(err)
	}
	own := request.Params{{Name: "fields", Value: []byte(`["id","name"]`)}, {Name: "since", Value: []byte(`"2026-01-31T00:00:00Z"`)}}
	header := http.Header{"Accept": {"application/json"}, "X-Client": {"sluice"}}
	b.ReportAllocs()
	for offset := 0; b.Loop(); offset += 1000 {
		paging := request.Params{{Name: "limit", Value: []byte("1000")}, {Name: "offset", Value: strconv.AppendInt(nil, int64(offset), 10)}}
		page := &request.Request{Job: "users", Method: request.Get, URL: u, Params: own.Merge(paging), Header: header}
		r := page.Clone()
		r.Login = append(r.Login, request.Param{Name: "token", Value: []byte(`"0123456789abcdef"`), Secret: true})
		if _, err := r.HTTP(b.Context(), r.Address(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
