package request_test

import (
	"io"
	"net/http"
	"testing"

	"sluice/source/request"
)

// in are parameters that name a part.
func in(part request.RequestPart, text string) request.Params { return params(text).Into(part) }

func TestAParameterStandsInThePartThatItNames(t *testing.T) {
	const query, body = request.InQuery, request.InBody
	for name, c := range map[string]struct {
		method                request.Method
		params                request.Params
		login, over           string
		sent, query, has, typ string
	}{
		"the query of a POST": {
			method: request.Post, params: append(params("a=1"), in(query, "a=2\nb=[3]")...),
			sent: "POST", query: "a=2&b%5B0%5D=3", has: `{"a":1}`, typ: "application/json",
		},
		"that of a FORM": {
			method: request.Form, params: append(params("a=1"), in(query, "a=2")...),
			sent: "POST", query: "a=2", has: "a=1", typ: "application/x-www-form-urlencoded",
		},
		"the body of a GET": {
			method: request.Get, params: append(params("a=1"), in(body, "a=2\nb=null")...),
			sent: "GET", query: "a=1", has: `{"a":2,"b":null}`, typ: "application/json",
		},
		"an empty body of a GET": {
			method: request.Get, params: request.Params(nil).Group(body), sent: "GET", has: "{}", typ: "application/json",
		},
		"an empty body of a POST": {
			method: request.Post, params: request.Params(nil).Group(body), sent: "POST", has: "{}", typ: "application/json",
		},
		"what it has anyway": {
			method: request.Get, params: append(params("a=1"), in(query, "b=2")...), sent: "GET", query: "a=1&b=2",
		},
		"pairs are those of the address": {
			method: request.Post, params: append(in(body, "a=1"), in(query, "b=2")...), login: "a=3\nb=4",
			sent: "POST", query: "a=3&b%5B0%5D=2&b%5B1%5D=4", has: `{"a":1}`, typ: "application/json",
		},
		"overrides leave the body alone": {
			method: request.Get, params: append(params("a=1"), in(body, "a=2")...), over: "a=9",
			sent: "GET", query: "a=9", has: `{"a":2}`, typ: "application/json",
		},
		"those of the query of a POST too": {
			method: request.Post, params: append(params("a=1"), in(query, "a=2")...), over: "a=9",
			sent: "POST", query: "a=9", has: `{"a":1}`, typ: "application/json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := request.Request{Method: c.method, URL: address(t, "https://h/p"), Params: c.params, Login: params(c.login)}
			if c.over != "" {
				r.Override(params(c.over))
			}
			h, err := r.HTTP(t.Context(), r.Address(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var has []byte
			if h.Body != nil {
				has, _ = io.ReadAll(h.Body)
			}
			if h.Method != c.sent || h.URL.RawQuery != c.query {
				t.Errorf("got %s %s", h.Method, h.URL)
			}
			if string(has) != c.has || h.Header.Get("Content-Type") != c.typ {
				t.Errorf("got %s of %q", has, h.Header.Get("Content-Type"))
			}
		})
	}
}

func TestParametersOfOtherPartsLeaveEachOtherAlone(t *testing.T) {
	const query, body = request.InQuery, request.InBody
	own := append(params("a=1\nb=2"), in(body, "a=3")...)
	got := own.Merge(append(params("b=4"), in(body, "a=5\nc=6")...))
	got = got.Set(in(query, "a=7")[0]).Without(in(body, "c=0")[0])
	r := request.Request{Method: request.Form, URL: address(t, "https://h/p"), Params: got}
	if shown := show(got); shown != "a=1 b=4 a=5 a=7" || r.Address() != "https://h/p?a=7" {
		t.Errorf("got %s, %s", shown, r.Address())
	}
	// A GET has its own in the query.
	if shown := show(in(query, "a=1").For(request.Get).Merge(params("a=2"))); shown != "a=2" {
		t.Errorf("got %s", shown)
	}
	if got.Index(in(body, "a=0")[0]) != 2 || got.Index(in(body, "b=0")[0]) != -1 {
		t.Errorf("it is not found where it is: %s", show(got))
	}
}

func TestWhatIsHiddenStaysInItsPart(t *testing.T) {
	key := request.Param{Name: "k", Value: []byte(`"x"`), Secret: true}
	r := request.Request{Method: request.Get, URL: address(t, "https://h/p"), Params: request.Params{key}.Into(request.InBody)}
	if r.Redacted(nil) != "https://h/p" || r.RedactedBody(nil) != `{"k":"[secret]"}` {
		t.Errorf("got %s with %s", r.Redacted(nil), r.RedactedBody(nil))
	}
	r.Method, r.Params = request.Post, request.Params{key}.Into(request.InQuery)
	if r.Redacted(nil) != "https://h/p?k=[secret]" || r.RedactedBody(nil) != `[]` {
		t.Errorf("got %s with %s", r.Redacted(nil), r.RedactedBody(nil))
	}
	// Another origin may see neither.
	if theirs := r.Foreign(request.ParseQuery("k=x&a=1"), nil); show(theirs) != "raw a=1" {
		t.Errorf("got %s", show(theirs))
	}
}

func TestTheBodyOfAGetIsAFormIfAHeaderSaysSo(t *testing.T) {
	const body = request.InBody
	for kind, want := range map[string]string{
		"application/x-www-form-urlencoded":                "a=b+c&d%5B0%5D=1",
		"Application/X-WWW-Form-Urlencoded; charset=utf-8": "a=b+c&d%5B0%5D=1",
		"application/json":                                 `{"a":"b c","d":[1]}`,
	} {
		r := request.Request{
			Method: request.Get, URL: address(t, "https://h/p"), Params: in(body, "a=\"b c\"\nd=[1]"),
			Header: http.Header{"Content-Type": {kind}},
		}
		h, err := r.HTTP(t.Context(), r.Address(), nil)
		if err != nil {
			t.Fatal(err)
		}
		has, _ := io.ReadAll(h.Body)
		if string(has) != want || h.URL.RawQuery != "" || h.Header.Get("Content-Type") != kind {
			t.Errorf("%s: got %s, want %s", kind, has, want)
		}
	}
}
