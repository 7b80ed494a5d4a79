// Package jq writes the filter program that makes items what the transformations of a manifest say.
package jq

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A Shaping is the transformations of a stream while they are converted.
type Shaping struct {
	Scope template.Scope
	Job   *write.Job

	// Steps are filters of jq, in order; used the definitions that they need.
	Steps []string
	used  []string

	// added are members that jq needs and removes.
	added []string

	// isDated tells that the template has a time of the item.
	isDated bool

	// Later are the transformations that are yet to come, left is what jq cannot do.
	Later []*manifest.Node
	Left  []lack
}

// Transform adds the steps of a transformation.
func (h *Shaping) Transform(n *manifest.Node) error {
	switch n.Kind() {
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
		h.flatten(n.Get("flatten_lists").Truth(true))
	case "DpathFlattenFields":
		return h.lift(n)
	default:
		n.Know()
		return errors.New(manifest.ClassName(n) + " is code, which is not converted")
	}
	return nil
}

func (h *Shaping) add(step string) { h.Steps = append(h.Steps, step) }

// Finish removes what jq needed, and puts the definitions first.
func (h *Shaping) Finish() {
	if len(h.added) > 0 {
		h.add("del(." + strings.Join(h.added, ", .") + ")")
	}
	if text := definitions(h.used); text != "" && len(h.Steps) > 0 {
		h.Steps[0] = text + " " + h.Steps[0]
	}
}

// addFields adds fields, one after the other.
func (h *Shaping) addFields(n *manifest.Node) error {
	condition := n.Get("condition")
	all := n.Get("fields").Elements()
	for i, f := range all {
		path, err := h.fieldPath(f.Get("path"))
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
func (h *Shaping) fieldPath(n *manifest.Node) (path []string, err error) {
	for _, step := range n.Elements() {
		if template.IsTemplate(step.Text()) || step.Text() == "" {
			return nil, errors.New("the path of a field that is a template is not understood")
		}
		path = append(path, step.Text())
	}
	if len(path) == 0 {
		return nil, errors.New("a field has no path")
	}
	return path, nil
}

func (h *Shaping) addField(path []string, f, condition *manifest.Node) error {
	value, kind := f.Get("value"), f.Get("value_type").Text()
	if !slices.Contains([]string{"", "string", "integer", "boolean"}, kind) {
		return fmt.Errorf("the value_type %s is not understood", kind)
	}
	if len(path) == 1 && len(h.Steps) == 0 && condition == nil && h.isOfSlice(value) {
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
	return "[" + write.Quote(name) + "]"
}

// steps are a path as an array of jq.
func steps(all []string) string {
	return "[" + strings.Join(write.Quotes(all), ", ") + "]"
}

// addToJob has the job add a value of its slice. An item that has such a member keeps it, until jq replaces it.
func (h *Shaping) addToJob(name string, value *manifest.Node, kind string) error {
	m, err := h.Scope.Mean(value)
	if err != nil {
		return err
	}
	if slices.Contains(h.Job.UserData, name) || m.Nothing || m.Moment {
		return fmt.Errorf("%s: this value of a slice is not understood", name)
	}
	json := m.JSON()
	if m.IsConstant() && kind == "string" {
		json = write.Quote(python.Printed(m.Constant))
	}
	h.Job.UserData = append(h.Job.UserData, name, json)
	own := h.conversion("."+key(name), kind)
	if m.IsConstant() {
		own = "." + key(name)
	}
	other := name + "_u0"
	moved := "." + key(name) + " = ." + key(other) + " | del(." + key(other) + ")"
	step := "if has(" + write.Quote(other) + ") then " + moved + " else . end"
	if own != "."+key(name) {
		step += " | ." + key(name) + " = " + own
	}
	h.add(step)
	return nil
}

// isOfSlice tells whether a value is one of the slice alone.
func (h *Shaping) isOfSlice(n *manifest.Node) bool {
	t, err := template.Parse(n.Text())
	if err != nil {
		return false
	}
	isSlice := false
	for _, p := range t {
		if template.Names(p.Expression, "record") {
			return false
		}
		isSlice = isSlice || template.Names(p.Expression, "stream_slice", "stream_partition", "stream_interval")
	}
	return isSlice
}

// removeFields removes fields.
func (h *Shaping) removeFields(n *manifest.Node) error {
	if condition := n.Get("condition"); condition != nil && condition.Text() != "" {
		return h.removeWhere(n, condition)
	}
	var all []string
	for _, pointer := range n.Get("field_pointers").Elements() {
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
func (h *Shaping) removeWhere(n, condition *manifest.Node) error {
	pointers := n.Get("field_pointers").Elements()
	if len(pointers) != 1 || len(pointers[0].Elements()) != 1 || pointers[0].Elements()[0].Text() != "**" {
		return errors.New("a condition of what is removed is understood beside the one pointer ** alone")
	}
	e, err := template.FilterOf(condition, h.scope(condition))
	if err != nil {
		return err
	}
	holds, ok := OfProperty(e)
	if !ok {
		return errors.New(
			"a condition of what is removed is understood as property == 'a text', property is none, " +
				"and several of these",
		)
	}
	h.add(h.use("thin", "thin("+holds+")"))
	return nil
}

// OfProperty is a condition about a value that is no list and no object, which is its input.
func OfProperty(e template.Expression) (string, bool) {
	b, ok := template.Unwrapped(e).(template.Binary)
	if !ok {
		return "", false
	}
	switch b.Operator {
	case "or", "and":
		left, ok1 := OfProperty(b.Left)
		right, ok2 := OfProperty(b.Right)
		return "(" + left + " " + b.Operator + " " + right + ")", ok1 && ok2
	case "is":
		test, _ := template.TestNamed(b.Right)
		of, isName := b.Left.(template.Name)
		return "(. == null)", isName && of.Name == "property" && test == "none"
	case "==":
		of := b.Left
		if f, isFilter := of.(template.Filter); isFilter && f.Name == "string" {
			of = f.Of
		}
		property, isName := of.(template.Name)
		text, isText := template.ConstantText(b.Right)
		// The text of what is none stands between three of these.
		isPlain := isName && isText && !strings.Contains(text, `"""`)
		return "(. == " + write.Quote(text) + ")", isPlain && property.Name == "property"
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
func (h *Shaping) replaceKeys(n *manifest.Node) error {
	var parts []string
	for _, name := range []string{"old", "new"} {
		m, err := h.Scope.MeanText(n.Get(name))
		if err != nil {
			return err
		}
		text, _ := m.Constant.(string)
		if m.Expr != "" || text == "" && name == "old" {
			return errors.New("a part of names that the values do not decide is not understood")
		}
		parts = append(parts, write.Quote(text))
	}
	h.add(h.use("renamed", "renamed("+strings.Join(parts, "; ")+")"))
	return nil
}

// flatten has the members of all objects within at the top; a name that is there already has that of its
// parent.
func (h *Shaping) flatten(areLists bool) {
	if areLists {
		h.add(h.use("flat", "flat(true)"))
		return
	}
	h.add(h.use("flat", "flat(false)"))
}

// lift has the members of an object within at the top, beside the others or instead of them.
func (h *Shaping) lift(n *manifest.Node) error {
	path, err := template.PathOf(n.Get("field_path"), h.Scope)
	if err != nil {
		return err
	}
	if len(path) == 0 || strings.ContainsAny(strings.Join(path, ""), "*?[") {
		return errors.New("of several objects it is not known which one comes to the top")
	}
	members := "."
	if change := n.Get("key_transformation"); change != nil {
		if members, err = h.changedKeys(change); err != nil {
			return err
		}
	}
	isAlone, isDeleted := n.Get("replace_record").Truth(false), n.Get("delete_origin_value").Truth(false)
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
func (h *Shaping) changedKeys(n *manifest.Node) (string, error) {
	text := ".key"
	for _, part := range []string{"prefix", "suffix"} {
		m, err := h.Scope.MeanText(n.Get(part))
		if err != nil || m.Expr != "" {
			return "", errors.Join(err, errors.New("the names of members are not known before the run"))
		}
		fixed, _ := m.Constant.(string)
		switch {
		case fixed == "":
		case part == "prefix":
			text = write.Quote(fixed) + " + " + text
		default:
			text += " + " + write.Quote(fixed)
		}
	}
	return "with_entries(.key = " + text + ")", nil
}
