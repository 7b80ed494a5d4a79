package compile

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/expr"
	"sluice/source/job"
)

// env is what expressions may use that are of no job.
func (c *compiler) env() expr.Env {
	attr := func(path string) (expr.Value, bool) {
		value, secret, ok := c.doc.Attribute(path)
		if ok && c.read != nil {
			c.read(path, secret)
		}
		return expr.Value{JSON: value, Secret: secret}, ok
	}
	env := expr.Env{
		Contexts: expr.Contexts{"attr": attr},
		Now:      c.options.Clock,
		Secret:   c.madeSecret,
	}
	if start := c.options.Start; !start.IsZero() {
		env.Now = func() time.Time { return start }
	}
	return env
}

// attributesOf returns the attributes that are read while compile runs, each once; secrets only, if that is asked for.
func (c *compiler) attributesOf(compile func(), secretOnly bool) (names []string) {
	c.read = func(path string, secret bool) {
		isWanted := secret || !secretOnly
		if isWanted && !slices.Contains(names, path) {
			names = append(names, path)
		}
	}
	defer func() { c.read = nil }()
	compile()
	return names
}

// madeSecret is told a text that a function of the configuration made of secrets.
func (c *compiler) madeSecret(function, text string) {
	c.api.Secrets.Add(text)
	if c.options.Made != nil {
		c.options.Made(function, text)
	}
}

// jobEnv is what the expressions of these jobs may use.
func (c *compiler) jobEnv(ids ...string) expr.Env {
	e := c.env()
	e.Contexts["time"] = func(path string) (expr.Value, bool) {
		switch path {
		case "previousStart":
			return seconds(c.previousStart(ids)), true
		case "currentStart":
			return seconds(c.api.Started.Unix()), true
		}
		return expr.Value{}, false
	}
	return e
}

func seconds(unix int64) expr.Value {
	return expr.Value{JSON: strconv.AppendInt(nil, unix, 10)}
}

// previousStart is that of the job, of several the earliest; 0 with a warning if it
// is not known.
func (c *compiler) previousStart(ids []string) int64 {
	known := c.options.PreviousStarts
	if known == nil {
		c.problems.Notef(nil, "time.previousStart is 0 without --state: "+
			"every run asks for everything; add --state FILE")
		return 0
	}
	earliest := int64(math.MaxInt64)
	for _, id := range ids {
		start, ok := known[id]
		if !ok {
			start, ok = known[""]
		}
		if !ok && c.wanted {
			c.problems.Notef(nil, "time.previousStart of job %s is 0: "+
				"--state has no complete run of it yet", id)
		}
		earliest = min(earliest, start)
	}
	return earliest
}

// last returns the function last of the job's expressions, which follows the path
// from then on.
func (c *compiler) last(j *job.Job) func(path string) (jsontext.Value, bool) {
	return func(path string) (jsontext.Value, bool) {
		c.noteDefault()
		value := c.options.Lasts[j.ID][path]
		if g := follow(j, path); g != nil {
			if err := g.Add(value); err != nil {
				c.problems.Errorf(nil, "--state: job %s: %v", j.ID, err)
			}
		}
		return jsontext.Value(value), true
	}
}

// follow has a job follow a path from then on; nil: it does already.
func follow(j *job.Job, path string) *job.Greatest {
	isFollowed := func(have job.Greatest) bool { return have.Path == path }
	if slices.ContainsFunc(j.Lasts, isFollowed) {
		return nil
	}
	j.Lasts = append(j.Lasts, job.Follow(path))
	return &j.Lasts[len(j.Lasts)-1]
}

// lastBelow returns the function last of the expressions of a child job: each of its
// walks knows the values of its own parent.
func (c *compiler) lastBelow(j *job.Job) func(path string) (jsontext.Value, bool) {
	return func(path string) (jsontext.Value, bool) {
		c.noteDefault()
		if j.Known == nil {
			j.Known = c.parents(j.ID)
		}
		follow(j, path)
		j.Request.Names.Last = true
		return nil, false
	}
}

// parents are those of a child job that the last run knew.
func (c *compiler) parents(id string) *job.Parents {
	known := c.options.Parents[id]
	if known == nil {
		known = job.NewParents(c.options.Salt)
	}
	return known.In(c.scope)
}

// noteDefault says that nothing is known without --state.
func (c *compiler) noteDefault() {
	if c.options.Lasts == nil {
		c.problems.Notef(nil, "the function last gives its default without --state: "+
			"every run asks for the same; add --state FILE")
	}
}
