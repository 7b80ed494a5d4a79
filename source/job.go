package source

import (
	"net/http"
	"net/url"
	"sync"

	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/transform"
)

// job is a job of the configuration, compiled.
type job struct {
	source       *Source
	id, dataType string
	method       request.Method
	endpoint     string
	url          *url.URL       // of endpoint
	query        request.Params // of endpoint
	header       http.Header
	defaults     []expr.Member
	params       []expr.Member
	env          expr.Env
	spec         page.Spec
	resolve      func(endpoint string) (*url.URL, request.Params, error)

	paging  *paginate.Paging
	origins []string // that may see credentials where an endpoint comes from a response
	leaving sync.Once

	parent   *job // nil for a root job
	children []*child
	keeps    []string          // paths in its items that jobs below need
	userData []expr.Member     // members that each item gets
	filter   *transform.Filter // values that become their JSON text; nil: none

	// Of the run; the coordinator's own.
	pages  *paginate.Job // evaluated
	added  []transform.Member
	mended int    // bytes of its items that were no UTF-8
	noLink string // of [paginate.Outcome], of pages with items
	linked bool   // some page had a link
}

// evaluate returns the job as its walks share it: expressions are evaluated once
// per job (decisions.md, section 2).
func (j *job) evaluate() (*paginate.Job, error) {
	if j.pages != nil {
		return j.pages, nil
	}
	defaults, err := evaluate(j.defaults, j.env)
	if err != nil {
		return nil, err
	}
	params, err := evaluate(j.params, j.env)
	if err != nil {
		return nil, err
	}
	data, err := evaluate(j.userData, j.env)
	if err != nil {
		return nil, err
	}
	for _, d := range data {
		j.added = append(j.added, transform.Member{Name: d.Name, Value: d.Value, Suffix: "_u"})
	}
	pages := &paginate.Job{Method: j.method, Endpoint: j.endpoint, Defaults: defaults, Params: params}
	if err := j.paging.Evaluate(pages); err != nil {
		return nil, err
	}
	j.pages = pages
	return j.pages, nil
}

func evaluate(params []expr.Member, env expr.Env) (request.Params, error) {
	var all request.Params
	err := expr.EvalMembers(params, env, func(name string, v expr.Value) {
		all = append(all, request.Param{Name: name, Value: v.JSON, Secret: v.Secret})
	})
	return all, err
}
