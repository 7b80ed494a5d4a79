package airbyte

import (
	"errors"
	"slices"
	"strings"
)

// wholes are the filters that are understood of an item only as the last of a template that is nothing else:
// what they give is exact as a value, but not as a part of another one.
var wholes = []string{"string", "float", "regex_search", "list"}

// isWhole tells whether an expression is such a filter, or chooses one.
func isWhole(e expression) bool {
	switch e := unwrapped(e).(type) {
	case filter:
		return slices.Contains(wholes, e.name)
	case dict:
		return true
	case choice:
		return isWhole(e.yes) || e.no != nil && isWhole(e.no)
	}
	return false
}

// wholly is the value of a template that is an expression with such a filter.
func (h *shaping) wholly(e expression, n *node, kind string) (string, error) {
	switch e := unwrapped(e).(type) {
	case filter:
		if isWhole(e) {
			return h.whole(e, n, kind)
		}
	case dict:
		jq, err := h.object(e, n)
		return h.conversion(jq, kind), err
	case choice:
		if e.no == nil {
			e.no = constant{""}
		}
		condition, err1 := h.jq(e.condition, n)
		yes, err2 := h.wholly(e.yes, n, kind)
		no, err3 := h.wholly(e.no, n, kind)
		text := "(if " + condition + " | yes then " + yes + " else " + no + " end)"
		return h.use("yes", text), errors.Join(err1, err2, err3)
	}
	jq, err := h.jq(e, n)
	return h.conversion(jq, kind), err
}

// whole is the value of a template that ends with such a filter.
func (h *shaping) whole(f filter, n *node, kind string) (string, error) {
	if f.name == "string" {
		return h.asString(f, n, kind)
	}
	if kind != "" {
		return "", errors.New("the filter " + f.name + " beside a value_type is not understood")
	}
	switch f.name {
	case "float":
		return h.float(f, n)
	case "regex_search":
		return h.searched(f, n)
	}
	return h.listed(f, n)
}

// float is a number as that platform reads one.
func (h *shaping) float(f filter, n *node) (string, error) {
	if len(f.arguments)+len(f.keywords) > 0 {
		return "", errors.New("the filter float with a default is not understood of an item")
	}
	of, err := h.jq(f.of, n)
	return h.use("float", "("+of+" | float)"), err
}

// searched is the first group of a regular expression, and the text of the template where there is no text to
// search.
func (h *shaping) searched(f filter, n *node) (string, error) {
	pattern, ok := "", false
	for _, e := range append(byName(f.keywords, "regex"), f.arguments...) {
		pattern, ok = constantText(e)
	}
	pattern, isKnown := sameRegex(pattern)
	isOne := len(f.arguments)+len(f.keywords) == 1
	isUnderstood := ok && isKnown && isOne
	if !isUnderstood {
		return "", errors.New("this regular expression is not understood of an item: want plain characters, " +
			"sets of them in brackets, and one group without a mark behind it")
	}
	variable, path, isMember := reference(f.of)
	if !isMember || variable != "record" || len(path) == 0 {
		return "", errors.New("the filter regex_search of more than a member is not understood")
	}
	// An empty group is null in some versions of jq.
	search := "[match(" + quote(pattern) + `).captures[0].string][0] // "" | lit`
	h.use("lit", "")
	of := h.use("at", "at("+steps(path)+"; null)")
	return "(" + of + ` | if type == "string" then ` + search + " else " + quote(n.text()) + " end)", nil
}

// plainRegex is a regular expression that all languages read in the same way, but for its ends.
var plainRegex = pattern(
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
func (h *shaping) listed(f filter, n *node) (string, error) {
	mapped, ok := f.of.(filter)
	isMap := ok && mapped.name == "map" && len(f.arguments)+len(f.keywords) == 0
	member, isNamed := constantText(mapped.keywords["attribute"])
	isPlain := isMap && isNamed && len(mapped.keywords) == 1 && len(mapped.arguments) == 0
	isOdd := strings.Contains(member, ".") || strings.Trim(member, "0123456789") == "" ||
		slices.Contains(notMembers, member)
	if !isPlain || isOdd {
		return "", errors.New("of a list map(attribute='name') | list alone is understood")
	}
	of, err := h.jq(mapped.of, n)
	h.use("str", "")
	h.use("yes", "")
	return h.use("each_", "("+of+" | each_("+quote(member)+"))"), err
}

// object is an object of members of the item. Where the item lacks one that is not asked for by get, it remains a text.
func (h *shaping) object(d dict, n *node) (string, error) {
	var all []string
	for i, k := range d.keys {
		name, isText := constantText(k)
		if !isText {
			return "", errors.New("an object whose names are no texts is not understood")
		}
		pair, err := h.pair(quote(name), d.values[i], n)
		if err != nil {
			return "", err
		}
		all = append(all, pair)
	}
	h.use("str", "")
	return h.use("pairs", "(["+strings.Join(all, ", ")+"] | pairs)"), nil
}

// pair is a name and a value in a list, in which the value may be missing.
func (h *shaping) pair(name string, value expression, n *node) (string, error) {
	jq, err := h.jq(value, n)
	if err != nil {
		return "", err
	}
	pair := "[" + name + ", " + jq + "]"
	if !names(value, "record", "value") {
		m, err := h.sc.at(n).meaningOf(value)
		if isTime := m.format != "" || m.isNumeral; isTime {
			err = errors.New("an object with a time of the slice is not understood")
		}
		return pair, err
	}
	variable, path, isMember := reference(value)
	isOfItem := isMember && variable == "record" && len(path) > 0
	if !isOfItem {
		return "", errors.New("an object of more than members of the item is not understood")
	}
	if _, isGet := value.(call); isGet {
		return pair, nil
	}
	return h.use("there", "(if there("+steps(path)+") then "+pair+" else ["+name+"] end)"), nil
}
