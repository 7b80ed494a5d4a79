package job

import (
	"maps"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/secret"
	"sluice/source/expr"
)

// Own is what a walk has that others of its job have not.
type Own struct {
	// Window says nothing if the job has none.
	Window *Window
	// Child is nil for a root walk.
	Child *Child
	// Values are those of the child's placeholders.
	Values []jsontext.Value
}

// Names tells which values that each walk has of its own the expressions of a job name.
type Names struct{ Window, Placeholder bool }

// Varies tells whether what is evaluated once per job is evaluated for each walk.
func (r *Request) Varies() bool { return r.Names.Window || r.Names.Placeholder }

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
	if j.Windowed {
		env.Contexts["window"] = own.Window.at
	}
	if own.Child != nil {
		env.Contexts["placeholder"] = func(name string) (v expr.Value, ok bool) {
			i := own.Child.Named(name)
			if i < 0 {
				return v, false
			}
			return expr.Value{JSON: own.Values[i]}, true
		}
	}
	return env
}

// headers evaluates those that the walks of the job have their own values of.
func (j *Job) headers(e *Evaluated, env expr.Env) error {
	e.Header = j.Request.Header
	if len(j.Request.Headers) == 0 {
		return nil
	}
	e.Header = e.Header.Clone()
	if e.Header == nil {
		e.Header = http.Header{}
	}
	for _, m := range j.Request.Headers {
		text, err := m.Header(env)
		if err != nil {
			return err
		}
		e.Header.Set(m.Name, text)
		if secret.Name(m.Name) {
			e.Secrets = append(e.Secrets, secret.Parts(text)...)
		}
		if m.Value.PerRequest() {
			e.Renewed = append(e.Renewed, Renewed{m, env, []byte(text)})
		}
	}
	return nil
}
