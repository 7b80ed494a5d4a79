package airbyte_test

import (
	"strings"
	"testing"
)

func TestSelectorsSayWhereItemsAreAndWhichOfThem(t *testing.T) {
	filtered := func(condition string) string {
		return "{extractor: {field_path: [data]}, record_filter: {type: RecordFilter, condition: \"" + condition + "\"}}"
	}
	for _, c := range []struct{ name, selector, want, more, refused string }{
		{"the whole answer", "{extractor: {field_path: []}}", `{}`, "", ""},
		{"a path", "{extractor: {field_path: [a, b]}}", `{"dataField": "a.b"}`, "", ""},
		{"a path with a point", "{extractor: {field_path: [a, b.c]}}",
			`{"dataField": {"path": "a/b.c", "delimiter": "/"}}`, "", ""},
		{"a map", "{extractor: {field_path: [a, '*']}}",
			`{"dataField": {"path": "a.*", "objects": true}}`, "", ""},
		{"an object in each", "{extractor: {field_path: [a, '*', b]}}",
			`{"dataField": {"path": "a.*.b", "objects": true}}`, "not the list", ""},
		{"a list in each", "{extractor: {field_path: [a], record_expander: {expand_records_from_field: [b]}}}",
			`{"dataField": "a.*.b"}`, "where Airbyte expects a list", ""},
		{"a filter", filtered("{{ record.state == 'open' }}"),
			`{"dataField": "data", "where": "state==open"}`, "", ""},
		{"a filter in part", filtered("{{ record.a == 1 and record.b == record.c }}"),
			`{"dataField": "data", "where": "a==1"}`, "more items come", ""},
		{"a filter by a slice", filtered("{{ record.at > stream_slice.start }}"), `{"dataField": "data"}`, "more items", ""},
		{"no item", filtered("{{ false }}"), "", "", "leaves no item"},
		{"a pattern", "{extractor: {field_path: ['a?']}}", "", "", "is not supported"},
		{"types of a schema", "{schema_normalization: Default, extractor: {field_path: [a]}}", `{"dataField": "a"}`,
			"not made to have those of the schema", ""},
	} {
		made, refused, more, _ := retrieved(t, retrieverWith(c.selector, "{type: NoPagination}", "", ""))
		isRefused := c.refused != "" && strings.Contains(strings.Join(refused, ""), c.refused)
		isMore := strings.Contains(strings.Join(more, ""), c.more) && (c.more == "") == (len(more) == 0)
		isSaid := c.refused == "" && made == c.want && len(refused) == 0 && isMore
		if !isRefused && !isSaid {
			t.Errorf("%s: got %s, more %q, refused %q", c.name, made, more, refused)
		}
	}
}

func TestPagingThatCannotBeSaidIsRefused(t *testing.T) {
	cursor := func(more, options string) string {
		return "{type: DefaultPaginator, pagination_strategy: {type: CursorPagination, " + more + "}, " + options + "}"
	}
	for _, c := range []struct{ paginator, requester, want string }{
		{cursor("cursor_value: '{{ response.page + response.a + response.b + response.c }}'", pageOption), "", "calculated"},
		{cursor("cursor_value: \"{{ response.next | regex_search('a=(.*)') }}\"", pageOption), "", "part of an address"},
		{cursor("cursor_value: '{{ response.next }}', stop_condition: '{{ response.page == response.other }}'", pageOption),
			"", "two members"},
		{cursor("cursor_value: '{{ response.next }}', stop_condition: '{{ response.a and response.b }}'", pageOption),
			"", "two conditions"},
		{cursor("cursor_value: '{{ headers[\"Link\"][\"next\"][\"url\"] }}'", atPath), "", "of the header Link the address"},
		{cursor(`cursor_value: "{{ '{\"a\": \"' + response.end + '\"}' }}"`, pageOption), "", "its value is missing"},
		{cursor(`cursor_value: "{{ '{\"a\": \"' + response.b + '\"}' if response.b }}"`,
			"page_token_option: {inject_into: body_json, field_name: v}"),
			", http_method: POST, request_body_json: {v: {b: 1}}", "a JSON body has none yet"},
		{cursor(`cursor_value: "{{ '{\"a\": \"' + response.b + '\"}' if response.b }}"`, pageOption), "", "a JSON body has none yet"},
		{cursor("cursor_value: '{{ last_record.next }}'", atPath), "", "a value of the last record, is not an address"},
		{cursor("cursor_value: 'v2/{{ response.next }}'", atPath), "", "around an expression"},
		{cursor("cursor_value: '{{ response.next }}'", pageOption),
			", request_parameters: {a: 1, b: '{{ 2 ~ next_page_token.next_page_token }}'}", "token of the next page"},
		{cursor("cursor_value: '{{ response.next }}'", pageOption),
			", request_parameters: {'{{ 1 if next_page_token else 2 }}': b}", "this use of the token of the next page"},
		{cursor("cursor_value: '{{ response.next }}'", pageOption),
			", request_parameters: {\"{{ 'a' }}\": '{{ 1 if next_page_token else 2 }}'}", "a name that is a template"},
		{"{type: DefaultPaginator, pagination_strategy: {type: PageIncrement}}", "", "without page_token_option"},
		{"{type: DefaultPaginator, pagination_strategy: {type: CustomPaginationStrategy, class_name: a.B}}", "", "a.B"},
	} {
		_, refused, _, _ := retrieved(t, retrieverWith("", c.paginator, c.requester, ""))
		if !strings.Contains(strings.Join(refused, "; "), c.want) {
			t.Errorf("%s: refused %q, want %q", c.paginator, refused, c.want)
		}
	}
}

func TestMorePagesThanThereAreSaid(t *testing.T) {
	for _, c := range []struct{ strategy, want string }{
		{"cursor_value: '{{ headers.get(\"x-next\") }}'", "in other capitals"},
		{"cursor_value: '{{ response.next }}', stop_condition: '{{ response.done }}'", "where done is null"},
		{"cursor_value: '{{ response.next }}', stop_condition: \"{{ response.get('done') }}\"", ""},
		{"cursor_value: '{{ response.next }}', stop_condition: '{{ not response.more }}'", ""},
	} {
		paginator := "{type: DefaultPaginator, pagination_strategy: {type: CursorPagination, " + c.strategy + "}, " +
			pageOption + "}"
		_, refused, more, _ := retrieved(t, retrieverWith("", paginator, "", ""))
		isSaid := strings.Contains(strings.Join(more, ""), c.want) && (c.want == "") == (len(more) == 0)
		if len(refused) > 0 || !isSaid {
			t.Errorf("%s: refused %q, more %q", c.strategy, refused, more)
		}
	}
}
