package jq

import (
	"regexp"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/pipeline/pattern"
)

// orLeave does something to the items. What jq cannot say they lack, unless what comes later may need it: the cursor, the
// paginator and keys for children look for themselves whether items have what they need as they come.
func (h *Shaping) orLeave(
	n *manifest.Section, name, lacks string, do func(), needs func(later *manifest.Section) bool, later ...*manifest.Section) {
	steps, added, userData := len(h.Steps), len(h.added), len(h.Job.UserData)
	err := fault.Try(do)
	switch {
	case err == nil:
		return
	case slices.ContainsFunc(slices.Concat(later, h.Later), needs):
		panic(fault.New("%s: %w", name, err))
	}
	h.Steps, h.added, h.Job.UserData = h.Steps[:steps], h.added[:added], h.Job.UserData[:userData]
	n.Know()
	h.Left = append(h.Left, lack{n, name + lacks + ": " + err.Error()})
}

// mayUse tells whether a transformation, or a field that one adds, may be another one if items lack a field.
func mayUse(t *manifest.Section, name string) bool {
	switch t.Kind() {
	case "RemoveFields":
		return false
	case "AddFields":
		isUsed := func(f *manifest.Section) bool { return mayUse(f, name) }
		return mayRead(t.Peek("condition"), name) || slices.ContainsFunc(t.Peek("fields").Elements(), isUsed)
	case "AddedFieldDefinition":
		first := append(t.Peek("path").Texts(), "")[0]
		return first == name || first == "" || template.IsTemplate(first) || mayRead(t.Peek("value"), name)
	}
	return true
}

// namedMember is a member of the item that is called by its name.
var namedMember = pattern.Lazy(
	`\brecord(?:\[(?:'[^'"\\]*'|"[^'"\\]*")\]|\.get\((?:'[^'"\\]*'|"[^'"\\]*") ?[,)]|\.[A-Za-z_]\w*)`,
)

// mayRead tells whether a template may read a member of the item.
func mayRead(n *manifest.Section, name string) bool {
	text := n.Text()
	for _, method := range template.ObjectMethods {
		if method != "get" && strings.Contains(text, "record."+method) {
			return true
		}
	}
	rest := namedMember().ReplaceAllStringFunc(text, func(member string) string {
		if member == "record.get" {
			return member
		}
		return ""
	})
	isOther := strings.Contains(rest, "record")
	return isOther || regexp.MustCompile(`(?:^|\W)`+regexp.QuoteMeta(name)+`(?:\W|$)`).MatchString(text)
}
