package job

import (
	"fmt"
	"maps"
	"time"

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

// WindowEnv is env with the context window: without w its values come later.
func WindowEnv(env expr.Env, started time.Time, w *Window) expr.Env {
	env.Contexts = maps.Clone(env.Contexts)
	env.Contexts["window"] = nil
	if w == nil {
		return env
	}
	env.Now = func() time.Time { return started }
	env.Contexts["window"] = func(path string) (expr.Value, bool) {
		v, ok := map[string]expr.Value{"from": w.From, "to": w.To}[path]
		return v, ok
	}
	return env
}
