package airbyte_test

import (
	"os/exec"
	"strings"
	"testing"
)

// shaped is an item that has gone through a filter of jq.
func shaped(t *testing.T, filter, item string) string {
	t.Helper()
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("there is no jq")
	}
	if filter == "" {
		filter = "."
	}
	c := exec.Command(jq, "-c", filter)
	c.Stdin = strings.NewReader(item)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %s", filter, err, out)
	}
	return strings.TrimSpace(string(out))
}

// sliced is a manifest of retrieverWith whose stream has a slice for each item of a parent, which gives id.
func sliced(manifest string) string {
	const router = "    partition_router: {type: SubstreamPartitionRouter, parent_stream_configs: [{parent_key: id, " +
		"partition_field: id, stream: {type: DeclarativeStream, name: parents, retriever: {type: SimpleRetriever, " +
		"requester: {url_base: 'http://a.test', path: /p}, record_selector: {extractor: {field_path: []}}}}}]}\n"
	return strings.Replace(manifest, "    record_selector:", router+"    record_selector:", 1)
}

func TestTransformationsAreFiltersOfJQ(t *testing.T) {
	added := func(path, value string) string {
		return "{type: AddFields, fields: [{path: " + path + ", value: " + value + "}]}"
	}
	for _, c := range []struct{ name, transformations, item, want string }{
		{"a constant", added("[a]", "'x'"), `{"b":1}`, `{"b":1,"a":"x"}`},
		{"a constant number", added("[a]", "'5'"), `{}`, `{"a":5}`},
		{"a path", added("[a, b-c]", "'x'"), `{"a":{"d":1}}`, `{"a":{"d":1,"b-c":"x"}}`},
		{"a member", added("[a]", "'{{ record.b.c }}'"), `{"b":{"c":[1,null]}}`, `{"b":{"c":[1,null]},"a":[1,null]}`},
		{"a text that is a number", added("[a]", "'{{ record[\"b\"] }}'"), `{"b":"12"}`, `{"b":"12","a":12}`},
		{"a text that is none", added("[a]", "'{{ record.b }}'"), `{"b":"012"}`, `{"b":"012","a":"012"}`},
		{"a fraction", added("[a]", "'{{ record.b }}'"), `{"b":"-1.50"}`, `{"b":"-1.50","a":-1.5}`},
		{"what is missing", added("[a]", "'{{ record.b }}'"), `{}`, `{"a":""}`},
		{"what get misses", added("[a]", "'{{ record.get(\"b\") }}'"), `{}`, `{"a":null}`},
		{"a default", added("[a]", "'{{ record.get(\"b\", 7) }}'"), `{}`, `{"a":7}`},
		{"a joined text", added("[a]", "'{{ record.b }}-{{ record.c }}'"), `{"b":1,"c":true}`, `{"b":1,"c":true,"a":"1-True"}`},
		{"a joined number", added("[a]", "'{{ record.b }}_{{ record.c }}'"), `{"b":1,"c":2}`, `{"b":1,"c":2,"a":12}`},
		{"a text", "{type: AddFields, fields: [{path: [a], value: '{{ record.b }}', value_type: string}]}",
			`{"b":1}`, `{"b":1,"a":"1"}`},
		{"an integer", "{type: AddFields, fields: [{path: [a], value: '{{ record.b }}', value_type: integer}]}",
			`{"b":"7"}`, `{"b":"7","a":7}`},
		{"a choice", added("[a]", "\"{{ record.b if record.b is not none else 'x' }}\""), `{"b":null}`, `{"b":null,"a":"x"}`},
		{"an or", added("[a]", "\"{{ record.b or record.c }}\""), `{"b":0,"c":2}`, `{"b":0,"c":2,"a":2}`},
		{"a sum of texts", added("[a]", "\"{{ record.b ~ '/' ~ record.c }}\""), `{"b":1,"c":"d"}`, `{"b":1,"c":"d","a":"1/d"}`},
		{"a part of a text", added("[a]", "\"{{ record.b.split('/')[-1] }}\""), `{"b":"x/y"}`, `{"b":"x/y","a":"y"}`},
		{"a replaced text", added("[a]", "\"{{ record.b | replace('-', '+') | lower }}\""), `{"b":"A-B"}`, `{"b":"A-B","a":"a+b"}`},
		{"a size", added("[a]", "'{{ record.b | length }}'"), `{"b":[1,2]}`, `{"b":[1,2],"a":2}`},
		{"a text of several lines", added("[a]", "'{{ record.b }}'"), `{"b":"x\n5"}`, `{"b":"x\n5","a":"x\n5"}`},
		{"a part by a pattern", added("[a]", `"{{ record['b'] | regex_search('\\/([a-zA-Z0-9-]*)$') }}"`),
			`{"b":"http://x/y/A-1"}`, `{"b":"http://x/y/A-1","a":"A-1"}`},
		{"a part by a pattern that is a number", added("[a]", `"{{ record.b | regex_search('id=([0-9]+)') }}"`),
			`{"b":"?id=7&id=8"}`, `{"b":"?id=7&id=8","a":7}`},
		{"an empty part by a pattern", added("[a]", `"{{ record.b | regex_search('([0-9]*)$') }}"`), `{"b":"x"}`, `{"b":"x","a":""}`},
		{"no part by a pattern", added("[a]", `"{{ record.b | regex_search('^([0-9]+)') }}"`), `{"b":"x\n5"}`, `{"b":"x\n5","a":""}`},
		{"a part of what is not a text", added("[a]", `"{{ record.b | regex_search('(x)') }}"`), `{}`,
			`{"a":"{{ record.b | regex_search('(x)') }}"}`},
		{"a float", added("[a]", "'{{ record.b|float }}'"), `{"b":"1_700.25"}`, `{"b":"1_700.25","a":1700.25}`},
		{"a float of no number", added("[a]", "'{{ record.b|float }}'"), `{"b":"1.5.2"}`, `{"b":"1.5.2","a":0}`},
		{"a float where it is one", added("[a]", `"{{ record.get('b')|float if record.get('b') is not none else none }}"`),
			`{"b":null}`, `{"b":null,"a":null}`},
		{"a member of each", added("[a]", "\"{{ record.b.c | map(attribute='id') | list }}\""),
			`{"b":{"c":[{"id":"5"},{"id":6}]}}`, `{"b":{"c":[{"id":"5"},{"id":6}]},"a":["5",6]}`},
		{"get below get", added("[a]", `"{{ record.get('b', {}).get('c') }}"`), `{"b":{"c":"5"}}`, `{"b":{"c":"5"},"a":5}`},
		{"get below get, and nothing is there", added("[a]", `"{{ record.get('b', {}).get('c') }}"`), `{}`, `{"a":null}`},
		{"get below a choice", added("[a]", `"{{ (record.get('b') or {}).get('c') }}"`), `{"b":null}`, `{"b":null,"a":null}`},
		{"an object", added("[a]", `"{{ {'x': record.b, 'y': record.get('c'), 'z': '5'} }}"`), `{"b":"7"}`,
			`{"b":"7","a":{"x":"7","y":null,"z":"5"}}`},
		{"an object that lacks one", added("[a]", `"{{ {'x': record.b, 'y': record.c.d} }}"`), `{"b":"it's","c":{}}`,
			`{"b":"it's","c":{},"a":"{'x': \"it's\", 'y': Undefined}"}`},
		{"an object as text", "{type: AddFields, fields: [{path: [a], value: \"{{ {'x': record.b} }}\", value_type: string}]}",
			`{"b":1}`, `{"b":1,"a":"{'x': 1}"}`},
		{"an object with a value of a slice", added("[a]", `"{{ {'x': stream_partition.id, 'y': record.b} }}"`),
			`{"b":1,"sluice_1":"5"}`, `{"b":1,"a":{"x":"5","y":1}}`},
		{"a time", added("[a]", `"{{ format_datetime(record.b, '%Y-%m-%dT%H:%M:%SZ') }}"`), `{"b":"2026-11-12T01:00:00+0530"}`,
			`{"b":"2026-11-12T01:00:00+0530","a":"2026-11-11T19:30:00Z"}`},
		{"a day", added("[a]", `"{{ format_datetime(record.b, '%Y-%m-%d %z') }}"`), `{"b":"2024-02-29"}`,
			`{"b":"2024-02-29","a":"2024-02-29 +0000"}`},
		{"a time as a number", added("[a]", `"{{ format_datetime(record['b'], '%s') | int * 1000 }}"`),
			`{"b":"2026-01-01T00:00:00.999Z"}`, `{"b":"2026-01-01T00:00:00.999Z","a":1767225600000}`},
		{"no time", added("[a]", `"{{ format_datetime(record.b, '%s') }}"`), `{"b":null}`,
			`{"b":null,"a":"{{ format_datetime(record.b, '%s') }}"}`},
		{"a time where there is one", added("[a]", `"{{ format_datetime(record.b, '%s') if record.b else none }}"`), `{"b":null}`,
			`{"b":null,"a":null}`},
		{"a member of none", added("[a]", "\"{{ record.b.c | map(attribute='id') | list }}\""), `{"b":null}`, `{"b":null,"a":[]}`},
		{"a member that one lacks", added("[a]", "\"{{ record.b | map(attribute='id') | list }}\""),
			`{"b":[{"id":"5"},{}]}`, `{"b":[{"id":"5"},{}],"a":"['5', Undefined]"}`},
		{"removed where empty", "{type: RemoveFields, field_pointers: [['**']], condition: \"{{ property|string == '' }}\"}",
			`{"a":"","b":{"c":"","d":0},"e":["","x",{"f":""},""],"g":null}`, `{"b":{"d":0},"e":[null,"x",{}],"g":null}`},
		{"removed where none", "{type: RemoveFields, field_pointers: [['**']], " +
			"condition: \"{{ property is none or property == 'x' }}\"}", `{"a":null,"b":"x","c":""}`, `{"c":""}`},
		{"two fields", "{type: AddFields, fields: [{path: [a], value: 'x'}, {path: [b], value: '{{ record.a }}y'}]}",
			`{}`, `{"a":"x","b":"xy"}`},
		{"a condition", "{type: AddFields, condition: '{{ value > 1 }}', fields: [{path: [a], value: '{{ record.b }}'}]}",
			`{"b":1}`, `{"b":1}`},
		{"a value of a slice", added("[a]", "'{{ stream_partition.id }}'"), `{"a":"5"}`, `{"a":5}`},
		{"a value of a slice, which the item has too", added("[a]", "'{{ stream_partition.id }}'"),
			`{"a":1,"a_u0":"5"}`, `{"a":5}`},
		{"a value of a slice among others", added("[a]", "'{{ record.b }}/{{ stream_partition.id }}'"),
			`{"b":1,"sluice_1":"x"}`, `{"b":1,"a":"1/x"}`},
		{"removed", "{type: RemoveFields, field_pointers: [[a], [b, c], [d, '*', e]]}",
			`{"a":1,"b":{"c":1,"x":2},"d":[{"e":1,"f":2}]}`, `{"b":{"x":2},"d":[{"f":2}]}`},
		{"removed from what is none", "{type: RemoveFields, field_pointers: [[a], [b, c], [d, '*', e]]}",
			`{"b":"c","d":1}`, `{"b":"c","d":1}`},
		{"removed everywhere", "{type: RemoveFields, field_pointers: [['**', x]]}", `{"x":1,"b":[{"x":1}]}`, `{"b":[{}]}`},
		{"lower", "{type: KeysToLower}", `{"AbC":{"D":1}}`, `{"abc":{"D":1}}`},
		{"snake", "{type: KeysToSnakeCase}", `{"camelCase":1,"HTTPStatus2":2,"a-b":3,"9x":4,"_id":5}`,
			`{"camel_case":1,"httpstatus_2":2,"a_b":3,"_9_x":4,"_id":5}`},
		{"replaced names", "{type: KeysReplace, old: ' ', new: '_'}", `{"a b c":1}`, `{"a_b_c":1}`},
		{"replaced names within", "{type: KeysReplace, old: ' ', new: _}", `{"a b":{"c d":{"e f":1}},"g h":[{"i j":2}]}`,
			`{"a_b":{"c_d":{"e_f":1}},"g_h":[{"i j":2}]}`},
		{"flat", "{type: FlattenFields}", `{"a":{"b":1,"c":{"d":2}},"e":3}`, `{"e":3,"d":2,"b":1}`},
		{"flat lists", "{type: FlattenFields}", `{"a":[{"b":1}],"e":3}`, `{"e":3,"a.0.b":1}`},
		{"flat but lists", "{type: FlattenFields, flatten_lists: false}", `{"a":[{"b":1}]}`, `{"a":[{"b":1}]}`},
		{"lifted", "{type: DpathFlattenFields, field_path: [a], delete_origin_value: true}",
			`{"a":{"b":1},"c":2}`, `{"c":2,"b":1}`},
		{"lifted alone", "{type: DpathFlattenFields, field_path: [a], replace_record: true}", `{"a":{"b":1},"c":2}`, `{"b":1}`},
		{"an empty object that is lifted alone",
			"{type: DpathFlattenFields, field_path: [a], replace_record: true}", `{"a":{},"c":2}`, `{"a":{},"c":2}`},
		{"lifted where its name is taken", "{type: DpathFlattenFields, field_path: [a], delete_origin_value: true}",
			`{"a":{"b":1,"c":3},"c":2}`, `{"a":{"b":1,"c":3},"c":2}`},
		{"nothing to lift", "{type: DpathFlattenFields, field_path: [a], delete_origin_value: true}", `{"a":1}`, `{"a":1}`},
		{"lifted with a prefix",
			"{type: DpathFlattenFields, field_path: [a], key_transformation: {type: KeyTransformation, prefix: p_}}",
			`{"a":{"b":1}}`, `{"a":{"b":1},"p_b":1}`},
	} {
		_, refused, _, jq := retrieved(t, sliced(retrieverWith("", "{type: NoPagination}", "", c.transformations)))
		if len(refused) > 0 {
			t.Errorf("%s: refused %q", c.name, refused)
			continue
		}
		if got := shaped(t, jq, c.item); got != c.want {
			t.Errorf("%s: got %s, want %s, by %s", c.name, got, c.want, jq)
		}
	}
}

func TestWhatMayMeanSomethingElseInJQIsLeft(t *testing.T) {
	for _, c := range []struct{ transformations, want string }{
		{`{type: AddFields, fields: [{path: [a], value: "{{ record.b | regex_search('(x)?') }}"}]}`, "regular expression"},
		{`{type: AddFields, fields: [{path: [a], value: "{{ record.b | regex_search('(\\w+)') }}"}]}`, "regular expression"},
		{`{type: AddFields, fields: [{path: [a], value: "{{ record.b | regex_search('a|(b)') }}"}]}`, "regular expression"},
		{`{type: AddFields, fields: [{path: [a], value: '{{ record.b|float }}s'}]}`, "float"},
		{`{type: AddFields, fields: [{path: [a], value: '{{ record.b|float }}', value_type: string}]}`, "value_type"},
		{`{type: AddFields, fields: [{path: [a], value: "{{ record.b | map(attribute='c.d') | list }}"}]}`, "map("},
		{`{type: AddFields, fields: [{path: [a], value: "{{ {'b': record.b + 1} }}"}]}`, "an object of more"},
		{`{type: AddFields, fields: [{path: [a], value: "{{ {'b': record.get('b'), 3: 4} }}"}]}`, "names that are not texts"},
		{`{type: AddFields, fields: [{path: [a], value: "{{ format_datetime(record.b, '%B') }}"}]}`, "the format"},
		{`{type: AddFields, fields: [{path: [a], value: "{{ format_datetime(record.b, '%s', '%d') }}"}]}`, "in this way"},
		{`{type: AddFields, fields: [{path: [a], value: "{{ timestamp(record.b) }}"}]}`, "is not supported"},
		{`{type: RemoveFields, field_pointers: [[a]], condition: "{{ property == '' }}"}`, "the single pointer **"},
		{`{type: RemoveFields, field_pointers: [['**']], condition: "{{ property != '' }}"}`, "property is none"},
	} {
		_, refused, left, jq := retrieved(t, retrieverWith("", "{type: NoPagination}", "", c.transformations))
		isLeft := strings.Contains(strings.Join(left, "; "), c.want)
		if len(refused)+len(jq) > 0 || !isLeft {
			t.Errorf("%s: refused %q, left %q, jq %q, want left %q", c.transformations, refused, left, jq, c.want)
		}
	}
}

func TestAFieldIsLeftUnlessWhatComesLaterMayNeedIt(t *testing.T) {
	const left = `{type: AddFields, fields: [{path: [a, b], value: "{{ record.x | title }}"}]}`
	for _, c := range []struct {
		name, later string
		isRefused   bool
	}{
		{"nothing", "", false},
		{"another field", `, {type: AddFields, fields: [{path: [d], value: "{{ record.x }}{{ record['y'].a1 }}"}]}`, false},
		{"removed", ", {type: RemoveFields, field_pointers: [[x], [a]]}", false},
		{"the same field", ", {type: AddFields, fields: [{path: [a, c], value: x}]}", true},
		{"read", ", {type: AddFields, fields: [{path: [d], value: '{{ record.a.b }}'}]}", true},
		{"read as a condition", `, {type: AddFields, condition: "{{ record.get('a') }}", fields: [{path: [d], value: x}]}`, true},
		{"read as a whole", ", {type: AddFields, fields: [{path: [d], value: '{{ record | length }}'}]}", true},
		{"read by a joined name", `, {type: AddFields, fields: [{path: [d], value: "{{ record['x' ~ 'a'] }}"}]}`, true},
		{"got by a name that is not known", ", {type: AddFields, fields: [{path: [d], value: '{{ record.get(record.x) }}'}]}", true},
		{"read by a name that is not known", ", {type: AddFields, fields: [{path: [d], value: '{{ record[record.x] }}'}]}", true},
		{"renamed", ", {type: KeysToLower}", true},
		{"lifted", ", {type: DpathFlattenFields, field_path: [a]}", true},
	} {
		_, refused, more, jq := retrieved(t, retrieverWith("", "{type: NoPagination}", "", left+c.later))
		isLeft := strings.Contains(strings.Join(more, "; "), "a.b is not added")
		if c.isRefused != (len(refused) > 0) || c.isRefused == isLeft {
			t.Errorf("%s: refused %q, left %q, jq %q", c.name, refused, more, jq)
		}
	}
}

func TestAValueThatComesFromOutsideIsNoEmptyObject(t *testing.T) {
	added := func(value string) string {
		return "spec: {connection_specification: {required: [must, token], properties: {must: {type: string}, " +
			"token: {type: string, airbyte_secret: true}}}}\n" + retrieverWith("", "{type: NoPagination}", "",
			"{type: AddFields, fields: [{path: [a], value: \"{{ "+value+" }}\"}]}")
	}
	job, _, _, jq := retrieved(t, added("config.must"))
	if got := shaped(t, jq, `{"sluice_1":"x"}`); got != `{"a":"x"}` || !strings.Contains(job, `{"sluice_1": {"attr": "must"}}`) {
		t.Errorf("got %s of %s", got, job)
	}
	_, _, left, jq := retrieved(t, added("config.token"))
	if jq != "" || !strings.Contains(strings.Join(left, ""), "a is not added, or stays what it was: the secret token") {
		t.Errorf("got %s, left %q", jq, left)
	}
}

func TestAllParametersAreAnObject(t *testing.T) {
	manifest := retrieverWith("", "{type: NoPagination}", "", "{type: AddFields, fields: [{path: [a], value: '{{ parameters }}'}]}")
	manifest = strings.Replace(manifest, "  retriever:", "  $parameters: {x: {y: [1]}}\n  retriever:", 1)
	_, _, _, jq := retrieved(t, manifest)
	if got := shaped(t, jq, `{}`); got != `{"a":{"x":{"y":[1]}}}` {
		t.Errorf("got %s", got)
	}
}
