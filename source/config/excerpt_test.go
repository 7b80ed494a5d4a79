package config_test

import (
	"strings"
	"testing"

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
		{"before much text", `{"a" "` + long, "    1 | {\"…\" \"" + strings.Repeat("x", 93) + "…\n      |      ^"},
		{"before a long name", `{"a":1 "` + long + `": 1}`, "    1 | {\"a\":… \"" + strings.Repeat("x", 91) + "…\n      |        ^"},
		{"in a line without end", `["` + long + long + `", 1 "` + long + long, "    1 | [\"…\", … \"" + strings.Repeat("x", 90) + "…\n      |         ^"},
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
		`{"url": "https://h" "#password": "x", "b": ["y", 1]}`: `{"url": "…" "…": "…", "b": ["…", …]}`,
		`{"on": yes, "#password": yes, "#pin": 1}`:             `{"on": yes, "#password": …, "#pin": …}`,
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

func TestAnExcerptShowsOnlyTheValueThatItIsAbout(t *testing.T) {
	text := `{"baseUrl": "https://u:c4n4ry@h", "limit": 10, "user": "bob", "#pin": 1234, "Authorization": ["c4n4ry"], ` +
		"\n" + `"loginRequest": {"method": "c4n4ry"}, "endpoint": "x?api_key=c4n4ry", "list": ["a", "b"]}`
	for _, c := range []struct{ path, want string }{
		{"user", `{"baseUrl": "…", "limit": …, "user": "bob", "#pin": …, "Authorization": ["…"],`},
		{"limit", `{"baseUrl": "…", "limit": 10, "user": "…", "#pin": …, "Authorization": ["…"],`},
		{"baseUrl", `{"baseUrl": "…", "limit": …, "user": "…", "#pin": …, "Authorization": ["…"],`},
		{"#pin", `{"baseUrl": "…", "limit": …, "user": "…", "#pin": …, "Authorization": ["…"],`},
		{"Authorization[0]", `{"baseUrl": "…", "limit": …, "user": "…", "#pin": …, "Authorization": ["…"],`},
		{"loginRequest.method", `"loginRequest": {"method": "…"}, "endpoint": "…", "list": ["…", "…"]}`},
		{"endpoint", `"loginRequest": {"method": "…"}, "endpoint": "…", "list": ["…", "…"]}`},
		{"list[1]", `"loginRequest": {"method": "…"}, "endpoint": "…", "list": ["…", "b"]}`},
		{"list", `"loginRequest": {"method": "…"}, "endpoint": "…", "list": ["…", "…"]}`},
	} {
		t.Run(c.path, func(t *testing.T) {
			p := &config.Problems{}
			node := find(config.Parse("api.json", []byte(text), p), c.path)
			p.Errorf(node, "is wrong")
			excerpt := p.All()[0].Excerpt
			line, caret, _ := strings.Cut(excerpt, "\n")
			if got := line[len("    1 | "):]; got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if at := []rune(line)[strings.Index(caret, "^")]; !strings.ContainsRune(`"[1…`, at) {
				t.Errorf("the caret stands below %c:\n%s", at, excerpt)
			}
		})
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
