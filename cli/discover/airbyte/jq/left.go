package jq

import (
	"regexp"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
)

// A mark is how far a shaping has come.
type mark struct{ steps, used, added, userData int }

func (h *Shaping) mark() mark {
	return mark{len(h.Steps), len(h.used), len(h.added), len(h.Job.UserData)}
}

// back forgets what was said since.
func (h *Shaping) back(m mark) {
	h.Steps, h.used, h.added = h.Steps[:m.steps], h.used[:m.used], h.added[:m.added]
	h.Job.UserData = h.Job.UserData[:m.userData]
}

// A lack is what is not done to the items.
type lack struct {
	At   *manifest.Node
	Text string
}

// addOrLeave adds a field. One that jq cannot say the items lack, unless what comes later may need it: the cursor, the
// paginator and keys for children look for themselves whether items have what they need as they come.
func (h *Shaping) addOrLeave(path []string, f, condition *manifest.Node, later []*manifest.Node) error {
	before := h.mark()
	err := h.addField(path, f, condition)
	if err == nil {
		return nil
	}
	for _, t := range slices.Concat(later, h.Later) {
		if mayUse(t, path[0]) {
			return err
		}
	}
	h.back(before)
	f.Know()
	name := strings.Join(path, ".")
	why := strings.TrimPrefix(OneLine(err), name+": ")
	h.Left = append(h.Left, lack{f, name + " is not added, or stays what it was: " + why})
	return nil
}

// leaveFields leaves fields where they are that the manifest removes, if nothing comes later that may read them.
func (h *Shaping) leaveFields(n *manifest.Node, before mark, err error) error {
	isOther := func(t *manifest.Node) bool { return t.Kind() != "RemoveFields" }
	if slices.ContainsFunc(h.Later, isOther) {
		return err
	}
	h.back(before)
	n.Know()
	h.Left = append(h.Left, lack{n, "the fields that it removes are still there: " + OneLine(err)})
	return nil
}

// mayUse tells whether a transformation, or a field that one adds, may be another one if items lack a field.
func mayUse(t *manifest.Node, name string) bool {
	switch t.Kind() {
	case "RemoveFields":
		return false
	case "AddFields":
		isUsed := func(f *manifest.Node) bool { return mayUse(f, name) }
		return mayRead(t.Peek("condition"), name) || slices.ContainsFunc(t.Peek("fields").Elements(), isUsed)
	case "AddedFieldDefinition":
		first := ""
		if path := t.Peek("path").Elements(); len(path) > 0 {
			first = path[0].Text()
		}
		return first == name || first == "" || template.IsTemplate(first) || mayRead(t.Peek("value"), name)
	}
	return true
}

// namedMember is a member of the item that is called by its name.
var namedMember = regexp.MustCompile(
	`\brecord(?:\[(?:'[^'"\\]*'|"[^'"\\]*")\]|\.get\((?:'[^'"\\]*'|"[^'"\\]*") ?[,)]|\.[A-Za-z_]\w*)`,
)

// mayRead tells whether a template may read a member of the item.
func mayRead(n *manifest.Node, name string) bool {
	text := n.Text()
	for _, method := range template.ObjectMethods {
		if method != "get" && strings.Contains(text, "record."+method) {
			return true
		}
	}
	rest := namedMember.ReplaceAllStringFunc(text, func(member string) string {
		if member == "record.get" {
			return member
		}
		return ""
	})
	isOther := strings.Contains(rest, "record")
	return isOther || regexp.MustCompile(`(?:^|\W)`+regexp.QuoteMeta(name)+`(?:\W|$)`).MatchString(text)
}

// OneLine is the text of errors that may be several.
func OneLine(err error) string {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	var texts []string
	for _, e := range all.Unwrap() {
		if text := OneLine(e); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}
