package openapi

import (
	"slices"
	"strings"
)

// formatOf is the format of a media type as a configuration has it; empty: JSON.
func formatOf(media string) string {
	media = mediaOf(media)
	switch {
	case strings.Contains(media, "ndjson"), strings.Contains(media, "jsonl"), strings.Contains(media, "json-seq"):
		return "ndjson"
	case strings.Contains(media, "json"), strings.Contains(media, "*"):
		return ""
	case strings.HasSuffix(media, "/csv"):
		return "csv"
	case strings.Contains(media, "xml"):
		return "xml"
	}
	return ""
}

// mediaOf is a media type without its parameters.
func mediaOf(media string) string {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	return strings.TrimSpace(media)
}

// bestType is the place of the media type that is read best; -1: none can be.
func bestType(types []string) int {
	rank := func(media string) int {
		media = mediaOf(media)
		order := []bool{
			media == "application/json", strings.HasSuffix(media, "+json"), strings.Contains(media, "json"),
			strings.Contains(media, "*"), formatOf(media) != "",
		}
		return slices.Index(order, true)
	}
	best := -1
	for i, media := range types {
		if r := rank(media); r >= 0 && (best < 0 || r < rank(types[best])) {
			best = i
		}
	}
	return best
}
