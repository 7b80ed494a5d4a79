// Package write makes a configuration of jobs: their values, what they have in common, and the text of the document.
package write

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
)

// OwnKey does so for a job, unless the job has such a parameter.
func (j *Job) OwnKey() {
	query := slices.Clone(j.Query)
	for m := range slices.Chunk(j.Auth.Query, 2) {
		_, isInAddress := InAddress(j.Endpoint, m[0])
		if isInAddress || ValueOf(j.Params, m[0])+ValueOf(j.Query, m[0]) != "" {
			return
		}
		query = append(query, m...)
	}
	j.Query, j.Auth.Query = query, nil
}

// KeepsParams tells that all pages are asked for with the parameters of the job.
func (j *Job) KeepsParams() bool {
	return !j.Pagination.IsLed() || j.Pagination.IncludesParams
}

// Login is how a job's requests are signed, as a text; empty: they are not.
func (j *Job) Login() string {
	settings := j.Auth.settings()
	if len(settings) == 0 {
		return ""
	}
	return settings.String() + j.Auth.credentials.String()
}

// IsLed tells that a job signs nothing and asks where an answer says, mostly at another origin, where it has no
// credentials anyway.
func (j *Job) IsLed() bool {
	return j.Login() == "" && len(j.Base) == 0 && !strings.Contains(j.Endpoint.First(), "://")
}

// Tree are a job and all below it.
func (j *Job) Tree() []*Job {
	all := []*Job{j}
	for _, child := range j.Children {
		all = append(all, child.Tree()...)
	}
	return all
}

// A Job is one of the configuration, its values as JSON.
type Job struct {
	// Part tells it from other jobs of its stream, such as eu-2; empty: there are none. What its state knows stands
	// there by this name, so it must not be that of another part one day.
	Part string

	// Base is the address that the endpoint is relative to; none: the endpoint is absolute.
	Base Parts

	Request

	// Auth is how requests are signed.
	Auth Authentication

	// Pagination is nil where the job is one request.
	Pagination *Paging

	// DataField is nil, and format empty, where the default is meant.
	DataField *Field
	Format    string

	// Where is the condition under which an item is emitted.
	Where string

	answers

	// UserData are members that each item gets.
	UserData item.Object

	// Windows is empty, or has windows of time.
	Windows item.Object

	// of a child
	Placeholders item.Object

	Children []*Job
}

// A Request is what a job sends.
type Request struct {
	// Endpoint is what the request asks for, below its base.
	Endpoint Parts

	// Method is empty for GET, or POST or FORM.
	Method string

	Params, Query, Headers item.Object

	// Body is nil where there is none.
	Body item.Object
}

// answers are the conditions about answers, each in the language of recursionFilter.
type answers struct {
	EmptyOn, EndOn, FailOn, RetryOn []string

	// WaitOn is nil, or has the member waitOn.
	WaitOn item.Object

	// RetryHeader is the header that says how long to wait.
	RetryHeader string
}

// An Authentication is what signs requests: headers and parameters that stand as they are, or a login.
type Authentication struct {
	Headers, Query, body item.Object

	// Member is api.authentication; nil: there is none.
	Member item.Object

	// credentials are the members of config that it needs by their names, such as username and #password.
	credentials item.Object
}

// Absolute is the address that a job asks, whole.
func (j *Job) Absolute() Parts {
	switch {
	case len(j.Base) == 0:
		return j.Endpoint
	case j.Endpoint.JSON() == Root.JSON():
		return WithSlash(j.Base)
	}
	return WithSlash(j.Base).And(j.Endpoint...)
}

// hasList tells whether the parameters of a login have a list.
func (a Authentication) hasList() bool {
	for i := range Indices(a.Member) {
		if a.Member[2*i] != "loginRequest" {
			continue
		}
		request := ObjectOf(a.Member[2*i+1])
		for k := range Indices(request) {
			if (request[2*k] == "params" || request[2*k] == "query") && hasList(ObjectOf(request[2*k+1])) {
				return true
			}
		}
	}
	return false
}

// Take gives a job a placeholder, unless it has it.
func (j *Job) Take(name, path string, isOptional bool) {
	value := Quote(path)
	if isOptional {
		value = item.Object{"path", Quote(path), "optional", "true"}.String()
	}
	if !j.Takes(name) {
		j.Placeholders = append(j.Placeholders, name, value)
	}
}

// Takes tells whether a job has a placeholder of this name.
func (j *Job) Takes(name string) bool {
	for i := 0; i < len(j.Placeholders); i += 2 {
		if j.Placeholders[i] == name {
			return true
		}
	}
	return false
}

// hasList tells whether parameters have a list, which that platform writes as a parameter for each element
// (http.arrays is repeat then).
func hasList(o item.Object) bool {
	isList := func(i int) bool { return item.Kind([]byte(o[2*i+1])) == '[' }
	return slices.ContainsFunc(Indices(o), isList)
}
