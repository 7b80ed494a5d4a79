package jq

import (
	"strconv"
	"strings"
)

// A function is what a method or a filter is in jq: how many arguments it has, its text, in which $0 is the value and
// $1 the first argument, and the definition that it needs.
type function struct {
	arguments   int
	text, needs string
}

// methods are those of texts and objects.
var methods = map[string]function{
	"endswith":   {arguments: 1, text: "$0 | endswith($1)"},
	"get":        {arguments: 2, text: "$0 | at($1; $2)", needs: "at"},
	"lower":      {text: "$0 | ascii | ascii_downcase", needs: "ascii"},
	"replace":    {arguments: 2, text: "$0 | split($1) | join($2)"},
	"split":      {arguments: 1, text: "$0 | split($1)"},
	"startswith": {arguments: 1, text: "$0 | startswith($1)"},
	"upper":      {text: "$0 | ascii | ascii_upcase", needs: "ascii"},
}

// filters are those without arguments.
var filters = map[string]function{
	"count":  {text: "$0 | length"},
	"first":  {text: `$0 | if type == "array" and length > 0 then .[0] else "" end`},
	"int":    {text: "$0 | int", needs: "int"},
	"last":   {text: `$0 | if type == "array" and length > 0 then .[-1] else "" end`},
	"length": {text: "$0 | length"},
	"lower":  {text: "$0 | ascii | ascii_downcase", needs: "ascii"},
	"upper":  {text: "$0 | ascii | ascii_upcase", needs: "ascii"},
}

// called is a function of values.
func (h *Shaping) called(f function, values []string) string {
	if f.needs != "" {
		h.use(f.needs, "")
	}
	var pairs []string
	for i, v := range values {
		pairs = append(pairs, "$"+strconv.Itoa(i), v)
	}
	return "(" + strings.NewReplacer(pairs...).Replace(f.text) + ")"
}
