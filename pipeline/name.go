package pipeline

import "strings"

// FileName returns dataType as part of a file name: every character outside
// A-Z a-z 0-9 - becomes _, runs of _ become one, and those at the ends are removed.
// Where nothing is left it is "data".
func FileName(dataType string) string {
	words := strings.FieldsFunc(dataType, func(c rune) bool {
		return !('A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-')
	})
	if len(words) == 0 {
		return "data"
	}
	return strings.Join(words, "_")
}
