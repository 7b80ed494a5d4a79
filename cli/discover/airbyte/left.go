package airbyte

import (
	"regexp"
	"slices"
	"strings"
)

// A mark is how far a shaping has come.
type mark struct{ steps, used, added, userData int }

func (h *shaping) mark() mark {
	return mark{len(h.steps), len(h.used), len(h.added), len(h.j.userData)}
}

// back forgets what was said since.
func (h *shaping) back(m mark) {
	h.steps, h.used, h.added = h.steps[:m.steps], h.used[:m.used], h.added[:m.added]
	h.j.userData = h.j.userData[:m.userData]
}

// A lack is what is not done to the items.
type lack struct {
	at   *node
	text string
}

// addOrLeave adds a field. One that jq cannot say the items lack, unless what comes later may need it: the cursor, the
// paginator and keys for children look for themselves whether items have what they need as they come.
func (h *shaping) addOrLeave(path []string, f, condition *node, later []*node) error {
	before := h.mark()
	err := h.addField(path, f, condition)
	if err == nil {
		return nil
	}
	for _, t := range slices.Concat(later, h.later) {
		if mayUse(t, path[0]) {
			return err
		}
	}
	h.back(before)
	f.know()
	name := strings.Join(path, ".")
	why := strings.TrimPrefix(oneLine(err), name+": ")
	h.left = append(h.left, lack{f, name + " is not added, or stays what it was: " + why})
	return nil
}

// leaveFields leaves fields where they are that the manifest removes, if nothing comes later that may read them.
func (h *shaping) leaveFields(n *node, before mark, err error) error {
	isOther := func(t *node) bool { return t.kind() != "RemoveFields" }
	if slices.ContainsFunc(h.later, isOther) {
		return err
	}
	h.back(before)
	n.know()
	h.left = append(h.left, lack{n, "the fields that it removes are still there: " + oneLine(err)})
	return nil
}

// mayUse tells whether a transformation, or a field that one adds, may be another one if items lack a field.
func mayUse(t *node, name string) bool {
	switch t.kind() {
	case "RemoveFields":
		return false
	case "AddFields":
		isUsed := func(f *node) bool { return mayUse(f, name) }
		return mayRead(t.peek("condition"), name) || slices.ContainsFunc(t.peek("fields").elements(), isUsed)
	case "AddedFieldDefinition":
		first := ""
		if path := t.peek("path").elements(); len(path) > 0 {
			first = path[0].text()
		}
		isOther := first != name && first != "" && !isTemplate(first)
		return !isOther || mayRead(t.peek("value"), name)
	}
	return true
}

// namedMember is a member of the item that is called by its name.
var namedMember = regexp.MustCompile(
	`\brecord(?:\[(?:'[^'"\\]*'|"[^'"\\]*")\]|\.get\((?:'[^'"\\]*'|"[^'"\\]*") ?[,)]|\.[A-Za-z_]\w*)`,
)

// mayRead tells whether a template may read a member of the item.
func mayRead(n *node, name string) bool {
	text := n.text()
	for _, method := range objectMethods {
		isCalled := method != "get" && strings.Contains(text, "record."+method)
		if isCalled {
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
	isNamed := regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(name) + `(?:\W|$)`).MatchString(text)
	return isOther || isNamed
}

// oneLine is the text of errors that may be several.
func oneLine(err error) string {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	var texts []string
	for _, e := range all.Unwrap() {
		if text := oneLine(e); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}
