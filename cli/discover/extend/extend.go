// Package extend adds a job to the text of a configuration that is there: only what is new is written, and all else
// stays as it is.
package extend

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/cli/discover/free"
	"sluice/pipeline"
	"sluice/source/config"
)

// Read reads the text of a configuration that is valid; messages call it name.
func Read(name string, text []byte, documents []*config.Document) (*ConfigFile, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	f := &ConfigFile{name: name, text: text, root: root, top: root, taken: map[string]bool{}}
	if root.at("api") == nil {
		f.top = root.at("parameters")
	}
	if jobs := f.top.at("config", "jobs"); jobs == nil || len(jobs.elems) == 0 {
		return nil, errors.New(name + " has no config.jobs")
	}
	if err := f.refuseIterations(); err != nil {
		return nil, err
	}
	f.jobsOfFile = below(f.top.at("config", "jobs"))
	f.take(documents[0].Jobs)
	return f, nil
}

// refuseIterations refuses a file in which a job runs several times, or is another one each time.
func (f *ConfigFile) refuseIterations() error {
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

// below are jobs and those below them, parents first.
func below(list *placedValue) (all []*placedValue) {
	if list == nil {
		return nil
	}
	for _, j := range list.elems {
		all = append(append(all, j), below(j.at("children"))...)
	}
	return all
}

// take notes the names of jobs.
func (f *ConfigFile) take(jobs []config.Job) {
	for i := range jobs {
		f.ids = append(f.ids, jobs[i].ID)
		f.taken[jobs[i].ID] = true
		f.taken[pipeline.FileName(jobs[i].DataType)] = true
		f.take(jobs[i].Children)
	}
}

// An ExtendedConfig is a configuration with one job more.
type ExtendedConfig struct {
	Text []byte

	// Job is the id of the job.
	Job string

	// Known are the data types of jobs above it that the file has already, as the description calls them.
	Known []string

	// Said are lines for people: what is other than one may think.
	Said []string

	// Unset are the attributes that the file refers to and does not set, with the value that the request has for each,
	// or an empty one.
	Unset []config.Attribute
}

// An AddedJob is a job on its way into a file.
type AddedJob struct {
	// Configuration has the job, and no other one but those below it.
	Configuration []byte

	// Secrets are the attributes that it refers to, with the values that are known.
	Secrets []config.Attribute

	// IsTried: somebody has looked how it is paged. Else it is paged as the others are.
	IsTried bool

	// IsDescribed: it is made of a document, and no request has shown that the API answers so.
	IsDescribed bool
}

// Add adds a job.
func (f *ConfigFile) Add(j AddedJob) (ExtendedConfig, error) {
	own, err := parse(j.Configuration)
	if err != nil {
		return ExtendedConfig{}, err
	}
	a := &addition{
		ConfigFile: f, AddedJob: j, own: own, jobs: below(own.at("config", "jobs")),
		values: map[string]string{}, renamed: map[string]string{}, covered: map[string]string{},
		endpoints: map[*placedValue]string{},
	}
	for _, s := range j.Secrets {
		a.values[s.Name] = s.Value
	}
	if err := a.locate(); err != nil {
		return ExtendedConfig{}, err
	}
	a.signByParameters()
	if err := a.logIn(); err != nil {
		return ExtendedConfig{}, err
	}
	a.dropDefaults()
	a.rename()
	if err := a.refuseUnsigned(); err != nil {
		return ExtendedConfig{}, err
	}
	if err := a.findParent(); err != nil {
		return ExtendedConfig{}, err
	}
	e := newEdits(f.text)
	var scrollers map[*placedValue]string
	switch {
	case j.IsTried:
		scrollers = a.page(e)
	case f.top.at("api", "pagination") != nil:
		a.say("how the new job is paged was not tried: it is paged as jobs are that name no scroller")
	}
	a.setAttributes(e)
	name := a.addJobs(e, scrollers)
	return ExtendedConfig{Text: e.result(), Job: name, Known: a.known, Said: a.said, Unset: a.unset()}, nil
}

// addJobs adds the new jobs, and returns the name of the last one.
func (a *addition) addJobs(e *edits, scrollers map[*placedValue]string) (name string) {
	var names []string
	taken := maps.Clone(a.taken)
	isTaken := func(name string) bool { return taken[pipeline.FileName(name)] || taken[name] }
	for _, j := range a.jobs {
		wanted := j.at("dataType").text()
		name = free.Name(wanted, "-", isTaken)
		if name != wanted {
			a.say("the new job is called %s, since %s has %s already", name, a.name, wanted)
		}
		taken[name], taken[pipeline.FileName(name)] = true, true
		names = append(names, name)
	}
	text := ""
	for i, j := range slices.Backward(a.jobs) {
		text = a.line(j, names[i], scrollers[j], text)
	}
	switch list := a.parent.at("children"); {
	case a.parent == nil:
		e.addElement(a.top.at("config", "jobs"), text)
	case list == nil || len(list.elems) == 0:
		e.addMember(a.parent, "children", "["+text+"]")
	default:
		e.addElement(list, text)
	}
	return name
}

// rename gives each attribute of the new jobs the name of the one in the file that stands in the same place or has the
// same value, or else a name that no other has.
func (a *addition) rename() {
	wanted := a.wanted()
	for _, name := range wanted {
		if same := a.sameValue(name); same != "" {
			a.renamed[name] = same
		}
	}
	a.samePlaces()
	used := a.root.attributes()
	for _, m := range a.top.at("config").members {
		used = append(used, m.name)
	}
	for _, name := range wanted {
		if a.renamed[name] != "" {
			continue
		}
		numbered := free.Name(name, "", func(name string) bool { return slices.Contains(used, name) })
		if numbered != name && a.IsDescribed {
			a.say("the attribute %s of the new job is called %s, since %s has %s already", name, numbered, a.name, name)
		}
		used = append(used, numbered)
		a.renamed[name] = numbered
	}
}

// wanted are the attributes of the new jobs that nothing in the file stands for.
func (a *addition) wanted() (all []string) {
	add := func(names []string) {
		for _, name := range names {
			_, isCovered := a.covered[name]
			if !isCovered && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	for _, j := range a.jobs {
		copied := *j
		copied.members = slices.DeleteFunc(slices.Clone(j.members), func(m treeMember) bool { return m.name == "children" })
		add(copied.attributes())
	}
	for _, h := range a.headers {
		add(h.value.attributes())
	}
	return all
}

// setAttributes adds those attributes of the new jobs that have a value, and that the file does not know.
func (a *addition) setAttributes(e *edits) {
	known := a.root.attributes()
	for _, own := range a.wanted() {
		given, there := a.ownGiven(own), a.renamed[own]
		if given == nil || a.given(there) != nil || slices.Contains(known, there) {
			continue
		}
		e.addMember(a.top.at("config"), there, given.line(nil))
		a.set = append(a.set, there)
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

// samePlaces finds attributes in the jobs of the file that stand where those of the new jobs do.
func (a *addition) samePlaces() {
	for _, added := range a.jobs {
		for _, part := range parts {
			for _, m := range membersOf(added, part) {
				for _, j := range a.jobsOfFile {
					a.isSame(m.placedValue, inParts(j, m.name))
				}
			}
		}
		for _, m := range membersOf(added, "headers") {
			for _, j := range a.jobsOfFile {
				a.isSame(m.placedValue, named(j.at("headers"), m.name))
			}
		}
		for _, j := range a.jobsOfFile {
			a.samePieces(a.endpointOf(added), j.at("endpoint").pieces())
		}
	}
}

// samePieces finds attributes that stand behind the same text of an endpoint.
func (a *addition) samePieces(own, there []*placedValue) {
	for i, piece := range there {
		if i == 0 || i >= len(own) || piece.held() == "" || own[i].held() == "" {
			continue
		}
		before := strings.TrimPrefix(there[i-1].text(), "/")
		if strings.HasSuffix(strings.TrimPrefix(own[i-1].text(), "/"), before) {
			a.isSame(own[i], piece)
		}
	}
}

// isSame notes that an attribute of the addition is that of the file in the same place, unless they have different values.
func (a *addition) isSame(own, there *placedValue) {
	name, known := own.held(), there.held()
	if name == "" || known == "" || a.renamed[name] != "" {
		return
	}
	if given := a.ownGiven(name); given != nil && a.given(known) != nil && given.text() != a.given(known).text() {
		return
	}
	a.renamed[name] = known
}

// unset are the attributes that the file refers to and does not set, and those of the new jobs.
func (a *addition) unset() (all []config.Attribute) {
	known := map[string]string{}
	for own, there := range a.covered {
		known[there] = a.values[own]
	}
	for own, there := range a.renamed {
		known[there] = a.values[own]
	}
	names := append(a.implied(), a.root.attributes()...)
	for _, own := range a.wanted() {
		there := a.renamed[own]
		if there != "" && !slices.Contains(names, there) {
			names = append(names, there)
		}
	}
	for _, name := range names {
		first, _, _ := strings.Cut(name, ".")
		isSet := a.given(name) != nil || a.given(first) != nil || slices.Contains(a.set, name)
		if !isSet {
			all = append(all, config.Attribute{Name: name, Value: known[name]})
		}
	}
	return all
}
