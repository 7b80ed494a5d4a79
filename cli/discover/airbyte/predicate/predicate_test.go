package predicate_test

import (
	"testing"

	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/template"
)

func TestConditionsOfTemplatesAreThoseOfOurLanguage(t *testing.T) {
	for _, c := range []struct{ root, text, want string }{
		{"record", "record.status == 'open'", "status==open"},
		{"record", "'open' == record['status']", "status==open"},
		{"record", "record.a.b != 5", "a.b!=5"},
		{"record", "record.done is sameas true", "done==true"},
		{"record", "record.done is false", "done==false"},
		{"record", "not record.done", "done==|done==false|done==0|done==[]|done=={}"},
		{"record", "record.a == 1 and (record.b == 2 or record.c == 3)", "a==1&b==2|a==1&c==3"},
		{"record", "not (record.a == 1 or record.b == 2)", "a!=1&b!=2"},
		{"record", "record.kind in ['bug', 'task']", "kind==bug|kind==task"},
		{"record", "record.kind not in ('bug', 'task')", "kind!=bug&kind!=task"},
		{"record", "record.at >= '2024-01-01'", "at>=2024-01-01|at=="},
		{"record", "record.n < 5", "n<5"},
		{"record", "5 > record.n", "n<5"},
		{"record", "record.name.startswith('a')", "name~~a%"},
		{"record", "record.get('a', {}).get('b') == 'x'", "a.b==x"},
		{"record", "record.get('kind', '') == 'x'", "kind==x"},
		{"record", "(record.list | length) > 0", "list!=&list!=false&list!=0&list!=[]&list!={}"},
		{"record", "true if record.a == 1 else false", "a==1"},
		{"record", "'%d' in record.name", ""},
		{"record", "record.a == 'x&y'", ""},
		{"record", "record.a == record.b", ""},
		{"record", "record.a == ''", ""},
		{"record", "record.a", ""},
		{"record", "record.a is none", ""},
		{"record", "record.a | lower == 'x'", ""},
		{"record", "stream_slice.a == 'x'", ""},
		{"record", "1 == 1", ""},
		{"response", "response.code == 5", "code==5"},
		{"response", "response.errors[0].code == 5", "errors.0.code==5"},
		{"response", "'error' in response", "error~~%"},
		{"response", "response.error is defined", "error~~%"},
		{"response", "'error' in response and response.error != 'none'", "error~~%&error!=none"},
		{"response", "'not found' in response.error", "error~~%not found%"},
		{"response", "'missing' in response.get('message', '')", "message~~%missing%"},
		{"response", "headers['X-Left'] == '0'", "$header.X-Left==0"},
		{"response", "response.status | string == '404'", "status==404"},
		{"response", "response.status | string in ['401', '403']", "status==401|status==403"},
		{"response", "'404' in response.status | string", "status~~%404%"},
		{"response", "response.status | string == 404", ""},
		{"response", "response.ok | string == 'True'", ""},
		{"response", "'code' in response.error", ""},
		{"response", "response.status != 'ok'", ""},
		{"response", "not response.ok", ""},
		{"response", "response.error", ""},
	} {
		got := predicate.OfAnswer(expression(t, c.text), c.root, false)
		isExact := got.Text != "" && got.ButNull == ""
		if got.Text != c.want || isExact != (c.want != "") {
			t.Errorf("%s: got %+v, want %q", c.text, got, c.want)
		}
	}
}

func TestConditionsThatHoldForLessSaySo(t *testing.T) {
	for _, c := range []struct {
		text    string
		mayLack bool
		want    predicate.FilterCondition
	}{
		{"response.status == 'error' and response.code != 7", true, predicate.FilterCondition{Text: "status==error&code!=7", ButMissing: true}},
		{"response.code == 7 and not response.ok", true, predicate.FilterCondition{
			Text: "code==7&ok==|code==7&ok==false|code==7&ok==0|code==7&ok==[]|code==7&ok=={}", ButMissing: true,
		}},
		{"response.code != 7", false, predicate.FilterCondition{
			Why: "an answer without code would satisfy it, and in sluice what is missing satisfies no condition. " +
				"Say with == or in what it must be, or beside it that it is there, such as 'error' in response",
		}},
		{"response.error and response.error.code == 3", false, predicate.FilterCondition{Text: "error.code==3", ButNull: "error"}},
		{"response.error and response.code == 3", false, predicate.FilterCondition{Why: "the condition has no equivalent in sluice"}},
		{"true", false, predicate.FilterCondition{Why: "it is the same for all answers"}},
	} {
		if got := predicate.OfAnswer(expression(t, c.text), "response", c.mayLack); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestAFilterThatCannotBeSaidIsWidened(t *testing.T) {
	for _, c := range []struct {
		text, want string
		exact      bool
	}{
		{"record.a == 1", "a==1", true},
		{"record.a == 1 and record.b == record.c", "a==1", false},
		{"record.a == record.b", "", false},
		{"not (record.a == 1 and record.b == record.c)", "", false},
		{"record.a", "a!=false&a!=0&a!=[]&a!={}", false},
		{"record.a is none", "a==", false},
		{"record.a is not none", "", false},
		{"record.a == ''", "a==", false},
		{"record.get('a', false) == false", "a==false|a==", false},
		{"'x' not in record.tags", "", false},
		{"true", "", true},
	} {
		all, exact := predicate.Wider(expression(t, c.text), "record")
		text := all.String()
		if all.Always() {
			text = ""
		}
		if text != c.want || exact != c.exact {
			t.Errorf("%s: got %q, %t, want %q, %t", c.text, text, exact, c.want, c.exact)
		}
	}
}

// expression is that of a text.
func expression(t *testing.T, text string) template.Expression {
	t.Helper()
	read, err := template.Parse("{{ " + text + " }}")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return read[0].Expression
}
