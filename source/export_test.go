package source

import (
	"encoding/json"
	"fmt"
	"reflect"

	"sluice/source/paginate"
)

// WriteDown makes every walk, between two pages, go on from the state that was
// written down of it and read back. What it knows of the items above, which the
// emitting goroutine may be reading, must be the same when it is read back. It
// returns how often that happened.
func (s *Source) WriteDown() *int {
	n := 0
	between := func(w *walk) {
		n++
		type plain struct {
			State paginate.State
			Above ancestors
		}
		text, err := json.Marshal(plain{w.state, w.above})
		if err != nil {
			panic(err)
		}
		var read plain
		if err := json.Unmarshal(text, &read); err != nil {
			panic(err)
		}
		w.state = read.State
		if !reflect.DeepEqual(read.Above, w.above) {
			panic(fmt.Sprintf("%+v was read back as %+v", w.above, read.Above))
		}
	}
	for _, it := range s.iterations {
		it.between = between
	}
	return &n
}
