package request_test

import (
	"io"
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"sluice/pipeline/secret"
	"sluice/source/request"
)

func address(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestMethodsCompareWithoutCase(t *testing.T) {
	for text, want := range map[string]request.Method{
		"": request.Get, "get": request.Get, "GET": request.Get, "Post": request.Post, "form": request.Form,
	} {
		if got, err := request.ParseMethod(text); err != nil || got != want {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	_, err := request.ParseMethod("PUT")
	if want := `unknown method "PUT" (have GET, POST, FORM)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTheMethodSaysWhereParametersTravel(t *testing.T) {
	const asJSON, asForm = "application/json", "application/x-www-form-urlencoded"
	for name, c := range map[string]struct {
		method                  request.Method
		endpoint, params, login string
		httpMethod, query       string
		contentType, body       string
	}{
		"GET": {
			method: request.Get, endpoint: "e=1", params: "a=2", login: "l=3",
			httpMethod: "GET", query: "e=1&a=2&l=3",
		},
		"POST": {
			method: request.Post, endpoint: "e=1", params: "b=\"ü/\"\na=[1.0,null,true]", login: "l=3",
			httpMethod: "POST", query: "e=1&l=3", contentType: asJSON, body: `{"b":"ü/","a":[1.0,null,true]}`,
		},
		"POST without parameters": {
			method: request.Post, httpMethod: "POST", contentType: asJSON, body: `[]`,
		},
		"POST sends null and empty values": {
			method: request.Post, params: "a=null\nb=[]\nc={}", httpMethod: "POST", contentType: asJSON, body: `{"a":null,"b":[],"c":{}}`,
		},
		"POST quotes names": {
			method: request.Post, params: "a\"b=1", httpMethod: "POST", contentType: asJSON, body: `{"a\"b":1}`,
		},
		"POST clashes only with what stands in the URL": {
			method: request.Post, endpoint: "e=1", params: "a=2", login: "a=3\ne=4",
			httpMethod: "POST", query: "a=3&e%5B0%5D=1&e%5B1%5D=4", contentType: asJSON, body: `{"a":2}`,
		},
		"FORM": {
			method: request.Form, endpoint: "e=1", params: "a=\"b c\"\nd=[1,2]\nn=null", login: "l=3",
			httpMethod: "POST", query: "e=1&l=3", contentType: asForm, body: "a=b+c&d%5B0%5D=1&d%5B1%5D=2",
		},
		"FORM without parameters": {
			method: request.Form, httpMethod: "POST", contentType: asForm,
		},
		"FORM clashes only with what stands in the URL": {
			method: request.Form, params: "a=2", login: "a=3", httpMethod: "POST", query: "a=3", contentType: asForm, body: "a=2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := request.Request{
				Method: c.method, URL: address(t, "https://h/p"),
				Endpoint: request.ParseQuery(c.endpoint), Params: params(c.params), Login: params(c.login),
			}
			h, err := r.HTTP(t.Context(), r.Address(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var body []byte
			if h.Body != nil {
				body, _ = io.ReadAll(h.Body)
			}
			if h.Method != c.httpMethod || h.URL.Path != "/p" || h.URL.RawQuery != c.query {
				t.Errorf("got %s %s", h.Method, h.URL)
			}
			if string(body) != c.body || h.ContentLength != int64(len(c.body)) || h.Header.Get("Content-Type") != c.contentType {
				t.Errorf("got %q of %d bytes, %s", body, h.ContentLength, h.Header.Get("Content-Type"))
			}
		})
	}
}

func TestHTTPSendsTheHeadersOfTheConfiguration(t *testing.T) {
	r := request.Request{Method: request.Post, URL: address(t, "https://h/p"), Header: http.Header{
		"Content-Type": {"application/vnd.api+json"}, "X-Two": {"1", "2"}, "Host": {"other.example"},
	}}
	h, err := r.HTTP(t.Context(), r.Address(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.Header.Values("Content-Type"); len(got) != 1 || got[0] != "application/vnd.api+json" {
		t.Errorf("the configured Content-Type became %v", got)
	}
	if h.Host != "other.example" || h.Header.Get("Host") != "" {
		t.Errorf("got host %q and %v", h.Host, h.Header)
	}
	h.Header.Set("X-Two", "changed")
	if r.Header.Get("X-Two") != "1" || r.Header.Get("Host") == "" {
		t.Errorf("the request's own headers became %v", r.Header)
	}
}

func TestABodyCanBeSentAgain(t *testing.T) {
	r := request.Request{Method: request.Form, URL: address(t, "https://h/p"), Params: params("a=1")}
	h, err := r.HTTP(t.Context(), r.Address(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadAll(h.Body)
	again, err := h.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(again); string(body) != "a=1" {
		t.Errorf("got %q", body)
	}
}

func TestRedactedHidesSecretsByPositionAndByValue(t *testing.T) {
	hidden := func(name, value string) request.Param {
		return request.Param{Name: name, Value: []byte(value), Secret: true}
	}
	var known secret.Set
	known.Add("hunter/2")
	for name, c := range map[string]struct {
		r    request.Request
		want string
	}{
		"a short one":              {request.Request{Params: request.Params{hidden("k", `"x"`)}}, "https://h/p?k=[secret]"},
		"a structured one":         {request.Request{Params: request.Params{hidden("k", `["x",{"y":1}]`)}}, "https://h/p?k=[secret]"},
		"one that is left out":     {request.Request{Params: request.Params{hidden("k", `null`)}}, "https://h/p"},
		"from the login":           {request.Request{Login: request.Params{hidden("t", `"ab"`)}}, "https://h/p?t=[secret]"},
		"in a pair":                {request.Request{Params: params("t=1"), Login: request.Params{hidden("t", `"ab"`)}}, "https://h/p?t%5B0%5D=1&t%5B1%5D=[secret]"},
		"a known one in the query": {request.Request{Endpoint: request.ParseQuery("k=hunter%2f2&x=1")}, "https://h/p?k=[secret]&x=1"},
		"a known one in a value":   {request.Request{Params: params(`k="my hunter/2"`)}, "https://h/p?k=my+[secret]"},
		"a known one in the path":  {request.Request{URL: &url.URL{Scheme: "https", Host: "h", Path: "/hunter/2/x"}}, "https://h/[secret]/x"},
		"user and password":        {request.Request{URL: &url.URL{Scheme: "https", Host: "h", Path: "/p", User: url.UserPassword("u", "pw")}}, "https://h/p"},
		"not in a body":            {request.Request{Method: request.Post, Params: request.Params{hidden("k", `"x"`)}}, "https://h/p"},
		"what is no secret":        {request.Request{Params: params("a=1")}, "https://h/p?a=1"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.r.URL == nil {
				c.r.URL = address(t, "https://h/p")
			}
			if c.r.Method == "" {
				c.r.Method = request.Get
			}
			sent := c.r.Address()
			if got := c.r.Redacted(&known); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if c.r.Address() != sent {
				t.Errorf("%s is sent after it was shown, before %s", c.r.Address(), sent)
			}
		})
	}
}

func TestAHeaderOfACloneLeavesTheRequestAlone(t *testing.T) {
	for name, header := range map[string]http.Header{"of some": {"X": {"1"}}, "of none": nil} {
		t.Run(name, func(t *testing.T) {
			r := &request.Request{URL: address(t, "https://h/p"), Header: header}
			c := r.Clone()
			c.SetHeader("x", "2")
			c.SetHeader("y", "3")
			if c.Header.Get("X") != "2" || c.Header.Get("Y") != "3" {
				t.Errorf("the clone has %v", c.Header)
			}
			if r.Header.Get("X") != header.Get("X") || len(r.Header) != len(header) {
				t.Errorf("the request became %v", r.Header)
			}
		})
	}
}

func TestHTTPFillsInHeadersThatAreNotConfigured(t *testing.T) {
	own := http.Header{"Accept": {"a"}, "User-Agent": {"u"}}
	for name, c := range map[string]struct {
		method       request.Method
		header, want http.Header
	}{
		"all":                  {request.Get, nil, own},
		"but for one":          {request.Get, http.Header{"Accept": {"b"}}, http.Header{"Accept": {"b"}, "User-Agent": {"u"}}},
		"but for an empty one": {request.Get, http.Header{"Accept": {""}}, http.Header{"Accept": {""}, "User-Agent": {"u"}}},
		"beside the method's":  {request.Post, nil, http.Header{"Accept": {"a"}, "User-Agent": {"u"}, "Content-Type": {"application/json"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := request.Request{Method: c.method, URL: address(t, "https://h/p"), Header: c.header}
			h, err := r.HTTP(t.Context(), r.Address(), own)
			if err != nil || !reflect.DeepEqual(h.Header, c.want) || len(own) != 2 {
				t.Errorf("got %v with %v, and own became %v", h.Header, err, own)
			}
		})
	}
}

func TestOverrideReplacesInPlaceAndAppends(t *testing.T) {
	for name, c := range map[string]struct {
		method                        request.Method
		endpoint, params, login, over string
		query, body                   string
	}{
		"a parameter of a GET": {method: request.Get, params: "a=1\nb=2\nc=3", over: "b=9\nd=8", query: "a=1&b=9&c=3&d=8"},
		"the endpoint's":       {method: request.Get, endpoint: "a=%2f&b=1&b=2", params: "c=3", over: "b=9", query: "a=%2f&b=9&c=3"},
		"of a pair, as it is":  {method: request.Get, params: "a=1", login: "a=2", over: "b=9", query: "a%5B0%5D=1&a%5B1%5D=2&b=9"},
		"the body stays":       {method: request.Form, endpoint: "a=1", params: "b=2", over: "b=9", query: "a=1&b=9", body: "b=2"},
		"by what is left out":  {method: request.Get, params: "a=1\nb=2", over: "a=null", query: "b=2"},
		"nothing":              {method: request.Get, endpoint: "a", params: "b=2", over: "", query: "a&b=2"},
	} {
		t.Run(name, func(t *testing.T) {
			r := request.Request{
				Method: c.method, URL: address(t, "https://h/p"),
				Endpoint: request.ParseQuery(c.endpoint), Params: params(c.params), Login: params(c.login),
			}
			r.Override(params(c.over))
			h, err := r.HTTP(t.Context(), r.Address(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var body []byte
			if h.Body != nil {
				body, _ = io.ReadAll(h.Body)
			}
			if h.URL.RawQuery != c.query || string(body) != c.body {
				t.Errorf("got %s %q, want %s %q", h.URL.RawQuery, body, c.query, c.body)
			}
		})
	}
}
