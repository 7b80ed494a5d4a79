package check

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
)

// Which elements of XML came once somewhere and several times elsewhere: what they become depends on that.

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
	k.tell(result, report.Remark{Text: "elements that come once here and several times there are a value here and a list there: " + text +
		`; name them in lists of format to make them a list everywhere`})
}
