package airbyte_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/cli/discover/airbyte"
)

// asking is a stream with more of its requester, and more of its retriever.
func asking(name, requester, retriever string) string {
	return "{type: DeclarativeStream, name: " + name + ", retriever: {type: SimpleRetriever, " + retriever +
		"record_selector: {extractor: {field_path: [data]}}, " +
		"requester: {url_base: https://api.test, path: " + name + requester + "}}}"
}

func TestWhatOneOfThePlatformsDoesOtherwiseIsNoted(t *testing.T) {
	filters := func(filter string) string { return ", error_handler: {response_filters: [" + filter + "]}" }
	for _, c := range []struct{ name, stream, want string }{{
		name:   "statuses that are ignored",
		stream: asking("a", filters("{action: IGNORE, http_codes: [404, 200]}, {action: SUCCESS, http_codes: [204]}"), ""),
	}, {
		name:   "success in spite of an error",
		stream: asking("a", filters("{action: SUCCESS, http_codes: [404]}"), ""),
		want:   "items in an answer with an error status are read neither by Airbyte nor by sluice, although its action is SUCCESS",
	}, {
		name:   "good answers that are ignored",
		stream: asking("a", filters("{action: IGNORE, predicate: \"{{ response.code == 8 }}\"}"), ""),
		want: "IGNORE on a successful answer: Airbyte reads its items and goes on; " +
			"sluice takes it for the last page, and for an error if it has items",
	}, {
		name: "addresses of next pages",
		stream: asking("a", ", request_parameters: {kind: b}", "paginator: {type: DefaultPaginator, "+
			"page_token_option: {type: RequestPath}, "+
			"pagination_strategy: {type: CursorPagination, cursor_value: \"{{ response.next }}\"}}, "),
		want: "if the address of a next page has another value for a parameter of its job, Airbyte sends both; " +
			"sluice sends that of the address",
	}, {
		name: "values of parents that are not sent",
		stream: asking("a", "", "partition_router: {type: SubstreamPartitionRouter, parent_stream_configs: [{parent_key: n, "+
			"partition_field: p, request_option: {inject_into: header, field_name: N}, stream: "+asking("b", "", "")+"}]}, "),
		want: `n: where an item of the parent has 0, "", false or null there, Airbyte leaves the parameter ` +
			"of its request_option out; sluice sends it, and for null sends no request",
	}, {
		name:   "values that decide",
		stream: asking("\"{{ config['of'] }}\"", "", ""),
		want: "the configuration depends on these values: convert the manifest again when one of them " +
			"changes: of",
	}} {
		t.Run(c.name, func(t *testing.T) {
			other := asking("other", filters("{action: SUCCESS, http_codes: [403]}")+
				", http_method: \"{{ config['no'] }}\"", "")
			listed := asking("listed", ", authenticator: {type: SelectiveAuthenticator, "+
				"authenticator_selection_path: [how], authenticators: {none: {type: NoAuth}}}", "")
			r, err := airbyte.Convert(airbyte.Input{
				Now: clock,
				Manifest: []byte(
					"type: DeclarativeSource\nstreams: [" + other + ", " + listed + ", " + c.stream + "]\n",
				),
				Values: []byte(`{"of": "a", "how": "none", "no": "PUT"}`), Streams: []string{"a"},
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, strings.Join(r.Notes, "\n")); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
