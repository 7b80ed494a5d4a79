package config_test

import (
	"reflect"
	"strings"
	"testing"

	"sluice/source/config"
)

// decode runs read over the object in text and returns all problems.
func decode(t *testing.T, text string, read func(*config.ObjectDecoder)) []config.Problem {
	t.Helper()
	p := &config.Problems{}
	n := config.Parse("api.json", []byte(text), p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	read(config.NewObjectDecoder(n, p))
	return p.All()
}

// texts returns the problems without their excerpts.
func texts(problems []config.Problem) string {
	var all []string
	for _, p := range problems {
		line, _, _ := strings.Cut(p.String(), "\n")
		line = strings.TrimPrefix(line, "api.json:")
		if p.Severity == "warning" {
			line = "warning: " + line
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

func TestIntTakesIntegersAndTheirTexts(t *testing.T) {
	for value, want := range map[string]int64{
		`10`: 10, `"10"`: 10, `-5`: -5, `" 7 "`: 7, `10.0`: 10, `1e3`: 1000, `"1e3"`: 1000, `9007199254740993`: 9007199254740993,
		`null`: 42,
	} {
		problems := decode(t, `{"n": `+value+`}`, func(o *config.ObjectDecoder) {
			if got, _ := o.Int("n", 42, ""); got != want {
				t.Errorf("%s: got %d, want %d", value, got, want)
			}
		})
		if len(problems) > 0 {
			t.Errorf("%s: %s", value, texts(problems))
		}
	}
	for value, shown := range map[string]string{
		`1.5`: `1.5`, `"x"`: `"x"`, `""`: `""`, `"0x10"`: `"0x10"`, `"1_0"`: `"1_0"`, `"Inf"`: `"Inf"`, `"NaN"`: `"NaN"`, `1e300`: `1e300`,
		`true`: `true`, `[1]`: `an array`, `{}`: `an object`, `"` + strings.Repeat("x", 99) + `"`: `a string`,
	} {
		problems := decode(t, `{"n": `+value+`}`, func(o *config.ObjectDecoder) {
			if got, n := o.Int("n", 42, ""); got != 42 || n != nil {
				t.Errorf("%s: got %d, %v", value, got, n)
			}
		})
		if got, want := texts(problems), "1:7: n: must be an integer, not "+shown; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestBoolTakesWhatReadsAsOne(t *testing.T) {
	for value, want := range map[string]bool{
		`true`: true, `1`: true, `"1"`: true, `"true"`: true, `false`: false, `0`: false, `"0"`: false, `""`: false, `null`: true,
	} {
		problems := decode(t, `{"b": `+value+`}`, func(o *config.ObjectDecoder) {
			if got := o.Bool("b", true, ""); got != want {
				t.Errorf("%s: got %t", value, got)
			}
		})
		if len(problems) > 0 {
			t.Errorf("%s: %s", value, texts(problems))
		}
	}
	got := texts(decode(t, `{"b": "yes"}`, func(o *config.ObjectDecoder) { o.Bool("b", true, "") }))
	if want := `1:7: b: must be true or false, not "yes"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWrongTypesAreNamed(t *testing.T) {
	got := texts(decode(t, `{"text": 1, "list": {}, "object": [1], "good": "x", "items": [1, 2]}`, func(o *config.ObjectDecoder) {
		if text := o.Text("text", "or", ""); text != "or" {
			t.Errorf("got %s", text)
		}
		if list := o.List("list", ""); list != nil {
			t.Errorf("got %v", list)
		}
		inner := o.Object("object", "")
		if inner.Node() != nil || inner.Text("x", "or", "") != "or" || inner.Object("y", "").List("z", "") != nil {
			t.Error("an object that is none has members")
		}
		inner.Require("x")
		inner.Done()
		if text, items := o.Text("good", "", ""), o.List("items", ""); text != "x" || len(items) != 2 {
			t.Errorf("got %s, %v", text, items)
		}
	}))
	want := "1:10: text: must be a string, not a number\n1:21: list: must be an array, not an object\n1:35: object: must be an object, not an array"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDoneWarnsOfUnknownMembers(t *testing.T) {
	problems := decode(t, `{"limt": 1, "limit": 2, "method": "x", "zzz": 3, "x": null}`, func(o *config.ObjectDecoder) {
		o.Int("limit", 0, "")
		o.Text("method", "", "")
		o.Done()
	})
	want := "warning: 1:2: limt: unknown member (did you mean limit?)\nwarning: 1:40: zzz: unknown member\nwarning: 1:50: x: unknown member"
	if got := texts(problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p := &config.Problems{}
	p.Warnf(nil, "odd")
	if p.Err() != nil {
		t.Error("a warning is an error")
	}
}

func TestAnUnknownMemberShowsNoValue(t *testing.T) {
	problems := decode(t, `{"pasword": "c4n4ry"}`, func(o *config.ObjectDecoder) { o.Done() })
	if got := problems[0].String(); strings.Contains(got, canary) {
		t.Error(got)
	}
}

func TestAMessageAboutASecretShowsNoValue(t *testing.T) {
	problems := decode(t, `{"#limit": "c4n4ry", "a": {"token": {"n": "c4n4ry"}}}`, func(o *config.ObjectDecoder) {
		o.Int("#limit", 0, "")
		o.Object("a", "").Object("token", "").Bool("n", false, "")
	})
	if len(problems) != 2 {
		t.Fatal(problems)
	}
	for _, p := range problems {
		if strings.Contains(p.String(), canary) || !strings.Contains(p.Text, "not a string") {
			t.Error(p)
		}
	}
}

func TestMissingAndUnsupportedMembersAreErrors(t *testing.T) {
	problems := decode(t, `{"a": {"iterations": [1], "cache": null, "more": {}, "much": false}}`, func(o *config.ObjectDecoder) {
		a := o.Object("a", "")
		a.Text("endpoint", "", "")
		a.Unsupported("is not implemented", "iterations", "cache", "more", "much")
		a.Ignored("name")
		a.Require("endpoint")
		a.Done()
		o.Object("absent", "").Require("x")
	})
	want := "1:7: a.endpoint: is missing\n1:22: a.iterations: is not implemented"
	if got := texts(problems); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFieldsDescribeTheObject(t *testing.T) {
	p := &config.Problems{}
	o := config.NewObjectDecoder(nil, p)
	o.Text("method", "offset", "How.")
	o.Int("limit", 5, "How many.")
	o.Bool("on", true, "Whether.")
	o.Object("inner", "What.").Any("x", "Any.")
	o.Require("limit")
	want := []config.KnownMember{
		{Name: "method", Type: "string", Doc: "How.", Default: `"offset"`},
		{Name: "limit", Type: "integer", Doc: "How many.", Default: "5", Required: true},
		{Name: "on", Type: "boolean", Doc: "Whether.", Default: "true"},
		{Name: "inner", Type: "object", Doc: "What."},
	}
	got := o.Fields()
	if len(got) != len(want) || len(p.All()) > 0 {
		t.Fatalf("got %+v, %v", got, p.All())
	}
	for i := range want {
		want[i].Object = got[i].Object
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
	if inner := got[3].Object.Fields(); len(inner) != 1 || inner[0].Name != "x" {
		t.Errorf("got %+v", inner)
	}
}

func TestSuggestNamesTheNearest(t *testing.T) {
	known := []string{"limit", "limitParam", "offsetParam", "method"}
	for name, want := range map[string]string{
		"limt":        " (did you mean limit?)",
		"LIMIT":       " (did you mean limit?)",
		"limitparam":  " (did you mean limitParam?)",
		"offset_para": " (did you mean offsetParam?)",
		"methdo":      " (did you mean method?)",
		"lmiit":       " (did you mean limit?)",
		"mlit":        "",
		"url":         "",
		"":            "",
	} {
		if got := config.Suggest(name, known); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := config.Suggest("x", nil); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestProblemsComeInTheOrderOfTheDocument(t *testing.T) {
	p := &config.Problems{}
	n := config.Parse("api.json", []byte("{\n\"a\": 1, \"b\": 2}"), p)
	p.Errorf(n.Member("b"), "second")
	p.Errorf(n.Member("a"), "first")
	p.Errorf(nil, "of all")
	p.Errorf(n, "of the root")
	if got, want := texts(p.All()), "of all\n1:1: of the root\n2:6: a: first\n2:14: b: second"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
