package evidence_test

import (
	"strings"
	"testing"

	"sluice/source/evidence"
)

func TestAListWithinAnItemGoesOnByWhatStandsBesideIt(t *testing.T) {
	cases := map[string]string{
		`{"items_page":{"cursor":"MSw1","items":[1,2]}}`:                              "items_page.items 2 items_page.cursor",
		`{"items_page":{"cursor":null,"items":[1,2]}}`:                                "",
		`{"id":7,"refunds":{"object":"list","data":[1],"has_more":true}}`:             "refunds.data 1 refunds.has_more",
		`{"id":7,"refunds":{"object":"list","data":[1],"has_more":false}}`:            "",
		`{"user":{"repos":{"nodes":[1,2],"pageInfo":{"hasNextPage":true}}}}`:          "user.repos.nodes 2 user.repos.pageInfo.hasNextPage",
		`{"a":{"nodes":[1,2],"pageInfo":{"hasNextPage":false,"endCursor":"YXQ6Mg"}}}`: "",
		`{"next":"/posts/8","tags":["a","b"]}`:                                        "",
		`{"page":{"cursor":"MSw1","items":[]}}`:                                       "",
		`[{"page":{"cursor":"MSw1","items":[1]}}]`:                                    "",
	}
	for text, want := range cases {
		got := ""
		if found := evidence.InnerOf([]byte(text)); found != nil {
			got = strings.Join([]string{found.Array.String(), string(rune('0' + found.Items)), found.At}, " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
