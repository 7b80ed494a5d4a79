package jq_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestTheDefinitionsDoWhatPythonDoes runs each of them by jq.
func TestTheDefinitionsDoWhatPythonDoes(t *testing.T) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("there is no jq")
	}
	text, err := os.ReadFile("definitions.jq")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ filter, item, want string }{
		{`at(["a", "0"]; 7)`, `{"a":[5]}`, `5`},
		{`at(["a", "1"]; 7)`, `{"a":[5]}`, `7`},
		{`at(["a", "-1"]; 7), at(["a", "-3"]; 7)`, `{"a":[5,6]}`, "6\n7"},
		{`at(["a", "-1"]; 7), at(["a", "0"]; 7)`, `{"a":"xy"}`, "\"y\"\n\"x\""},
		{`there(["a"])`, `{"a":null}`, `true`},
		{`map(yes)`, `[0,"",[],{},null,false,"0"]`, `[false,false,false,false,false,false,true]`},
		{`map(kept)`, `[0,"0.0",null,"x"]`, `[false,false,true,true]`},
		{`str`, `{"a":[true,null,"it's",1.5]}`, `"{'a': [True, None, \"it's\", 1.5]}"`},
		{`dump`, `{"a":[1,"b"]}`, `"{\"a\": [1, \"b\"]}"`},
		{`map(lit)`, `["True","None","-1_0",".5","x","012"]`, `[true,null,-10,0.5,"x","012"]`},
		{`map(lit)`, `["\"7\"","'it'"," 8 ","\"a\"b\"","\"\\n\\d\"","it's"]`, `["7","it",8,"\"a\"b\"","\n\\d","it's"]`},
		{`map(lit)`, `["[1, \"b\"]","[true]","[WIP]","{\"a\": 1}"]`, `[[1,"b"],"[true]","[WIP]",{"a":1}]`},
		{`map(int)`, `["7.9",-1.5,true,"x"]`, `[7,-1,1,0]`},
		{`map(float)`, `["1e2","x",true]`, `[100,0,1]`},
		{`each_("a")`, `[{"a":1},{"b":2}]`, `"[1, Undefined]"`},
		{`thin(. == null)`, `{"a":null,"b":[1,null],"c":[null,1]}`, `{"b":[1],"c":[null,1]}`},
		{`moment`, `"1970-01-02T00:00:01+01:00"`, `82801`},
		{`[["a",1],["b"]] | pairs`, `null`, `"{'a': 1, 'b': Undefined}"`},
		{`ascii`, `"abc"`, `"abc"`},
		{`has_("b")`, `["a","b"]`, `true`},
		{`renamed("a"; "x")`, `{"aa":{"ba":1}}`, `{"xx":{"bx":1}}`},
		{`snake`, `"camelCaseName"`, `"camel_case_name"`},
		{`flat(true)`, `{"a":{"b":1},"c":[2]}`, `{"c.0":2,"a.b":1}`},
	} {
		run := exec.Command(jq, "-c", string(text)+c.filter)
		run.Stdin = strings.NewReader(c.item)
		out, err := run.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%s of %s: got %s, %v, want %s", c.filter, c.item, got, err, c.want)
		}
	}
}
