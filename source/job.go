package source

import (
	"net/http"
	"net/url"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/transform"
)

// job is a job of the configuration, compiled.
type job struct {
	iteration    *iteration
	id, dataType string
	method       request.Method
	endpoint     string
	header       http.Header
	defaults     []expr.Member
	params       []expr.Member
	env          expr.Env // of both
	windows      []window // of the time that it asks for, those of this shard; without windows it is one that says nothing
	windowed     bool     // it has windows, if only none that is not empty
	spec         page.Spec
	wanted       map[string]int // where in spec.Wants a path stands first, by its key
	conditions   []condition    // about answers, in the order in which they are judged
	failOn       bool           // there is such a list, if only an empty one
	every, most  time.Duration  // of waitOn

	paging         *paginate.Paging
	own            *url.URL // whose origin may see credentials, as that of base may
	warnedOfOrigin sync.Once

	parent       *job          // nil for a root job
	placeholders []placeholder // of a child job
	children     []*child
	keeps        []string          // paths in its items that jobs below need
	kept         map[string]int    // where in keeps they stand
	userData     []expr.Member     // members that each item gets
	filter       *transform.Filter // values that become their JSON text; nil: none

	// Of the run; the coordinator's own.
	pages   *paginate.Job // evaluated
	added   []transform.Member
	ended   lengths
	renewed []renewed
	lasts   []greatest        // what the function last follows
	found   pipeline.Findings // for the end
	overall windowsEnded
}

// evaluate evaluates what all walks share once per job, and the parameters once per window.
func (j *job) evaluate(of *window) (*paginate.Job, error) {
	if j.pages != nil && !j.windowed {
		return j.pages, nil
	}
	if j.pages != nil {
		own := *j.pages
		own.Params = nil
		return &own, j.members(&own.Params, j.params, of)
	}
	pages := &paginate.Job{Method: j.method, Endpoint: j.endpoint}
	var data request.Params
	for _, p := range []struct {
		into *request.Params
		from []expr.Member
	}{{&pages.Defaults, j.defaults}, {&pages.Params, j.params}, {&data, j.userData}, {&pages.Scroll, j.paging.Needs.Scroll}} {
		if err := j.members(p.into, p.from, of); err != nil {
			return nil, err
		}
		for _, m := range p.from {
			if m.Value.PerRequest() {
				j.renewed = append(j.renewed, renewed{m, j.env, p.into.Get(m.Name)})
			}
		}
	}
	for _, d := range data {
		j.added = append(j.added, transform.Member{Name: d.Name, Value: d.Value, Suffix: "_u"})
	}
	j.pages = pages
	return pages, nil
}

// members evaluates members into parameters, of which there are none yet. Of one name the last counts, in the place of the
// first.
func (j *job) members(into *request.Params, from []expr.Member, of *window) error {
	env := j.env
	if j.windowed {
		env = windowEnv(env, j.iteration.started, of)
	}
	places := make(map[string]int, len(from))
	return expr.EvalMembers(from, env, func(name string, v expr.Value) {
		param := request.Param{Name: name, Value: v.JSON, Secret: v.Secret}
		if at, again := places[name]; again {
			(*into)[at] = param
			return
		}
		places[name] = len(*into)
		*into = append(*into, param)
	})
}

// keep has a value of each item kept for the jobs below, and returns its place among those that are.
func (j *job) keep(path string) int {
	at, known := j.kept[path]
	if known {
		return at
	}
	if j.kept == nil {
		j.kept = map[string]int{}
	}
	j.kept[path] = len(j.keeps)
	j.keeps = append(j.keeps, path)
	return j.kept[path]
}

// up is the job so many levels above, nil if there is none.
func (j *job) up(levels int) *job {
	for ; levels > 0 && j != nil; levels-- {
		j = j.parent
	}
	return j
}
