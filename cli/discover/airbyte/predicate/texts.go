package predicate

import (
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
)

// methodOf is startswith or endswith.
func methodOf(e template.Call) (method template.Index, ok bool) {
	of, _ := e.Of.(template.Index)
	name, _ := template.ConstantText(of.Key)
	return of, (name == "startswith" || name == "endswith") && len(e.Arguments) == 1
}

// begins is for the methods of texts.
func (t Tester) begins(e template.Call, method template.Index) (Alternatives, bool) {
	path, _, ok1 := t.Path(method.Of)
	text, ok2 := t.part(e.Arguments[0])
	if !areAll(ok1, ok2) {
		return t.unsaid()
	}
	if name, _ := template.ConstantText(method.Key); name == "endswith" {
		return one(path + "~~%" + text), true
	}
	return one(path + "~~" + text + "%"), true
}

// Path is that of a member of the variable; isGet tells that what is missing is null.
func (t Tester) Path(e template.Expression) (path string, isGet, ok bool) {
	way, ok := template.Trail(e)
	if !ok || len(way.Steps) == 0 || way.HasDefault && python.Truthy(way.ByDefault) {
		return "", false, false
	}
	for _, step := range way.Steps {
		if !isPlain(step) {
			return "", false, false
		}
	}
	path = strings.Join(way.Steps, ".")
	isHeader := way.Variable == "headers" && t.Root == "response"
	switch {
	case way.Variable == t.Root:
		return path, way.HasDefault, true
	case isHeader && len(way.Steps) == 1:
		return "$header." + path, way.HasDefault, true
	}
	return "", false, false
}

// isPlain tells whether a step may stand in a condition.
func isPlain(step string) bool {
	return step != "" && !strings.ContainsAny(step, ".&|=!<>~$* ")
}

// Value is a constant as a condition has it.
func (t Tester) Value(e template.Expression) (string, bool) {
	c, ok := e.(template.Constant)
	if !ok {
		return "", false
	}
	switch v := c.Value.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case string:
		return v, !strings.ContainsAny(v, "&|") && !strings.ContainsAny(firstOf(v), "=!<>~")
	}
	return "", false
}

// part is a text that stands within another one.
func (t Tester) part(e template.Expression) (string, bool) {
	text, ok := template.ConstantText(e)
	value, isSafe := t.Value(template.Constant{Value: text})
	return value, ok && isSafe && !strings.ContainsAny(text, `%"\`) && text != ""
}

// firstOf is the first byte.
func firstOf(text string) string { return text[:min(1, len(text))] }
