// Package pattern compiles regular expressions when they are used for the first time: most runs use none.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy compiles a pattern when it is used for the first time.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
