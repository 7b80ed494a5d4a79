package paginate_test

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

// at is an address that was asked for.
type at string

func (a at) Address() string { return string(a) }

func (a at) Numbers() evidence.Numbers { return nil }

const byLink = `{"method":"response.url","urlHeader":"Link"}`

// followLink returns where a header Link leads to: an address, or empty; or why nowhere.
func followLink(t testing.TB, paging *paginate.Paging, s *paginate.State, link string) (string, error) {
	t.Helper()
	if s.Asked == nil {
		if _, err := paging.First(s, &paginate.Job{}); err != nil {
			t.Fatal(err)
		}
	}
	a := evidence.Answer{Items: 1, Hash: uint64(s.Pages + 1), First: uint64(s.Pages + 1), Asked: at("http://a.test/x/y?z=1"), Header: http.Header{"Link": {link}}}
	f := &paginate.Facts{Answer: a, Values: []jsontext.Value{item.Quote(link)}}
	out, err := paging.Judge(s, &paginate.Job{}, f)
	if err != nil || out.Stop != nil {
		return "", err
	}
	return out.Next.Endpoint, nil
}

func TestAHeaderLinkLeadsToItsNextPage(t *testing.T) {
	paging := mustCompile(t, byLink, "")
	for link, want := range map[string]string{
		`<http://b.test/2>; rel="next"`:           "http://b.test/2",
		`</2>;rel=next`:                           "http://a.test/2",
		`<2>;REL=NEXT`:                            "http://a.test/x/2",
		`<?page=2&q=a%2Cb>; rel="prev Next	last"`: "http://a.test/x/y?page=2&q=a%2Cb",
		` , ,</2> ; rel = 'next' ,`:               "http://a.test/2",
		`</1>; rel=prev, </2>; title="a, b; rel=x \" \\"; rel=next`: "http://a.test/2",
		`</2>; rel=next, </2>; rel=next; type=text/html`:            "http://a.test/2",
		`</2?a=b,c;d>; hreflang*=UTF-8''de; rel=next;;x`:            "http://a.test/2?a=b,c;d",
		``:                                      "",
		`</2>`:                                  "",
		`</2>; rel`:                             "",
		`<>; rel=next`:                          "",
		`</2>; rel=prev; rel=next`:              "",
		`</2>; title="rel=next"`:                "",
		`</2>; rel=next; results="false"`:       "",
		`</2>; rel="http://rels.test/next"`:     "",
		`</2; rel=next`:                         "error",
		`</2>; rel="ne\xt"`:                     "http://a.test/2",
		`</2>; rel="ne\\xt"`:                    "",
		`</2>; rel="next`:                       "error",
		`</2>; rel="next\`:                      "error",
		`</2> rel=next`:                         "error",
		`</1>; rel=prev; </2>; rel=next`:        "error",
		`/2; rel=next`:                          "error",
		`</2>; rel=next, </3>; rel="prev next"`: "error",
	} {
		got, err := followLink(t, paging, &paginate.State{}, link)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s leads to %q, %v, want %q", link, got, err, want)
		}
	}
}

func TestPagesUpToTheLastOfAHeaderLinkAreKnown(t *testing.T) {
	links := func(next, last string) string { return "<" + next + ">; rel=next, <" + last + ">; rel=last" }
	paging := mustCompile(t, byLink, "")
	for _, c := range []struct{ next, last, third, fourth string }{
		{"http://a.test/?page=2", "http://a.test/?page=4", "http://a.test/?page=3", "http://a.test/?page=4"},
		{"/?page=2&n=5", "?n=5&page=4", "", ""},
		{"?q=a&page%5Bnumber%5D=2", "?q=a&page%5Bnumber%5D=3", "http://a.test/x/y?q=a&page%5Bnumber%5D=3", ""},
		{"?page=2", "?page=2", "", ""},
		{"?page=02", "?page=4", "", ""},
		{"?offset=50", "?offset=900", "", ""},
		{"?page=2&t=a", "?page=4&t=b", "", ""},
		{"/a?page=2", "/b?page=4", "", ""},
		{"?page=x", "?page=y", "", ""},
	} {
		s := &paginate.State{}
		if _, err := followLink(t, paging, s, links(c.next, c.last)); err != nil {
			t.Fatal(err)
		}
		for page, want := range map[int]string{3: c.third, 4: c.fourth} {
			got := ""
			if r := paging.Guess(&paginate.Job{}, s, page); r != nil {
				got = r.Endpoint
			}
			if got != want {
				t.Errorf("page %d after %s would be at %q, want %q", page, c.next, got, want)
			}
		}
	}
	s := &paginate.State{}
	for _, link := range []string{links("?page=2&t=a", "?page=9&t=a"), links("?page=3&t=b", "?page=9&t=b"), links("?page=4&t=b", "?page=9&t=b")} {
		if _, err := followLink(t, paging, s, link); err != nil {
			t.Fatal(err)
		}
	}
	if r := paging.Guess(&paginate.Job{}, s, 5); r != nil {
		t.Errorf("pages are counted although that led elsewhere: %s", show(r))
	}
}

// FuzzLink writes links as servers do, and reads them back; and reads what may be no link.
func FuzzLink(f *testing.F) {
	f.Add("http://a.test/?page=2", "prev next", "title", `a, b; rel="next"`, ` </1>; rel=prev`, uint8(0))
	f.Add("/2?a=b,c;d", "NEXT", "x", `\`, `<a>; y="`, uint8(255))
	paging := mustCompile(f, byLink, "")
	f.Fuzz(func(t *testing.T, target, relations, name, value, text string, shape uint8) {
		if !utf8.ValidString(target + relations + name + value + text) {
			t.Skip("JSON has no such text")
		}
		if _, err := followLink(t, paging, &paginate.State{}, text); err == nil {
			got, err := followLink(t, paging, &paginate.State{}, text+", <http://zz.test/>; rel=next")
			if err == nil && got != "http://zz.test/" || err != nil && !strings.Contains(err.Error(), "two next pages") {
				t.Errorf("after %q a link leads to %q, %v", text, got, err)
			}
		}
		if target = "http://b.test/" + target; strings.Contains(target, ">") || strings.TrimSpace(target) != target || strings.ContainsAny(name, "=;,\" \t<>/") || strings.EqualFold(name, "rel") || strings.EqualFold(name, "results") {
			t.Skip("a link is written otherwise")
		}
		quote := func(s string) string {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		}
		blank := strings.Repeat(" ", int(shape&3))
		params := []string{name + blank + "=" + quote(value), "rel=" + blank + quote(relations)}
		if shape&4 != 0 {
			params[0], params[1] = params[1], params[0]
		}
		link := "<" + target + ">" + blank + ";" + strings.Join(params, blank+";"+blank)
		if shape&8 != 0 {
			link = "</0>; rel=prev" + blank + "," + link
		}
		if shape&16 != 0 {
			link += ",</9>; rel=\"last\"; " + name + "=" + quote(value)
		}
		want := ""
		for relation := range strings.FieldsSeq(strings.ToLower(relations)) {
			if relation == "next" {
				want = target
			}
		}
		if got, err := followLink(t, paging, &paginate.State{}, link); err != nil || got != want {
			t.Errorf("%q leads to %q, %v, want %q", link, got, err, want)
		}
	})
}
