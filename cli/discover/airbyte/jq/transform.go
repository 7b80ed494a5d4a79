// Package jq writes the filter program that makes items what the transformations of a manifest say. What is not understood
// is a fault.
package jq

import (
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// Transform adds the steps of a transformation.
func (h *Shaping) Transform(n *manifest.Section) {
	switch n.Kind() {
	case "AddFields":
		h.addFields(n)
	case "RemoveFields":
		isOther := func(t *manifest.Section) bool { return t.Kind() != "RemoveFields" }
		h.orLeave(n, "the fields that it removes", " are still there", func() { h.removeFields(n) }, isOther)
	case "KeysToLower":
		h.add(`with_entries(.key |= ascii_downcase)`)
	case "KeysToSnakeCase":
		h.add(`with_entries(.key |= snake)`)
	case "KeysReplace":
		// Of the names of members, and of those of objects within, but not of those in lists.
		h.add("renamed(" + write.Quote(h.fixed(n, "old")) + "; " + write.Quote(h.fixed(n, "new")) + ")")
	case "FlattenFields":
		// A name that is there already has that of its parent.
		h.add("flat(" + strconv.FormatBool(n.Get("flatten_lists").Truth(true)) + ")")
	case "DpathFlattenFields":
		h.lift(n)
	default:
		n.Know()
		panic(fault.New("%s is a Python class, which cannot be converted", manifest.ClassName(n)))
	}
}

// item is the filter for an item without what jobs add to it. Where it has a member of its own that is called as the
// parent's value, that value has another name.
func (h *Shaping) item() string {
	var all []string
	if len(h.added) > 0 {
		all = append(all, "del(."+strings.Join(h.added, ", .")+")")
	}
	for _, name := range h.Given {
		other := name + "_2"
		all = append(all, "if has("+write.Quote(other)+") then del(."+key(other)+") else del(."+key(name)+") end")
	}
	if len(all) == 0 {
		return "."
	}
	return "(" + strings.Join(all, " | ") + ")"
}

// Finish removes what jq needed.
func (h *Shaping) Finish() {
	for i, step := range h.Steps {
		h.Steps[i] = strings.ReplaceAll(step, wholeItem, h.item())
	}
	if len(h.added) > 0 {
		h.add("del(." + strings.Join(h.added, ", .") + ")")
	}
}

// addFields adds fields, one after the other.
func (h *Shaping) addFields(n *manifest.Section) {
	condition := n.Get("condition")
	all := n.Get("fields").Elements()
	for i, f := range all {
		path := fieldPath(f.Get("path"))
		isNeeded := func(later *manifest.Section) bool { return mayUse(later, path[0]) }
		add := func() { h.addField(path, f, condition) }
		h.orLeave(f, strings.Join(path, "."), " is not added, or stays what it was", add, isNeeded, all[i+1:]...)
	}
}

// fieldPath is the path of a field, as jq has it, and of one step its name.
func fieldPath(n *manifest.Section) (path []string) {
	path = n.Texts()
	fault.If(slices.ContainsFunc(path, template.IsTemplate) || slices.Contains(path, ""),
		"the path of a field that is a template is not supported")
	fault.If(len(path) == 0, "a field has no path")
	return path
}

func (h *Shaping) addField(path []string, f, condition *manifest.Section) {
	value, kind := f.Get("value"), f.Get("value_type").Text()
	fault.If(!slices.Contains([]string{"", "string", "integer", "boolean"}, kind),
		"the value_type %s is not supported", kind)
	if len(path) == 1 && len(h.Steps) == 0 && condition == nil && isOfSlice(value) {
		h.addToJob(path[0], value, kind)
		return
	}
	jq := h.valueOf(value, kind)
	target := "setpath(" + steps(path) + "; "
	if len(path) == 1 {
		target = "." + key(path[0]) + " = ("
	}
	if condition == nil {
		h.add(target + jq + ")")
		return
	}
	h.add(jq + " as $value | if " + h.condition(condition) + " then " + target + "$value) else . end")
}

// addToJob has the job add a value of its slice. An item that has such a member keeps it, until jq replaces it.
func (h *Shaping) addToJob(name string, value *manifest.Section, kind string) {
	m := h.Scope.Mean(value)
	if !m.IsConstant() {
		// What Python reads in the text jq reads.
		m = h.Scope.MeanPlain(value)
	}
	fault.If(h.Job.UserData.Get(name) != nil || m.Nothing || m.Moment, "this value of a slice is not supported")
	given := m.Value()
	if m.IsConstant() && kind == "string" {
		given = write.Text(python.Printed(m.Constant))
	}
	h.Job.UserData = h.Job.UserData.And(name, given)
	own, other := "."+key(name), "."+key(name+"_u0")
	step := "if has(" + write.Quote(name+"_u0") + ") then " + own + " = " + other + " | del(" + other + ") else . end"
	if !m.IsConstant() {
		step += " | " + own + " = " + conversion(own, kind)
	}
	h.add(step)
}

// isOfSlice tells whether a value is one of the slice alone.
func isOfSlice(n *manifest.Section) bool {
	t, _ := template.Parse(n.Text())
	e := template.Joined{Template: t}
	return !template.Names(e, "record") && template.Names(e, "stream_slice", "stream_partition", "stream_interval")
}

// removeFields removes fields.
func (h *Shaping) removeFields(n *manifest.Section) {
	if condition := n.Get("condition"); condition.Text() != "" {
		h.removeWhere(n, condition)
		return
	}
	var all []string
	for _, pointer := range n.Get("field_pointers").Elements() {
		path := fieldPath(pointer)
		if path[0] == "**" && len(path) == 2 && !strings.ContainsAny(path[1], "*?[") {
			h.add("walk(if type == \"object\" then del(." + key(path[1]) + ") else . end)")
			continue
		}
		all = append(all, pointed(path))
	}
	if len(all) > 0 {
		h.add("del(" + strings.Join(all, ", ") + ")")
	}
}

// removeWhere removes all values for which a condition holds, wherever they stand: of a list the last element
// alone, others become null.
func (h *Shaping) removeWhere(n, condition *manifest.Section) {
	pointers := n.Get("field_pointers").Elements()
	fault.If(len(pointers) != 1 || !slices.Equal(pointers[0].Texts(), []string{"**"}),
		"a condition of what is removed is supported only beside the single pointer **")
	holds, ok := OfProperty(template.FilterOf(condition, h.scope()))
	if !ok {
		panic(fault.New("a condition of what is removed is supported only as property == 'a text', property is none, " +
			"and several of these"))
	}
	h.add("thin(" + holds + ")")
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
func pointed(path []string) string {
	var b strings.Builder
	for i, step := range path {
		switch {
		case step == "*" && i < len(path)-1:
			b.WriteString("[]?")
		case strings.ContainsAny(step, "*?["), isNumber(step):
			panic(fault.New("the step %s of what is removed is not supported", step))
		case len(path) == 1:
			b.WriteString("." + key(step))
		default:
			b.WriteString("." + key(step) + "?")
		}
	}
	return "." + strings.TrimPrefix(b.String(), ".")
}

// isNumber tells a step that may be the number of an element.
func isNumber(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
}

// lift has the members of an object within at the top, beside the others or instead of them.
func (h *Shaping) lift(n *manifest.Section) {
	path := template.PathOf(n.Get("field_path"), h.Scope)
	fault.If(len(path) == 0 || strings.ContainsAny(strings.Join(path, ""), "*?["),
		"of several objects it is not known which one comes to the top")
	members := "."
	if change := n.Get("key_transformation"); change != nil {
		members = h.changedKeys(change)
	}
	isAlone, isDeleted := n.Get("replace_record").Truth(false), n.Get("delete_origin_value").Truth(false)
	kept := "$r"
	if isDeleted {
		fault.If(slices.ContainsFunc(path, isNumber), "an element of a list that is removed is not supported")
		kept = "($r | delpaths([" + steps(path) + "]))"
	}
	// Where the item has one of the names it stays as it is.
	whole := "if any($x | keys[]; in($r)) then $r else " + kept + " + $x end"
	if isAlone {
		whole = "if $x == {} then " + kept + " else $x end"
	}
	h.add(". as $r | at(" + steps(path) + `; null) as $v | if ($v | type) == "object" then ($v | ` + members +
		") as $x | " + whole + " else . end")
}

// changedKeys has a prefix and a suffix at all names.
func (h *Shaping) changedKeys(n *manifest.Section) string {
	text := ".key"
	if prefix := h.fixed(n, "prefix"); prefix != "" {
		text = write.Quote(prefix) + " + " + text
	}
	if suffix := h.fixed(n, "suffix"); suffix != "" {
		text += " + " + write.Quote(suffix)
	}
	return "with_entries(.key = " + text + ")"
}
