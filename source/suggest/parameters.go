package suggest

import (
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/request"
)

// Which parameter takes what leads on, and where it is put.

// A parameterPlace is where in a request a parameter of paging is put.
type parameterPlace int

const (
	// withOwn is where those of the job are put.
	withOwn parameterPlace = iota
	// inAddress is the address, whatever the method.
	inAddress
)

// place is that of a parameter: with those of a body of a GET, if it has one.
func (f *follower) place(name string, in parameterPlace) config.ParameterDestination {
	at := config.Named(name)
	isGet := f.Job.Method == request.Get
	switch {
	case in == inAddress && !isGet:
		at.In = config.PlaceQuery
	case in == withOwn && isGet:
		at.Deep = f.Job.HasBody()
	}
	return at
}

// put is a parameter as an option of paging has it.
func (f *follower) put(name string, in parameterPlace) string { return f.place(name, in).JSON() }

// ownNumber is the number that the job itself has in a parameter; not ok if it has none.
func (f *follower) ownNumber(name string, in parameterPlace) (n int64, ok bool) {
	return item.Integer(f.Job.Own(f.place(name, in)))
}

// parameter is the JSON of the one that takes the value of a sign; empty if there is
// none. With a name it is that, unless the request or the configuration shows another.
func (f *follower) parameter(s evidence.Sign, name string) string {
	member := memberOf(s)
	isGraphQL := f.Job.Method == request.Post && f.Job.Params.Has("query")
	if isGraphQL {
		variable := f.variable(member)
		if variable != "" || evidence.Normal(member) == "endcursor" {
			return variable
		}
	}
	if at := f.Paging.ValueParam(); len(at.Path) == 1 {
		return at.JSON()
	}
	if name == "" {
		name = f.takes(s)
	}
	if name == "" {
		name = f.usualName(member, item.Kind(s.Value) == '0')
	}
	aboutPages := func(p request.Param) bool { return isAboutPages(p.Value) }
	at := slices.IndexFunc(f.Job.Params, aboutPages)
	if at < 0 {
		return f.put(name, withOwn)
	}
	return "[" + quoted(f.Job.Params[at].Name) + ", " + quoted(name) + "]"
}

// variable is the one of a GraphQL query that takes the cursor: of the argument after that of endCursor, else of one
// called as the member; empty if the query has none.
func (f *follower) variable(member string) string {
	argument := evidence.Normal(member)
	if argument == "endcursor" {
		argument = "after"
	}
	for _, found := range variables().FindAllSubmatch(f.Job.Params.Get("query"), -1) {
		if evidence.Normal(string(found[1])) == argument {
			return `["variables", ` + quoted(string(found[2])) + `]`
		}
	}
	return ""
}

// variables matches where a GraphQL query takes an argument from a variable.
var variables = pattern.Lazy(`\b(\w+)\s*:\s*\$(\w+)`)

// takes is the parameter of the job that has a value like that of a sign, or an empty one: whoever wrote it there
// knows which one takes what leads on; empty: there is none.
func (f *follower) takes(s evidence.Sign) string {
	// Any number is like any other.
	if _, isNumber := item.DecimalOf(s.Value); isNumber {
		return ""
	}
	value, _ := item.Text(s.Value)
	for _, p := range f.Job.Params {
		_, isNumber := item.DecimalOf(p.Value)
		mayBeKey := p.Secret && !isPosition(p.Name)
		if mayBeKey || item.Kind(p.Value) != '"' || isNumber {
			continue
		}
		text := item.Unquote(p.Value)
		if text == "" || alike(text, value) {
			return p.Name
		}
	}
	return ""
}

// usualName guesses which parameter takes the value of a member, as Notion, Jira and
// others have it.
func (f *follower) usualName(member string, isNumber bool) string {
	name := evidence.Normal(member)
	isOfNotion := name == "nextcursor" && f.Job.Params.Has("page_size")
	if isOfNotion {
		return "start_cursor"
	}
	isOfJira := name == "nextpagetoken" && slices.ContainsFunc(f.signs, isLastFlag)
	if isOfJira {
		return member
	}
	return usualParameter(member, isNumber)
}

func isLastFlag(s evidence.Sign) bool { return s.At == "isLast" }

// isAboutPages tells whether a parameter is an object about pages in the body, as of
// Intercom.
func isAboutPages(value []byte) bool {
	perPage := item.Lookup(value, item.Path{"per_page"})
	limit := item.Lookup(value, item.Path{"limit"})
	return perPage != nil || limit != nil
}

// parameters take the values of members whose names do not tell it.
var parameters = map[string]string{
	"endcursor":            "after",
	"lastevaluatedkey":     "ExclusiveStartKey",
	"next":                 "cursor",
	"nextforwardtoken":     "nextToken",
	"nextpagestart":        "start",
	"xmscontinuationtoken": "continuationToken",
	// Azure: the list of tables.
	"xmscontinuationnexttablename": "NextTableName",
	"xnextpage":                    "page",
	"xnextcursor":                  "cursor",
	"xcontinuationtoken":           "continuationToken",
}

// usualParameter guesses which parameter takes the value of a member by its name alone: cursor that of
// next_cursor.
func usualParameter(member string, isNumber bool) string {
	name := evidence.Normal(member)
	if name == "next" && isNumber {
		return "page"
	}
	if known := parameters[name]; known != "" {
		return known
	}
	rest := strings.TrimLeft(strings.TrimPrefix(member, "next"), "_-")
	if rest == "" || rest == member || name == "nexttoken" {
		return member
	}
	return strings.ToLower(rest[:1]) + rest[1:]
}

// isPosition tells whether a parameter says behind which item a page begins, by its name.
func isPosition(name string) bool { return slices.Contains(positions, evidence.Normal(name)) }

// positions are names of parameters that say behind which item a page begins.
var positions = []string{
	"after", "before", "since", "cursor", "marker",
	"afterid", "beforeid", "sinceid", "maxid", "lastid", "fromid", "startingafter", "startafter",
}

// memberOf is the name of the member, or header, that holds the value.
func memberOf(s evidence.Sign) string {
	if len(s.Path) == 0 {
		return s.At
	}
	return s.Path[len(s.Path)-1]
}
