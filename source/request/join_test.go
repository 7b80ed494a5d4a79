package request_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"sluice/pipeline/secret"
	"sluice/source/request"
)

// parts reads an endpoint in which a value stands in <>: !<> is a secret, %<> is escaped already, and *<> is one
// reference alone.
func parts(text string) (all []request.EndpointPiece) {
	for text != "" {
		literal, rest, found := strings.Cut(text, "<")
		sign := literal[max(len(literal)-1, 0):]
		isSign := found && slices.Contains([]string{"!", "%", "*"}, sign)
		if isSign {
			literal = literal[:len(literal)-1]
		}
		all = append(all, request.EndpointPiece{Text: literal})
		if !found {
			return all
		}
		value, rest, _ := strings.Cut(rest, ">")
		all = append(all, request.EndpointPiece{
			Text:    value,
			Name:    "attr \"v\"",
			Secret:  isSign && sign == "!",
			Escaped: isSign && sign == "%",
			Whole:   isSign && sign == "*",
		})
		text = rest
	}
	return all
}

func TestValuesInAnEndpointAreEscaped(t *testing.T) {
	for text, want := range map[string]struct{ text, shown string }{
		"a/<b c/d?e#f%>/g":             {"a/b%20c/d%3Fe%23f%25/g", ""},
		"a?b=<c d&e=/>&f=<1>":          {"a?b=c+d%26e%3D%2F&f=1", ""},
		"%<a+b%2F>/%<c>":               {"a%20b%2F/c", ""},
		"a?b=%<c+d>":                   {"a?b=c+d", ""},
		"*<reports?x=1#y>":             {"reports?x=1", ""},
		"<reports?x=1>":                {"reports%3Fx=1", ""},
		"<https://h.test/a?x=1>":       {"https://h.test/a?x=1", ""},
		"<https://h.test/a?x=1>?y=<2>": {"https://h.test/a?x=1&y=2", ""},
		"</v2>/users":                  {"/v2/users", ""},
		"*<a?b><>":                     {"a%3Fb", ""},
		"<><https://h.test/?>":         {"https://h.test/%3F", ""},
		"v/</v2>":                      {"v//v2", ""},
		"bot!<12:a/b c>/get":           {"bot12:a/b%20c/get", "bot[secret]/[secret]/get"},
		"a?key=!<1&2>&b=3":             {"a?key=1%262&b=3", "a?key=[secret]&b=3"},
		"!<https://h.test/a/b?x=1&y>":  {"https://h.test/a/b?x=1&y", "https://h.test/[secret]/[secret]?x=[secret]&y=[secret]"},
		"!<a://b>":                     {"a://b", "[secret]//[secret]"},
	} {
		got, shown, err := request.Join(parts(text), false)
		if got != want.text || shown != want.shown || err != nil {
			t.Errorf("%s became %q, shown as %q: %v", text, got, shown, err)
		}
	}
}

func TestBracesOfValuesAreNoPlacesForNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"a/<{page}>/{page}":           "a/%7Bpage%7D/{page}",
		"*<https://h.test/?q={page}>": "https://h.test/?q=%7Bpage%7D",
	} {
		got, _, err := request.Join(parts(text), true)
		if got != want || err != nil {
			t.Errorf("%s became %q: %v", text, got, err)
		}
	}
}

func TestAValueThatLeadsElsewhereIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a/<..>/b":    "the value \"..\" makes a segment",
		"a/<b/../..>": "makes a segment",
		"a/.<.>":      "makes a segment",
		"a/<.><.>":    "makes a segment",
		"a/<%2e>.":    "",
		"a/!<..>/b":   "attr \"v\": its value makes a segment",
		"a/<..>b":     "",
		"../<a>?<..>": "",
	} {
		_, _, err := request.Join(parts(text), false)
		isSame := err == nil && want == ""
		if err != nil && want != "" {
			isSame = strings.Contains(err.Error(), want)
		}
		if !isSame {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestSecretsInAPathAreHiddenHoweverShort(t *testing.T) {
	base, _ := url.Parse("https://h.test/v1/")
	resolve := func(endpoint string) (*url.URL, request.Params, error) { return request.ResolveAt(base, endpoint) }
	for text, want := range map[string]string{
		"bot!<12>/get":                "https://h.test/v1/bot[secret]/get",
		"a/!<1/2>/b?x=!<3>&y=4":       "https://h.test/v1/a/[secret]/[secret]/b?x=[secret]&y=4",
		"!<https://other.test/a?b=c>": "https://other.test/[secret]?b=[secret]",
		"a/!<ü \"{%&}>?b=!<1 2>":      "https://h.test/v1/a/[secret]?b=[secret]",
	} {
		endpoint, shown, err := request.Join(parts(text), false)
		if err != nil {
			t.Fatal(text, err)
		}
		u, query, err := resolve(endpoint)
		if err != nil {
			t.Fatal(text, err)
		}
		r := &request.Request{URL: u}
		r.Endpoint, r.Hide = request.Conceal(u, query, shown, resolve)
		if got := r.Redacted(&secret.Set{}); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
		_, query, _ = resolve(endpoint)
		if r.Address() != (&request.Request{URL: u, Endpoint: query}).Address() {
			t.Errorf("%s is sent as %s", text, r.Address())
		}
	}
}

func TestSecretsAreHiddenWhereAnAnswerLeads(t *testing.T) {
	base, _ := url.Parse("https://h.test/v1/")
	resolve := func(endpoint string) (*url.URL, request.Params, error) { return request.ResolveAt(base, endpoint) }
	u, query, _ := resolve("t/12/x")
	r := &request.Request{}
	_, r.Hide = request.Conceal(u, query, "t/[secret]/x", resolve)
	for at, want := range map[string]string{
		"https://h.test/v1/t/12/x?page=2": "https://h.test/v1/t/[secret]/x?page=2",
		"https://other.test/a/b/c/12":     "https://other.test/a/b/c/[secret]",
		"https://h.test/v1/t/34/x?page=2": "https://h.test/v1/t/[secret]/x?page=2",
		"https://h.test/v1/t/34/y":        "https://h.test/v1/t/34/y",
		"https://h.test/v1/t/34":          "https://h.test/v1/t/34",
	} {
		to, _ := url.Parse(at)
		if got := r.Shown(to, &secret.Set{}); got != want {
			t.Errorf("%s is shown as %s, want %s", at, got, want)
		}
	}
}

func TestTheHostOfAnEndpointIsNamedWhereNobodyHidesIt(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "api.test:8080", Path: "/v1/"}
	for text, want := range map[string]string{
		"users/<1>":                        "api.test:8080",
		"!<key>/users":                     "api.test:8080",
		"https://other.test/users/!<key>":  "other.test",
		"*<https://other.test/a>":          "other.test",
		"https://ann:pw@other.test/users":  "other.test",
		"!<https://key.test/a>":            "",
		"https://!<key>.test/a":            "",
		"https://other.test<.example>/a":   "",
		"https://[not an address]/a/<1>/b": "",
	} {
		if got := request.HostOf(parts(text), base); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
