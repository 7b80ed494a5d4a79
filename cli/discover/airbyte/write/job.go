// Package write makes a configuration of jobs: their values, what they have in common, and the text of the document.
package write

import (
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A PlannedJob is a job of the configuration, with its values.
type PlannedJob struct {
	// Part tells it from other jobs of its stream, such as eu-2; empty: there are none. What its state knows stands
	// there by this name, so it must not be that of another part one day.
	Part string

	// Base is the address that the endpoint is relative to; none: the endpoint is absolute. Whole is the one that
	// Airbyte has for all of its pages.
	Base, Whole Parts

	JobRequest

	// Auth is how requests are signed.
	Auth Authentication

	// Pagination is nil where the job is one request.
	Pagination *Scroller

	// DataField and Format are nil where the default is meant.
	DataField *Field
	Format    ConfigValue

	// Where is the condition under which an item is emitted.
	Where string

	answers

	// UserData are members that each item gets.
	UserData Object

	// Windows are nil where there are none.
	Windows *TimeWindows

	// Until is nil where no item ends paging.
	Until *Until

	// Placeholders are what a child takes of the items of its parent.
	Placeholders Placeholders

	Children []*PlannedJob
}

// answers are the conditions about answers, each in the language of recursionFilter.
type answers struct {
	EmptyOn, EndOn, FailOn, RetryOn []string

	// WaitOn is nil, or has the member waitOn.
	WaitOn Object

	// RetryHeader is the header that says how long to wait.
	RetryHeader string
}

// An Authentication is what signs requests: headers and parameters that stand as they are, or a login.
type Authentication struct {
	Headers, Query Object

	// Member is api.authentication; nil: there is none.
	Member Object
}

// settings are the member api.authentication, empty without one.
func (a Authentication) settings() Object {
	if a.Member == nil && len(a.Query) > 0 {
		// So that addresses which answers lead to have them too.
		return Object{{"type", Text("query")}, {"query", a.Query}}
	}
	return a.Member
}

// Login is how a job's requests are signed, as a text; empty: they are not.
func (j *PlannedJob) Login() string {
	settings := j.Auth.settings()
	if len(settings) == 0 {
		return ""
	}
	return JSON(settings)
}

// IsLed tells that a job signs nothing and asks where an answer says, mostly at another origin, where it has no
// credentials anyway.
func (j *PlannedJob) IsLed() bool {
	return j.Login() == "" && len(j.Base) == 0 && !strings.Contains(j.Endpoint.First(), "://")
}

// OwnKey makes the keys in the address parameters of the job itself, unless the job has such a parameter.
func (j *PlannedJob) OwnKey() {
	for _, m := range j.Auth.Query {
		_, isInAddress := InAddress(j.Endpoint, m.Name)
		if isInAddress || j.Params.Get(m.Name) != nil || j.Query.Get(m.Name) != nil {
			return
		}
	}
	j.Query, j.Auth.Query = slices.Concat(j.Query, j.Auth.Query), nil
}

// KeepsParams tells that all pages are asked for with the parameters of the job.
func (j *PlannedJob) KeepsParams() bool { return !j.Pagination.IsLed() || j.Pagination.IncludesParams }

// Tree are a job and all below it.
func (j *PlannedJob) Tree() []*PlannedJob {
	all := []*PlannedJob{j}
	for _, child := range j.Children {
		all = append(all, child.Tree()...)
	}
	return all
}

// Absolute is the address that a job asks, whole.
func (j *PlannedJob) Absolute() Parts {
	switch {
	case len(j.Base) == 0:
		return j.Endpoint
	case j.Endpoint.isRoot():
		return WithSlash(j.Base)
	}
	return WithSlash(j.Base).And(j.Endpoint...)
}

// nextBase is the address that those of next pages are relative to in Airbyte; none: they have none in their bodies.
func (j *PlannedJob) nextBase() Parts {
	isByBody := j.Pagination != nil && j.Pagination.Method == "response.url" && j.Pagination.Members.Get("urlKey") != nil
	if isByBody {
		return j.Whole
	}
	return nil
}

// Take gives a job a placeholder, unless it has it.
func (j *PlannedJob) Take(name, path string, isOptional bool) {
	if !j.Takes(name) {
		j.Placeholders = append(j.Placeholders, parentValue{name, path, isOptional})
	}
}

// Takes tells whether a job has a placeholder of this name.
func (j *PlannedJob) Takes(name string) bool {
	return slices.ContainsFunc(j.Placeholders, func(p parentValue) bool { return p.Name == name })
}

// A parentValue is a value at a path in the parent's item, which may lack it if it is optional.
type parentValue struct {
	Name, Path string
	IsOptional bool
}

// Placeholders are those of a job, in order.
type Placeholders []parentValue

// expr are the placeholders as the configuration has them.
func (all Placeholders) expr() (o Object) {
	for _, p := range all {
		var value ConfigValue = Text(p.Path)
		if p.IsOptional {
			value = Object{{"path", value}, {"optional", Word("true")}}
		}
		o = o.And(p.Name, value)
	}
	return o
}

// TimeWindows are those of a job: they begin at From, each is a Step long, and ends short of a Gap.
type TimeWindows struct {
	From ConfigValue

	// To is nil where they end with the time of the run.
	To ConfigValue

	// Gap is empty without one. Format is that of the bounds in letters of the function date; empty: the default.
	Step, Gap, Format string
}

// expr are the windows as the configuration has them.
func (w *TimeWindows) expr() Object {
	return Object{{"from", w.From}}.
		With(w.To != nil, "to", w.To).
		And("step", Text(w.Step)).
		With(w.Gap != "", "gap", Text(w.Gap)).
		With(w.Format != "", "format", Text(w.Format))
}

// An Until ends paging at a last item whose value at a path is less than another one.
type Until struct {
	Field  []string
	Before ConfigValue
}

// expr is the end as the configuration has it.
func (u *Until) expr() Object {
	return Object{{"field", Text(strings.Join(u.Field, "."))}, {"before", u.Before}}
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

// expr is the field as the configuration has it.
func (f *Field) expr() ConfigValue {
	delimiter := "."
	if f.isDotted() {
		// One that stands in no step.
		isIn := func(delimiter string) bool { return strings.Contains(strings.Join(f.Path, ""), delimiter) }
		delimiter = slices.DeleteFunc([]string{"/", ":", "|", " ", "\n"}, isIn)[0]
	}
	path := Text(f.text(delimiter))
	if !f.HasObjects && delimiter == "." {
		return path
	}
	return Object{{"path", path}}.
		With(delimiter != ".", "delimiter", Text(delimiter)).
		With(f.HasObjects, "objects", Word("true"))
}

// A Scroller is how the pages of a job follow one another.
type Scroller struct {
	Method string

	// LastKey is the path of what is taken of the last item, where the method is cursor.
	LastKey []string

	// Members are those of the method, in order.
	Members Object

	// IncludesParams: all pages have the parameters of the job, where answers lead on. EndsEmpty: a page without
	// items is the last one.
	IncludesParams, EndsEmpty bool

	// Flags are what of an answer says that there are no more pages, each by itself.
	Flags []Flag

	// Sums are the elements of sumStop.
	Sums Array
}

// IsLed tells that answers lead to the next page.
func (p *Scroller) IsLed() bool { return p != nil && strings.HasPrefix(p.Method, "response.") }

// expr is the method as the configuration has it, without any nil.
func (p *Scroller) expr() ConfigValue {
	if p == nil {
		return nil
	}
	o := Object{{"method", Text(p.Method)}}
	if p.LastKey != nil {
		o = o.And("take", Text("last")).And("idKey", Text(strings.Join(p.LastKey, "."))).And("endOnMissing", Word("true"))
	}
	o = append(o, p.Members...).
		With(p.IncludesParams, "includeParams", Word("true")).
		With(p.EndsEmpty, "emptyStop", Word("true"))
	var flags Array
	for _, f := range p.Flags {
		flags = append(flags, Object{{"field", Text(f.Field)}, {"stopOn", truth(f.StopOn)}}.
			With(f.IfMissing != f.StopOn, "ifNotSet", truth(f.IfMissing)))
	}
	return o.
		With(len(flags) > 0, "nextPageFlag", OneOrList(flags)).
		With(len(p.Sums) > 0, "sumStop", OneOrList(p.Sums))
}

func truth(is bool) Word { return Word(strconv.FormatBool(is)) }

// OneOrList is a value alone, or a list of several.
func OneOrList(all Array) ConfigValue {
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// AddFlag adds a flag, once.
func (p *Scroller) AddFlag(f Flag) {
	if !slices.Contains(p.Flags, f) {
		p.Flags = append(p.Flags, f)
	}
}

// AddSums adds elements of sumStop, each once.
func (p *Scroller) AddSums(sums Array) {
	for _, one := range sums {
		if !slices.ContainsFunc(p.Sums, func(other ConfigValue) bool { return Same(one, other) }) {
			p.Sums = append(p.Sums, one)
		}
	}
}

// A Flag is a member of an answer that ends paging where it is StopOn; a missing one counts as IfMissing.
type Flag struct {
	Field             string
	StopOn, IfMissing bool
}
