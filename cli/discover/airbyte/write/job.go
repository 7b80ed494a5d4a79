// Package write makes a configuration of jobs: their values, what they have in common, and the text of the document.
package write

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

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
	Headers, Query item.Object

	// Member is api.authentication; nil: there is none.
	Member item.Object
}

// settings are the member api.authentication, empty without one.
func (a Authentication) settings() item.Object {
	if a.Member == nil && len(a.Query) > 0 {
		// So that addresses which answers lead to have them too.
		return item.Object{"type", `"query"`, "query", a.Query.String()}
	}
	return a.Member
}

// Login is how a job's requests are signed, as a text; empty: they are not.
func (j *Job) Login() string {
	settings := j.Auth.settings()
	if len(settings) == 0 {
		return ""
	}
	return settings.String()
}

// IsLed tells that a job signs nothing and asks where an answer says, mostly at another origin, where it has no
// credentials anyway.
func (j *Job) IsLed() bool {
	return j.Login() == "" && len(j.Base) == 0 && !strings.Contains(j.Endpoint.First(), "://")
}

// OwnKey makes the keys in the address parameters of the job itself, unless the job has such a parameter.
func (j *Job) OwnKey() {
	for m := range slices.Chunk(j.Auth.Query, 2) {
		_, isInAddress := InAddress(j.Endpoint, m[0])
		if isInAddress || ValueOf(j.Params, m[0])+ValueOf(j.Query, m[0]) != "" {
			return
		}
	}
	j.Query, j.Auth.Query = slices.Concat(j.Query, j.Auth.Query), nil
}

// KeepsParams tells that all pages are asked for with the parameters of the job.
func (j *Job) KeepsParams() bool { return !j.Pagination.IsLed() || j.Pagination.IncludesParams }

// Tree are a job and all below it.
func (j *Job) Tree() []*Job {
	all := []*Job{j}
	for _, child := range j.Children {
		all = append(all, child.Tree()...)
	}
	return all
}

// Absolute is the address that a job asks, whole.
func (j *Job) Absolute() Parts {
	switch {
	case len(j.Base) == 0:
		return j.Endpoint
	case slices.Equal(j.Endpoint, Root):
		return WithSlash(j.Base)
	}
	return WithSlash(j.Base).And(j.Endpoint...)
}

// Take gives a job a placeholder, unless it has it.
func (j *Job) Take(name, path string, isOptional bool) {
	value := Quote(path)
	if isOptional {
		value = item.Object{"path", Quote(path), "optional", "true"}.String()
	}
	j.Placeholders = j.Placeholders.With(!j.Takes(name), name, value)
}

// Takes tells whether a job has a placeholder of this name.
func (j *Job) Takes(name string) bool { return ValueOf(j.Placeholders, name) != "" }

// PathOf is the path in the parent's item of a placeholder's value.
func PathOf(value string) string {
	if IsQuoted(value) {
		return TextOf(value)
	}
	return Named(value, "path")
}

// A Field is where the items are in an answer.
type Field struct {
	// Path are the steps that lead to them; none: the answer is the item, or the list of them. A * stands for all
	// elements.
	Path []string

	// HasObjects tells that a * stands for all members of an object, too.
	HasObjects bool
}

// isDotted tells that a step among several has a point.
func (f *Field) isDotted() bool {
	return len(f.Path) > 1 && strings.Contains(strings.Join(f.Path, ""), ".")
}

// text is the path with a delimiter between its steps.
func (f *Field) text(delimiter string) string {
	if len(f.Path) == 0 {
		return "."
	}
	return strings.Join(f.Path, delimiter)
}

// Plain is the path of the items; it is not ok where they are those of several lists, or of an object.
func (f *Field) Plain() ([]string, bool) {
	if f == nil || f.isDotted() {
		return nil, false
	}
	path := item.ParsePath(f.text("."), ".")
	return slices.Clone(path), !slices.Contains(path, "*")
}

// json is the field as the configuration has it.
func (f *Field) json() string {
	delimiter := "."
	if f.isDotted() {
		// One that stands in no step.
		isIn := func(delimiter string) bool { return strings.Contains(strings.Join(f.Path, ""), delimiter) }
		delimiter = slices.DeleteFunc([]string{"/", ":", "|", " ", "\n"}, isIn)[0]
	}
	path := Quote(f.text(delimiter))
	if !f.HasObjects && delimiter == "." {
		return path
	}
	return item.Object{"path", path}.
		With(delimiter != ".", "delimiter", Quote(delimiter)).
		With(f.HasObjects, "objects", "true").
		String()
}

// A Paging is how the pages of a job follow one another.
type Paging struct {
	Method string

	// LastKey is the path of what is taken of the last item, where the method is cursor.
	LastKey []string

	// Members are those of the method, in order.
	Members item.Object

	// IncludesParams: all pages have the parameters of the job, where answers lead on. EndsEmpty: a page without
	// items is the last one.
	IncludesParams, EndsEmpty bool

	// Flags are what of an answer says that there are no more pages, each by itself.
	Flags []Flag

	// Sums are the elements of sumStop.
	Sums []string
}

// IsLed tells that answers lead to the next page.
func (p *Paging) IsLed() bool { return p != nil && strings.HasPrefix(p.Method, "response.") }

// json is the method as the configuration has it.
func (p *Paging) json() string {
	if p == nil {
		return ""
	}
	o := item.Object{"method", Quote(p.Method)}
	if p.LastKey != nil {
		o = append(o, "take", `"last"`, "idKey", Quote(strings.Join(p.LastKey, ".")), "endOnMissing", "true")
	}
	o = append(o, p.Members...).With(p.IncludesParams, "includeParams", "true").With(p.EndsEmpty, "emptyStop", "true")
	var flags []string
	for _, f := range p.Flags {
		flag := item.Object{"field", Quote(f.Field), "stopOn", strconv.FormatBool(f.StopOn)}.
			With(f.IfMissing != f.StopOn, "ifNotSet", strconv.FormatBool(f.IfMissing))
		flags = append(flags, flag.String())
	}
	return o.
		With(len(flags) > 0, "nextPageFlag", oneOrList(flags)).
		With(len(p.Sums) > 0, "sumStop", oneOrList(p.Sums)).
		String()
}

// oneOrList is a value alone, or a list of several.
func oneOrList(all []string) string {
	if len(all) == 1 {
		return all[0]
	}
	return List(all)
}

// A Flag is a member of an answer that ends paging where it is StopOn; a missing one counts as IfMissing.
type Flag struct {
	Field             string
	StopOn, IfMissing bool
}

// TakeBack takes out of a request what has been put into its address since, if nothing else was put into it: the values
// of a slice that only the first page is asked with.
func (j *Job) TakeBack(before Request) (taken item.Object, ok bool) {
	isOnlyAddress := len(j.Headers) == len(before.Headers) && j.Body.String() == before.Body.String()
	target, size := &j.Params, len(before.Params)
	if j.Method != "" {
		isOnlyAddress = isOnlyAddress && len(j.Params) == size
		target, size = &j.Query, len(before.Query)
	}
	if !isOnlyAddress {
		return nil, false
	}
	taken = (*target)[size:]
	*target = (*target)[:size:size]
	return taken, true
}

// SendOnce has the first page alone asked with parameters. It is not ok if that cannot be said.
func (j *Job) SendOnce(taken item.Object) (ok bool) {
	isLed := j.Pagination.IsLed()
	areAlone := len(j.Params)+len(j.Query)+len(j.Body)+len(j.Auth.Query) == 0
	switch {
	case len(taken) == 0:
		return true
	case j.Pagination == nil:
	case isLed && areAlone && j.Auth.Member == nil:
		// Then the first page alone has the parameters.
		j.Pagination.IncludesParams = false
	case j.Pagination.Method == "response.url" && j.Pagination.IncludesParams:
		return j.inFirst(taken)
	case !isLed || j.Pagination.IncludesParams:
		return false
	}
	target := j.target(Spot{Into: "request_parameter"})
	*target = slices.Concat(taken, *target)
	return true
}

// inFirst puts parameters into the address of the first page, from which the addresses that answers have lead on. It is
// not ok where the address or a value does not allow that.
func (j *Job) inFirst(params item.Object) (ok bool) {
	p := j.Endpoint
	if p.First() == "" || slices.Equal(p, Root) || hasText(p, "#") {
		return false
	}
	separator := "?"
	if hasText(p, "?") {
		separator = "&"
	}
	for m := range slices.Chunk(params, 2) {
		value := m[1]
		switch item.Kind([]byte(value)) {
		case '"':
			value = Quote(url.QueryEscape(TextOf(value)))
		case '0':
			value = Quote(url.QueryEscape(value))
		case '{':
			// What these functions join has texts that would stand there as they are.
			if Calls(value, "concat", "implode", "sprintf", "ifempty") {
				value = Calling("urlencode", value)
			}
		default:
			return false
		}
		p = p.And(Quote(separator+url.QueryEscape(m[0])+"="), value)
		separator = "&"
	}
	j.Endpoint = p
	return true
}
