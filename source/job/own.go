package job

import (
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/secret"
	"sluice/source/expr"
	"sluice/source/request"
)

// Own is what a walk has that others of its job have not.
type Own struct {
	// Window says nothing if the job has none.
	Window *Window
	// Child is nil for a root walk.
	Child *Child
	// Values are those of the child's placeholders.
	Values []jsontext.Value
	// Unknown stands for what only a run will know; nil in a run.
	Unknown *Unknown
}

// Unknown stands in a plan for what only a run will know.
type Unknown struct {
	// Value stands for the value of a placeholder.
	Value func(i int) jsontext.Value
	// Instead stands for what a function makes of such values for a header or parameter.
	Instead func(name string) jsontext.Value
	// Keeps tells whether a text still has what stands for a value.
	Keeps func(text string) bool
}

// Ancestors is what a walk knows of the items above it, the nearest first.
type Ancestors struct {
	// Item has their numbers in their pages, from 1.
	Item []int
	// Kept is what was kept of each; nil is missing.
	Kept [][]jsontext.Value
	// Values are those of the walk's placeholders, functions applied.
	Values []jsontext.Value
	// Unknown stands for these in a plan; nil in a run.
	Unknown *Unknown `json:"-"`
}

// Varies tells whether what is evaluated once per job is evaluated for each walk.
func (r *RequestSpec) Varies() bool { return r.Names != ReferencedValues{} }

// HasOwnHeaders tells whether walks of the job, or pages of one, may send the same but for
// their headers.
func (j *Job) HasOwnHeaders() bool { return len(j.Request.Headers) > 0 || j.Paging.InHeaders() }

// env is what the expressions of a walk may use that has this of its own. What
// functions make of secrets goes into e if the walks of the job vary: there may be a
// million of them.
func (j *Job) env(own Own, e *Evaluated) expr.Env {
	env := j.Request.Env
	if !j.Request.Varies() {
		return env
	}
	// Walks begin at any time, and all mean the same one.
	env.Now = func() time.Time { return j.API.Started }
	env.Secret = func(function, text string) {
		e.Secrets = append(e.Secrets, text)
		if j.API.Made != nil {
			j.API.Made(function, text)
		}
	}
	env.Contexts = maps.Clone(env.Contexts)
	if j.Windowed() {
		env.Contexts["window"] = own.Window.at
	}
	if j.Known != nil {
		known := j.Known.Last(own.Values)
		env.Last = func(path string) (jsontext.Value, bool) {
			return jsontext.Value(known[path]), true
		}
	}
	if own.Child != nil {
		env.Contexts["placeholder"] = func(name string) (v expr.Value, ok bool) {
			i := own.Child.Named(name)
			if i < 0 {
				return v, false
			}
			if own.Unknown != nil {
				// Functions tell what they make of it.
				return expr.Value{JSON: own.Unknown.Value(i), Secret: true}, true
			}
			return expr.Value{JSON: own.Values[i]}, true
		}
	}
	return env
}

// members evaluates members into parameters, of which there are none yet. Of one
// name the last counts, in the place of the first.
func (own *Own) members(into *request.Params, from []expr.NamedValue, env expr.Env) error {
	places := make(map[string]int, len(from))
	for _, m := range from {
		v, err := own.eval(m, env)
		if err != nil {
			return err
		}
		param := request.Param{Name: m.Name, Value: v.JSON, Secret: v.Secret}
		if at, again := places[m.Name]; again {
			(*into)[at] = param
			continue
		}
		places[m.Name] = len(*into)
		*into = append(*into, param)
	}
	return nil
}

// eval evaluates a header or parameter, in a plan as far as its value is known.
func (own *Own) eval(m expr.NamedValue, env expr.Env) (expr.Value, error) {
	if own.Unknown == nil || m.Value.Ready() {
		return m.Value.Eval(env)
	}
	isLost := false
	env.Secret = func(_, text string) { isLost = isLost || !own.Unknown.Keeps(text) }
	v, err := m.Value.Eval(env)
	if err != nil || isLost {
		v = expr.Value{JSON: own.Unknown.Instead(m.Name)}
	}
	v.Secret = false
	return v, nil
}

// headers evaluates those that the walks of the job have their own values of.
func (j *Job) headers(own Own, e *Evaluated, env expr.Env) error {
	e.Header = j.Request.Header
	if len(j.Request.Headers) == 0 {
		return nil
	}
	e.Header = e.Header.Clone()
	if e.Header == nil {
		e.Header = http.Header{}
	}
	for _, m := range j.Request.Headers {
		v, err := own.eval(m, env)
		if err != nil {
			return err
		}
		text, err := m.HeaderText(v.JSON)
		if err != nil {
			return err
		}
		e.Header.Set(m.Name, text)
		if own.Unknown == nil && secret.Name(m.Name) {
			e.Secrets = append(e.Secrets, secret.Parts(text)...)
		}
		if m.Value.PerRequest() {
			e.Renewed = append(e.Renewed, Renewed{m, env, []byte(text)})
		}
	}
	return nil
}

// HasOwnWindows tells whether each parent of a child job has windows of its own.
func (j *Job) HasOwnWindows() bool { return j.Windowed() && j.Timing.varies() }

// WindowsOf are the windows of the walks of a child job that have these values of
// placeholders: of a job without windows one that says nothing.
func (j *Job) WindowsOf(own Own) ([]Window, error) {
	if !j.HasOwnWindows() {
		return j.Windows, nil
	}
	env := j.env(own, &Evaluated{})
	from, err := j.Timing.Moment(j.Timing.From, "from", env)
	if err != nil {
		return nil, err
	}
	to, err := j.Timing.Moment(j.Timing.To, "to", env)
	if err != nil {
		return nil, err
	}
	return j.Timing.Divide(from, to)
}

// Begin is what the function last follows in a walk of the job below the item with these
// placeholders, as the last run left it.
func (j *Job) Begin(placeholders []jsontext.Value) (all []Greatest, err error) {
	known := j.Known.Last(placeholders)
	for _, g := range j.Lasts {
		own := Follow(g.Path)
		if err := own.Add(known[g.Path]); err != nil {
			return nil, fmt.Errorf("--state: %w", err)
		}
		all = append(all, own)
	}
	return all, nil
}
