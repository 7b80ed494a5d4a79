package job

import (
	"fmt"

	"sluice/pipeline/item"
	"sluice/source/expr"
)

// A Window is a part of the time that a job asks for.
type Window struct {
	From, To expr.Value
	// Place is that of its walk among the root walks of the run.
	Place int
}

// Name names the window for people.
func (w *Window) Name() string {
	from, _ := item.Text(w.From.JSON)
	to, _ := item.Text(w.To.JSON)
	return fmt.Sprintf("window from %s to %s", from, to)
}

// at is the value at a path of the context window.
func (w *Window) at(path string) (v expr.Value, ok bool) {
	switch path {
	case "from":
		return w.From, true
	case "to":
		return w.To, true
	}
	return expr.Value{}, false
}
