package expr_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

func match(t *testing.T, filter, value string) bool {
	t.Helper()
	f, err := expr.ParseFilter(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	return f.Match([]byte(value))
}

// A row has the filters that hold for the value and those that do not.
func TestAFilterComparesAValue(t *testing.T) {
	for _, c := range []struct{ value, holds, not string }{
		{`{"a":5}`, "a==5; a!=6; a!=5.0; a!=05; a!=+5; a!= 5; a!=5 ; a<6; a<=5; a<=5.0; a>4; a>= 05 ; a<10; a<0.51e1", "a!=5; a<5; a>5; a==50; a==; a==5x"},
		{`{"a":7}`, `a==7; a>=007; a<=007`, `a==007; a=="7"; a==7.0`},
		{`{"a":"007"}`, "a==007; a!=7; a>=7; a<=7; a>6.9", "a==7; a<7"},
		{`{"a":5.10}`, "a==5.10; a!=5.1; a<=5.1; a>=5.1; a<5.11; a>5.09; a>5", "a==5.1; a>5.1"},
		{`{"a":-5}`, "a==-5; a<-4; a>-6; a>-50; a<0; a<-.1", "a==5; a>-4; a>0"},
		{`{"a":-0.0}`, "a==-0.0; a!=0; a>=0; a<=0; a<0.1; a>-1", "a<0; a>0; a==; a==0"},
		{`{"a":9007199254740993}`, "a==9007199254740993; a>9007199254740992; a!=9007199254740992; a<9007199254740994", "a==9007199254740992"},
		{`{"a":123456789012345678901234567890}`, "a>123456789012345678901234567889; a<=12345678901234567890123456789e1", "a==123456789012345678901234567891"},
		{`{"a":1e99999999999999999999}`, "a==1e99999999999999999999; a>=2; a<1e100000000000000000000; a>-9e999999999999999999999", "a<2; a>10e99999999999999999998"},
		{`{"a":"1` + strings.Repeat("0", 20000) + `"}`, "a>2; a>=1e20000; a<=1e20000; a<1e20001; a<1.1e20000", "a<2; a<1e20000"},

		{`{"a":"10"}`, "a==10; a>9; a!=10.0; a<1e2", "a<9"},
		{`{"a":"b"}`, "a==b; a>a; a<c; a!=B; a>B; a>5; a<bb; a>=b", "a==B; a!=b; a<a; a==\"b\""},
		{`{"a":"9 lives"}`, "a>10; a==9 lives", "a<10; a==9"}, // as text
		{`{"a":"é\n\u0022\u00e9"}`, "a~~é%\"é; a>e; a!=é", "a==é"},
		{`{"a":" b "}`, "a!=b; a== b ; a~~%b%; a~~ b%; a!~b%", "a==b; a~~b%; a== b"},
		{"{\"a\":\"x\uFFFDy\"}", "a~~x%y; a!~%\xff%", "a~~%\xff%"},
		{`{"a":""}`, "a==; a<0; a<b; a!=0; a~~; a~~%; a!= ", "a!=; a>0; a>-1; a~~_"},
		{`{"a":"."}`, "a==.; a!=0", "a==0"},

		{`{"a":true}`, "a==true; a!=1; a!=0; a!=false; a~~true; a!=; a!~1", "a==false; a==1; a==0; a==; a!=true; a== true"},
		{`{"a":false}`, "a==false; a!=0; a!=1; a!=true; a!=; a~~false", "a==true; a==0; a==1; a==; a!=false"},
		{`{"a":"true"}`, "a==true; a!=1", "a==1"},
		{`{"a":1}`, "a==1; a!=true", "a==true"},

		{`{"a":null}`, "a==; a!=5; a<5; a<=5; a~~%; a!~_", "a!=; a==5; a>5; a>=5; a==null; a==0; a~~null; a==false; a>"},
		{`{}`, "a==; a!=5; a<5; a.b.c==; a!~5; a<-5", "a!=; a==5; a>5; a>=5; a==0; a==false; a==null"},
		{`5`, "a==; .==5; .>4.5", ".==6; a==5"},

		{`{"a":[]}`, "a==[]; a!=; a~~[%]", "a=="},
		{`{"a":{"b":[1.0,{"c":"x"}]}}`, `a.b.0==1.0; a.b.1.c==x; a.b==[1.0,{"c":"x"}]; a~~%"c":"x"%; a.b.2==`, "a.b.0==1; a.b.1.c!=x; a=="},
		{`{"a":1,"a":2,"\u0062 c":3}`, "a==2; b c==3", "a==1"},
	} {
		for filter := range strings.SplitSeq(c.holds, "; ") {
			if !match(t, filter, c.value) {
				t.Errorf("%s does not hold for %s", filter, c.value)
			}
		}
		for filter := range strings.SplitSeq(c.not, "; ") {
			if match(t, filter, c.value) {
				t.Errorf("%s holds for %s", filter, c.value)
			}
		}
	}
}

func TestAPatternIsTheWholeValue(t *testing.T) {
	for _, c := range []struct {
		value, pattern string
		want           bool
	}{
		{"abc", "abc", true}, {"abc", "ab", false}, {"abc", "ABC", false}, {"abc", "", false}, {"", "", true},
		{"abc", "%", true}, {"", "%", true}, {"", "%%", true}, {"abc", "%%%", true},
		{"abc", "a%", true}, {"abc", "%c", true}, {"abc", "%b%", true}, {"abc", "b%", false}, {"abc", "%b", false}, {"abc", "%d%", false},
		{"abc", "a%c", true}, {"abc", "abc%", true}, {"abc", "%abc", true}, {"abc", "ab%bc", false}, {"aba", "a%a", true}, {"a", "a%a", false},
		{"abcabc", "a%b%c", true}, {"abcabc", "%ca%", true}, {"abcabc", "a%c%c", true}, {"abcabc", "a%cc", false}, {"abab", "%b%b%", true}, {"ab", "%b%b%", false},
		{"a.c*", "a.c*", true}, {"abc", "a.c", false}, {"abc", "a_c", false}, {"a\nc", "a%c", true},
	} {
		value := `{"a":` + string(item.Quote(c.value)) + `}`
		if got := match(t, "a ~~"+c.pattern, value); got != c.want {
			t.Errorf("%q ~~ %q is %v", c.value, c.pattern, got)
		}
		if got := match(t, "a !~"+c.pattern, value); got == c.want {
			t.Errorf("%q !~ %q is %v", c.value, c.pattern, got)
		}
	}
}

func TestAndBindsTighterThanOr(t *testing.T) {
	for filter, want := range map[string]bool{
		"a==1&b==2": true, "a==1&b==3": false, "a==0&b==2": false, "a==1&b==2&c==3": true, "a==1&b==2&c==4": false,
		"a==1|b==3": true, "a==0|b==2": true, "a==0|b==3": false, "a==0|b==0|c==3": true,
		"a==1|b==0&c==0": true, "a==0&b==0|c==3": true, "a==0&b==2|c==0": false, "a==0|b==2&c==3": true, "a==0|b==2&c==0": false,
	} {
		if got := match(t, filter, `{"a":1,"b":2,"c":3}`); got != want {
			t.Errorf("%s is %v", filter, got)
		}
	}
	if filter := " a\t ==1&  b==2|c == 9 "; !match(t, filter, `{"a":1,"b":2,"c":3}`) {
		t.Errorf("%q does not hold", filter)
	}
}

func TestAValueMayHoldOperatorsBehindTheFirst(t *testing.T) {
	for filter, value := range map[string]string{
		"a==https://h/?x==1": `{"a":"https://h/?x==1"}`,
		"a==(<none>)":        `{"a":"(<none>)"}`,
		"a!= =":              `{"a":"="}`,
		"first name==x y":    `{"first name":"x y"}`,
	} {
		if !match(t, filter, value) {
			t.Errorf("%s does not hold for %s", filter, value)
		}
	}
}

func TestAWrongFilterIsToldWhere(t *testing.T) {
	const want = ", want PATH OPERATOR VALUE, joined by & and |, with the operators != !~ < <= == > >= ~~"
	for text, problem := range map[string]string{
		"":             "condition 1 has no operator",
		" \t":          "condition 1 has no operator",
		"a==1&":        "condition 2 has no operator",
		"a==1&&b==2":   "condition 2 has no operator",
		"é==1 || b==2": "condition 2 has no operator",
		"|a==1":        "condition 1 has no operator",
		"id":           "condition 1 has no operator",
		"é=1":          `condition 1 has the unknown operator "="`,
		"a==1|b =< 2":  `condition 2 has the unknown operator "=<"`,
		"a<>1":         `condition 1 has the unknown operator "<>"`,
		"a===1":        `condition 1 has the unknown operator "==="`,
		"a!b":          `condition 1 has the unknown operator "!"`,
		"a~b":          `condition 1 has the unknown operator "~"`,
		"==1":          "condition 1 has no path before its operator",
		"a==1 & != 2":  "condition 2 has no path before its operator",
	} {
		f, err := expr.ParseFilter(text)
		if err == nil || err.Error() != problem+want || f != nil {
			t.Errorf("%q: got %v, want %s%s", text, err, problem, want)
		}
	}
}

func TestBlanksAroundAValueAreNoticedWhereTheyCount(t *testing.T) {
	for filter, want := range map[string]bool{
		"a==b": false, "a ==b": false, " a>=1 &b< 2": false, "a== b": true, "a==b &c==d": true, "a> b": true, "a!=1 ": true, "a~~ %": true, "a==1|b!~ x": true,
	} {
		var p config.Problems
		f := expr.CompileFilter(config.Parse("f", item.Quote(filter), &p), &p)
		if f == nil || (len(p.All()) == 1) != want {
			t.Errorf("%q: %v, want %t", filter, p.All(), want)
		}
	}
}

// Whatever is a filter gives an answer for anything, and a negation the opposite.
func FuzzFilter(f *testing.F) {
	for _, seed := range [][2]string{
		{"a==1", `{"a":1.0}`}, {"a.b.0<=-1.5e3", `{"a":{"b":[-1500]}}`}, {"a~~%b%c", `{"a":"abbc"}`}, {"a!=true|b>c&d<", `{"a":true,"b":"d"}`},
		{".==\xff", `"\ud800"`}, {"a>1e999999999999999999", `{"a":"1e-999999999999999999"}`}, {"a==", `{"a":`}, {"a=1", "{}"}, {"&", ""},
		{"a~~", `{"a":false}`}, {"é ~~ %%é", `{"\u00e9":"\u00e9"}`}, {"a==false", `{"a":[false]}`},
	} {
		f.Add(seed[0], []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, text string, value []byte) {
		filter, err := expr.ParseFilter(text)
		if err != nil {
			if !strings.Contains(err.Error(), "condition ") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		got := filter.Match(value)
		if strings.ContainsAny(text, "&|") {
			return
		}
		at := strings.IndexAny(text, "=!<>~")
		size := len(text[at:]) - len(strings.TrimLeft(text[at:], "=!<>~"))
		opposite := map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "~~": "!~", "!~": "~~"}[text[at:at+size]]
		if match(t, text[:at]+opposite+text[at+size:], string(value)) == got {
			t.Errorf("%q and its opposite are both %v for %s", text, got, value)
		}
	})
}

// Numbers compare as those of math/big do.
func FuzzFilterComparesNumbers(f *testing.F) {
	for _, seed := range [][2]string{
		{"1", "1.0"}, {"-0", "0e5"}, {"9007199254740993", "9007199254740992"}, {"1e-3", "0.001"}, {"-12.5", "-12.50001"}, {"100", "1E+2"}, {"0.01", "0.1"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 40 || !json.Valid([]byte(a)) || !json.Valid([]byte(b)) || strings.ContainsAny(a+b, " \t\r\n") {
			return
		}
		x, ok := exactly(a)
		y, okay := exactly(b)
		if !ok || !okay {
			return
		}
		want := x.Cmp(y)
		for operator, holds := range map[string]bool{"<=": want <= 0, "<": want < 0, ">": want > 0} {
			if match(t, "."+operator+b, a) != holds {
				t.Errorf("%s %s %s is not %v", a, operator, b, holds)
			}
		}
	})
}

// exactly reads a number whose exponent has at most three digits.
func exactly(text string) (*big.Rat, bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
