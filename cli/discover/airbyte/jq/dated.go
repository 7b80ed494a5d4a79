package jq

import (
	"errors"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// dated is format_datetime of a value of the item: of an ISO 8601 text, in UTC. Of null that platform gives the text of
// the template, which rendered does; of other texts and values it may fail, and jq does.
func (h *Shaping) dated(c template.Call, n *manifest.Node) (string, error) {
	called, _ := c.Of.(template.Name)
	all, err := template.Bind(template.MacroArguments[called.Name], c.Arguments, c.Keywords)
	if err != nil || called.Name != "format_datetime" || all["input_format"] != nil || all["dt"] == nil {
		return "", errors.New("the function " + called.Name + " of an item is not understood in this way")
	}
	format, _ := template.ConstantText(all["format"])
	of, err := h.jq(all["dt"], n)
	if err != nil {
		return "", err
	}
	h.isDated = true
	moment := "(" + of + " | moment"
	if format == "%s" {
		return h.use("moment", moment+" | tostring)"), nil
	}
	if !isNumeric(format) {
		return "", errors.New("the format " + write.Quote(format) + " of an item is not understood")
	}
	format = strings.ReplaceAll(format, "%z", "+0000")
	return h.use("moment", moment+" | strftime("+write.Quote(format)+"))"), nil
}

// isNumeric tells a format of times that has numbers alone, which all versions of jq write alike.
func isNumeric(format string) bool {
	parts := strings.Split(format, "%")
	for _, part := range parts[1:] {
		if part == "" || !strings.ContainsAny(part[:1], "YmdHMSjz") {
			return false
		}
	}
	return format != ""
}

// orText is the text of the template where a time is null.
func (h *Shaping) orText(jq string, n *manifest.Node) string {
	if !h.isDated {
		return jq
	}
	h.isDated = false
	return "(try " + jq + ` catch if . == "a time that is null" then ` + write.Quote(n.Text()) + " else error(.) end)"
}
