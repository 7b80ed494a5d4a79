// Package extend adds a job to the text of a configuration that is there: only what is new is written, and all else
// stays as it is.
package extend

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline"
	"sluice/source/config"
)

// A File is a configuration that gets a job.
type File struct {
	name string
	text []byte

	// top has the members api and config. It is the root, or in an envelope.
	root, top *value

	// jobs are all of them, parents first, and ids what they are called.
	jobs []*value
	ids  []string

	// taken are the ids of jobs and the names of their files.
	taken map[string]bool
}

// Read reads the text of a configuration that is valid; messages call it name.
func Read(name string, text []byte, documents []*config.Document) (*File, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, text: text, root: root, top: root, taken: map[string]bool{}}
	if root.at("api") == nil {
		f.top = root.at("parameters")
	}
	if jobs := f.top.at("config", "jobs"); jobs == nil || len(jobs.elems) == 0 {
		return nil, errors.New(name + " has no config.jobs")
	}
	if err := f.refuseIterations(); err != nil {
		return nil, err
	}
	f.jobs = below(f.top.at("config", "jobs"))
	f.take(documents[0].Jobs)
	return f, nil
}

// refuseIterations refuses a file in which a job runs several times, or is another one each time.
func (f *File) refuseIterations() error {
	entries := f.top.at("iterations")
	if entries == nil || len(entries.elems) == 0 {
		return nil
	}
	if len(entries.elems) > 1 {
		return fmt.Errorf("%s has %d iterations: each would run the new job, and which of them the request is for is "+
			"not clear. Make a file of its own with -o, or add the job by hand", f.name, len(entries.elems))
	}
	if entries.elems[0].at("jobs") != nil {
		return fmt.Errorf("%s has jobs in iterations: where the new one belongs is not clear", f.name)
	}
	return nil
}

// given is the value that the file has for an attribute; nil: none.
func (f *File) given(name string) *value {
	if entries := f.top.at("iterations"); entries != nil && len(entries.elems) > 0 {
		if v := entries.elems[0].at(name); v != nil {
			return v
		}
	}
	return f.top.at("config", name)
}

// below are jobs and those below them, parents first.
func below(list *value) (all []*value) {
	if list == nil {
		return nil
	}
	for _, j := range list.elems {
		all = append(append(all, j), below(j.at("children"))...)
	}
	return all
}

// take notes the names of jobs.
func (f *File) take(jobs []config.Job) {
	for i := range jobs {
		f.ids = append(f.ids, jobs[i].ID)
		f.taken[jobs[i].ID] = true
		f.taken[pipeline.FileName(jobs[i].DataType)] = true
		f.take(jobs[i].Children)
	}
}

// A Result is a configuration with one job more.
type Result struct {
	Text []byte

	// Job is the id of the job.
	Job string

	// Said are lines for people: what is other than one may think.
	Said []string

	// Unset are the attributes that the file refers to and does not set, with the value that the request has for each,
	// or an empty one.
	Unset []config.Attribute
}

// An addition is a configuration with one job, on its way into a file.
type addition struct {
	*File
	own    *value
	job    *value
	values map[string]string

	// renamed is the name of an attribute in the file, by that in the addition.
	renamed map[string]string

	// covered are attributes whose place the login of the file has.
	covered map[string]string

	// dropped are parameters that the file sends with every request.
	dropped []string

	// headers become those of the job, as JSON by their names.
	headers []header

	endpoint string
	said     []string
}

type header struct {
	name  string
	value *value
}

// Add adds the job of a configuration that has one, and that refers to secrets. Without isTried it is paged as the
// others are, since nobody has looked how.
func (f *File) Add(text []byte, secrets []config.Attribute, isTried bool) (Result, error) {
	own, err := parse(text)
	if err != nil {
		return Result{}, err
	}
	a := &addition{
		File: f, own: own, job: own.at("config", "jobs").elems[0], values: map[string]string{},
		renamed: map[string]string{}, covered: map[string]string{},
	}
	for _, s := range secrets {
		a.values[s.Name] = s.Value
	}
	if err := a.locate(); err != nil {
		return Result{}, err
	}
	if err := a.logIn(); err != nil {
		return Result{}, err
	}
	a.dropDefaults()
	a.rename()
	if err := a.refuseKnown(); err != nil {
		return Result{}, err
	}
	e := newEdits(f.text)
	scroller := ""
	switch {
	case isTried:
		scroller = a.page(e)
	case f.top.at("api", "pagination") != nil:
		a.say("how the new job is paged was not tried: it is paged as jobs are that name no scroller")
	}
	wanted := a.job.at("dataType").text()
	name := a.free(wanted)
	if name != wanted {
		a.say("the new job is called %s, since %s has %s already", name, f.name, wanted)
	}
	e.addElement(f.top.at("config", "jobs"), a.line(name, scroller))
	return Result{Text: e.result(), Job: name, Said: a.said, Unset: a.unset()}, nil
}

// say notes a line for people.
func (a *addition) say(format string, args ...any) {
	a.said = append(a.said, fmt.Sprintf(format, args...))
}

// free is a data type whose file and whose id no other job has.
func (f *File) free(dataType string) string {
	name := dataType
	for i := 2; f.taken[pipeline.FileName(name)] || f.taken[name]; i++ {
		name = dataType + "-" + strconv.Itoa(i)
	}
	return name
}

// rename gives each attribute of the job the name of the one in the file that stands in the same place or has the same
// value, or else a name that no other has.
func (a *addition) rename() {
	for _, name := range a.job.attributes() {
		if _, ok := a.covered[name]; ok {
			continue
		}
		if same := a.sameValue(name); same != "" {
			a.renamed[name] = same
		}
	}
	a.samePlaces()
	used := a.root.attributes()
	for _, m := range a.top.at("config").members {
		used = append(used, m.name)
	}
	wanted := a.job.attributes()
	for _, h := range a.headers {
		wanted = append(wanted, h.value.attributes()...)
	}
	for _, name := range wanted {
		_, isCovered := a.covered[name]
		if isCovered || a.renamed[name] != "" {
			continue
		}
		numbered := name
		for i := 2; slices.Contains(used, numbered); i++ {
			numbered = name + strconv.Itoa(i)
		}
		used = append(used, numbered)
		a.renamed[name] = numbered
	}
}

// sameValue is the attribute of the file that has the value of one of the addition; empty: there is none.
func (a *addition) sameValue(name string) string {
	for _, m := range a.top.at("config").members {
		isText := m.kind == '"' && m.text() != ""
		if isText && strings.HasPrefix(m.name, "#") && m.text() == a.values[name] {
			return m.name
		}
	}
	return ""
}

// samePlaces finds attributes in the jobs of the file that stand where those of the new job do.
func (a *addition) samePlaces() {
	for _, part := range parts {
		for _, m := range a.members(part) {
			name := m.attribute()
			if name == "" || a.renamed[name] != "" {
				continue
			}
			for _, j := range a.jobs {
				if there := inParts(j, m.name).attribute(); there != "" {
					a.renamed[name] = there
				}
			}
		}
	}
	own := a.job.at("endpoint").pieces()
	for _, j := range a.jobs {
		for i, there := range j.at("endpoint").pieces() {
			if i == 0 || i >= len(own) || there.attribute() == "" || own[i].attribute() == "" {
				continue
			}
			isSame := strings.HasSuffix(own[i-1].text(), strings.TrimPrefix(j.at("endpoint").pieces()[i-1].text(), "/"))
			if isSame && a.renamed[own[i].attribute()] == "" {
				a.renamed[own[i].attribute()] = there.attribute()
			}
		}
	}
}

// parts are where a job has parameters.
var parts = []string{"params", "query", "body"}

// inParts is a parameter of a job, wherever it has it.
func inParts(job *value, name string) *value {
	for _, part := range parts {
		if v := job.at(part, name); v != nil {
			return v
		}
	}
	return nil
}

// members are those of a part of the new job.
func (a *addition) members(part string) []member {
	if object := a.job.at(part); object != nil {
		return object.members
	}
	return nil
}

// unset are the attributes that the file refers to and does not set, and those of the new job.
func (a *addition) unset() (all []config.Attribute) {
	known := map[string]string{}
	for own, there := range a.covered {
		known[there] = a.values[own]
	}
	for own, there := range a.renamed {
		known[there] = a.values[own]
	}
	names := append(a.implied(), a.root.attributes()...)
	wanted := a.job.attributes()
	for _, h := range a.headers {
		wanted = append(wanted, h.value.attributes()...)
	}
	for _, own := range wanted {
		there := a.renamed[own]
		if there != "" && !slices.Contains(names, there) {
			names = append(names, there)
		}
	}
	for _, name := range names {
		first, _, _ := strings.Cut(name, ".")
		if a.given(name) == nil && a.given(first) == nil {
			all = append(all, config.Attribute{Name: name, Value: known[name]})
		}
	}
	return all
}
