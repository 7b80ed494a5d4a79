//go:build race

package sink_test

const manyRows = 100_000 // the race detector is slow
