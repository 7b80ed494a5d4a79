package airbyte_test

import (
	"strings"
	"testing"
)

// retrieverWith is a manifest with a retriever of these parts, each as YAML in one line.
func retrieverWith(selector, paginator, requester, transformations string) string {
	if selector == "" {
		selector = "{extractor: {field_path: [data]}}"
	}
	return "streams:\n- name: items\n  type: DeclarativeStream\n  retriever:\n    type: SimpleRetriever\n    record_selector: " + selector +
		"\n    requester: {url_base: 'http://a.test', path: /x" + requester + "}\n    paginator: " + paginator +
		"\n  transformations: [" + transformations + "]\n"
}

const (
	pageOption = "page_token_option: {type: RequestOption, inject_into: request_parameter, field_name: page}"
	sizeOption = "page_size_option: {inject_into: request_parameter, field_name: size}"
	atPath     = "page_token_option: {type: RequestPath}"
)

func TestPaginatorsBecomePagingMethods(t *testing.T) {
	paged := func(strategy, options string) string {
		return "{type: DefaultPaginator, pagination_strategy: {type: " + strategy + "}, " + options + "}"
	}
	cursor := func(more, options string) string { return paged("CursorPagination, "+more, options) }
	for _, c := range []struct{ name, paginator, requester, want string }{
		{"pages without a size", paged("PageIncrement", pageOption), "",
			`"pagination": {"method": "pagenum", "firstPage": 0, "firstPageParams": false}`},
		{"pages", paged("PageIncrement, page_size: 50, start_from_page: 1, inject_on_first_request: true",
			pageOption+", "+sizeOption), "",
			`"pagination": {"method": "pagenum", "limit": 50, "limitParam": "size"}`},
		{"pages but the first", paged("PageIncrement, page_size: '50', start_from_page: 1", pageOption+", "+sizeOption), "",
			`"params": {"size": 50}, "pagination": {"method": "pagenum", "firstPageParams": false, "limit": 50, "limitParam": "size"}`},
		{"pages whose size is a parameter", paged("PageIncrement, page_size: 50, start_from_page: 1", pageOption),
			", request_parameters: {a: 50, per_page: 50}",
			`"pagination": {"method": "pagenum", "firstPageParams": false, "limit": 50, "limitParam": "per_page"}`},
		{"pages of a known size", paged("PageIncrement, page_size: 50, start_from_page: 1", pageOption), "",
			`"pagination": {"method": "pagenum", "firstPageParams": false, "nextPageFlag": {"field": "data.49", "stopOn": false}}`},
		{"pages that may be short", paged("PageIncrement, start_from_page: 1", pageOption), ", request_parameters: {limit: 9}",
			`"pagination": {"method": "pagenum", "firstPageParams": false, "emptyStop": true}`},
		{"offsets", paged("OffsetIncrement, page_size: 50, inject_on_first_request: true", pageOption+", "+sizeOption), "",
			`"pagination": {"method": "offset", "offsetParam": "page", "limit": 50, "limitParam": "size"}`},
		{"offsets but the first", paged("OffsetIncrement, page_size: 50", pageOption+", "+sizeOption), "",
			`"params": {"size": 50}, "pagination": {"method": "offset", "offsetParam": "page", "firstPageParams": false, ` +
				`"limit": 50, "limitParam": "size"}`},
		{"offsets without a size", paged("OffsetIncrement, inject_on_first_request: true", pageOption), "",
			`"params": {"page": "{offset}"}, "pagination": {"method": "offset", "template": true, "limit": 1, "advance": "items"}`},
		{"a cursor", cursor("cursor_value: '{{ response.next }}'", pageOption), "",
			`"pagination": {"method": "response.param", "responseParam": "next", "queryParam": "page", "includeParams": true}`},
		{"a cursor with a size", cursor("cursor_value: '{{ response[\"meta\"][\"next\"] }}', page_size: 5",
			pageOption+", "+sizeOption), "",
			`"params": {"size": 5}, "pagination": {"method": "response.param", "responseParam": "meta.next", ` +
				`"queryParam": "page", "includeParams": true}`},
		{"an address", cursor("cursor_value: '{{ response.next }}', stop_condition: '{{ response.next is none }}'", atPath), "",
			`"pagination": {"method": "response.url", "urlKey": "next", "includeParams": true}`},
		{"a name with a point", cursor("cursor_value: '{{ response[\"@odata.nextLink\"] }}'", atPath), "",
			`"pagination": {"method": "response.url", "urlKey": "@odata.nextLink", "includeParams": true}`},
		{"the header Link", cursor("cursor_value: '{{ headers[\"link\"][\"next\"][\"url\"] }}', "+
			"stop_condition: '{{ \"next\" not in headers[\"link\"] }}'", atPath), "",
			`"pagination": {"method": "response.url", "urlHeader": "link", "includeParams": true}`},
		{"a header", cursor("cursor_value: '{{ headers[\"X-Next\"] }}'", pageOption), "",
			`"pagination": {"method": "response.param", "responseHeader": "X-Next", "queryParam": "page", "includeParams": true}`},
		{"the last record", cursor("cursor_value: '{{ last_record[\"id\"] }}', "+
			"stop_condition: '{{ not response.has_more }}'", pageOption), "",
			`"pagination": {"method": "cursor", "take": "last", "idKey": "id", "endOnMissing": true, "param": "page", ` +
				`"nextPageFlag": {"field": "has_more", "stopOn": false}}`},
		{"the last of the list", cursor("cursor_value: '{{ response.data[-1].id }}'", pageOption), "",
			`"pagination": {"method": "cursor", "take": "last", "idKey": "id", "endOnMissing": true, "param": "page"}`},
		{"a full page", cursor("cursor_value: '{{ last_records[-1][\"id\"] }}', page_size: 3, "+
			"stop_condition: '{{ last_page_size < page_size }}'", pageOption), "",
			`"pagination": {"method": "cursor", "take": "last", "idKey": "id", "endOnMissing": true, "param": "page", ` +
				`"nextPageFlag": {"field": "data.2", "stopOn": false}}`},
		{"no items", cursor("cursor_value: '{{ response.next }}', stop_condition: '{{ last_page_size == 0 }}'", pageOption), "",
			`"pagination": {"method": "response.param", "responseParam": "next", "queryParam": "page", "includeParams": true, ` +
				`"emptyStop": true}`},
		{"a flag or nothing", cursor("cursor_value: '{{ response.next }}', "+
			"stop_condition: '{{ response.last is true or not response.next }}'", pageOption), "",
			`"pagination": {"method": "response.param", "responseParam": "next", "queryParam": "page", "includeParams": true, ` +
				`"nextPageFlag": {"field": "last", "stopOn": true, "ifNotSet": false}}`},
		{"a flag that is something where it is missing", cursor("cursor_value: '{{ response.next }}', "+
			"stop_condition: \"{{ response.get('end') }}\"", pageOption), "", `"nextPageFlag": {"field": "end", "stopOn": true}`},
		{"a choice", cursor("cursor_value: \"{{ response.next if response.get('more', false) else none }}\"", pageOption), "",
			`"pagination": {"method": "response.param", "responseParam": "next", "queryParam": "page", "includeParams": true, ` +
				`"nextPageFlag": {"field": "more", "stopOn": false}}`},
		{"the last of the records", cursor("cursor_value: \"{{ (last_records|last)['id'] }}\", "+
			"stop_condition: '{{ not last_records }}'", pageOption), "",
			`"pagination": {"method": "cursor", "take": "last", "idKey": "id", "endOnMissing": true, "param": "page"}`},
		{"a token among the parameters", cursor("cursor_value: '{{ response.next }}'", "decoder: {type: JsonDecoder}"),
			", request_parameters: {a: b, t: \"{{ next_page_token['next_page_token'] }}\"}",
			`"params": {"a": "b"}, "pagination": {"method": "response.param", "responseParam": "next", "queryParam": "t", ` +
				`"includeParams": true}`},
		{"a number in the body", paged("PageIncrement, page_size: 5, start_from_page: 1", "decoder: {type: JsonDecoder}"),
			", http_method: POST, request_body_json: {n: 5, page: \"{{ next_page_token['next_page_token'] or 1 }}\"}",
			`"pagination": {"method": "pagenum", "pageParam": ["page"], "limit": 5, "limitParam": ["n"]}`},
		{"parameters of the first page", cursor("cursor_value: '{{ response.next }}'", atPath),
			", request_parameters: {a: \"{{ 'x' if not next_page_token }}\"}",
			`"params": {"a": "x"}, "pagination": {"method": "response.url", "urlKey": "next"}`},
		{"a default", cursor("cursor_value: \"{{ response.get('next', {}).get('after') }}\"", pageOption), "",
			`"pagination": {"method": "response.param", "responseParam": "next.after", "queryParam": "page", "includeParams": true}`},
		{"a token in an object", cursor(`cursor_value: "{{ '{\"after\": \"' + response.end + '\"}' if response.end else '' }}"`,
			"page_token_option: {inject_into: body_json, field_name: variables}"),
			", http_method: POST, request_body_json: {query: q}",
			`"pagination": {"method": "response.param", "responseParam": "end", "queryParam": ["variables", "after"], ` +
				`"includeParams": true}`},
		{"a sum of two numbers", cursor("cursor_value: '{{ response.startAt + response.maxResults }}', page_size: 50, "+
			"stop_condition: '{{ response.isLast or response.startAt + response.maxResults >= response.total }}'",
			"page_token_option: {inject_into: request_parameter, field_name: startAt}, "+sizeOption), "",
			`"params": {"size": 50}, "pagination": {"method": "response.param", "params": {"startAt": {"add": [{"path": "startAt"}, ` +
				`{"path": "maxResults"}], "below": {"path": "total"}}}, "includeParams": true, ` +
				`"nextPageFlag": {"field": "isLast", "stopOn": true, "ifNotSet": false}}`},
		{"a page and one more", cursor("cursor_value: \"{{ response['meta']['page']|int + 1 }}\", "+
			"stop_condition: \"{{ response.meta.page >= response.meta.pages }}\"", pageOption), "",
			`"pagination": {"method": "response.param", "params": {"page": {"add": [{"path": "meta.page"}, 1], ` +
				`"upTo": {"path": "meta.pages"}}}, "includeParams": true}`},
		{"a page from 0", cursor("cursor_value: '{{ response.number + 1 }}', "+
			"stop_condition: '{{ response.number == response.totalPages - 1 }}'", pageOption), "",
			`{"page": {"add": [{"path": "number"}, 1], "below": {"path": "totalPages"}}}, "includeParams": true}`},
		{"a sum where there is more", cursor("cursor_value: \"{{ response.offset + 100 if response.offset + 100 < response.total else '' }}\"",
			pageOption), "",
			`{"page": {"add": [{"path": "offset"}, 100], "below": {"path": "total"}}}, "includeParams": true}`},
		{"a sum of headers", cursor("cursor_value: \"{{ headers['X-Page']|int + 1 }}\", "+
			"stop_condition: \"{{ headers['X-Pages']|int <= headers['X-Page']|int }}\"", pageOption), "",
			`{"page": {"add": [{"header": "X-Page"}, 1], "upTo": {"header": "X-Pages"}}}, "includeParams": true}`},
		{"a sum with a flag", cursor("cursor_value: '{{ response.offset + response.limit }}', "+
			"stop_condition: '{{ not response.data or response.more is false }}'",
			"page_token_option: {inject_into: body_json, field_name: offset}"), ", http_method: POST",
			`{"offset": {"add": [{"path": "offset"}, {"path": "limit"}], "to": "body"}}, "includeParams": true, ` +
				`"nextPageFlag": {"field": "more", "stopOn": false, "ifNotSet": true}}`},
		{"parts of a token", cursor("cursor_value: '{{ response.paging.next }}', stop_condition: '{{ not response.paging.next }}'", "decoder: {type: JsonDecoder}"),
			", request_parameters: {a: 1, after: \"{{ next_page_token['next_page_token']['after'] if next_page_token }}\", " +
				"shard: \"{{ next_page_token.next_page_token.shard }}\"}",
			`"params": {"a": "1"}, "pagination": {"method": "response.param", "params": {"after": {"path": "paging.next.after"}, ` +
				`"shard": {"path": "paging.next.shard"}}, "includeParams": true}`},
		{"a size without a name", paged("PageIncrement, page_size: 50, start_from_page: 1, inject_on_first_request: true",
			pageOption+", page_size_option: {inject_into: request_parameter, field_name: ''}"), "",
			`"pagination": {"method": "pagenum", "limit": 50, "limitParam": ""}`},
		{"equal to false", cursor("cursor_value: '{{ response.next }}', stop_condition: '{{ response.more == false }}'",
			pageOption), "",
			`"pagination": {"method": "response.param", "responseParam": "next", "queryParam": "page", "includeParams": true, ` +
				`"nextPageFlag": {"field": "more", "stopOn": false, "ifNotSet": true}}`},
	} {
		job, refused, _, _ := retrieved(t, retrieverWith("", c.paginator, c.requester, ""))
		if len(refused) > 0 {
			t.Errorf("%s: refused %q", c.name, refused)
			continue
		}
		if !strings.Contains(job, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, job, c.want)
		}
	}
}

func TestTwoOptionsOfPagesDoNotSetTheSame(t *testing.T) {
	paginator := "{type: DefaultPaginator, pagination_strategy: {type: OffsetIncrement, page_size: 5}, " + pageOption +
		", page_size_option: {inject_into: request_parameter, field_name: page}}"
	_, refused, _, _ := retrieved(t, retrieverWith("", paginator, "", ""))
	want := "page_size_option and page_token_option both set page, which Airbyte refuses"
	if len(refused) != 1 || !strings.Contains(refused[0], want) {
		t.Errorf("got %q, want %q", refused, want)
	}
}
