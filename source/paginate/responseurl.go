package paginate

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/request"
)

// responseURL follows the address that each response has for the next page; an
// empty one ends the job. The address is the next endpoint. Of the job's
// parameters it gets none, or with includeParams all, which then override those
// of the same names that the address has.
//
// With paramIsQuery the value is the next query of the job's own endpoint, as the API
// gave it: it overrides the job's parameters of the same names, since a job's first
// page number would otherwise be asked for again and again.
type responseURL struct {
	single
	urlKey        string
	path          item.Path
	includeParams bool
	paramIsQuery  bool
	ends          func(address string, at time.Time) bool // whether a page that came then is the last although it has a next address; nil: never
}

func newResponseURL(o *config.Object, _ Env, _ *config.Problems) Method { return decodeResponseURL(o) }

func decodeResponseURL(o *config.Object) *responseURL {
	m := &responseURL{}
	m.urlKey = o.Text("urlKey", "next_page", "Path in the response of the next page's address.")
	delimiter := o.Text("delimiter", ".", "What stands between the steps of urlKey.")
	m.includeParams = o.Bool("includeParams", false, "Whether the job's parameters are sent for every page, over those of the address.")
	m.paramIsQuery = o.Bool("paramIsQuery", false, "Whether the value is a query for the job's endpoint, not an address.")
	o.Filled("urlKey", "delimiter")
	if delimiter != "" {
		m.path = item.ParsePath(m.urlKey, delimiter)
	}
	return m
}

func (m *responseURL) Needs() Needs {
	return Needs{Values: []item.Path{m.path}, NoLink: noLink("urlKey", m.urlKey)}
}

// noLink is the warning of [Needs] about what an option names.
func noLink(option, path string) string {
	return option + ": no response had " + path + ", so only first pages were asked for; if there are more, check the path"
}

func (m *responseURL) Next(_ *State, j *Job, f *Facts) (*Request, *pipeline.Stop, error) {
	next, err := m.address(f.Values[0])
	if err != nil {
		return nil, nil, err
	}
	if next == "" {
		return nil, &pipeline.Stop{Reason: NoNextPage}, nil
	}
	if m.ends != nil && m.ends(next, f.At) {
		return nil, &pipeline.Stop{Reason: EndOfExport}, nil
	}
	return m.at(j, next), nil, nil
}

// address returns what the response has at urlKey, empty where there is nothing.
func (m *responseURL) address(value jsontext.Value) (string, error) {
	if !item.True(value) {
		return "", nil
	}
	if item.Kind(value) != '"' {
		return "", fmt.Errorf("urlKey: the response has %s at %s, and not the address of the next page", kindName(value), m.urlKey)
	}
	text, _ := item.Text(value)
	return strings.TrimSpace(text), nil
}

// at is the request for the page that a response calls next.
func (m *responseURL) at(j *Job, next string) *Request {
	var own request.Params
	if m.includeParams {
		own = j.Params
	}
	if m.paramIsQuery {
		return j.request(own, query(j.Method, next))
	}
	r := j.request(own, nil)
	r.Endpoint, r.Given = next, true
	return r
}

// query reads a query that a response holds. It stays as it stands, unless it is
// to travel in a body of JSON, where name[] is an element of a list.
func query(method request.Method, text string) request.Params {
	q := request.ParseQuery(strings.TrimPrefix(text, "?"))
	if method != request.Post {
		return q
	}
	var all request.Params
	for _, part := range q {
		_, text, _ := strings.Cut(part.Raw, "=")
		name, list := strings.CutSuffix(part.Name, "[]")
		value := item.Quote(request.Unescape(text))
		if before := all.Get(name); list && item.Kind(before) == '[' {
			all = all.Set(request.Param{Name: name, Value: slices.Concat(before[:len(before)-1], []byte{','}, value, []byte{']'})})
			continue
		} else if list {
			value = slices.Concat([]byte{'['}, value, []byte{']'})
		}
		all = append(all, request.Param{Name: name, Value: value})
	}
	return all
}

// tooRecent is how old a start_time must be to be asked for.
const tooRecent = 6 * time.Minute

// newZendesk makes [responseURL] for Zendesk's incremental exports, whose last page
// has a next address too: it asks for what was changed since that page, and is
// refused while its start_time is too recent. The job ends where start_time is
// within the last six minutes, as it does in the dialect (the API itself refuses
// the last minute, and the last five in older versions); what changes from then
// on is the next run's. An address without a readable start_time is followed.
func newZendesk(o *config.Object, _ Env, _ *config.Problems) Method {
	m := decodeResponseURL(o)
	m.ends = func(address string, at time.Time) bool {
		start, ok := startTime(address)
		return ok && at.Sub(start) < tooRecent
	}
	return m
}

// startTime reads the parameter start_time of an address, or of a query.
func startTime(address string) (time.Time, bool) {
	query, _, _ := strings.Cut(address[strings.IndexByte(address, '?')+1:], "#")
	values, _ := url.ParseQuery(query) // what of it can be read
	seconds, err := strconv.ParseInt(values.Get("start_time"), 10, 64)
	return time.Unix(seconds, 0), err == nil
}
