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
