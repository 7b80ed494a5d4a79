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
		if found := evidence.AsLongAsAsked([]byte(text), evidence.MostOf([]byte(text)), asked); found != nil {
			got = found.Array.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAnItemAroundAListGoesOnByWhatStandsInIt(t *testing.T) {
	const list = `[{"name":"a long name"},{"name":"another name"},{"name":"a third name"}]`
	cases := map[string]string{
		`{"has_more":true,"data":` + list + `}`:                                                  "data has_more",
		`{"has_more":false,"data":` + list + `}`:                                                 "",
		`{"total_count":7,"zuq":{"blarg":` + list + `}}`:                                         "zuq.blarg total_count",
		`{"total_count":3,"zuq":{"blarg":` + list + `}}`:                                         "",
		`{"value":[{"hits":` + list + `,"moreResultsAvailable":true}]}`:                          "value.0.hits value.0.moreResultsAvailable",
		`{"id":1,"total_count":7,"lines":` + list + `}`:                                          "",
		`{"id":null,"total_count":7,"lines":` + list + `}`:                                       "lines total_count",
		`{"Id":"r","pagination":{"pageCount":7},"lines":` + list + `}`:                           "lines pagination.pageCount",
		`{"id":1,"next":"/orders?page=2","lines":` + list + `}`:                                  "lines next",
		`{"next":"/posts/8","text":"a long text, longer than all of the tags","tags":["a","b"]}`: "",
		`{"total_count":7,"columns":` + list + `}`:                                               "",
		`{"total_count":7,"data":[{"name":"a"}]}`:                                                "",
		list: "",
	}
	for text, want := range cases {
		got := ""
		if found := evidence.InEnvelope([]byte(text), evidence.MostOf([]byte(text))); found != nil {
			got = found.Array.String() + " " + found.At
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAnObjectMayDescribeTheListBehindIt(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{`{"page":1,"total":234}`, `[1,2,3,4,5,6,7,8,9,10]`}: true,
		{`{"page":1,"total":234}`, `[1,2,3,4,5,6,7,8,9]`}:    false,
		{`{"id":1,"total":234}`, `[1,2,3,4,5,6,7,8,9,10]`}:   false,
		{`[1]`, `[1,2,3,4,5,6,7,8,9,10]`}:                    false,
		{`{"page":1}`, `{"page":2}`}:                         false,
		// The second element of NEIS holds the list.
		{`{"head":[{"total":234}]}`, `{"row":[1,2,3,4,5,6,7,8,9,10]}`}:        true,
		{`{"head":[{"total":234}]}`, `{"row":[1,2,3,4,5,6,7,8,9]}`}:           false,
		{`{"head":[{"total":234}]}`, `{"id":7,"row":[1,2,3,4,5,6,7,8,9,10]}`}: false,
	} {
		got := evidence.MayDescribe([]byte(pair[0])) && evidence.Described([]byte(pair[1])) != nil
		if got != want {
			t.Errorf("%s: %t", pair, got)
		}
	}
}
