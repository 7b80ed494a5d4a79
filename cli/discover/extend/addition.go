package extend

import "fmt"

// A ConfigFile is a configuration that gets a job.
type ConfigFile struct {
	name string
	text []byte

	// top has the members api and config. It is the root, or in an envelope.
	root, top *placedValue

	// jobsOfFile are all of them, parents first, and ids what they are called.
	jobsOfFile []*placedValue
	ids        []string

	// taken are the ids of jobs and the names of their files.
	taken map[string]bool
}

// given is the value that the file has for an attribute; nil: none.
func (f *ConfigFile) given(name string) *placedValue {
	if entries := f.top.at("iterations"); entries != nil && len(entries.elems) > 0 {
		if v := entries.elems[0].at(name); v != nil {
			return v
		}
	}
	return f.top.at("config", name)
}

// An addition is a configuration with one job, on its way into a file.
type addition struct {
	*ConfigFile
	AddedJob
	own *placedValue

	// base is where the requests of the addition go, with the attributes that it sets itself.
	base string

	// jobs are the new ones, each below the one before it, and endpoints where they go below the address of the file.
	jobs      []*placedValue
	endpoints map[*placedValue]string

	// parent is the job of the file that the new ones stand below; nil: none.
	parent *placedValue

	// values are those of secrets, by the attribute.
	values map[string]string

	// renamed is the name of an attribute in the file, by that in the addition.
	renamed map[string]string

	// covered are attributes whose place the login or the address of the file has.
	covered map[string]string

	// signing are parameters of the query by which the addition logs in.
	signing []string

	// dropped are parameters that the file sends with every request.
	dropped []string

	// headers become those of the job, as JSON by their names.
	headers []header

	// known are the data types of jobs that were to be above it, and that the file has.
	known []string

	// set are attributes that become members of config.
	set []string

	said []string
}

type header struct {
	name  string
	value *placedValue
}

// subject is what messages call what is added.
func (a *addition) subject() string {
	if a.IsDescribed {
		return "the operation"
	}
	return "the request"
}

// ownGiven is the value that the addition has for an attribute; nil: none.
func (a *addition) ownGiven(name string) *placedValue { return a.own.at("config", name) }

// say notes a line for people.
func (a *addition) say(format string, args ...any) {
	a.said = append(a.said, fmt.Sprintf(format, args...))
}

// parts are where a job has parameters.
var parts = []string{"params", "query", "body"}

// inParts is a parameter of a job, wherever it has it.
func inParts(job *placedValue, name string) *placedValue {
	for _, part := range parts {
		if v := job.at(part, name); v != nil {
			return v
		}
	}
	return nil
}

// membersOf are those of a part of a job.
func membersOf(job *placedValue, part string) []treeMember {
	if object := job.at(part); object != nil {
		return object.members
	}
	return nil
}
