package airbyte_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const spec = `
type: DeclarativeSource
spec:
  connection_specification:
    type: object
    properties:
      key: {type: string, airbyte_secret: true}
      secret: {type: string, airbyte_secret: true}
      refresh: {type: string, airbyte_secret: true}
      user: {type: string}
      team: {type: string}
      kind: {type: string}
      regions: {type: array}
      missing: {type: string}
      credentials: {type: object}
`

const given = `{"key": "k", "secret": "s", "refresh": "r", "user": "ann", "team": "red", "kind": "second",
	"regions": ["eu", "us"]}`

// converted is what a requester becomes, one member of a job a line, and the reasons why it is refused.
func converted(t *testing.T, retriever string) (said, refused string) {
	t.Helper()
	parent := "{type: DeclarativeStream, name: parents, retriever: {type: SimpleRetriever, record_selector: {extractor: " +
		"{field_path: []}}, requester: {url_base: 'https://api.test/p', path: ''}}}"
	manifest := spec + "streams:\n  - type: DeclarativeStream\n    name: items\n    retriever:\n      type: SimpleRetriever\n" +
		"      record_selector: {extractor: {field_path: []}}\n" + indented("      ", retriever)
	if strings.Contains(retriever, "stream_partition") {
		manifest += "      partition_router: {type: SubstreamPartitionRouter, parent_stream_configs: [{parent_key: id, " +
			"partition_field: id, stream: " + parent + "}]}\n"
	}
	m := made(t, manifest, given)
	var all strings.Builder
	line := func(name, value string) {
		if value != "" {
			all.WriteString(name + " " + value + "\n")
		}
	}
	if m.members != nil {
		line("base", m.member("api", "baseUrl"))
	}
	for _, name := range []string{"endpoint", "method", "params", "query", "headers", "body"} {
		line(name, m.member(name))
	}
	line("all headers", m.member("api", "http", "headers"))
	line("headers but of the login", m.member("api", "http", "defaultOptions", "headers"))
	line("auth", m.member("api", "authentication"))
	for _, name := range []string{"format", "retryOn", "emptyOn", "endOn", "failOn"} {
		line(name, m.member(name))
	}
	line("retryHeader", m.member("api", "retryConfig", "http", "retryHeader"))
	line("jq", m.outcome.JQ)
	for _, r := range m.outcome.Reasons {
		refused += strings.TrimPrefix(r.Place, "streams[0].retriever.") + ": " + r.Text + "\n"
	}
	return all.String(), refused
}

func indented(by, text string) string {
	return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by) + "\n"
}

// A conversion is a requester, or all of a retriever, and what it becomes.
type conversion struct{ name, manifest, want, refused string }

func (c conversion) test(t *testing.T) {
	t.Helper()
	said, refused := converted(t, c.manifest)
	if diff := cmp.Diff(strings.TrimSpace(c.want), strings.TrimSpace(said)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(strings.TrimSpace(c.refused), strings.TrimSpace(refused)); diff != "" {
		t.Errorf("refused: -want +got\n%s", diff)
	}
}

func ofRequester(requester string) string {
	return "requester:\n  type: HttpRequester\n" + indented("  ", requester)
}

func TestRequestsAreWhatTheManifestMeans(t *testing.T) {
	for _, c := range []conversion{{
		name:     "a path is relative to its base",
		manifest: "url_base: https://api.test/v1\npath: /users/",
		want:     "base \"https://api.test/v1\"\nendpoint \"users/\"",
	}, {
		name:     "a parent's value in a path",
		manifest: "url_base: https://api.test/v1/\npath: users/{{ stream_partition.id }}/posts",
		want: `base "https://api.test/"
endpoint {"function": "concat", "args": ["https://api.test/v1/users/", {"placeholder": "id"}, "/posts"]}`,
	}, {
		name:     "an address without a path",
		manifest: "url_base: https://api.test/v1/graphql/",
		want:     "base \"https://api.test/\"\nendpoint \"v1/graphql/\"",
	}, {
		name:     "an address whose host the values have",
		manifest: "url: https://{{ config.team }}.api.test/v1/users",
		want: `base {"function": "concat", "args": ["https://", {"attr": "team"}, ".api.test/"]}
endpoint "v1/users"`,
	}, {
		name:     "a host alone",
		manifest: "url: https://api.test",
		want:     "base \"https://api.test\"\nendpoint \"/\"",
	}, {
		name:     "a parent's value in the base",
		manifest: "url_base: https://api.test/v1/{{ stream_partition['id'] }}\npath: posts",
		want: `base "https://api.test/"
endpoint {"function": "concat", "args": ["v1/", {"placeholder": "id"}, "/posts"]}`,
	}, {
		name:     "a path that is an address",
		manifest: "url_base: https://api.test/v1/\npath: https://other.test/x",
		want:     "base \"https://other.test/\"\nendpoint \"x\"",
	}, {
		name: "parameters are texts, lists or nothing",
		manifest: `
url_base: https://api.test
path: users
request_parameters:
  n: 5
  digits: "{{ '0050' }}"
  is: true
  none:
  empty: ""
  undefined: "{{ config['missing'] }}"
  list: "{{ config['regions'] }}"
  joined: "{{ config['regions'] | join(',') }}"
  own: "{{ stream_partition.id }}"
  quoted: "'[{{ stream_partition.id }}]'"`,
		want: "base \"https://api.test/\"\n" +
			"endpoint \"https://api.test/users\"\n" +
			`params {"n": "5", "digits": "0050", "is": "True", "list": ["eu", "us"], "joined": "eu,us", ` +
			`"own": {"placeholder": "id"}, "quoted": {"function": "concat", "args": ["[", {"placeholder": ` +
			`"id"}, "]"]}}`,
	}, {
		name: "parameters of a POST stand in the address",
		manifest: `
url_base: https://api.test
path: search
http_method: POST
request_parameters: {page: one}
request_headers: {X-Team: "{{ config.team }}", X-Number: 7}
request_body_json: {size: 5, on: true, deep: {since: "{{ config.user }}", none: "{{ config['missing'] }}"}, q: "{{ '7' }}"}`,
		want: `base "https://api.test"
endpoint "search"
method "POST"
query {"page": "one"}
headers {"X-Team": {"attr": "team"}, "X-Number": "7"}
body {"size": 5, "on": true, "deep": {"since": {"attr": "user"}}, "q": 7}`,
	}, {
		name: "a form",
		manifest: `
url_base: https://api.test
path: search
http_method: POST
request_body: {type: RequestBodyUrlEncodedForm, value: {a: b, n: 5}}`,
		want: `base "https://api.test"
endpoint "search"
method "FORM"
params {"a": "b", "n": "5"}`,
	}, {
		name:     "a POST without a body",
		manifest: "url_base: https://api.test\npath: search\nhttp_method: POST\nrequest_parameters: {a: b}",
		want: `base "https://api.test"
endpoint "search"
method "FORM"
query {"a": "b"}`,
	}, {
		name: "a query of GraphQL",
		manifest: `
url: https://api.test/graphql
http_method: POST
request_body: {type: RequestBodyGraphQL, value: {query: "{ users { id } }", variables: {n: 5}}}`,
		want: `base "https://api.test/"
endpoint "graphql"
method "POST"
body {"query": "{ users { id } }", "variables": {"n": 5}}`,
	}, {
		name: "a body that is the text of JSON",
		manifest: `
url: https://api.test/q
http_method: POST
request_body_data: '{"a": {"b": "x {{ config.team }}"}, "list": ["{{ config.user }}"], "yes": true}'`,
		want: "base \"https://api.test/\"\n" +
			"endpoint \"q\"\n" +
			"method \"POST\"\n" +
			`body {"a": {"b": {"function": "concat", "args": ["x ", {"attr": "team"}]}}, "list": [{"attr": ` +
			`"user"}], "yes": true}`,
	}, {
		name:     "a body of a GET",
		manifest: "url: https://api.test/q\nrequest_parameters: {a: b}\nrequest_body_json: {size: 5}",
		want:     "base \"https://api.test/\"\nendpoint \"q\"\nparams {\"a\": \"b\"}\nbody {\"size\": 5}",
	}, {
		name:     "another method",
		manifest: "url: https://api.test/q\nhttp_method: PUT",

		refused: "requester.http_method: the method PUT is not supported, want GET or POST",
	}, {
		name:     "a form of a GET",
		manifest: "url: https://api.test/q\nrequest_body_data: {a: b}",
		want: "base \"https://api.test/\"\nendpoint \"q\"\n" +
			"headers {\"Content-Type\": \"application/x-www-form-urlencoded\"}\nbody {\"a\": \"b\"}",
	}, {
		name:     "a body that is plain text",
		manifest: "url: https://api.test/q\nhttp_method: POST\nrequest_body_data: fields a, b;",

		refused: "requester.request_body_data: a body that is neither a form nor a JSON object is not supported",
	}, {
		name:     "parameters in the address, too",
		manifest: "url: https://api.test/q?a=1\nrequest_parameters: {a: b}",

		refused: "requester.request_parameters: the parameter a stands in the address, too",
	}, {
		name:     "a parameter that the address has in the same way",
		manifest: "url: https://api.test/q?a=x%20y&b=1\nrequest_parameters: {a: x y, c: d}",
		want:     "base \"https://api.test/\"\nendpoint \"q?a=x%20y&b=1\"\nparams {\"c\": \"d\"}",
	}, {
		name:     "parameters that a template gives",
		manifest: "url: https://api.test/q\nrequest_parameters: \"{{ {'b': [1, 2], 'a': true} }}\"",
		want:     "base \"https://api.test/\"\nendpoint \"q\"\nparams {\"a\": \"True\", \"b\": [\"1\", \"2\"]}",
	}, {
		name:     "a path that looks like another scheme",
		manifest: "url_base: https://api.test/\npath: users:list",

		refused: "requester: the path begins with a word and a colon, which Airbyte takes for an address of another scheme",
	}, {
		name:     "parameters that are a text",
		manifest: "url: https://api.test/q\nrequest_parameters: a=b",

		refused: "requester.request_parameters: a text in place of names and values is not supported",
	}, {
		name: "parameters that would be a component",
		manifest: `
url: https://api.test/q
$parameters: {path: "", size: 5}
request_parameters: {type: staff}
request_headers: {X-A: b}
request_body_json: {list: [{type: kept}], kind: {a: 1, deep: {type: b}}}`,

		refused: "requester.request_parameters: it has a member type, so Airbyte takes it for a component and adds " +
			"$parameters to it (path, size): remove these $parameters here",
	}, {
		name: "properties that are asked for in parts",
		manifest: `
url: https://api.test/q
request_parameters:
  properties: {type: QueryProperties, property_list: [a, b]}`,

		refused: "requester.request_parameters.properties: a text is wanted",
	}, {
		name:     "what nobody knows",
		manifest: "url: https://api.test/q\nfetch_properties_from_endpoint: {a: b}",

		refused: "requester.fetch_properties_from_endpoint: fetch_properties_from_endpoint is not supported",
	}, {
		name:     "a custom requester",
		manifest: "type: CustomRequester\nclass_name: source.components.Mine",
		refused:  "requester: the requester is the Python class source.components.Mine, which cannot be converted",
	}} {
		c.manifest = strings.Replace(ofRequester(c.manifest), "type: HttpRequester\n  type:", "type:", 1)
		t.Run(c.name, c.test)
	}
}
