package walk_test

import (
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a sixth of the time otherwise
	m.Run()
}
