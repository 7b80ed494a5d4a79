package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// fits tells whether a value is what a JSON Schema describes, as far as that uses
// the words that ours uses. Any other word is reported.
type fits struct {
	t    *testing.T
	root map[string]any
}

func readSchema(t *testing.T) *fits {
	t.Helper()
	status, text, stderr := offline(t, "schema")
	if status != statusOK {
		t.Fatalf("status %d: %s", status, stderr)
	}
	f := &fits{t: t}
	if err := json.Unmarshal([]byte(text), &f.root); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fits) document(text []byte) bool {
	var value any
	return json.Unmarshal(text, &value) == nil && f.value(f.root, value)
}

func (f *fits) value(schema map[string]any, value any) bool {
	object, isObject := value.(map[string]any)
	for word, says := range schema {
		ok := true
		switch word {
		case "$schema", "title", "description", "default", "examples", "definitions":
		case "$ref":
			name := strings.TrimPrefix(says.(string), "#/definitions/")
			definition, there := f.root["definitions"].(map[string]any)[name].(map[string]any)
			if !there {
				f.t.Fatalf("there is no definition %s", name)
			}
			ok = f.value(definition, value)
		case "allOf":
			ok = f.count(says, value) == len(says.([]any))
		case "anyOf":
			ok = f.count(says, value) > 0
		case "oneOf":
			ok = f.count(says, value) == 1
		case "not":
			ok = !f.value(says.(map[string]any), value)
		case "const":
			ok = reflect.DeepEqual(says, value)
		case "enum":
			ok = slices.ContainsFunc(says.([]any), func(v any) bool { return reflect.DeepEqual(v, value) })
		case "type":
			ok = isOfType(says, value)
		case "pattern":
			text, isText := value.(string)
			ok = !isText || regexp.MustCompile(says.(string)).MatchString(text)
		case "minimum":
			number, isNumber := value.(float64)
			ok = !isNumber || number >= says.(float64)
		case "maximum":
			number, isNumber := value.(float64)
			ok = !isNumber || number <= says.(float64)
		case "items":
			for _, element := range asList(value) {
				ok = ok && f.value(says.(map[string]any), element)
			}
		case "maxItems":
			ok = float64(len(asList(value))) <= says.(float64)
		case "minProperties":
			ok = !isObject || float64(len(object)) >= says.(float64)
		case "maxProperties":
			ok = !isObject || float64(len(object)) <= says.(float64)
		case "required":
			for _, name := range says.([]any) {
				_, there := object[name.(string)]
				ok = ok && (there || !isObject)
			}
		case "properties":
			for name, property := range says.(map[string]any) {
				if member, there := object[name]; there {
					ok = ok && f.value(property.(map[string]any), member)
				}
			}
		case "additionalProperties":
			known, _ := schema["properties"].(map[string]any)
			for name, member := range object {
				if _, there := known[name]; there {
					continue
				}
				more, isSchema := says.(map[string]any)
				ok = ok && isSchema && f.value(more, member)
			}
		default:
			f.t.Fatalf("the test does not know the word %s", word)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (f *fits) count(schemas, value any) int {
	n := 0
	for _, s := range schemas.([]any) {
		if f.value(s.(map[string]any), value) {
			n++
		}
	}
	return n
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

func isOfType(says, value any) bool {
	for _, name := range append(asList(says), says) {
		switch v := value.(type) {
		case nil:
			if name == "null" {
				return true
			}
		case string:
			if name == "string" {
				return true
			}
		case bool:
			if name == "boolean" {
				return true
			}
		case float64:
			if name == "number" || name == "integer" && v == float64(int64(v)) {
				return true
			}
		case []any:
			if name == "array" {
				return true
			}
		case map[string]any:
			if name == "object" {
				return true
			}
		}
	}
	return false
}

// TestAConfigurationThatValidatesFitsTheSchema goes through the configurations of all scenarios
// and of fixtures/config/good: one that is good must fit, or editors would complain of
// it.
func TestAConfigurationThatValidatesFitsTheSchema(t *testing.T) {
	schema := readSchema(t)
	files, err := filepath.Glob(filepath.Join("fixtures", "scenarios", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	good := 0
	file := filepath.Join(t.TempDir(), "config.json")
	check := func(name string, text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, _ := offline(t, "validate", file); status != statusOK {
			return
		}
		good++
		if !schema.document(text) {
			t.Errorf("%s is good, but does not fit:\n%s", name, text)
		}
	}
	goods, err := filepath.Glob(filepath.Join("fixtures", "config", "good", "*.json"))
	if err != nil || len(goods) == 0 {
		t.Errorf("no good configurations: %v", err)
	}
	for _, name := range goods {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		check(name, text)
	}
	for _, script := range files {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".json") && strings.Contains(string(f.Data), `"api"`) {
				check(script+" "+f.Name, f.Data)
			}
		}
	}
	if good < 150 {
		t.Errorf("only %d configurations were good", good)
	}
}

// TestTheSchemaFindsWhatEditorsCanFind lists mistakes of structure: members that
// are unknown, missing, or of the wrong type, wherever they are.
func TestTheSchemaFindsWhatEditorsCanFind(t *testing.T) {
	schema := readSchema(t)
	const job = `"config": {"jobs": [{"endpoint": "a"}]}`
	for name, text := range map[string]string{
		"api is missing":                   `{` + job + `}`,
		"jobs are missing":                 `{"api": {"baseUrl": "b"}, "config": {}}`,
		"baseUrl is misspelt":              `{"api": {"baseURL": "b"}, ` + job + `}`,
		"unknown beside baseUrl":           `{"api": {"baseUrl": "b", "paginaton": {}}, ` + job + `}`,
		"unknown in http":                  `{"api": {"baseUrl": "b", "http": {"timeout": 1}}, ` + job + `}`,
		"unknown in a job":                 `{"api": {"baseUrl": "b"}, "config": {"jobs": [{"endpoint": "a", "datafield": "x"}]}}`,
		"unknown in a child":               `{"api": {"baseUrl": "b"}, "config": {"jobs": [{"endpoint": "a", "children": [{"endpoint": "a", "x": 1}]}]}}`,
		"placeholders in a root job":       `{"api": {"baseUrl": "b"}, "config": {"jobs": [{"endpoint": "a", "placeholders": {}}]}}`,
		"an unknown method":                `{"api": {"baseUrl": "b", "pagination": {"method": "ofset", "limit": 1}}, ` + job + `}`,
		"an option of another method":      `{"api": {"baseUrl": "b", "pagination": {"method": "offset", "limit": 1, "pageParam": "p"}}, ` + job + `}`,
		"a limit that is missing":          `{"api": {"baseUrl": "b", "pagination": {"method": "offset"}}, ` + job + `}`,
		"a limit that is no number":        `{"api": {"baseUrl": "b", "pagination": {"method": "offset", "limit": "many"}}, ` + job + `}`,
		"unknown in forceStop":             `{"api": {"baseUrl": "b", "pagination": {"method": "pagenum", "forceStop": {"page": 1}}}, ` + job + `}`,
		"a scroller that is wrong":         `{"api": {"baseUrl": "b", "pagination": {"method": "multiple", "scrollers": {"a": {"method": "x"}}}}, ` + job + `}`,
		"an unknown type":                  `{"api": {"baseUrl": "b", "authentication": {"type": "logon"}}, ` + job + `}`,
		"a login request without endpoint": `{"api": {"baseUrl": "b", "authentication": {"type": "login", "loginRequest": {}}}, ` + job + `}`,
		"expires that is no time":          `{"api": {"baseUrl": "b", "authentication": {"type": "login", "loginRequest": {"endpoint": "l"}, "expires": true}}, ` + job + `}`,
		"what is not implemented":          `{"cache": true, "api": {"baseUrl": "b"}, ` + job + `}`,
		"a document that is an array":      `[]`,
		"aws without credentials":          `{"aws": {"signature": {}}, "api": {"baseUrl": "b"}, ` + job + `}`,
		"aws without a region":             `{"aws": {"signature": {"credentials": {"accessKeyId": "a", "#secretKey": "b", "serviceName": "c"}}}, "api": {"baseUrl": "b"}, ` + job + `}`,
		"a misspelt member of aws":         `{"api": {"baseUrl": "b", "aws": {"signatur": {}}}, ` + job + `}`,
		"authorization that is a text":     `{"authorization": "a", "api": {"baseUrl": "b"}, ` + job + `}`,
		"an appKey that is a list":         `{"authorization": {"oauth_api": {"credentials": {"appKey": []}}}, "api": {"baseUrl": "b"}, ` + job + `}`,
		"the same beside parameters":       `{"authorization": {"oauth_api": {"credentials": {"appKey": []}}}, "parameters": {"api": {"baseUrl": "b"}, ` + job + `}}`,
		"null for what must be there":      `{"api": {"baseUrl": null}, ` + job + `}`,
	} {
		if schema.document([]byte(text)) {
			t.Errorf("%s: %s fits", name, text)
		}
	}
}

// TestEveryVariantHasASentenceForEditors: without one, a choice shows a bare name.
func TestEveryVariantHasASentenceForEditors(t *testing.T) {
	definitions := readSchema(t).root["definitions"].(map[string]any)
	for family, key := range map[string]string{"authentication": "type", "pagination": "method"} {
		for _, variant := range definitions[family].(map[string]any)["oneOf"].([]any) {
			v := variant.(map[string]any)
			if doc := v["properties"].(map[string]any)[key].(map[string]any)["description"]; doc == "" {
				t.Errorf("%s %s has no sentence", family, v["title"])
			}
		}
	}
}
