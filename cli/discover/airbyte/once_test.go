package airbyte_test

import (
	"strings"
	"testing"

	"sluice/cli/discover/airbyte"
)

// fromNext is a stream whose pages are at the address next. Its first page alone has the time that it asks for, at %.
const fromNext = `
streams:
  - type: DeclarativeStream
    name: events
    retriever:
      type: SimpleRetriever
      ignore_stream_slicer_parameters_on_paginated_requests: true
      requester: {url_base: https://api.example.com, path: "events?all=1", request_parameters: {PARAMETERS}}
      record_selector: {extractor: {field_path: [items]}}
      paginator:
        type: DefaultPaginator
        page_token_option: TOKEN
        pagination_strategy: {type: CursorPagination, cursor_value: "{{ response.next }}"}
    incremental_sync:
      type: DatetimeBasedCursor
      cursor_field: at
      datetime_format: "%Y-%m-%d %H:%M"
      start_datetime: START
      start_time_option: {inject_into: OPTION, field_name: "since[]"}
`

func TestValuesOfSlicesAreAskedForOnceWhereTheManifestSaysSo(t *testing.T) {
	const start = `"2024-01-01 00:00"`
	const path, after = "{type: RequestPath}", "{inject_into: request_parameter, field_name: after}"
	const refused = "refused: values that only the first request has are not supported here"
	for _, c := range []struct{ name, parameters, start, token, option, want string }{
		{
			"beside a parameter of all pages, in the address of the first", "size: 5", start, path, "request_parameter",
			`"endpoint": { "function": "concat", "args": ["events?all=1&since%5B%5D=", ` +
				`{"function": "last", "args": ["at", "2024-01-01 00:00"]}] }, "id": "events", "dataType": "events", ` +
				`"params": {"size": "5"}`,
		},
		{
			"alone, as the parameters of the first", "", start, path, "request_parameter",
			`"params": {"since[]": {"function": "last", "args": ["at", "2024-01-01 00:00"]}}`,
		},
		{
			"a text with a value in it, escaped whole", "size: 5", "\"{{ config['day'] }} 10:00\"\n      cursor_datetime_formats: ['%q']", path, "request_parameter",
			`"events?all=1&since%5B%5D=", {"function": "urlencode", "args": [{"function": "concat", "args": [{"attr": "day"}, " 10:00"]}]}`,
		},
		{"alone before a token", "", start, after, "request_parameter", `"params": {"since[]": {`},
		{"beside a parameter of all pages before a token", "size: 5", start, after, "request_parameter", refused},
		{"in a header", "", start, path, "header", refused},
	} {
		text := strings.NewReplacer(
			"PARAMETERS",
			c.parameters,
			"START",
			c.start,
			"TOKEN",
			c.token,
			"OPTION",
			c.option,
		)
		r, err := airbyte.Convert(
			airbyte.Input{Now: clock, Manifest: []byte(text.Replace(fromNext)), Values: []byte(`{"day": "2024-01-01"}`)},
		)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(string(r.Configuration)), " ")
		for _, reason := range r.Streams[0].Reasons {
			got += string(r.Streams[0].Verdict) + ": " + reason.Text
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		isIncluded := strings.Contains(got, "includeParams")
		if isIncluded != (c.parameters != "" && c.want != refused) {
			t.Errorf("%s: all pages have the parameters: %t", c.name, isIncluded)
		}
	}
}
