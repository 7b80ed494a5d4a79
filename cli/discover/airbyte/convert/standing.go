package convert

import (
	"strings"

	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline/pattern"
)

// relative is a path without the slashes that it begins with, as Airbyte takes it. A value of the configuration that begins with
// one is written as a text.
func relative(sc template.Scope, path write.Parts) write.Parts {
	if len(path) == 0 {
		return nil
	}
	if own := settingOf(sc.Values, path[0]); own != nil {
		text := python.Printed(own.Value)
		if !strings.HasPrefix(text, "/") {
			return path
		}
		_, _ = sc.Values.Decide(*own)
		path = write.Parts{write.Text(text)}.And(path[1:]...)
	}
	first := path.First()
	if first == "" {
		return path
	}
	return path.From(len(first) - len(strings.TrimLeft(first, "/")))
}

// structural matches what means something in an address: the beginning of a query, its parts, an escape.
var structural = pattern.Lazy(`[?#&=+]|%[0-9a-fA-F]{2}`)

// standing is an endpoint with the values of the configuration as Airbyte writes them: as they stand, while a value that is
// looked up in a run is escaped. One whose text means something in an address is written as a text.
func standing(sc template.Scope, endpoint write.Parts) (all write.Parts) {
	if len(endpoint) == 1 {
		// One value alone is sent as it stands.
		return endpoint
	}
	for _, piece := range endpoint {
		if own := settingOf(sc.Values, piece); own != nil {
			text := python.Printed(own.Value)
			// Braces in a text would be a placeholder.
			if structural().MatchString(text) && !strings.ContainsAny(text, "{}") {
				_, _ = sc.Values.Decide(*own)
				piece = write.Text(text)
			}
		}
		all = all.And(piece)
	}
	return all
}
