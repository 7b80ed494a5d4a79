// Package schema makes the JSON Schema of a configuration of the calls
// that decode one.
package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
)

// New returns the JSON Schema (draft 7, which editors know best), made of the calls
// that decode a configuration.
func New() any {
	definitions := schema{}
	for name, o := range config.Definitions() {
		definitions[name] = objectSchema(o)
	}
	types, authParts := auth.Definitions()
	for name, o := range authParts {
		definitions[name] = objectSchema(o)
	}
	definitions["authentication"] = family("type", types)
	definitions["format"] = family("type", page.Definitions())
	definitions["formatName"] = schema{"enum": page.Formats(), "default": "json"}
	definitions["rows"] = json.RawMessage(rows)
	methods, parts := paginate.Definitions()
	definitions["pagination"] = family("method", methods)
	definitions["placeholder"] = anyOf("string placeholderObject")
	for name, o := range parts {
		definitions[name] = objectSchema(o)
	}
	definitions["functionName"] = schema{"enum": expr.Names()}
	definitions["expression"] = json.RawMessage(expression)
	definitions["value"] = json.RawMessage(value)
	return schema{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"title":       "Configuration of sluice",
		"definitions": definitions,
		"anyOf": []schema{
			reference("document"),
			{
				"type": "object",
				"properties": schema{
					"parameters":    reference("document"),
					"authorization": orNull(reference("authorization")),
				},
				"required": []string{"parameters"},
				"not":      schema{"required": []string{"api"}},
			},
		},
	}
}

// rows are how items are written that have no names.
const rows = `{
  "anyOf": [
    {"enum": ["columns", "header"]},
    {"type": "array", "items": {"type": "string"}}
  ]
}`

// expression is a function expression, or a reference.
const expression = `{
  "type": "object",
  "description": "A function expression, or a reference such as {\"attr\": \"#password\"}.",
  "anyOf": [
    {
      "properties": {
        "function": {"$ref": "#/definitions/functionName"},
        "args": {"type": "array", "items": {"$ref": "#/definitions/value"}}
      },
      "required": ["function"],
      "additionalProperties": false
    },
    {
      "additionalProperties": {"type": "string"},
      "minProperties": 1,
      "maxProperties": 1
    }
  ]
}`

// value is anything, where expressions are evaluated: editors propose their members.
const value = `{"properties": {
  "function": {
    "description": "Name of a function, which is called.",
    "anyOf": [{"$ref": "#/definitions/functionName"}, {"type": "object"}]
  },
  "args": {
    "description": "Arguments of the function: values, expressions, references.",
    "items": {"$ref": "#/definitions/value"}
  },
  "attr": {
    "description": "The value of an attribute: of a member of config. A name that begins with # is that of a secret."
  },
  "response": {
    "description": "The value at a path in the response of the login; in apiRequest."
  },
  "responseHeader": {
    "description": "A header of the response of the login; in apiRequest."
  },
  "kept": {
    "description": "What the login before gave, by its name in keep; empty where nothing is kept. In loginRequest."
  },
  "window": {
    "description": "from or to, of the window of time; in endpoint, params and headers of a job that has windows."
  },
  "placeholder": {
    "description": "A value of the parent's item, by the name that it has in placeholders; in params and headers of a child."
  },
  "time": {
    "description": "previousStart or currentStart, in Unix seconds; in endpoint, params and userData of jobs."
  }
}}`

type schema map[string]any

func reference(definition string) schema {
	return schema{"$ref": "#/definitions/" + definition}
}

func objectSchema(o *config.ObjectDecoder) schema {
	properties := schema{}
	var required []string
	for _, f := range o.Fields() {
		properties[f.Name] = fieldSchema(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := typeSchema("map")
	if len(required) > 0 {
		s = schema{"type": "object", "required": required}
	}
	if len(properties) > 0 {
		s["properties"] = properties
	}
	if o.Closed() {
		s["additionalProperties"] = false
	}
	return s
}

func fieldSchema(f config.KnownMember) schema {
	var s schema
	switch f.Type {
	case "object":
		s = objectSchema(f.Object)
	case "array":
		s = schema{"type": "array"}
		if f.Of != "" {
			s["items"] = anyOf(f.Of)
		}
	case "any":
		s = anyOf(f.Of)
	case "ignored":
		return schema{"description": "Taken, without effect."}
	// A value is an error, as an unknown member is.
	case "unsupported":
		return schema{
			"enum":        []any{nil, false, "", schema{}, []any{}},
			"description": "Not implemented: it stops a run.",
		}
	default:
		s = typeSchema(f.Type)
	}
	if !f.Required {
		s = orNull(s)
	}
	// Draft 7 ignores everything beside $ref.
	if s["$ref"] != nil {
		s = schema{"allOf": []schema{s}}
	}
	if f.Doc != "" {
		s["description"] = f.Doc
	}
	if f.Default != "" && !f.Required {
		s["default"] = json.RawMessage(f.Default)
	}
	if len(f.Examples) > 0 {
		s["examples"] = f.Examples
	}
	return s
}

// orNull also takes null, which stands for what is absent.
func orNull(s schema) schema {
	switch types := s["type"].(type) {
	case string:
		s["type"] = []string{types, "null"}
	case []string:
		s["type"] = append(types, "null")
	default:
		all, ok := s["anyOf"].([]schema)
		if !ok {
			all = []schema{s}
		}
		return schema{"anyOf": append(all, schema{"type": "null"})}
	}
	return s
}

// anyOf is one of several types, separated by blanks.
func anyOf(types string) schema {
	var all []schema
	for name := range strings.FieldsSeq(types) {
		all = append(all, typeSchema(name))
	}
	if len(all) == 1 {
		return all[0]
	}
	return schema{"anyOf": all}
}

// typeSchema is a type as config.Object.Any has it.
func typeSchema(name string) schema {
	switch name {
	case "string", "number", "array", "object":
		return schema{"type": name}
	// A string that holds one is taken too.
	case "integer":
		return schema{
			"type":    []string{"integer", "string"},
			"pattern": `^\s*[-+]?[0-9]+\s*$`,
		}
	case "boolean":
		return schema{
			"type":    []string{"boolean", "integer", "string"},
			"minimum": 0,
			"maximum": 1,
			"pattern": "^(true|false|0|1)?$",
		}
	case "place":
		step := schema{"type": []string{"string", "integer"}, "minimum": 0}
		return schema{"type": "array", "items": step}
	case "inPart":
		name := schema{"type": "string"}
		return schema{
			"type":        "object",
			"description": "The name of the parameter in a part of the request.",
			"properties": schema{
				"query":  name,
				"header": name,
				"body":   schema{"anyOf": []schema{name, typeSchema("place")}},
			},
			"minProperties":        1,
			"maxProperties":        1,
			"additionalProperties": false,
		}
	case "noElements":
		return schema{"type": "array", "maxItems": 0}
	case "map":
		return schema{
			"type":                 []string{"object", "array"},
			"maxItems":             0,
			"additionalProperties": reference("value"),
		}
	}
	if of, ok := strings.CutPrefix(name, "["); ok {
		return schema{"type": "array", "items": typeSchema(strings.TrimSuffix(of, "]"))}
	}
	if of, ok := strings.CutPrefix(name, "{"); ok {
		value := typeSchema(strings.TrimSuffix(of, "}"))
		return schema{"type": "object", "additionalProperties": value}
	}
	return reference(name)
}

// family is one object for each of its variants, which key names.
func family(key string, variants map[string]*config.ObjectDecoder) schema {
	var all []schema
	for _, name := range slices.Sorted(maps.Keys(variants)) {
		s := objectSchema(variants[name])
		s["title"] = name
		properties := s["properties"].(schema)
		description := properties[key].(schema)["description"]
		properties[key] = schema{"const": name, "description": description}
		all = append(all, s)
	}
	return schema{"oneOf": all}
}
