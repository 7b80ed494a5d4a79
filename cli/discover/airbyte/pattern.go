package airbyte

import (
	"regexp"
	"sync"
)

// pattern compiles a pattern when it is used for the first time, since only init needs it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
