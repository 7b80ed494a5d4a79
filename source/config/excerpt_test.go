package config_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/fixtures/cases"
	"sluice/source/config"
)

func TestTheCaretStandsBelowThePlace(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ name, text, want string }{
		{"at the beginning", `]`, "    1 | ]\n      | ^"},
		{"in a later line", "{\n  \"a\": 1\n  \"b\": 2\n}", "    3 |   \"b\": …\n      |   ^"},
		{"after tabs", "{\n\t\"a\":\t'b'}", "    2 |  \"a\": 'b'}\n      |       ^"},
		{"after multi-byte characters", `{"äöü": 'b'}`, "    1 | {\"äöü\": 'b'}\n      |         ^"},
		{"after wide characters", `{"日本": 'b'}`, "    1 | {\"日本\": 'b'}\n      |          ^"},
		{"after combining characters", "{\"e\u0301\": 'b'}", "    1 | {\"e\u0301\": 'b'}\n      |       ^"},
		{"in a line that ends as Windows has it", "{\r\n\"a\": ]\r\n}", "    2 | \"a\": ]\n      |      ^"},
		{"after what does not show", "{\"\u202e\u0085\": 'b'}", "    1 | {\"\uFFFD\uFFFD\": 'b'}\n      |        ^"},
		{"on invalid UTF-8", "{\xff", "    1 | {\uFFFD\n      |  ^"},
		{"after much text", `{"` + long + `": 'b'}`, "    1 | …" + strings.Repeat("x", 62) + "\": 'b'}\n      | " + strings.Repeat(" ", 66) + "^"},
		{"before much text", `{"a" 1, "` + long + `": 2`, "    1 | {\"…\" 1, \"" + strings.Repeat("x", 90) + "…\n      |      ^"},
		{"before a long name", `{"a":1 "` + long + `": 1}`, "    1 | {\"a\":… \"" + strings.Repeat("x", 91) + "…\n      |        ^"},
		{"in a line without end", `["` + long + long + `", 1 "` + long + long, "    1 | [\"…\", … …\n      |         ^"},
		{"at the end of a file", "{\n  \"a\": 1\n\n", "    2 |   \"a\": 1\n      |         ^"},
		{"where only brackets follow", `{"a":[1,]}`, "    1 | {\"a\":[1,]}\n      |        ^"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, _ := strings.Cut(problems(c.text), "\n")
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A value that a person must not see stands as canary in each document.
const canary = "c4n4ry"

func TestAnExcerptOfBrokenTextShowsNoSecret(t *testing.T) {
	for _, text := range []string{
		`{"#password": "c4n4ry" "x": 1}`,
		`{"#password": "c4n4ry}`,
		`{"#password": "c4n4ry,` + "\n" + `"x": 1}`,
		`{"#password": "ab"c4n4ry", "x": 1}`,
		`{"#password": "ab" "c4n4ry": 1}`,
		`{"#password": "ab\xc4n4ry"}`,
		`{"#password": "\ud800c4n4ry"}`,
		"{\"#password\": \"ab\tc4n4ry\"}",
		"{\"#password\": \"ab\xffc4n4ry\"}",
		`{"#password": c4n4ry}`,
		`{"#password": c4n4ry: 1}`,
		`{"#password": 'c4n4ry'}`,
		`{"#password": “c4n4ry”}`,
		`{"#password" "c4n4ry"}`,
		`{"#password"= "c4n4ry"}`,
		`{"#password:" "c4n4ry"}`,
		`{"#password: "c4n4ry"}`,
		`{"#password: "c4n4ry:x"}`,
		`{"#password: c4n4ry", "x": 1}`,
		`{"#password: c4n4ry` + "\n}",
		`{"#password": ["a", {"b": "c4n4ry",}]}`,
		`{"#password": ["a" "c4n4ry"]}`,
		`{"#password":` + "\n" + `"c4n4ry" x}`,
		`{'password': "c4n4ry"}`,
		`{password: "c4n4ry"}`,
		`{password: c4n4ry}`,
		`{"a": 1, "b" 2, "password": "c4n4ry"}`,
		`{"loginRequest": {"params": {"user": "c4n4ry",}}}`,
		`{"loginRequest": {"params": {"user":` + "\n" + ` c4n4ry}}}`,
		`{"Authorization": {"args": ["Bearer ", "c4n4ry"}`,
		`{"pass\u0077ord": "\u0063c4n4ry", ]`,
		`{"#password": "` + strings.Repeat("x", 500) + `c4n4ry", "b" 2}`,
		`{"#password" "` + strings.Repeat("x", 50) + `c4n4ry", "b" 2}`,
		`{"url": "https://u:c4n4ry@h", "b" 2}`,
		`{"a": "" "b, "#password": "c4n4ry"}`,
	} {
		if got := problems(text); got == "" || strings.Contains(got, "c4n4") {
			t.Errorf("%s\nis shown as %s", text, got)
		}
	}
}

func TestAnExcerptOfBrokenTextShowsNamesAndSigns(t *testing.T) {
	for text, want := range map[string]string{
		`{"url": "https://h" "#password": "x", "b": ["y", 1]}`: `{"url": "…" "#password": "…", "…": ["…", …]}`,
		`{"on": yes, "#password": yes, "#pin": 1}`:             `{"on": yes, "#password": …, "…": …}`,
		"{\"#password\": \"x\"\n\"limit\": 5}":                 `"…": …}`,
		`{"#password": "x" "limit": 5}`:                        `{"#password": "…" "…": …}`,
		`{"headers": {"Authorization": "x",}}`:                 `{"headers": {"Authorization": "…",}}`,
		`{"a": 1, // why`:                                      `{"a": …, // …`,
	} {
		_, got, _ := strings.Cut(strings.Split(problems(text), "\n")[1], "| ")
		if got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}

func TestAnExcerptHidesOnlyWhatMayBeSecret(t *testing.T) {
	text := `{"baseUrl": "https://u:c4n4ry@h", "limit": 10, "user": "bob", "#pin": 1234, "Authorization": ["c4n4ry"], ` +
		"\n" + `"loginRequest": {"method": "PSOT", "params": {"user": "c4n4ry"}}, "endpoint": "x?api_key=c4n4ry", "list": ["a", "b"]}`
	first := `{"baseUrl": "…", "limit": 10, "user": "bob", "#pin": …, "Authorization": ["…"],`
	second := `"loginRequest": {"method": "PSOT", "params": {"user": "…"}}, "endpoint": "…", "list": ["a", "b"]}`
	for path, want := range map[string]string{
		"user": first, "limit": first, "baseUrl": first, "#pin": first, "Authorization[0]": first,
		"loginRequest.method": second, "loginRequest.params.user": second, "endpoint": second, "list[1]": second, "list": second,
	} {
		t.Run(path, func(t *testing.T) {
			p := &config.Problems{}
			node := find(config.Parse("api.json", []byte(text), p), path)
			p.Errorf(node, "is wrong")
			excerpt := p.All()[0].Excerpt
			line, caret, _ := strings.Cut(excerpt, "\n")
			if got := line[len("    1 | "):]; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if at := []rune(line)[strings.Index(caret, "^")]; !strings.ContainsRune(`"[1…`, at) {
				t.Errorf("the caret stands below %c:\n%s", at, excerpt)
			}
		})
	}
}

// secretive has a canary in every place of a secret, and beside each something that is none.
const secretive = `{"api": {
  "baseUrl": "https://bob:c4n4ry@api.test/", "name": "plain-1", "limit": 1234,
  "http": {"headers": {"X-Api-Key": "c4n4ry", "X-Tenant": "c4n4ry"}, "defaultOptions": {"params": {"apikey": "c4n4ry", "lang": "plain-2"}}},
  "heders": {"X-Tenant": "c4n4ry"}, "ok": 1, "pagination": {"method": "plain-3", "limit": 5},
  "authentication": {"type": "plain-4", "query": {"q": "c4n4ry", "mac": {"function": "hash_hmac", "args": ["sha256", "c4n4ry"]}},
    "loginRequest": {"endpoint": "plain-5", "method": "plain-6", "params": {"user": "c4n4ry", "deep": [{"x": "c4n4ry"}]}, "headers": {"X-A": "c4n4ry"}},
    "loginReqest": {"parms": {"user": "c4n4ry"}, "body": "c4n4ry"}, "pass": "c4n4ry",
    "apiRequest": {"headers": {"X-B": {"function": "concat", "args": ["Bearer ", "c4n4ry"]}}, "query": {"t": "c4n4ry"}}, "expires": 3600}},
 "autentication": {"login": "c4n4ry"}, "authorization": {"oauth_api": {"credentials": {"appKey": "c4n4ry", "#appSecret": "c4n4ry"}}},
 "config": {"#password": "c4n4ry", "#deep": {"er": ["c4n4ry", {"n": "c4n4ry"}]}, "username": "plain-7", "pasword": "c4n4ry", "pin": 14449,
  "list": [{"name": "X-Key", "value": "c4n4ry"}, {"key": "tokn", "val": 1, "values": ["c4n4ry"]}], "pair": ["#password", "c4n4ry"],
  "jobs": [{"endpoint": "plain-8", "params": {"token": "c4n4ry", "status": "plain-9", "text": "Bearer c4n4ry"}, "headers": {"X-C": "c4n4ry"}},
   {"endpoint": "https://u:c4n4ry@h/x?a=1", "dataField": "plain-0", "params": {"q": "https://h/?access_token=c4n4ry", "key": 14449}}]}}
`

func TestAnExcerptShowsNoSecretWhereverTheErrorIs(t *testing.T) {
	p := &config.Problems{}
	walk(config.Parse("api.json", []byte(secretive), p), func(n *config.Node) { p.Errorf(n, "is wrong") })
	all := ""
	for _, problem := range p.All() {
		all += problem.String()
	}
	if strings.Contains(all, "c4n4") || strings.Contains(all, "14449") {
		t.Errorf("a canary sings: %s", all)
	}
	for i := range 10 {
		if plain := fmt.Sprintf("plain-%d", i); !strings.Contains(all, plain) {
			t.Errorf("%s is hidden", plain)
		}
	}
}

// Each mistake of one character in each place: something is left out, or stands there that should not.
func TestAnExcerptOfAnyMistakeShowsNoSecret(t *testing.T) {
	step := 37
	if cases.All() {
		step = 1
	}
	for at := 0; at < len(secretive); at += step {
		for _, wrong := range []string{"", `"`, "}", "]", ",", "{", "[", ":", "\n", `\`, "x"} {
			texts := []string{secretive[:at] + wrong + secretive[at:], secretive[:at] + wrong + secretive[at+1:]}
			for _, text := range texts {
				if got := problems(text); strings.Contains(got, "c4n4") || strings.Contains(got, "1444") {
					t.Fatalf("%q at %d: %s", wrong, at, got)
				}
			}
		}
	}
}

// find returns the node with the path.
func find(n *config.Node, path string) *config.Node {
	var found *config.Node
	walk(n, func(n *config.Node) {
		if n.Path == path {
			found = n
		}
	})
	return found
}

func walk(n *config.Node, visit func(*config.Node)) {
	visit(n)
	for _, m := range n.Members {
		walk(m.Value, visit)
	}
	for _, e := range n.Elems {
		walk(e, visit)
	}
}

// FuzzExcerpt puts a secret between two hostile texts: no message shows it.
func FuzzExcerpt(f *testing.F) {
	f.Add(`{"a": 1, `, `}`)
	f.Add(`{"a": 1 `, `, 'x'`)
	f.Add(`{"a": "\`, ``)
	f.Add(`{"a": "`, "\"\n")
	f.Add("[[{\"b\":[\"\xff\"],", `}]] tru`)
	f.Add(`{"x": "`+strings.Repeat("x", 390)+`", `, strings.Repeat(" ", 390)+`, x`)
	f.Add(`{"x": {`, `, "password": 1}}`)
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, "c4n") {
			return
		}
		p := &config.Problems{}
		n := config.Parse("api.json", []byte(before+`"password": "`+canary+`"`+after), p)
		if n != nil {
			walk(n, func(n *config.Node) { p.Errorf(n, "is wrong") })
		}
		for _, problem := range p.All() {
			if strings.Contains(problem.String(), canary) {
				t.Errorf("%s", problem)
			}
		}
	})
}
