package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// transformations reads what is changed of the items: jq has to do it, in their order. Values of a slice are no
// items', so the job adds them.
func (s *stream) transformations(n *node, sc scope, j *job) {
	h := &shaping{sc: sc, j: j}
	all := n.elements()
	for i, t := range all {
		h.later = all[i+1:]
		if err := h.transform(t); err != nil {
			s.refuse(t, oneLine(err))
		}
	}
	h.finish()
	for _, l := range h.left {
		s.leave(l.at, l.text)
	}
	switch {
	case !s.isTransformed:
		s.isTransformed, s.transformed = true, h.steps
		s.steps = append(s.steps, h.steps...)
	case !slices.Equal(s.transformed, h.steps):
		s.refuse(n, "its slices change items in different ways")
	}
}

// lastRecord finds where the items have, as they come, what a cursor takes of the last one as it is in the end.
func (s *stream) lastRecord(n *node, j *job) {
	at := slices.Index(j.pagination, "idKey")
	if at < 0 || n == nil {
		return
	}
	o := origin{path: strings.Split(item.Unquote([]byte(j.pagination[at+1])), "."), found: sure}
	for _, t := range slices.Backward(n.elements()) {
		o.before(t)
	}
	if o.found != sure {
		s.refuse(n, "they may change what the paginator takes of the last record")
		return
	}
	j.pagination[at+1] = quote(strings.Join(o.path, "."))
}

// A shaping is the transformations of a stream while they are converted.
type shaping struct {
	sc scope
	j  *job

	// steps are filters of jq, in order; used the definitions that they need.
	steps []string
	used  []string

	// added are members that jq needs and removes.
	added []string

	// isDated tells that the template has a time of the item.
	isDated bool

	// later are the transformations that are yet to come, left is what jq cannot do.
	later []*node
	left  []lack
}

// transform adds the steps of a transformation.
func (h *shaping) transform(n *node) error {
	switch n.kind() {
	case "AddFields":
		return h.addFields(n)
	case "RemoveFields":
		before := h.mark()
		if err := h.removeFields(n); err != nil {
			return h.leaveFields(n, before, err)
		}
	case "KeysToLower":
		h.add(`with_entries(.key |= ascii_downcase)`)
	case "KeysToSnakeCase":
		h.add(h.use("snake", `with_entries(.key |= snake)`))
	case "KeysReplace":
		return h.replaceKeys(n)
	case "FlattenFields":
		h.flatten(n.get("flatten_lists").truth(true))
	case "DpathFlattenFields":
		return h.lift(n)
	default:
		n.know()
		return errors.New(className(n) + " is code, which is not converted")
	}
	return nil
}

func (h *shaping) add(step string) { h.steps = append(h.steps, step) }

// finish removes what jq needed, and puts the definitions first.
func (h *shaping) finish() {
	if len(h.added) > 0 {
		h.add("del(." + strings.Join(h.added, ", .") + ")")
	}
	var all []string
	for _, d := range definitions {
		if slices.Contains(h.used, d.name) {
			all = append(all, d.text)
		}
	}
	isUsed := len(all) > 0 && len(h.steps) > 0
	if isUsed {
		h.steps[0] = strings.Join(all, " ") + " " + h.steps[0]
	}
}

// addFields adds fields, one after the other.
func (h *shaping) addFields(n *node) error {
	condition := n.get("condition")
	all := n.get("fields").elements()
	for i, f := range all {
		path, err := h.fieldPath(f.get("path"))
		if err != nil {
			return err
		}
		if err := h.addOrLeave(path, f, condition, all[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

// fieldPath is the path of a field, as jq has it, and of one step its name.
func (h *shaping) fieldPath(n *node) (path []string, err error) {
	for _, step := range n.elements() {
		if isTemplate(step.text()) || step.text() == "" {
			return nil, errors.New("the path of a field that is a template is not understood")
		}
		path = append(path, step.text())
	}
	if len(path) == 0 {
		return nil, errors.New("a field has no path")
	}
	return path, nil
}

func (h *shaping) addField(path []string, f, condition *node) error {
	value, kind := f.get("value"), f.get("value_type").text()
	if !slices.Contains([]string{"", "string", "integer", "boolean"}, kind) {
		return fmt.Errorf("the value_type %s is not understood", kind)
	}
	isAlone := len(path) == 1 && len(h.steps) == 0 && condition == nil
	if isAlone && h.isOfSlice(value) {
		return h.addToJob(path[0], value, kind)
	}
	jq, err := h.valueOf(value, kind)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(path, "."), err)
	}
	target := "setpath(" + steps(path) + "; "
	if len(path) == 1 {
		target = "." + key(path[0]) + " = ("
	}
	if condition == nil {
		h.add(target + jq + ")")
		return nil
	}
	holds, err := h.condition(condition)
	if err != nil {
		return err
	}
	h.add(jq + " as $value | if " + holds + " then " + target + "$value) else . end")
	return nil
}

// key is a name behind the point of a path of jq.
func key(name string) string {
	isPlain := name != "" && !strings.ContainsAny(name[:1], "0123456789")
	for _, c := range name {
		isWord := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		isPlain = isPlain && isWord
	}
	if isPlain {
		return name
	}
	return "[" + quote(name) + "]"
}

// steps are a path as an array of jq.
func steps(all []string) string {
	return "[" + strings.Join(quotes(all), ", ") + "]"
}

// addToJob has the job add a value of its slice. An item that has such a member keeps it, until jq replaces it.
func (h *shaping) addToJob(name string, value *node, kind string) error {
	m, err := h.sc.mean(value)
	if err != nil {
		return err
	}
	isTwice := slices.Contains(h.j.userData, name)
	if isTwice || m.nothing || m.moment {
		return fmt.Errorf("%s: this value of a slice is not understood", name)
	}
	json := m.JSON()
	if m.isConstant() && kind == "string" {
		json = quote(printed(m.constant))
	}
	h.j.userData = append(h.j.userData, name, json)
	own := h.conversion("."+key(name), kind)
	if m.isConstant() {
		own = "." + key(name)
	}
	other := name + "_u0"
	moved := "." + key(name) + " = ." + key(other) + " | del(." + key(other) + ")"
	step := "if has(" + quote(other) + ") then " + moved + " else . end"
	if own != "."+key(name) {
		step += " | ." + key(name) + " = " + own
	}
	h.add(step)
	return nil
}

// isOfSlice tells whether a value is one of the slice alone.
func (h *shaping) isOfSlice(n *node) bool {
	t, err := parse(n.text())
	if err != nil {
		return false
	}
	isSlice := false
	for _, p := range t {
		if names(p.expression, "record") {
			return false
		}
		isSlice = isSlice || names(p.expression, "stream_slice", "stream_partition", "stream_interval")
	}
	return isSlice
}

// removeFields removes fields.
func (h *shaping) removeFields(n *node) error {
	if condition := n.get("condition"); condition != nil && condition.text() != "" {
		return h.removeWhere(n, condition)
	}
	var all []string
	for _, pointer := range n.get("field_pointers").elements() {
		path, err := h.fieldPath(pointer)
		if err != nil {
			return err
		}
		if path[0] == "**" && len(path) == 2 && !strings.ContainsAny(path[1], "*?[") {
			h.add("walk(if type == \"object\" then del(." + key(path[1]) + ") else . end)")
			continue
		}
		text, err := pointed(path)
		if err != nil {
			return err
		}
		all = append(all, text)
	}
	if len(all) > 0 {
		h.add("del(" + strings.Join(all, ", ") + ")")
	}
	return nil
}

// removeWhere removes all values for which a condition holds, wherever they stand: of a list the last element
// alone, others become null.
func (h *shaping) removeWhere(n, condition *node) error {
	pointers := n.get("field_pointers").elements()
	isEverywhere := len(pointers) == 1 && len(pointers[0].elements()) == 1 &&
		pointers[0].elements()[0].text() == "**"
	if !isEverywhere {
		return errors.New("a condition of what is removed is understood beside the one pointer ** alone")
	}
	e, err := filterOf(condition, h.scope(condition))
	if err != nil {
		return err
	}
	holds, ok := ofProperty(e)
	if !ok {
		return errors.New(
			"a condition of what is removed is understood as property == 'a text', property is none, " +
				"and several of these",
		)
	}
	h.add(h.use("thin", "thin("+holds+")"))
	return nil
}

// ofProperty is a condition about a value that is no list and no object, which is its input.
func ofProperty(e expression) (string, bool) {
	b, ok := unwrapped(e).(binary)
	if !ok {
		return "", false
	}
	switch b.operator {
	case "or", "and":
		left, ok1 := ofProperty(b.left)
		right, ok2 := ofProperty(b.right)
		return "(" + left + " " + b.operator + " " + right + ")", ok1 && ok2
	case "is":
		test, _ := testNamed(b.right)
		of, isName := b.left.(name)
		return "(. == null)", isName && of.name == "property" && test == "none"
	case "==":
		of := b.left
		if f, isFilter := of.(filter); isFilter && f.name == "string" {
			of = f.of
		}
		property, isName := of.(name)
		text, isText := constantText(b.right)
		// The text of what is none stands between three of these.
		isPlain := isName && isText && !strings.Contains(text, `"""`)
		return "(. == " + quote(text) + ")", isPlain && property.name == "property"
	}
	return "", false
}

// pointed is a path that leads nowhere without an error.
func pointed(path []string) (string, error) {
	var b strings.Builder
	for i, step := range path {
		isLast := i == len(path)-1
		_, err := strconv.Atoi(step)
		isGlob := strings.ContainsAny(step, "*?[")
		switch {
		case step == "*" && !isLast:
			b.WriteString("[]?")
		case isGlob, err == nil:
			return "", fmt.Errorf("the step %s of what is removed is not understood", step)
		case len(path) == 1:
			b.WriteString("." + key(step))
		case strings.HasPrefix(key(step), "["):
			b.WriteString("." + key(step) + "?")
		default:
			b.WriteString("." + key(step) + "?")
		}
	}
	text := b.String()
	if !strings.HasPrefix(text, ".") {
		text = "." + text
	}
	return text, nil
}

// replaceKeys replaces a part of the names of the members, and of those of objects within, but not of those in lists.
func (h *shaping) replaceKeys(n *node) error {
	var parts []string
	for _, name := range []string{"old", "new"} {
		m, err := h.sc.meanText(n.get(name))
		if err != nil {
			return err
		}
		text, _ := m.constant.(string)
		if m.json != "" || text == "" && name == "old" {
			return errors.New("a part of names that the values do not decide is not understood")
		}
		parts = append(parts, quote(text))
	}
	h.add(h.use("renamed", "renamed("+strings.Join(parts, "; ")+")"))
	return nil
}

// flatten has the members of all objects within at the top; a name that is there already has that of its
// parent.
func (h *shaping) flatten(areLists bool) {
	if areLists {
		h.add(h.use("flat", "flat(true)"))
		return
	}
	h.add(h.use("flat", "flat(false)"))
}

// lift has the members of an object within at the top, beside the others or instead of them.
func (h *shaping) lift(n *node) error {
	path, err := pathOf(n.get("field_path"), h.sc)
	if err != nil {
		return err
	}
	if len(path) == 0 || strings.ContainsAny(strings.Join(path, ""), "*?[") {
		return errors.New("of several objects it is not known which one comes to the top")
	}
	members := "."
	if change := n.get("key_transformation"); change != nil {
		if members, err = h.changedKeys(change); err != nil {
			return err
		}
	}
	isAlone, isDeleted := n.get("replace_record").truth(false), n.get("delete_origin_value").truth(false)
	kept := "$r"
	if isDeleted {
		if slices.ContainsFunc(path, isNumber) {
			return errors.New("an element of a list that is removed is not understood")
		}
		kept = "($r | delpaths([" + steps(path) + "]))"
	}
	value := h.use("at", "at("+steps(path)+"; null)")
	// Where the item has one of the names it stays as it is.
	whole := "if any($x | keys[]; in($r)) then $r else " + kept + " + $x end"
	if isAlone {
		whole = "if $x == {} then " + kept + " else $x end"
	}
	h.add(". as $r | " + value + ` as $v | if ($v | type) == "object" then ($v | ` + members + ") as $x | " +
		whole + " else . end")
	return nil
}

// isNumber tells a step that may be the number of an element.
func isNumber(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// changedKeys has a prefix and a suffix at all names.
func (h *shaping) changedKeys(n *node) (string, error) {
	text := ".key"
	for _, part := range []string{"prefix", "suffix"} {
		m, err := h.sc.meanText(n.get(part))
		if err != nil || m.json != "" {
			return "", errors.Join(err, errors.New("the names of members are not known before the run"))
		}
		fixed, _ := m.constant.(string)
		switch {
		case fixed == "":
		case part == "prefix":
			text = quote(fixed) + " + " + text
		default:
			text += " + " + quote(fixed)
		}
	}
	return "with_entries(.key = " + text + ")", nil
}
