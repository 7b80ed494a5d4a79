package jq

import (
	"errors"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
)

// wholes are the filters that are understood of an item only as the last of a template that is nothing else:
// what they give is exact as a value, but not as a part of another one.
var wholes = []string{"string", "float", "regex_search", "list"}

// isWhole tells whether an expression is such a filter, or chooses one.
func isWhole(e template.Expression) bool {
	switch e := template.Unwrapped(e).(type) {
	case template.Filter:
		return slices.Contains(wholes, e.Name)
	case template.Dict:
		return true
	case template.Choice:
		return isWhole(e.Yes) || e.No != nil && isWhole(e.No)
	}
	return false
}

// wholly is the value of a template that is an expression with such a filter.
func (h *Shaping) wholly(e template.Expression, n *manifest.Node, kind string) (string, error) {
	switch e := template.Unwrapped(e).(type) {
	case template.Filter:
		if isWhole(e) {
			return h.whole(e, n, kind)
		}
	case template.Dict:
		jq, err := h.object(e, n)
		return h.conversion(jq, kind), err
	case template.Choice:
		if e.No == nil {
			e.No = template.Constant{Value: ""}
		}
		condition, err1 := h.jq(e.Condition, n)
		yes, err2 := h.wholly(e.Yes, n, kind)
		no, err3 := h.wholly(e.No, n, kind)
		text := "(if " + condition + " | yes then " + yes + " else " + no + " end)"
		return h.use("yes", text), errors.Join(err1, err2, err3)
	}
	jq, err := h.jq(e, n)
	return h.conversion(jq, kind), err
}

// whole is the value of a template that ends with such a filter.
func (h *Shaping) whole(f template.Filter, n *manifest.Node, kind string) (string, error) {
	if f.Name == "string" {
		return h.asString(f, n, kind)
	}
	if kind != "" {
		return "", errors.New("the filter " + f.Name + " beside a value_type is not understood")
	}
	switch f.Name {
	case "float":
		return h.float(f, n)
	case "regex_search":
		return h.searched(f, n)
	}
	return h.listed(f, n)
}

// float is a number as that platform reads one.
func (h *Shaping) float(f template.Filter, n *manifest.Node) (string, error) {
	if len(f.Arguments)+len(f.Keywords) > 0 {
		return "", errors.New("the filter float with a default is not understood of an item")
	}
	of, err := h.jq(f.Of, n)
	return h.use("float", "("+of+" | float)"), err
}

// searched is the first group of a regular expression, and the text of the template where there is no text to
// search.
func (h *Shaping) searched(f template.Filter, n *manifest.Node) (string, error) {
	pattern, ok := "", false
	for _, e := range append(template.ByName(f.Keywords, "regex"), f.Arguments...) {
		pattern, ok = template.ConstantText(e)
	}
	pattern, isKnown := sameRegex(pattern)
	if !ok || !isKnown || len(f.Arguments)+len(f.Keywords) != 1 {
		return "", errors.New("this regular expression is not understood of an item: want plain characters, " +
			"sets of them in brackets, and one group without a mark behind it")
	}
	variable, path, isMember := template.Reference(f.Of)
	if !isMember || variable != "record" || len(path) == 0 {
		return "", errors.New("the filter regex_search of more than a member is not understood")
	}
	// An empty group is null in some versions of jq.
	search := "[match(" + write.Quote(pattern) + `).captures[0].string][0] // "" | lit`
	h.use("lit", "")
	of := h.use("at", "at("+steps(path)+"; null)")
	return "(" + of + ` | if type == "string" then ` + search + " else " + write.Quote(n.Text()) + " end)", nil
}

// plainRegex is a regular expression that all languages read in the same way, but for its ends.
var plainRegex = pattern.Lazy(
	`^\^?(` + plainPieces + `)*\(((` + plainPieces + `)+)\)(` + plainPieces + `)*\$?$`,
)

const plainPieces = `(?:[A-Za-z0-9 _/:;,@%&=<>"'!~-]|\\[-/._:?+=&#@]|\.|` +
	`\[\^?(?:[A-Za-z0-9 _/:;,.@%=<>?!+]|\\[-/.])+-?\]|\[\^?[A-Za-z0-9_/.]-[A-Za-z0-9]` +
	`(?:[A-Za-z0-9_/.]-[A-Za-z0-9]|[A-Za-z0-9_/.:])*-?\]|\\d)(?:[*+?]\??)?`

// sameRegex is a regular expression as jq reads it; not ok: it may mean something else there.
func sameRegex(pattern string) (string, bool) {
	if !plainRegex().MatchString(pattern) {
		return "", false
	}
	if strings.HasPrefix(pattern, "^") {
		pattern = `\A` + pattern[1:]
	}
	if strings.HasSuffix(pattern, "$") {
		pattern = strings.TrimSuffix(pattern, "$") + `\Z`
	}
	return pattern, true
}

// notMembers are names that an object without such a member has as well.
var notMembers = []string{
	"clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values",
}

// listed is the list of a member of each element. Where one lacks it, the list remains a text.
func (h *Shaping) listed(f template.Filter, n *manifest.Node) (string, error) {
	mapped, ok := f.Of.(template.Filter)
	isMap := ok && mapped.Name == "map" && len(f.Arguments)+len(f.Keywords) == 0
	member, isNamed := template.ConstantText(mapped.Keywords["attribute"])
	isPlain := isMap && isNamed && len(mapped.Keywords) == 1 && len(mapped.Arguments) == 0
	isOdd := strings.Contains(member, ".") || strings.Trim(member, "0123456789") == "" ||
		slices.Contains(notMembers, member)
	if !isPlain || isOdd {
		return "", errors.New("of a list map(attribute='name') | list alone is understood")
	}
	of, err := h.jq(mapped.Of, n)
	h.use("str", "")
	h.use("yes", "")
	return h.use("each_", "("+of+" | each_("+write.Quote(member)+"))"), err
}

// object is an object of members of the item. Where the item lacks one that is not asked for by get, it remains a text.
func (h *Shaping) object(d template.Dict, n *manifest.Node) (string, error) {
	var all []string
	for i, k := range d.Keys {
		name, isText := template.ConstantText(k)
		if !isText {
			return "", errors.New("an object whose names are no texts is not understood")
		}
		pair, err := h.pair(write.Quote(name), d.Values[i], n)
		if err != nil {
			return "", err
		}
		all = append(all, pair)
	}
	h.use("str", "")
	return h.use("pairs", "(["+strings.Join(all, ", ")+"] | pairs)"), nil
}

// pair is a name and a value in a list, in which the value may be missing.
func (h *Shaping) pair(name string, value template.Expression, n *manifest.Node) (string, error) {
	jq, err := h.jq(value, n)
	if err != nil {
		return "", err
	}
	pair := "[" + name + ", " + jq + "]"
	if !template.Names(value, "record", "value") {
		m, err := h.Scope.At(n).MeaningOf(value)
		if isTime := m.Format != "" || m.IsNumeral; isTime {
			err = errors.New("an object with a time of the slice is not understood")
		}
		return pair, err
	}
	variable, path, isMember := template.Reference(value)
	if !isMember || variable != "record" || len(path) == 0 {
		return "", errors.New("an object of more than members of the item is not understood")
	}
	if _, isGet := value.(template.Call); isGet {
		return pair, nil
	}
	return h.use("there", "(if there("+steps(path)+") then "+pair+" else ["+name+"] end)"), nil
}
