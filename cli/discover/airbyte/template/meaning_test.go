package template_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// at has a template at a place where a spec and parameters hold.
func at(template string) string {
	return `
spec:
  type: Spec
  connection_specification:
    type: object
    required: [start, token, must, credentials]
    properties:
      start: {type: string}
      token: {type: string, airbyte_secret: true}
      extra: {type: string, airbyte_secret: true}
      must: {type: string}
      size: {type: integer, default: 50}
      jobs: {type: string, default: j}
      credentials:
        type: object
        oneOf:
          - required: [auth_type, client_secret]
            properties:
              auth_type: {type: string, const: oauth}
              client_id: {type: string, default: me}
              client_secret: {type: string, airbyte_secret: true}
          - properties:
              auth_type: {type: string, const: key}
              api_key: {type: string, airbyte_secret: true}
streams:
  - $parameters: {name: users, nested: {deep: [1, 2]}}
    at: ` + template + "\n"
}

func isJSON(text string) bool { return json.Valid([]byte(text)) }

const config = `{"start": "2024-01-31", "on": true, "off": false, "ids": [7, "8"], "five": "5", "empty": "", "null": null,
	"domain": "acme", "days": 30, "half": 0.5, "list": "[1, 2]"}`

func TestATemplateGivesWhatItsPlatformMakesOfIt(t *testing.T) {
	tests := []struct{ name, template, any, option, text string }{
		{"a text", `users`, `"users"`, `"users"`, `"users"`},
		{"a text that is a number", `"5"`, `5`, `"5"`, `"5"`},
		{"a number with a zero", `"007"`, `"007"`, `"007"`, `"007"`},
		{"a date", `"2024-10-10"`, `"2024-10-10"`, `"2024-10-10"`, `"2024-10-10"`},
		{"texts of a list", `"['a', 'b']"`, `["a", "b"]`, `["a", "b"]`, `"['a', 'b']"`},
		{"None", `"{{ none }}"`, ``, `"None"`, ``},
		{"True", `"True"`, `true`, `"True"`, `"True"`},
		{"true", `"true"`, `"true"`, `"true"`, `"true"`},
		{"a boolean", `true`, `true`, `"True"`, `"True"`},
		{"nothing", `"{{ config.nope }}"`, ``, ``, ``},
		{"below nothing", `"{{ config['nope']['deeper'] }}"`, ``, ``, ``},
		{"an empty value", `"{{ config.empty }}"`, ``, ``, ``},
		{"a null", `"{{ config.null }}"`, ``, `"None"`, ``},
		{"a value", `"{{ config['start'] }}"`, `{"attr": "start"}`, `{"attr": "start"}`, `{"attr": "start"}`},
		{
			"a default of the spec",
			`"{{ config.size }}"`,
			`{"attr": "size"}`,
			`{"attr": "size"}`,
			`{"attr": "size"}`,
		},
		{
			"a value that is a number as text",
			`"{{ config.five }}"`,
			`5`,
			`{"attr": "five"}`,
			`{"attr": "five"}`,
		},
		{"a value that is a list as text", `"{{ config.list }}"`, `[1, 2]`, `[1, 2]`, `{"attr": "list"}`},
		{"a list", `"{{ config.ids }}"`, `[7, "8"]`, `[7, "8"]`, `"[7, '8']"`},
		{"a boolean value", `"{{ config.on }}"`, `true`, `"True"`, `"True"`},
		{"a secret", `"{{ config.token }}"`, `{"attr": "#token"}`, `{"attr": "#token"}`, `{"attr": "#token"}`},
		{"a secret that is not given", `"{{ config.extra }}"`, ``, ``, ``},
		{
			"a secret in a variant",
			`"{{ config.credentials.client_secret }}"`,
			`{"attr": "#credentials_client_secret"}`,
			"=",
			"=",
		},
		{"a reserved name", `"{{ config.jobs }}"`, `{"attr": "value_jobs"}`, "=", "="},
		{"what is missing", `"{{ config.must }}"`, `{"attr": "must"}`, "=", "="},
		{"get", `"{{ config.get('start') }}"`, `{"attr": "start"}`, "=", "="},
		{"get with a default", `"{{ config.get('nope', 'x') }}"`, `"x"`, "=", "="},
		{"get of nothing", `"{{ config.get('nope') }}"`, ``, `"None"`, ``},
		{
			"get below",
			`"{{ config.get('credentials', {}).get('client_id') }}"`,
			`{"attr": "credentials_client_id"}`,
			"=",
			"=",
		},
		{"or", `"{{ config.nope or config.start }}"`, `{"attr": "start"}`, "=", "="},
		{"or of a secret", `"{{ config.token or 'x' }}"`, `{"attr": "#token"}`, "=", "="},
		{"a choice", `"{{ config.start if config.on else 'x' }}"`, `{"attr": "start"}`, "=", "="},
		{"a choice without else", `"{{ 'x' if config.off }}"`, ``, ``, ``},
		{"a choice by a secret", `"{{ 'a' if config.token else 'b' }}"`, `"a"`, "=", "="},
		{
			"a choice by a variant",
			`"{{ 'o' if config.credentials.auth_type == 'oauth' else 'k' }}"`,
			`"o"`,
			"=",
			"=",
		},
		{"default", `"{{ config.nope | default('x') }}"`, `"x"`, "=", "="},
		{"default of empty", `"{{ config.empty | default('x', true) }}"`, `"x"`, "=", "="},
		{"default below nothing", `"{{ config.nope.deeper | default('x') }}"`, ``, ``, ``},
		{
			"a text around",
			`"https://{{ config.domain }}.test/"`,
			`{"function": "concat", "args": ["https://", {"attr": "domain"}, ".test/"]}`,
			"=",
			"=",
		},
		{"a text around nothing", `"a{{ config.nope }}b"`, `"ab"`, "=", "="},
		{"a text around a boolean", `"a={{ config.on }}"`, `"a=True"`, "=", "="},
		{
			"joined by ~",
			`"{{ 'Bearer ' ~ config.token }}"`,
			`{"function": "concat", "args": ["Bearer ", {"attr": "#token"}]}`,
			"=",
			"=",
		},
		{
			"joined by +",
			`"{{ config.domain + ':' + config.token }}"`,
			`{"function": "concat", "args": ["acme:", {"attr": "#token"}]}`,
			"=",
			"=",
		},
		{
			"base64",
			`"Basic {{ (config.token ~ ':') | base64encode }}"`,
			`{"function": "concat", "args": ["Basic ", {"function": "base64_encode", "args": [{"function": "concat", "args": [{"attr": "#token"}, ":"]}]}]}`,
			"=",
			"=",
		},
		{"base64 of a constant", `"{{ 'user:pass' | base64encode }}"`, `"dXNlcjpwYXNz"`, "=", "="},
		{
			"a hash",
			`"{{ config.token | hash('sha256', 'salt') }}"`,
			`{"function": "hash", "args": ["sha256", {"function": "concat", "args": [{"attr": "#token"}, "salt"]}]}`,
			"=",
			"=",
		},
		{
			"a keyed hash",
			`"{{ stream_partition.id | hmac(config.token) }}"`,
			`{"function": "hash_hmac", "args": ["sha256", {"placeholder": "id"}, {"attr": "#token"}]}`,
			"=",
			"=",
		},
		{"join", `"{{ config.ids | join(',') }}"`, `[7, 8]`, `"7,8"`, `"(7, 8)"`},
		{"join of words", `"{{ ['a', config.domain] | join(',') }}"`, `"a,acme"`, "=", "="},
		{"join as a method", `"{{ ', '.join(['a', 'b']) }}"`, `"a, b"`, "=", "="},
		{"a part", `"{{ config.start[:7] }}"`, `"2024-01"`, "=", "="},
		{"the last", `"{{ config.start.split('-')[-1] }}"`, `31`, `"31"`, `"31"`},
		{"arithmetic", `"{{ config.days * 24 // 7 }}"`, `102`, `"102"`, `"102"`},
		{"a quotient", `"{{ 1 / 2 }}"`, `0.5`, `"0.5"`, `"0.5"`},
		{"a whole quotient", `"{{ 4 / 2 }}"`, `2`, `"2.0"`, `"2.0"`},
		{"a parameter", `"{{ parameters.name }}"`, `"users"`, "=", "="},
		{"a list of a parameter", `"{{ parameters['nested']['deep'][1] }}"`, `2`, `"2"`, `"2"`},
		{"a parent's value", `"{{ stream_partition.id }}"`, `{"placeholder": "id"}`, "=", "="},
		{"a parent's value by get", `"{{ stream_partition.get('id') }}"`, `{"placeholder": "id"}`, "=", "="},
		{
			"a parent's value in a path",
			`"a/{{ stream_partition['id'] }}/b"`,
			`{"function": "concat", "args": ["a/", {"placeholder": "id"}, "/b"]}`,
			"=",
			"=",
		},
		{"if", `"{% if config.on %}a{% elif config.off %}b{% else %}c{% endif %}"`, `"a"`, "=", "="},
		{"if without else", `"{% if config.off %}a{% endif %}"`, ``, ``, ``},
		{
			"set",
			`"{% set x = config.domain %}{{ x }}-{{ x }}"`,
			`{"function": "concat", "args": [{"attr": "domain"}, "-", {"attr": "domain"}]}`,
			"=",
			"=",
		},
		{"an object in a text", `"{{ '{\"a\": ' ~ 5 ~ '}' }}"`, `{"a": 5}`, `"{\"a\": 5}"`, `"{'a': 5}"`},
		{
			"an object with a secret",
			`'{"a": ["{{ config.token }}", "x{{ config.domain }}"]}'`,
			`{"a": [{"attr": "#token"}, {"function": "concat", "args": ["x", {"attr": "domain"}]}]}`,
			`{"function": "concat", "args": ["{\"a\": [\"", {"attr": "#token"}, "\", \"x", {"attr": "domain"}, "\"]}"]}`,
			"!",
		},
		{"a list of values", `"[{{ config.days }}, {{ config.five }}]"`, `[30, 5]`, `[30, 5]`, `"[30, 5]"`},
		{"a text in quotes", `"'{{ config.domain }}'"`, `{"attr": "domain"}`, "=", "="},
		{
			"a text in quotes with more",
			`"'x{{ stream_partition.id }}'"`,
			`{"function": "concat", "args": ["x", {"placeholder": "id"}]}`,
			"=",
			"=",
		},
		{
			"the greater of a value and the clock",
			`"{{ max(config.start, day_delta(-30, '%Y-%m-%d')) }}"`,
			`{"function": "date", "args": ["Y-m-d", {"function": "strtotime", "args": ["-30 days"]}]}`,
			"=",
			"=",
		},
		{
			"a choice by the clock",
			`"{{ config.start if config.start > day_delta(-30, '%Y-%m-%d') else 'old' }}"`,
			`"old"`,
			"=",
			"=",
		},
		{
			"the clock cut",
			`"{{ now_utc().strftime('%Y-%m-%dT%H:%M:%S.%fZ')[:23] + 'Z' }}"`,
			`{"function": "concat", "args": [{"function": "date", "args": ["Y-m-d\\TH:i:s.000", {"function": "time", "args": []}]}, "Z"]}`,
			"=",
			"=",
		},
		{
			"a parent's value for a path",
			`"{{ sanitize_url(stream_partition.id) }}"`,
			`{"function": "urlencode", "args": [{"placeholder": "id"}]}`,
			"=",
			"=",
		},
		{"a formatted text", `"{{ 'P%sD' % config.days }}"`, `"P30D"`, "=", "="},
		{
			"the text of an object",
			`"{{ {'b': 1, 'a': config.domain} | string }}"`,
			`"{\"b\": 1, \"a\": \"acme\"}"`,
			"=",
			"=",
		},
		{"string", `"{{ config.days | string }}"`, `"30"`, `"30"`, `"30"`},
		{"int", `"{{ config.five | int + 1 }}"`, `6`, `"6"`, `"6"`},
		{
			"now",
			`"{{ now_utc() }}"`,
			`{"function": "time", "args": []}`,
			`{"function": "date", "args": ["Y-m-d H:i:s.uP", {"function": "time", "args": []}]}`,
			"=",
		},
		{
			"today",
			`"{{ today_utc() }}"`,
			`{"function": "strtotime", "args": ["today"]}`,
			`{"function": "date", "args": ["Y-m-d", {"function": "strtotime", "args": ["today"]}]}`,
			"=",
		},
		{
			"now formatted",
			`"{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}"`,
			`{"function": "date", "args": ["Y-m-d\\TH:i:s\\Z", {"function": "time", "args": []}]}`,
			"=",
			"=",
		},
		{
			"days ago",
			`"{{ (now_utc() - duration('P1W2D')).strftime('%Y-%m-%d') }}"`,
			`{"function": "date", "args": ["Y-m-d", {"function": "strtotime", "args": ["-9 days"]}]}`,
			"=",
			"=",
		},
		{
			"days ago by a value",
			`"{{ format_datetime(now_utc() - duration('P' ~ config.days ~ 'D'), '%s') }}"`,
			`{"function": "strtotime", "args": ["-30 days"]}`,
			"=",
			"=",
		},
		{
			"a date before today",
			`"{{ today_utc() - duration('P1D') }}"`,
			`{"function": "strtotime", "args": ["-1 days", {"function": "strtotime", "args": ["today"]}]}`,
			`{"function": "date", "args": ["Y-m-d", {"function": "strtotime", "args": ["-1 days", {"function": "strtotime", "args": ["today"]}]}]}`,
			"=",
		},
		{
			"day_delta",
			`"{{ day_delta(-7, format='%Y-%m-%d') }}"`,
			`{"function": "date", "args": ["Y-m-d", {"function": "strtotime", "args": ["-7 days"]}]}`,
			"=",
			"=",
		},
		{
			"milliseconds",
			`"{{ (now_utc().timestamp() * 1000) | int }}"`,
			`{"function": "date", "args": ["U000", {"function": "time", "args": []}]}`,
			"=",
			"=",
		},
		{"seconds", `"{{ now_utc().timestamp() | int }}"`, `{"function": "time", "args": []}`, "=", "="},
		{
			"a value as a time",
			`"{{ format_datetime(config.start, '%d.%m.%Y %H h') }}"`,
			`"31.01.2024 00 h"`,
			"=",
			"=",
		},
		{"a value as seconds", `"{{ timestamp(config.start) | int }}"`, `1706659200`, `"1706659200"`, "="},
		{
			"a month later",
			`"{{ (str_to_datetime(config.start) + duration('P1M')).strftime('%Y-%m-%d') }}"`,
			`"2024-02-29"`,
			"=",
			"=",
		},
		{
			"a missing value as a time",
			`"{{ format_datetime(config.must, '%Y') }}"`,
			`{"function": "date", "args": ["Y", {"function": "strtotime", "args": [{"attr": "must"}]}]}`,
			"=",
			"=",
		},
		{
			"a bound of a window",
			`"{{ format_datetime(stream_partition.day, '%m/%d/%Y') }}"`,
			`{"function": "date", "args": ["m/d/Y", {"function": "strtotime", "args": [{"window": "from"}]}]}`,
			"=",
			"=",
		},
		{
			"a bound that is a time",
			`"{{ format_datetime(stream_partition.unix, '%Y-%m-%d') }}"`,
			`{"function": "date", "args": ["Y-m-d", {"window": "to"}]}`,
			"=",
			"=",
		},
		{
			"timestamps of bounds",
			`"{{ timestamp(stream_partition.day) | int * 1000 }}"`,
			`{"function": "date", "args": ["U000", {"function": "strtotime", "args": [{"window": "from"}]}]}`,
			"=",
			"=",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := meant(at(tt.template), config)
			if m.err != nil && tt.text != "!" {
				t.Fatal(m.err)
			}
			if tt.option == "=" {
				tt.option = tt.any
			}
			if tt.text == "=" {
				tt.text = tt.option
			}
			if tt.text == "!" {
				tt.text = m.text
			}
			got := []string{m.any, m.option, m.text}
			want := []string{tt.any, tt.option, tt.text}
			for i, as := range []string{"any value", "option", "text"} {
				if got[i] != want[i] {
					t.Errorf("as %s %s, want %s", as, got[i], want[i])
				}
			}
		})
	}
}

func TestATemplateThatIsNotUnderstoodIsAnError(t *testing.T) {
	for template, want := range map[string]string{
		`"{{ config.token == 'x' }}"`:                    "depends on the secret token",
		`"{{ config.must | upper }}"`:                    "depends on must: give it by --values",
		`"{{ nobody.x }}"`:                               "nobody is not known here",
		`"{{ response.x }}"`:                             "response is not known here",
		`"{{ now_local() }}"`:                            "the function now_local is not supported",
		`"{{ config.start | frobnicate }}"`:              "the filter frobnicate is not supported",
		`"{{ config.start.frobnicate() }}"`:              "this method is not supported",
		`"{% for x in config.ids %}{{ x }}{% endfor %}"`: "for",
		`"{{ stream_partition.items }}"`:                 "items",
		`"{{ config.items }}"`:                           "items without parentheses",
		`"{{ config.start "`:                             "}} is missing",
		`"{{ stream_partition.id | int }}"`:              "the filter int of a value that is known only in a run",
		`"{{ stream_partition.id * 2 }}"`:                "* of a value that is known only in a run",
		`"{{ now_utc().strftime('%j') }}"`:               `the format "%j"`,
		"'{% set a = [1, 1] %}" + strings.Repeat("{% set a = [a, a] %}", 40) + "{{ a }}'":                               "too many steps",
		"'{% set a = \"" + strings.Repeat("x", 1000) + "\" %}" + strings.Repeat("{% set a = a ~ a %}", 12) + "{{ a }}'": "too long",
		`"[{{ stream_partition.id }}]"`:             "outside of texts",
		`"{{ duration('tomorrow') }}"`:              `the duration "tomorrow"`,
		`"{{ today_with_timezone('Asia/Tokyo') }}"`: "only UTC",
	} {
		t.Run(template, func(t *testing.T) {
			m := meant(at(template), config)
			if m.err == nil || !strings.Contains(m.err.Error(), want) {
				t.Errorf("error %v, any %s, want %s", m.err, m.any, want)
			}
		})
	}
}

func TestWhatTheClockDecidesIsSaid(t *testing.T) {
	for template, want := range map[string]string{
		`"{{ config.start if config.start > '2023-01-01' else 'x' }}"`:          "",
		`"{{ 'new' if config.start > day_delta(-30, '%Y-%m-%d') else 'old' }}"`: "",
		`"{{ 'new' if '2026-11-01' > day_delta(-30, '%Y-%m-%d') else 'old' }}"`: "2026-11-01 > a time before or after now depends on the date of the conversion, 2026-11-23",
		`"{{ min('2026-11-01', day_delta(-30, '%Y-%m-%d')) }}"`:                 "depends on the date of the conversion",
		`"{{ (now_utc() - duration('P1M')).strftime('%Y-%m-%d') }}"`:            "months are those of the calendar",
		`"{{ (now_utc() - duration('P1D')).strftime('%Y-%m-%d') }}"`:            "",
	} {
		t.Run(template, func(t *testing.T) {
			m := meant(at(template), config)
			got := strings.Join(m.notes, "\n")
			isRight := want == "" && got == "" || want != "" && strings.Contains(got, want)
			if m.err != nil || !isRight {
				t.Errorf("error %v, notes %q, want %q", m.err, got, want)
			}
		})
	}
}
