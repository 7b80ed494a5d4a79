package paginate

import "sluice/source/config"

// Definitions describe the paging methods for the JSON Schema, each under its
// name, the common stop conditions included.
func Definitions() map[string]*config.Object {
	var p config.Problems
	all := map[string]*config.Object{}
	for name, decode := range methods {
		o := config.NewObject(nil, &p)
		o.Text("method", "", "How the next page is asked for.")
		o.Require("method")
		decode(o, Env{}, &p)
		newStops(o, &p)
		o.Done()
		all[name] = o
	}
	return all
}
