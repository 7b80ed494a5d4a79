package source

import (
	"net/http"
	"net/url"

	"sluice/source/expr"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
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
	defaults     []param
	params       []param
	env          expr.Env
	spec         page.Spec
	resolve      func(endpoint string) (*url.URL, request.Params, error)
}

// param is a parameter that is not evaluated yet.
type param struct {
	name  string
	value *expr.Expr
}

// evaluate returns the job for one walk: expressions are evaluated once per job
// (decisions.md, section 2).
func (j *job) evaluate() (*paginate.Job, error) {
	defaults, err := evaluate(j.defaults, j.env)
	if err != nil {
		return nil, err
	}
	params, err := evaluate(j.params, j.env)
	if err != nil {
		return nil, err
	}
	return &paginate.Job{Method: j.method, Endpoint: j.endpoint, Defaults: defaults, Params: params}, nil
}

func evaluate(params []param, env expr.Env) (request.Params, error) {
	var all request.Params
	for _, p := range params {
		v, err := p.value.Eval(env)
		if err != nil {
			return nil, err
		}
		all = append(all, request.Param{Name: p.name, Value: v.JSON, Secret: v.Secret})
	}
	return all, nil
}

// request makes a page's request complete but for authentication.
func (j *job) request(r *paginate.Request) (*request.Request, error) {
	u, query := j.url, j.query
	if r.Endpoint != j.endpoint {
		var err error
		if u, query, err = j.resolve(r.Endpoint); err != nil {
			return nil, err
		}
	}
	return &request.Request{Job: j.id, Method: r.Method, URL: u, Endpoint: query, Params: r.Params, Header: j.header, Trusted: true}, nil
}
