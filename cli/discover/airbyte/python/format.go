package python

import (
	"sluice/cli/discover/airbyte/fault"
	"sluice/pipeline/pattern"
)

// formatted fills in %s and %d of a text.
func formatted(text string, v any) any {
	all, isList := v.([]any)
	if !isList {
		all = []any{v}
	}
	return replacements().ReplaceAllStringFunc(text, func(directive string) string {
		if directive == "%%" {
			return "%"
		}
		fault.If(len(all) == 0, "values are missing for %%")
		first := all[0]
		all = all[1:]
		if _, isWhole := Whole(first); directive != "%s" && (directive != "%d" || !isWhole) {
			panic(fault.New("%s is not supported", directive))
		}
		return Rendered(first)
	})
}

// replacements are directives of %, braces those of format.
var (
	replacements = pattern.Lazy(`(?s)%.`)
	braces       = pattern.Lazy(`\{\{|\}\}|\{\}|[{}]`)
)

// filledIn is a text with values in the place of {}.
func filledIn(text string, arguments []any) any {
	return braces().ReplaceAllStringFunc(text, func(brace string) string {
		switch {
		case brace == "{{" || brace == "}}":
			return brace[:1]
		case brace == "{}" && len(arguments) > 0:
			first := arguments[0]
			arguments = arguments[1:]
			return Rendered(first)
		}
		panic(fault.New("its text is not supported"))
	})
}
