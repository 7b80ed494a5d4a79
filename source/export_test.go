package source

import (
	"encoding/json"

	"sluice/source/paginate"
)

// WriteDown makes every walk, between two pages, go on from what was written
// down of it and read back. It returns how often that happened.
func (s *Source) WriteDown() *int {
	n := 0
	s.between = func(w *walk) {
		n++
		type plain struct {
			State paginate.State
			Above lineage
		}
		text, err := json.Marshal(plain{w.state, w.above})
		if err != nil {
			panic(err)
		}
		var read plain
		if err := json.Unmarshal(text, &read); err != nil {
			panic(err)
		}
		w.state, w.above = read.State, read.Above
	}
	return &n
}
