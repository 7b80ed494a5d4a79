package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/cli/discover"
)

// TestASecretIsHeldBackWhereverItStands reads commands that have one in each place.
func TestASecretIsHeldBackWhereverItStands(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		// Arrays are looked through as objects are.
		{`curl --json '{"auth":[{"password":"SECRET"}]}' x.test`, `"auth": [{"password": {"attr": "#password"}}]`},
		{`curl --json '{"keys":["sk_live_51234SECRET4"],"ids":[1,"a"]}' x.test`, `"keys": [{"attr": "#keys"}], "ids": [1, "a"]`},
		{`curl --json '{"tokens":[["SECRET"]]}' x.test`, `"tokens": [[{"attr": "#tokens"}]]`},
		// A parameter that leads to a page may have an address in it.
		{`curl -e 'https://a.test/x?next=https%3A%2F%2Fb%2F%3Ftoken%3DSECRET' x.test`, `["https://a.test/x?next=", {"attr": "#next"}]`},
		{`curl 'x.test/a?continue=https%3A%2F%2Fb%2F%3Ftoken%3DSECRET'`, `"continue": {"attr": "#continue"}`},
		{`curl 'x.test/a?next=%2Fb%3Ftoken%3DSECRET'`, `"next": {"attr": "#next"}`},
		// Addresses need no host.
		{`curl -e '/x?token=SECRET' x.test`, `["/x?token=", {"attr": "#token"}]`},
		{`curl -e '//h/x?token=SECRET' x.test`, `["//h/x?token=", {"attr": "#token"}]`},
		{`curl -e 'h.test/?key=SECRET&a=1' x.test`, `["h.test/?key=", {"attr": "#key"}, "&a=1"]`},
		{`curl -e 'https://a.test/#/reset/abc123def456SECRET90' x.test`, `["https://a.test/#/reset/", {"attr": "#path"}]`},
		// Steps of a path have parameters.
		{`curl -e 'https://a.test/x;jsessionid=SECRET/y' x.test`, `["https://a.test/x;jsessionid=", {"attr": "#jsessionid"}, "/y"]`},
		{`curl 'x.test/a;key=SECRET'`, `"args": ["a;key=", {"attr": "#key"}]`},
		{`curl 'x.test/a?b=1;token=SECRET'`, `"b": {"attr": "#b"}`},
		// Credentials stand behind their scheme.
		{`curl -H 'X-Custom: Bearer SECRET' x.test`, `["Bearer ", {"attr": "#custom"}]`},
		{`curl --json '{"login":"Bearer SECRET"}' x.test`, `"login": {"attr": "#login"}`},
		// Texts that are JSON are looked through.
		{`curl -H 'X-Parse: {"sessionToken":"SECRET"}' x.test`, `"X-Parse": {"attr": "#parse"}`},
		{`curl 'x.test/a?f=%7B%22token%22%3A%5B%22SECRET%22%5D%7D'`, `"f": {"attr": "#f"}`},
		{`curl -d 'payload=%7B%22token%22%3A%22SECRET%22%7D' x.test`, `"payload": {"attr": "#payload"}`},
		{`curl --json '{"a":"{\"b\": \"/c?token=SECRET\"}"}' x.test`, `"a": {"attr": "#a"}`},
		{`curl --json '{"query":"{ a(token: \"SECRET\") { b } }"}' x.test`, `"query": {"attr": "#query"}`},
		// Names.
		{`curl 'x.test/a?otp=SECRET'`, `"otp": {"attr": "#otp"}`},
		{`curl -H 'X-Pwd: SECRET' x.test`, `"X-Pwd": {"attr": "#pwd"}`},
		{`curl -H 'X-Pin: SECRET' x.test`, `"X-Pin": {"attr": "#pin"}`},
		{`curl -H 'X-Sig: SECRET' x.test`, `"X-Sig": {"attr": "#sig"}`},
		// One that stands there again is sent again.
		{`curl 'x.test/a?token=SECRET&n=1&token=SECRET2'`,
			`"args": ["a?token=", {"attr": "#token"}, "&token=", {"attr": "#token2"}]}, "params": {"n": 1}`},
		{`curl 'x.test/a?abc123def456SECRET90'`, `"args": ["a?", {"attr": "#query"}]`},
	} {
		got, secrets, _ := strings.Cut(become(c.command), " #")
		if strings.Contains(got, "SECRET") || !strings.Contains(secrets, "SECRET") || !strings.Contains(got, c.want) {
			t.Errorf("%s: it lacks %s:\n%s", c.command, c.want, got)
		}
	}
}

func TestWhatIsNoSecretStaysWhereItIs(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{`curl 'x.test/a?page_token=abc123def456ghi789jkl0'`, `"page_token": "abc123def456ghi789jkl0"`},
		{`curl 'x.test/a?next=https%3A%2F%2Fb%2F%3Fpage%3D2'`, `"next": "https://b/?page=2"`},
		{`curl -H 'X-Filter: {"a": [1, "b"]}' x.test`, `"X-Filter": "{\"a\": [1, \"b\"]}"`},
		{`curl -H 'X-Kind: text/html;q=0.8' x.test`, `"X-Kind": "text/html;q=0.8"`},
		{`curl --json '{"query":"{ a(token: $token, key: \"\") { b } }"}' x.test`, `"query": "{a(token: $token, key: \"\") {b}}"`},
		{`curl -e '/a/b?c=d' x.test`, `"Referer": "/a/b?c=d"`},
		{`curl --json '{"a":[{"b":["c"]},[],{}]}' x.test`, `"a": [{"b": ["c"]}, [], {}]`},
	} {
		if got := become(c.command); !strings.Contains(got, c.want) || strings.Contains(got, "attr") {
			t.Errorf("%s: it lacks %s:\n%s", c.command, c.want, got)
		}
	}
}

func TestAHeaderThatNoServerTakesIsLeftOut(t *testing.T) {
	for _, name := range []string{"Referer", "Cookie"} {
		value := "https://a.test/" + strings.Repeat("abc123def456ghi789jkl/", 4_000)
		a, err := discover.Curl("curl -H '"+name+": "+value+"' x.test", none)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s (88015 bytes, and at most 65536 are allowed)", name)
		if len(a.LeftOut) != 1 || a.LeftOut[0] != want || len(a.Secrets) > 0 {
			t.Errorf("left out %q, %d secrets", a.LeftOut, len(a.Secrets))
		}
	}
}

func TestABodyThatNoConfigurationCanHaveIsRefusedByName(t *testing.T) {
	nested := strings.Repeat(`{"a":`, 9_000) + "1" + strings.Repeat("}", 9_000)
	for body, want := range map[string]string{
		nested: "the body is nested more than 90 deep: a configuration cannot hold it",
		`{"a":"` + strings.Repeat("v ", 600_000) + `"}`:         "the body has 1200008 bytes, and at most 1048576 are allowed",
		strings.Repeat("token=a&", 200_000):                     "the body has 1600000 bytes, and at most 1048576 are allowed",
		`{"tokens":["a"` + strings.Repeat(`,"a"`, 2_000) + `]}`: "2001 values of the command look like secrets, and at most 1000 are allowed",
	} {
		if _, err := discover.Curl("curl -d '"+body+"' x.test", none); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestARequestOfAnArchiveThatIsRefusedIsSaid(t *testing.T) {
	body := strings.Repeat(`{\"a\":`, 9_000) + "1" + strings.Repeat("}", 9_000)
	_, err := discover.ReadArchive([]byte(`{"log":{"entries":[{"request":{"method":"POST","url":"http://x.test/",` +
		`"postData":{"text":"` + body + `"}},"response":{"status":200,"content":{"text":"[{\"id\":1}]"}}}]}}`))
	want := "log.entries[0]: the body is nested more than 90 deep: a configuration cannot hold it"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
