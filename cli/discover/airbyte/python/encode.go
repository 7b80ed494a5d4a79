package python

import (
	"encoding/json"
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// Encoded is a constant as JSON; texts have the fewest escapes.
func Encoded(v any) string {
	switch v := v.(type) {
	case string:
		return string(item.Quote(v))
	case []any:
		all := make([]string, len(v))
		for i, e := range v {
			all[i] = Encoded(e)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		var o item.Object
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			o = o.With(true, name, Encoded(v[name]))
		}
		return o.String()
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return "null"
		}
		return string(text)
	}
}
