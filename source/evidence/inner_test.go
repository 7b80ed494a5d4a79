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

func TestAListWithinAnItemIsAsLongAsASizeAsksFor(t *testing.T) {
	asked := evidence.Numbers{}.Asked("limit", []byte("10")).Asked("top", []byte("3")).Asked("year", []byte("11"))
	const ten, eleven = "[1,2,3,4,5,6,7,8,9,10]", "[1,2,3,4,5,6,7,8,9,10,11]"
	cases := map[string]string{
		`{"blarg":` + ten + `}`:                       "blarg",
		`{"a":{"b":{"c":{"zuq":` + ten + `}}}}`:       "a.b.c.zuq",
		`{"a":{"b":{"c":{"d":{"zuq":` + ten + `}}}}}`: "",
		`{"columns":` + ten + `}`:                     "",
		`{"blarg":` + eleven + `,"top":[1,2,3]}`:      "",
		`{"blarg":[` + ten + `]}`:                     "",
		ten:                                           "",
	}
	for text, want := range cases {
		got := ""
		if found := evidence.AsLongAsAsked([]byte(text), asked); found != nil {
			got = found.Array.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
