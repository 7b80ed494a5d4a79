package airbyte_test

import "testing"

func TestErrorHandlersAreConditions(t *testing.T) {
	for _, c := range []conversion{{
		name: "statuses",
		manifest: `
type: DefaultErrorHandler
max_retries: 3
response_filters:
  - {http_codes: [404, 410], action: IGNORE, error_message: gone}
  - {http_codes: [403], action: RETRY}
  - {http_codes: [429], action: RATE_LIMITED}
  - {http_codes: [500], action: FAIL}
  - {http_codes: [401], action: FAIL, failure_type: config_error}
  - {http_codes: [204], action: SUCCESS}`,
		want: `retryOn ["$status==403"]
emptyOn ["$status==404", "$status==410"]
endOn ["$status==404", "$status==410"]
failOn ["$status==500"]`,
	}, {
		name: "predicates, whose values tell them apart",
		manifest: `
response_filters:
  - {predicate: "{{ response.get('error') == 'gone' }}", action: IGNORE}
  - {predicate: "{{ response['error'] == 'slow' }}", action: RETRY}
  - {predicate: "{{ response.ok is false }}", action: FAIL}`,
		want: `retryOn ["$status>0&error==slow"]
emptyOn ["$status>0&error==gone"]
endOn ["$status>0&error==gone"]
failOn ["$status>0&ok==false"]`,
	}, {
		name: "the text of an error",
		manifest: `
response_filters:
  - {error_message_contains: "no & more", action: FAIL}`,
		want: `failOn ["$status>0&message~~%no % more%", "$status>0&messages~~%no % more%", ` +
			`"$status>0&error~~%no % more%", "$status>0&errors~~%no % more%", "$status>0&failures~~%no % ` +
			`more%", "$status>0&failure~~%no % more%", "$status>0&detail~~%no % more%", "$status>0&err~~%no ` +
			`% more%", "$status>0&error_message~~%no % more%", "$status>0&msg~~%no % more%", ` +
			`"$status>0&reason~~%no % more%", "$status>0&status_message~~%no % more%"]`,
	}, {
		name: "the first that holds counts",
		manifest: `
response_filters:
  - {http_codes: [403], action: IGNORE}
  - {predicate: "{{ response.busy == true }}", http_codes: [403], action: RETRY}`,
		want: `retryOn ["$status!=403&busy==true"]
emptyOn ["$status==403"]
endOn ["$status==403"]`,
	}, {
		name: "the first would have to count",
		manifest: `
response_filters:
  - {predicate: "{{ response.code == 7 }}", action: FAIL}
  - {http_codes: [404], action: IGNORE}`,

		refused: "requester.error_handler.response_filters[1]: it would have to count after an earlier filter, " +
			"which has no equivalent in sluice: give the two filters different statuses",
	}, {
		name: "texts of which both may hold",
		manifest: `
response_filters:
  - {predicate: "{{ response.code == 7 }}", action: FAIL}
  - {predicate: "{{ response.gone == true }}", action: IGNORE}
  - {predicate: "{{ response.get('code') != 0 }}", action: FAIL}`,
		want: `emptyOn ["$status>0&gone==true"]
endOn ["$status>0&gone==true"]
failOn ["$status>0&code==7", "$status>0&code!=0"]`,
	}, {
		name: "several handlers",
		manifest: `
type: CompositeErrorHandler
error_handlers:
  - type: DefaultErrorHandler
    response_filters:
      - {http_codes: [403], action: FAIL}
  - type: DefaultErrorHandler
    backoff_strategies:
      - {type: ConstantBackoffStrategy, backoff_time_in_seconds: 5}
      - {type: WaitTimeFromHeader, header: X-Wait, regex: "[0-9]+"}
    response_filters:
      - {http_codes: [403], action: IGNORE}
      - {predicate: "{{ response.code == 7 }}", action: IGNORE}`,
		want: `emptyOn ["$status==403", "$status>=400&code==7"]
endOn ["$status==403", "$status>=400&code==7"]
retryHeader "X-Wait"`,
	}, {
		name: "waiting until a time",
		manifest: `
backoff_strategies:
  - {type: WaitTimeFromHeader, header: retry-after}
  - {type: WaitUntilTimeFromHeader, header: X-Reset, min_wait: 5}
  - {type: ExponentialBackoffStrategy, factor: 3}`,
		want: `retryHeader "X-Reset"`,
	}, {
		name: "a new login",
		manifest: `
response_filters:
  - {http_codes: [401], action: REFRESH_TOKEN_THEN_RETRY}
  - {http_codes: [403], action: REFRESH_TOKEN_THEN_RETRY}`,
		refused: "requester.error_handler.response_filters[1]: a new login after another status than 401 has no equivalent in sluice",
	}, {
		name:     "another action",
		manifest: "response_filters:\n  - {http_codes: [400], action: RESET_PAGINATION}",
		refused:  "requester.error_handler.response_filters[0]: the action RESET_PAGINATION has no equivalent in sluice",
	}, {
		name:     "a predicate that is not supported",
		manifest: "response_filters:\n  - {predicate: \"{{ response | length > 5 }}\", action: FAIL}",
		refused:  "requester.error_handler.response_filters[0].predicate: the condition has no equivalent in sluice",
	}, {
		name:     "a handler that is code",
		manifest: "type: CustomErrorHandler\nclass_name: source.components.Mine",
		refused:  "requester.error_handler: the error handler is the Python class source.components.Mine, which cannot be converted",
	}} {
		c.manifest = ofRequester("url_base: https://api.test/v1\npath: q\nerror_handler:\n" + indented("  ", c.manifest))
		if c.refused == "" {
			c.want = addressed + c.want
		}
		t.Run(c.name, c.test)
	}
}

func TestDecodersAreFormats(t *testing.T) {
	for _, c := range []conversion{{
		name:     "JSON",
		manifest: "type: JsonDecoder",
	}, {
		name:     "lines of JSON",
		manifest: "type: GzipDecoder\ndecoder: {type: JsonlDecoder}",
		want:     `format "ndjson"`,
	}, {
		name:     "a table",
		manifest: "type: CsvDecoder\ndelimiter: '\\t'\nencoding: utf-8",
		want:     `format {"type": "csv", "delimiter": "\t"}`,
	}, {
		name:     "a table with texts for nothing",
		manifest: "type: CsvDecoder\nset_values_to_none: ['', N/A]",
		want:     "format {\"type\": \"csv\"}\njq map_values(if IN(\"\", \"N/A\") then null else . end)",
	}, {
		name:     "a table in another encoding",
		manifest: "type: CsvDecoder\nencoding: latin-1",

		refused: "decoder: the encoding latin-1 is not supported, want utf-8",
	}, {
		name:     "an archive",
		manifest: "type: ZipfileDecoder\ndecoder: {type: CsvDecoder}",
		refused:  "decoder: a decoder ZipfileDecoder is not supported",
	}, {
		name:     "a decoder that is code",
		manifest: "type: CustomDecoder\nclass_name: source.components.Mine",
		refused:  "decoder: the decoder is the Python class source.components.Mine, which cannot be converted",
	}} {
		c.manifest = ofRequester("url_base: https://api.test/v1\npath: q") + "decoder:\n" + indented("  ", c.manifest)
		if c.refused == "" {
			c.want = addressed + c.want
		}
		t.Run(c.name, c.test)
	}
}
