package check

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
)

// Which elements of XML came once somewhere and several times elsewhere: what they become depends on that.

// turns are how a name of an element came.
type turns struct{ once, several bool }

// nameDepth and mostNames bound what is looked at in an item.
const (
	nameDepth = 16
	mostNames = 1000
)

// enterNames enters how the names in an item came, which was made of XML.
func (l *looked) enterNames(value []byte, depth int) {
	if depth == nameDepth {
		return
	}
	switch item.Kind(value) {
	case '[':
		for element := range item.Elements(value) {
			l.enterNames(element, depth+1)
		}
	case '{':
		for quoted, value := range item.Members(value) {
			l.enterName(item.Unquote(quoted), item.Kind(value) == '[')
			l.enterNames(value, depth+1)
		}
	}
}

func (l *looked) enterName(name string, several bool) {
	t, known := l.names[name]
	if !known && len(l.names) == mostNames {
		return
	}
	t.once = t.once || !several
	t.several = t.several || several
	l.names[name] = t
}

// proposeLists names what came both ways.
func (k *checker) proposeLists(seen *looked, result *JobResult) {
	var names []string
	for name, t := range seen.names {
		if t.once && t.several {
			names = append(names, string(item.Quote(name)))
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	const most = 10
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += ", …"
	}
	k.tell(result, report.Remark{Text: "these come once here and several times there, and are a value or a list: " + text +
		`; in lists of the format they are always a list`})
}
