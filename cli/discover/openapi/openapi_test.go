package openapi_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/cli/discover/openapi"
)

// paths are a document of 3.0 with these paths, as JSON.
func paths(text string) string {
	return `{"openapi": "3.0.0", "servers": [{"url": "https://a.test"}], "paths": ` + text + `}`
}

// answering is an operation of a path whose answer has a schema, with parameters.
func answering(schema, parameters string) string {
	return paths(`{"/things": {"get": {"parameters": [` + parameters + `], "responses": {"200": {"content": {"application/json": {"schema": ` + schema + `}}}}}}}`)
}

const (
	things = `{"properties": {"items": {"type": "array", "items": {"properties": {"id": {"type": "string"}}}}%s}}`
	size   = `{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 50}}`
)

// TestHowPagesFollow has for each way to page what the configuration has.
func TestHowPagesFollow(t *testing.T) {
	for name, c := range map[string]struct{ more, parameters, want string }{
		"an address":                     {`, "next": {"type": "string", "format": "uri"}`, size, `"urlKey": "next"`},
		"an address with dots":           {`, "@odata.nextLink": {"type": "string"}`, "", `"delimiter": "/"`},
		"a link of a list":               {`, "links": {"type": "array", "items": {"properties": {"rel": {}, "href": {}}}}`, "", `"where": "rel==next"`},
		"a token":                        {`, "nextPageToken": {"type": "string"}`, `{"name": "pageToken", "in": "query", "schema": {"type": "string"}}`, `"queryParam": "pageToken"`},
		"a token that is called next":    {`, "next": {"type": "string"}`, `{"name": "cursor", "in": "query", "schema": {"type": "string"}}`, `"responseParam": "next"`},
		"a number of the next page":      {`, "next_page": {"type": "integer"}`, `{"name": "page", "in": "query", "schema": {"type": "integer"}}`, `"responseParam": "next_page"`},
		"the id of the last":             {`, "has_more": {"type": "boolean"}`, size + `, {"name": "starting_after", "in": "query", "schema": {"type": "string"}}`, `"stopOn": false`},
		"an offset":                      {``, size + `, {"name": "skip", "in": "query", "schema": {"type": "integer"}}`, `"offsetParam": "skip"`},
		"pages from 0":                   {``, size + `, {"name": "page", "in": "query", "description": "Zero-based page", "schema": {"type": "integer"}}`, `"firstPage": 0`},
		"a header of the request":        {``, `{"name": "X-Page", "in": "header", "schema": {"type": "integer"}}`, `"header": "X-Page"`},
		"an object of parameters":        {``, `{"name": "page", "in": "query", "style": "deepObject", "schema": {"properties": {"number": {"type": "integer"}, "size": {"type": "integer", "maximum": 9}}}}`, `"limitParam": "page[size]"`},
		"nothing that a time would mean": {``, `{"name": "start", "in": "query", "schema": {"type": "string", "format": "date-time"}}`, `"api": {`},
	} {
		d, err := openapi.Read([]byte(answering(fmt.Sprintf(things, c.more), c.parameters)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := d.Convert("/things")
		if err != nil || !strings.Contains(string(r.Configuration), c.want) {
			t.Errorf("%s: %v: %s\n%v", name, err, r.Configuration, r.Account)
		}
	}
}

// TestOneThingIsNoList has answers that hold arrays, and are no lists.
func TestOneThingIsNoList(t *testing.T) {
	for _, text := range []string{
		answering(`{"properties": {"id": {}, "tags": {"type": "array", "items": {"type": "object"}}}}`, ""),
		answering(`{"properties": {"errors": {"type": "array", "items": {"type": "object"}}}}`, size),
		answering(`{"items": [{"type": "string"}]}`, ""),
		paths(`{"/things/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"properties": {"items": {"type": "array"}}}}}}}}}}`),
		paths(`{"/things": {"post": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "array"}}}}}}}}`),
		// The one thing that the path calls by its name, and one that lies deep.
		paths(`{"/author": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"properties": {"author":
			{"properties": {"name": {"type": "string"}, "books": {"type": "array", "items": {"type": "object"}}}}}}}}}}}}}`),
		answering(`{"properties": {"id": {}, "text": {"properties": {"body": {"properties": {"media": {"type": "string"},
			"value": {"type": "array", "items": {"type": "object"}}}}}}}}`, ""),
		// A map, a page and an answer of another kind are described.
		paths(`{"/stock": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "object",
			"additionalProperties": {"type": "integer"}}}}}}}}, "/stock/{id}": {"get": {"responses": {}}}}`),
		paths(`{"/page": {"get": {"responses": {"200": {"content": {"text/html": {}}}}}}, "/page/{id}": {"get": {"responses": {}}}}`),
	} {
		d, err := openapi.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if lists, _, err := d.Lists(); err == nil {
			t.Errorf("%s: %v", text, lists)
		}
	}
}

// TestAnswersThatAreNotDescribed has operations of which the document says no more than that all is well.
func TestAnswersThatAreNotDescribed(t *testing.T) {
	d, err := openapi.Read([]byte(paths(`{
		"/plots": {"get": {"responses": {"200": {"description": "successful"}}}},
		"/plots/{id}": {"get": {"responses": {"200": {"description": "successful"}}}},
		"/ping": {"get": {"responses": {"200": {"description": "successful"}}}}}`)))
	if err != nil {
		t.Fatal(err)
	}
	lists, _, err := d.Lists()
	if err != nil || len(lists) != 1 || lists[0].Path != "/plots" || !lists[0].Unsaid {
		t.Errorf("%v: %v", err, lists)
	}
	// Who names one says that it is a list.
	for _, path := range []string{"/plots", "/ping"} {
		r, err := d.Convert(path)
		says := fmt.Sprintf("%v", r.Account)
		if err != nil || !strings.Contains(says, "unknown "+path[1:]+": the document does not describe the answer of GET "+path) {
			t.Errorf("%s: %v: %s", path, err, says)
		}
	}
	alone, err := openapi.Read([]byte(paths(`{"/ping": {"get": {"responses": {"200": {"description": "successful"}}}}}`)))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = alone.Lists()
	if err == nil || !strings.HasSuffix(err.Error(), "name the one that returns a list, such as --path /ping") {
		t.Error(err)
	}
}

// TestADocumentThatIsMadeToDoHarmIsRefused reads documents that expand, or are deep.
func TestADocumentThatIsMadeToDoHarmIsRefused(t *testing.T) {
	chain, wide := []string{}, []string{}
	for i := range 2000 {
		chain = append(chain, fmt.Sprintf(`"s%d": {"allOf": [{"$ref": "#/components/schemas/s%d"}]}`, i, i+1))
	}
	for i := range 200 {
		var properties []string
		for k := range 500 {
			properties = append(properties, fmt.Sprintf(`"p%d_%d": {}`, i, k))
		}
		wide = append(wide, fmt.Sprintf(`"s%d": {"properties": {%s}, "allOf": [{"$ref": "#/components/schemas/s%d"}]}`, i, strings.Join(properties, ","), i+1))
	}
	with := func(schemas []string) string {
		return strings.TrimSuffix(answering(`{"type": "array", "items": {"$ref": "#/components/schemas/s0"}}`, ""), "}") +
			`, "components": {"schemas": {` + strings.Join(schemas, ",") + `}}}`
	}
	deep := strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300)
	for want, text := range map[string]string{
		"this is a page for a browser":                   "\n<!doctype html><title>API</title>",
		"this is neither JSON nor YAML: ":                "a: b: c",
		"more than 500 schemas are made of each other":   with(chain),
		"expand to more than 8388608 members":            with(wide),
		"nested deeper than 200":                         `{"openapi": "3.0.0", "x": ` + deep + `}`,
		"line 1: it is nested deeper than 200":           "x: " + strings.Repeat("[", 300) + strings.Repeat("]", 300),
		"the reference #anchor is no path":               answering(`{"$ref": "#anchor"}`, ""),
		"line 1: the reference #/paths/x~1 leads nowher": answering(`{"$ref": "#/paths/x~1"}`, ""),
	} {
		d, err := openapi.Read([]byte(text))
		if err == nil {
			_, _, err = d.Lists()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it says %v, not %s", err, want)
		}
	}
}

// TestNoSecretOfADocumentIsWritten has examples and defaults of secrets, and one in an address.
func TestNoSecretOfADocumentIsWritten(t *testing.T) {
	text := strings.Replace(answering(`{"type": "array"}`,
		`{"name": "api_key", "in": "query", "required": true, "example": "canary", "schema": {"type": "string", "default": "canary"}}`),
		"https://a.test", "https://canary:canary@a.test", 1)
	d, err := openapi.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Convert("/things")
	if err != nil || strings.Contains(fmt.Sprintf("%s %v", r.Configuration, r.Account), "canary") {
		t.Errorf("%v: %s %v", err, r.Configuration, r.Account)
	}
}

// FuzzDocument: whatever a document is, it is read or refused, in time.
func FuzzDocument(f *testing.F) {
	f.Add(answering(fmt.Sprintf(things, `, "next": {"type": "string"}`), size))
	f.Add("openapi: 3.1.0\npaths: {/a: {get: {responses: {200: {$ref: '#/paths'}}}}}")
	f.Add("swagger: '2.0'\nbasePath: /{x}\npaths: &a {/a/{b}/c: {get: {responses: {200: {schema: {type: array, items: {<<: *a}}}}}}}")
	files, _ := filepath.Glob("testdata/*.*")
	styles, _ := filepath.Glob("testdata/styles/*")
	files = append(files, styles...)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(_ *testing.T, text string) {
		d, err := openapi.Read([]byte(text))
		if err != nil {
			return
		}
		lists, _, _ := d.Lists()
		for _, l := range lists {
			_, _ = d.Convert(l.Method + " " + l.Path)
		}
	})
}
