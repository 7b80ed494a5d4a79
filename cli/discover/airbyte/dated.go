package airbyte

import (
	"errors"
	"strings"
)

// dated is format_datetime of a value of the item: of an ISO 8601 text, in UTC. Of null that platform gives the text of
// the template, which rendered does; of other texts and values it may fail, and jq does.
func (h *shaping) dated(c call, n *node) (string, error) {
	called, _ := c.of.(name)
	all, err := asked(macroArguments[called.name], c.arguments, c.keywords)
	isPlain := err == nil && called.name == "format_datetime" && all["input_format"] == nil && all["dt"] != nil
	if !isPlain {
		return "", errors.New("the function " + called.name + " of an item is not understood in this way")
	}
	format, _ := constantText(all["format"])
	of, err := h.jq(all["dt"], n)
	if err != nil {
		return "", err
	}
	h.isDated = true
	moment := "(" + of + " | moment"
	if format == "%s" {
		return h.use("moment", moment+" | tostring)"), nil
	}
	isKnown := isNumeric(format)
	if !isKnown {
		return "", errors.New("the format " + quote(format) + " of an item is not understood")
	}
	format = strings.ReplaceAll(format, "%z", "+0000")
	return h.use("moment", moment+" | strftime("+quote(format)+"))"), nil
}

// isNumeric tells a format of times that has numbers alone, which all versions of jq write alike.
func isNumeric(format string) bool {
	parts := strings.Split(format, "%")
	for _, part := range parts[1:] {
		isNumber := part != "" && strings.ContainsAny(part[:1], "YmdHMSjz")
		if !isNumber {
			return false
		}
	}
	return format != ""
}

// orText is the text of the template where a time is null.
func (h *shaping) orText(jq string, n *node) string {
	if !h.isDated {
		return jq
	}
	h.isDated = false
	return "(try " + jq + ` catch if . == "a time that is null" then ` + quote(n.text()) + " else error(.) end)"
}

// isOfItem tells an expression about the item of a transformation.
func (sc scope) isOfItem(e expression) bool {
	return names(e, "record") && sc.variables["property"] != nil
}
