package airbyte_test

import (
	"strings"
	"testing"

	"sluice/cli/discover/airbyte"
)

// retriever asks at a path, %.
const retriever = `retriever: {type: SimpleRetriever,
  requester: {type: HttpRequester, url_base: https://api.example.com, path: %},
  record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}}`

func simple(path string) string { return strings.ReplaceAll(retriever, "%", path) }

// exporting is a retriever that exports for each of two values, with the items at a path of what is downloaded.
func exporting(path string) string {
	const requester = "{type: HttpRequester, url_base: https://api.example.com, path: "
	return `{type: AsyncRetriever, status_mapping: {running: [r], completed: [c]},
  partition_router: {type: ListPartitionRouter, values: [a, b], cursor_field: of},
  creation_requester: ` + requester + `"x/{{ stream_partition.of }}", http_method: POST},
  polling_requester: ` + requester + `"y/{{ creation_response['id'] }}"},
  download_requester: {type: HttpRequester, url_base: "{{ download_target }}"},
  status_extractor: {type: DpathExtractor, field_path: [s]},
  download_target_extractor: {type: DpathExtractor, field_path: [u]},
  record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}},
  download_extractor: {type: DpathExtractor, field_path: ` + path + `}}`
}

func TestStreamsThatAreNotPlainAreConvertedOrNamed(t *testing.T) {
	for _, c := range []struct{ name, stream, values, want string }{
		{
			name: "two streams for two states",
			stream: `{type: StateDelegatingStream, name: both,
 full_refresh_stream: {type: DeclarativeStream, name: both, ` + simple("all") + `},
 incremental_stream: {type: DeclarativeStream, name: both, ` + simple("new") + `}}`,
			want: `both superset: each run reads everything: it is not known which of the two streams has a state`,
		},
		{
			name: "two streams without a type",
			stream: `{type: StateDelegatingStream, name: both, full_refresh_stream: {name: both, ` + simple("all") + `},
 incremental_stream: {name: both, ` + simple("new") + `}}`,
			want: `both refused: a stream without a type is not supported at this place: ` +
				`want the type DeclarativeStream`,
		},
		{
			name: "a text behind a list",
			stream: `{type: DeclarativeStream, name: odd, ` +
				simple(`"{{ config['a'] + config['b'] | join(',') }}"`) + `}`,
			values: `{"a": ["x"], "b": ["y", "z"]}`,
			want: `odd refused: {{ config['a'] + config['b'] | join(',') }}: a list + a text fails in Airbyte, too: ` +
				`a filter applies only to the operand right of the +, unless both are in parentheses`,
		},
		{
			name: "a condition that holds",
			stream: `{type: ConditionalStreams, condition: "{{ config['kind'] == 'big' }}", streams: [
 {type: DeclarativeStream, name: one, ` + simple("one") + `}, {type: DeclarativeStream, name: two, ` + simple("two") + `}]}`,
			values: `{"kind": "big"}`,
			want:   "one whole\ntwo whole",
		},
		{
			name: "a cursor that is code",
			stream: `{type: DeclarativeStream, name: coded, ` + simple("coded") + `,
 incremental_sync: {type: CustomIncrementalSync, class_name: source.components.Cursor, cursor_field: at}}`,
			want: `coded refused: source.components.Cursor is a Python class, which cannot be converted`,
		},
		{
			name: "a retriever that is code",
			stream: `{type: DeclarativeStream, name: coded,
 retriever: {type: CustomRetriever, class_name: source.components.Retriever, path: x}}`,
			want: `coded refused: source.components.Retriever is a Python class, which cannot be converted`,
		},
		{
			name:   "a member that nobody knows",
			stream: `{type: DeclarativeStream, name: odd, ` + strings.Replace(simple("odd"), "{type", "{request_window_splitting: {a: 1}, type", 1) + `}`,
			want:   `odd refused: request_window_splitting is not supported`,
		},
		{
			name:   "paging that begins again",
			stream: `{type: DeclarativeStream, name: odd, ` + strings.Replace(simple("odd"), "{type", "{pagination_reset: {action: RESET}, type", 1) + `}`,
			want:   `odd refused: paging that begins again is not supported`,
		},
		{
			name:   "files",
			stream: `{type: DeclarativeStream, name: odd, file_uploader: {type: FileUploader}, ` + simple("odd") + `}`,
			want:   `odd refused: files are not read, only what the API says of them`,
		},
		{
			name: "an empty list",
			stream: `{type: DeclarativeStream, name: none, ` + strings.Replace(simple("none"), "{type",
				`{partition_router: {type: ListPartitionRouter, values: "{{ config['of'] }}", cursor_field: of}, type`, 1) + `}`,
			values: `{"of": []}`,
			want:   `none refused: there is nothing to ask for: its list of values is empty`,
		},
		{
			name:   "items of all lists in a download",
			stream: "{type: DeclarativeStream, name: spread, retriever: " + exporting("['*', '*']") + "}",
			want:   "spread whole",
		},
		{
			name: "items of all lists with a value of the slice",
			stream: "{type: DeclarativeStream, name: spread, retriever: " + exporting("['*', '*']") + `,
 transformations: [{type: AddFields, fields: [{path: [x], value: "{{ stream_partition.of }}"}]}]}`,
			want: "spread shaped",
		},
		{
			name: "a list whose values the items have",
			stream: `{type: DeclarativeStream, name: listed, ` + strings.Replace(simple("listed"), "{type",
				`{partition_router: {type: ListPartitionRouter, values: [a, b], cursor_field: of}, type`, 1) + `,
 transformations: [{type: AddFields, fields: [{path: [x], value: "{{ record['y'] }}"}, {path: [of], value: "{{ stream_partition.of }}"}]}]}`,
			want: `listed shaped`,
		},
		{
			name: "a field that jq cannot add",
			stream: `{type: DeclarativeStream, name: plain, ` + simple("plain") + `,
 transformations: [{type: AddFields, fields: [{path: [x, y], value: "{{ timestamp(record['a']) - record['b'] | title }}"}]}]}`,
			want: "plain shaped: x.y is not added, or stays what it was: the function timestamp of an item is not supported in this way",
		},
		{
			name: "fields that jq cannot remove, and the cursor may be one of them",
			stream: `{type: DeclarativeStream, name: plain, ` + simple("plain") + `,
 transformations: [{type: RemoveFields, field_pointers: [["a*"]]}],
 incremental_sync: {type: DatetimeBasedCursor, cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2020-01-01",
 start_time_option: {inject_into: request_parameter, field_name: since}}}`,
			want: "plain superset: each run reads everything since the start: at is made by a transformation, " +
				"so items do not have it as they come: the fields that it removes are still there: " +
				"the step a* of what is removed is not supported",
		},
		{
			name: "numbers beside a list",
			stream: `{type: DeclarativeStream, name: both, ` + strings.Replace(simple("both"), "{type",
				`{partition_router: {type: ListPartitionRouter, values: [a], cursor_field: of}, type`, 1) + `,
 incremental_sync: {type: IncrementingCountCursor, cursor_field: id}}`,
			want: `both refused: it does not work beside a partition router, in Airbyte either`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			manifest := "type: DeclarativeSource\nstreams: [" + c.stream + "]\n"
			r, err := airbyte.Convert(airbyte.Input{Now: clock, Manifest: []byte(manifest), Values: []byte(c.values)})
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, o := range r.Streams {
				line := o.Stream + " " + string(o.Verdict)
				for _, reason := range o.Reasons {
					line += ": " + reason.Text
				}
				all = append(all, line)
			}
			if got := strings.Join(all, "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
