//go:build !race

package sink_test

const manyRows = 1_000_000
