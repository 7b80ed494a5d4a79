//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A documented is a mock of the API that a document of OpenAPI or Swagger describes. How an operation really pages stands
// in its member x-pages, which no converter knows:
//
//	way    one, page, offset, cursor, behind (the key of the last item), link (an address)
//	param  the parameter that leads on; size the one for the number of items
//	next   where the answer has what leads on: a path with dots, or "header NAME"; or rel of LIST for a list of links
//	items  where the items lie, a path with dots; empty: the answer is the array
//	first  the number of the first page or item; usual and most are sizes of pages; n is the number of items
//	link   where the answer has the address of the next page, beside what leads on
//	flag   where the answer says whether there is more; last: it says whether this is all; total where it counts
//	pages  where the answer has the number of pages
//	always what leads on is there on the last page, too
//	key    the member of an item that paths below it want
//	refuses a parameter that belongs to another way, and is refused
type documented struct {
	root any
	base string
	ops  []*mockedOperation
}

type mockedOperation struct {
	method, path string
	match        *regexp.Regexp
	answer       any
	required     []string
	pages        truePages

	// above is the list whose items the path wants; nil: none.
	above *mockedOperation
}

type truePages struct {
	Way, Param, Size, Next, Items, Flag, Last, Total, Pages, Key, Link, Refuses string
	First, Usual, Most, N                                                       int

	// Always: what leads on is there on the last page, too.
	Always bool
}

// mockOf reads a document.
func mockOf(t *testing.T, text string) *documented {
	t.Helper()
	d := &documented{}
	// YAML has no escapes of two surrogates, which JSON writes for an emoji.
	if err := yaml.Unmarshal(withoutEscapes([]byte(text)), &d.root); err != nil {
		t.Fatal(err)
	}
	d.root = withTextKeys(d.root)
	if base := at(d.root, "basePath"); base != nil {
		d.base = strings.TrimSuffix("/"+strings.TrimPrefix(base.(string), "/"), "/")
	} else if servers, ok := at(d.root, "servers").([]any); ok {
		address := at(servers[0], "url").(string)
		for name, v := range inside(at(servers[0], "variables")) {
			address = strings.ReplaceAll(address, "{"+name+"}", fmt.Sprint(at(v, "default")))
		}
		// What has no default may be anything.
		address = strings.NewReplacer("{", "", "}", "").Replace(address)
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		d.base = strings.TrimSuffix(u.Path, "/")
	}
	for path, item := range inside(at(d.root, "paths")) {
		for _, method := range []string{"get", "post"} {
			if o := at(d.resolve(item), method); at(o, "x-pages") != nil {
				d.ops = append(d.ops, d.operation(t, path, method, d.resolve(item), o))
			}
		}
	}
	slices.SortFunc(d.ops, func(a, b *mockedOperation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	for _, o := range d.ops {
		for _, above := range d.ops {
			isBelow := above.pages.Key != "" && strings.HasPrefix(o.path, strings.TrimSuffix(above.path, "/")+"/{")
			if isBelow && above.method == "GET" && (o.above == nil || len(above.path) > len(o.above.path)) {
				o.above = above
			}
		}
	}
	return d
}

// withoutEscapes is a document with the characters themselves where it is JSON.
func withoutEscapes(text []byte) []byte {
	var root any
	from := json.NewDecoder(bytes.NewReader(text))
	from.UseNumber()
	if from.Decode(&root) != nil {
		return text
	}
	// It was read from JSON.
	plain, _ := json.Marshal(root)
	return plain
}

// operation is one that has pages.
func (d *documented) operation(t *testing.T, path, method string, item, o any) *mockedOperation {
	t.Helper()
	m := &mockedOperation{method: strings.ToUpper(method), path: path, pages: truePages{First: 1, Usual: 2}}
	raw, err := json.Marshal(at(o, "x-pages"))
	if err == nil {
		err = json.Unmarshal(raw, &m.pages)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if m.pages.Most == 0 {
		m.pages.Most = m.pages.Usual
	}
	if m.pages.N == 0 {
		m.pages.N = 2*m.pages.Most + 1
	}
	pattern := regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "([^/]+)")
	m.match = regexp.MustCompile("^" + pattern + "$")
	for _, list := range []any{at(item, "parameters"), at(o, "parameters")} {
		all, _ := list.([]any)
		for _, one := range all {
			p := d.resolve(one)
			if in, _ := at(p, "in").(string); in == "query" && at(p, "required") == true {
				m.required = append(m.required, at(p, "name").(string))
			}
		}
	}
	responses := inside(at(o, "responses"))
	good := d.resolve(responses["200"])
	if good == nil {
		good = d.resolve(responses["2XX"])
	}
	m.answer = at(good, "schema")
	for _, name := range []string{"application/json", "application/hal+json", "application/vnd.api+json", "*/*"} {
		if media := at(good, "content", name); media != nil {
			m.answer = at(media, "schema")
			if m.answer == nil {
				m.answer = map[string]any{"example": at(media, "example")}
			}
		}
	}
	if m.answer == nil {
		m.answer = map[string]any{"example": at(good, "examples", "application/json")}
	}
	return m
}

// serve answers as the document describes it.
func (d *documented) serve(w http.ResponseWriter, r *http.Request) {
	path, isBelow := strings.CutPrefix(r.URL.Path, d.base)
	if isBelow && r.Method == http.MethodPost && strings.Contains(path, "token") {
		_, _ = w.Write([]byte(`{"access_token": "t", "expires_in": 3600}`))
		return
	}
	var best *mockedOperation
	for _, o := range d.ops {
		isIt := isBelow && o.method == r.Method && o.match.MatchString(path)
		if isIt && (best == nil || strings.Count(o.path, "{") < strings.Count(best.path, "{")) {
			best = o
		}
	}
	if best == nil {
		http.NotFound(w, r)
		return
	}
	asked := r.URL.Query()
	if r.Method == http.MethodPost {
		if strings.Contains(r.Header.Get("Content-Type"), "form") {
			_ = r.ParseForm()
			maps.Copy(asked, r.PostForm)
		} else {
			body := map[string]any{}
			_ = json.NewDecoder(r.Body).Decode(&body)
			flatten(asked, "", body)
		}
	}
	for name, values := range r.Header {
		asked[name] = values
	}
	for _, name := range best.required {
		if !asked.Has(name) {
			http.Error(w, "the parameter "+name+" is missing", http.StatusBadRequest)
			return
		}
	}
	if refused := best.pages.Refuses; refused != "" && asked.Has(refused) {
		http.Error(w, "the parameter "+refused+" belongs to another way to page", http.StatusBadRequest)
		return
	}
	d.answer(w, r, best, path, asked)
}

// flatten adds the members of a body as parameters, with dots between the steps.
func flatten(to url.Values, prefix string, body map[string]any) {
	for name, v := range body {
		if inner, ok := v.(map[string]any); ok {
			flatten(to, prefix+name+".", inner)
			continue
		}
		to.Set(prefix+name, fmt.Sprint(v))
	}
}

// answer writes a page.
func (d *documented) answer(w http.ResponseWriter, r *http.Request, o *mockedOperation, path string, asked url.Values) {
	p := o.pages
	values := o.match.FindStringSubmatch(path)[1:]
	parent := 0
	if o.above != nil {
		parent = slices.Index(d.keysOf(o.above), values[strings.Count(o.above.path, "{")])
		if parent < 0 {
			http.NotFound(w, r)
			return
		}
	}
	most := min(numberOf(asked, p.Size, p.Usual), p.Most)
	if p.Size == "" {
		most = p.Usual
	}
	from := 0
	switch p.Way {
	case "one":
		most = p.N
	case "page":
		from = (numberOf(asked, p.Param, p.First) - p.First) * most
	case "offset":
		from = numberOf(asked, p.Param, p.First) - p.First
	case "cursor", "link":
		if given := get(asked, p.Param); given != "" {
			from, _ = strconv.Atoi(given[strings.LastIndex(given, "~")+1:])
		}
	case "behind":
		if last := get(asked, p.Param); last != "" {
			from = slices.Index(d.keysBelow(o, parent), last) + 1
		}
	}
	to := min(from+most, p.N)
	all := d.itemsOf(o, parent)
	items := []any{}
	if from >= 0 && from < to {
		items = all[from:to]
	}
	body := echoed(d.example(o.answer, 0), asked)
	body = put(body, p.Items, items)
	hasMore := to < p.N && len(items) > 0
	for name, value := range map[string]any{p.Flag: hasMore, p.Last: !hasMore, p.Total: p.N, p.Pages: (p.N + most - 1) / max(most, 1)} {
		if name != "" {
			body = put(body, name, value)
		}
	}
	body = d.leadOn(w, r, o, body, parent, to, hasMore)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// echoed is an answer whose numbers say what was asked for, where they are called as the parameters are.
func echoed(body any, asked url.Values) any {
	for name, v := range inside(body) {
		if _, isNumber := v.(int); isNumber {
			inside(body)[name] = numberOf(asked, name, 0)
		}
	}
	return body
}

// leadOn adds what leads to the next page.
func (d *documented) leadOn(w http.ResponseWriter, r *http.Request, o *mockedOperation, body any, parent, to int, hasMore bool) any {
	p := o.pages
	if p.Next == "" {
		return body
	}
	token := "c~" + strconv.Itoa(to)
	if p.Way == "behind" && to > 0 {
		token = d.keysBelow(o, parent)[to-1]
	}
	next := *r.URL
	query := next.Query()
	query.Set(p.Param, token)
	next.RawQuery = query.Encode()
	next.Scheme, next.Host = "http", r.Host
	if p.Way == "link" {
		token = next.String()
	}
	if p.Link != "" {
		address := any(next.String())
		if !hasMore {
			address = nil
		}
		body = put(body, p.Link, address)
	}
	header, isHeader := strings.CutPrefix(p.Next, "header ")
	list, isList := strings.CutPrefix(p.Next, "rel of ")
	switch {
	case isHeader && !hasMore:
	case header == "Link":
		w.Header().Set("Link", "<"+token+">; rel=\"next\"")
	case isHeader:
		w.Header().Set(header, token)
	case isList:
		links := []any{map[string]any{"rel": "self", "href": "http://" + r.Host + r.URL.String()}}
		if hasMore {
			links = append(links, map[string]any{"rel": "next", "href": token})
		}
		return put(body, list, links)
	case hasMore || p.Always:
		return put(body, p.Next, any(token))
	default:
		return put(body, p.Next, nil)
	}
	return body
}

// itemsOf are all items of a list below one of the list above it.
func (d *documented) itemsOf(o *mockedOperation, parent int) (all []any) {
	schema := d.schemaAt(o.answer, o.pages.Items)
	for i := range o.pages.N {
		example := d.example(d.elementOf(schema), 0)
		if o, isObject := example.(map[string]any); isObject && len(o) == 0 {
			// The document does not say what is in an item.
			o["id"] = 0
		}
		all = append(all, distinct(example, 1000*(parent+1)+i+1, 0))
	}
	return all
}

// keysOf are those of all items of a list, for whatever stands above it.
func (d *documented) keysOf(o *mockedOperation) (keys []string) {
	parents := 1
	if o.above != nil {
		parents = len(d.keysOf(o.above))
	}
	for parent := range parents {
		keys = append(keys, d.keysBelow(o, parent)...)
	}
	return keys
}

// keysBelow are those of the items of a list below one of the list above it.
func (d *documented) keysBelow(o *mockedOperation, parent int) (keys []string) {
	key := o.pages.Key
	if key == "" {
		key = "id"
	}
	for _, item := range d.itemsOf(o, parent) {
		keys = append(keys, fmt.Sprint(at(item, strings.Split(key, ".")...)))
	}
	return keys
}

// distinct is an example with other texts and numbers, as far as they are not of a fixed set.
func distinct(v any, n, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = distinct(v[name], n, depth+1)
		}
	case string:
		return v + "-" + strconv.Itoa(n)
	case float64, int:
		return n
	}
	return v
}

// schemaAt is the schema of what lies at a path of an answer.
func (d *documented) schemaAt(schema any, path string) any {
	if path == "" {
		return schema
	}
	for step := range strings.SplitSeq(path, ".") {
		schema = d.property(schema, step)
	}
	return schema
}

// property is the schema of a member; of an example it is the example of the member.
func (d *documented) property(schema any, name string) any {
	schema = d.resolve(schema)
	if found := at(schema, "properties", name); found != nil {
		return found
	}
	if example := at(schema, "example", name); example != nil {
		return map[string]any{"example": example}
	}
	var all []any
	for _, of := range []string{"allOf", "oneOf", "anyOf"} {
		parts, _ := at(schema, of).([]any)
		for _, part := range parts {
			if found := d.property(part, name); found != nil {
				// Of several parts that say something, the last says most.
				all = append([]any{found}, all...)
			}
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return map[string]any{"allOf": all}
}

// elementOf is the schema of the elements of an array.
func (d *documented) elementOf(schema any) any {
	schema = d.resolve(schema)
	if items := at(schema, "items"); items != nil {
		return items
	}
	if list, ok := at(schema, "example").([]any); ok && len(list) > 0 {
		return map[string]any{"example": list[0]}
	}
	for _, of := range []string{"allOf", "oneOf", "anyOf"} {
		parts, _ := at(schema, of).([]any)
		for _, part := range parts {
			if items := d.elementOf(part); items != nil {
				return items
			}
		}
	}
	return nil
}

// example is a value that a schema describes: its example, the first of a set, or one of its type and format.
func (d *documented) example(schema any, depth int) any {
	schema = d.resolve(schema)
	if example := at(schema, "example"); example != nil {
		raw, _ := json.Marshal(example)
		var copied any
		_ = json.Unmarshal(raw, &copied)
		return copied
	}
	if set, ok := at(schema, "enum").([]any); ok && len(set) > 0 {
		return set[0]
	}
	body := map[string]any{}
	for _, of := range []string{"allOf", "oneOf", "anyOf"} {
		parts, _ := at(schema, of).([]any)
		for _, part := range parts {
			v := d.example(part, depth)
			inner, isObject := v.(map[string]any)
			if !isObject {
				return v
			}
			maps.Copy(body, inner)
			if of != "allOf" {
				break
			}
		}
	}
	if depth < 5 {
		for name, property := range inside(at(schema, "properties")) {
			body[name] = d.example(property, depth+1)
		}
	}
	kind := at(schema, "type")
	if list, ok := kind.([]any); ok && len(list) > 0 {
		kind = list[0]
	}
	usual := map[string]any{
		"date-time": "2030-01-02T03:04:05Z", "date": "2030-01-02", "uri": "http://x.test/", "uuid": "0b1c2d3e-0000-4000-8000-000000000000",
	}
	switch kind {
	case "string":
		if v := usual[fmt.Sprint(at(schema, "format"))]; v != nil {
			return v
		}
		return "text"
	case "integer", "number":
		return 7
	case "boolean":
		return true
	case "array":
		return []any{}
	}
	return body
}

// resolve is what a reference leads to.
func (d *documented) resolve(v any) any {
	for range 20 {
		reference, ok := at(v, "$ref").(string)
		if !ok {
			break
		}
		v = d.root
		for step := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
			v = at(v, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
	}
	return v
}

// put sets a value at a path with dots; the whole, if the path is empty.
func put(body any, path string, value any) any {
	if path == "" {
		return value
	}
	name, rest, _ := strings.Cut(path, ".")
	o, ok := body.(map[string]any)
	if !ok {
		o = map[string]any{}
	}
	if _, isThere := o[path]; isThere {
		name, rest = path, ""
	}
	o[name] = put(o[name], rest, value)
	return o
}

// get is a parameter, or a header, whatever the case of its name.
func get(asked url.Values, name string) string {
	for other, values := range asked {
		if strings.EqualFold(other, name) {
			return values[0]
		}
	}
	return ""
}

// numberOf is a parameter or a header as a number, or what it is by default.
func numberOf(asked url.Values, name string, usual int) int {
	n, err := strconv.Atoi(get(asked, name))
	if err != nil {
		return usual
	}
	return n
}

// inside are the members of an object.
func inside(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

// at is what names lead to; nil: it is not there.
func at(v any, names ...string) any {
	for _, name := range names {
		v = inside(v)[name]
	}
	return v
}

// withTextKeys is a value in which all names are texts.
func withTextKeys(v any) any {
	switch v := v.(type) {
	case map[any]any:
		o := map[string]any{}
		for name, value := range v {
			o[fmt.Sprint(name)] = withTextKeys(value)
		}
		return o
	case map[string]any:
		for name, value := range v {
			v[name] = withTextKeys(value)
		}
	case []any:
		for i, value := range v {
			v[i] = withTextKeys(value)
		}
	}
	return v
}
