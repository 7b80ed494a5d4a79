package paginate

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
	"sluice/source/request"
)

// responseURL follows the address that each response has for the next page. It gets
// none of the job's parameters, or with includeParams all, over its own. With
// paramIsQuery it is a query for the job's endpoint, over the job's parameters.
type responseURL struct {
	fromResponse
	// list is what is at path; nil: the address itself.
	list         *linkChoice
	paramIsQuery bool
	ownOrigin    bool
	// export is for those of Zendesk, see newZendesk.
	export bool
}

// A linkChoice says which element of an array of links leads to the next page.
type linkChoice struct {
	// text is that of where.
	text  string
	where *expr.Filter
	value item.Path
}

func newResponseURL(o *config.ObjectDecoder, _ Env, p *config.Problems) Method {
	m := &responseURL{fromResponse: fromResponse{option: "urlKey"}}
	key := o.Any("urlKey", "Path in the response of the next page's address (next_page), "+
		"or an object that chooses from a list of links.", "string", "urlKey")
	header := o.Text("urlHeader", "", "Header that holds the next page's address, "+
		"in place of urlKey; in Link it is that of the relation next.", "Link")
	delimiter := o.Text("delimiter", ".", "What stands between the steps of urlKey.")
	m.includeParams = o.Bool("includeParams", false,
		"Whether the job's parameters are sent for every page, over those of the address.")
	m.paramIsQuery = o.Bool("paramIsQuery", false,
		"Whether the value is a query for the job's endpoint, not an address.")
	m.ownOrigin = o.Bool("ownOrigin", false,
		"Whether scheme, host and port stay those of baseUrl, whatever the address says.")
	o.Filled("urlKey", "urlHeader", "delimiter")
	exclusive(o, p, "urlKey", "urlHeader")
	if m.ownOrigin && m.paramIsQuery {
		p.Errorf(o.Node().Member("ownOrigin"),
			"has no meaning with paramIsQuery, which never leaves the job's address")
	}
	path := "next_page"
	switch {
	case header != "":
		m.option, m.path = "urlHeader", evidence.HeaderPath(header)
		return m
	case key != nil && key.Kind == '"':
		path = key.Text()
	case key != nil:
		m.list = &linkChoice{}
		path = m.list.decode(config.NewObjectDecoder(key, p), p)
	}
	if delimiter != "" {
		m.path = item.ParsePath(path, delimiter)
	}
	return m
}

// decode reads urlKey as an object, and returns the path of the array.
func (l *linkChoice) decode(o *config.ObjectDecoder, p *config.Problems) (path string) {
	path = o.Text("path", "", "Path in the response of an array of links.")
	l.text = o.Text("where", "", "Which of them leads to the next page: a condition as in recursionFilter.")
	value := o.Text("value", "", "Path in that element of the address.")
	o.Require("path", "where", "value")
	o.Filled("path", "value")
	o.Done()
	l.value = item.ParsePath(value, ".")
	if n := o.Node().Member("where"); n != nil {
		l.where = expr.CompileFilter(n, p)
	}
	return path
}

// fromResponse is common to the methods that a value of the response leads on.
type fromResponse struct {
	single
	// option is the one that names the path.
	option        string
	path          item.Path
	includeParams bool
}

// Needs has no warning for the header Link, which most APIs leave out where all is
// on one page.
func (m *fromResponse) Needs() Needs {
	n := Needs{Values: []item.Path{m.path}}
	if !evidence.IsLink(m.path) {
		n.NoLink = m.option + ": no response had " + evidence.Place(m.path) +
			", so only first pages were asked for; if there are more, check the path"
	}
	return n
}

// byAnswer implements answerLed.
func (m *fromResponse) byAnswer() {}

func (m *fromResponse) lookAt() string {
	return m.option + " (" + evidence.Place(m.path) + ") and includeParams"
}

// own are the parameters of the job that pages after the first have.
func (m *fromResponse) own(j *Job) request.Params {
	if m.includeParams {
		return j.Params
	}
	return nil
}

func (m *responseURL) Next(s *State, j *Job, f *Facts) (*Request, *report.Stop, error) {
	next, last, err := m.addresses(f)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", m.option, err)
	}
	guess, _ := counted(s.Asked.Endpoint, s.Own.LastPage, 1)
	if guess != "" && guess != next {
		s.Own.Uncounted = true
	}
	s.Own.LastPage = last
	if m.paramIsQuery || s.Own.Uncounted {
		s.Own.LastPage = ""
	}
	if next == "" {
		s.Own.endOfLinks(guess, f.Values[0] == nil)
		return nil, report.EndedBy(report.StopNoNextPage), nil
	}
	if m.export && isTooRecent(next, f.At) {
		return nil, report.EndedBy(report.StopEndOfExport), nil
	}
	return m.at(j, next), nil, nil
}

// endOfLinks enters that there is no link, where counting expected one to that page;
// empty: it did not. Where a list has shrunk the answer has other links still.
func (m *Memory) endOfLinks(expected string, hasNone bool) {
	m.LastPage = ""
	if hasNone {
		m.LastPage = expected
		m.LinkMissing = expected != ""
	}
}

// At knows the pages up to the one that a header Link called the last.
func (m *responseURL) At(j *Job, s *State, k int) *Request {
	if s.Own.LastPage == "" {
		return nil
	}
	next, _ := counted(s.Asked.Endpoint, s.Own.LastPage, k-s.Pages-1)
	if next == "" {
		return nil
	}
	return m.at(j, next)
}

// addresses returns that of the next page, empty if there is none, and that of the
// last, if it is there.
func (m *responseURL) addresses(f *Facts) (next, last string, err error) {
	value := f.Values[0]
	if m.list != nil {
		value, err = m.list.choose(m.path, value)
	}
	text, _ := item.Text(value)
	switch {
	case err != nil:
	case evidence.IsLink(m.path):
		next, last, err = linked(text)
	case !item.True(value):
	case item.Kind(value) == '"':
		next = text
	default:
		err = fmt.Errorf("the response has %s at %s, and not the address of the next page",
			kindName(value), evidence.Place(m.path))
	}
	return m.target(next, f), m.target(last, f), err
}

func linked(header string) (next, last string, err error) {
	links, err := evidence.ParseLinks(header)
	nexts, lasts := evidence.Related(links, "next"), evidence.Related(links, "last")
	if err == nil && len(nexts) > 1 {
		err = fmt.Errorf("the header Link has two next pages, %s and %s: "+
			"page on in another way, such as by numbers", nexts[0], nexts[1])
	}
	if err != nil || len(nexts) == 0 {
		return "", "", err
	}
	if len(lasts) == 1 {
		last = lasts[0]
	}
	return nexts[0], last, nil
}

// target is an address as it is asked for: one in a header is relative to that of
// its page; see ownOrigin.
func (m *responseURL) target(address string, f *Facts) string {
	address = strings.TrimSpace(address)
	if address == "" {
		return ""
	}
	if evidence.IsHeader(m.path) && !m.paramIsQuery {
		address = evidence.Resolved(f.Address(), address)
	}
	if m.ownOrigin {
		return withoutOrigin(address)
	}
	return address
}

// withoutOrigin is an address without scheme, host and port, if it has them.
func withoutOrigin(address string) string {
	scheme, rest, hasHost := strings.Cut(address, "//")
	if !hasHost || strings.ContainsAny(scheme, "/?#") {
		return address
	}
	at := strings.IndexAny(rest, "/?#")
	if at < 0 {
		return "/"
	}
	return "/" + strings.TrimLeft(rest[at:], "/")
}

// choose returns the address in an array of links, null if none leads to a next
// page.
func (l *linkChoice) choose(path item.Path, links jsontext.Value) (jsontext.Value, error) {
	if item.Kind(links) == 'n' {
		return nil, nil
	}
	// The room page keeps this of what is too long.
	isTooLong := string(links) == "[null]"
	if isTooLong || item.Kind(links) != '[' {
		return nil, fmt.Errorf("the response has %s at %s, and not a short array of links",
			kindName(links), evidence.Place(path))
	}
	for element := range item.Elements(links) {
		if !l.where.Match(element) {
			continue
		}
		value := item.Find(element, l.value)
		if value == nil {
			return nil, fmt.Errorf("the link in %s for which %s holds has nothing at %s",
				evidence.Place(path), l.text, l.value)
		}
		return value, nil
	}
	return nil, nil
}

// mayRepeat: the last items of an export of Zendesk come again.
func (m *responseURL) mayRepeat() bool { return m.export }

func (m *responseURL) follows(list item.Path, element []byte) bool {
	return m.list != nil && m.path.String() == list.String() && m.list.where.Match(element)
}

func (m *responseURL) at(j *Job, next string) *Request {
	if m.paramIsQuery {
		return j.request(m.own(j), query(j.Method, next))
	}
	r := j.request(m.own(j), nil)
	r.Endpoint, r.Shown, r.Given = next, "", true
	return r
}

// query reads a query as it stands; for a body of JSON name[] is an element of a
// list.
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
		if list {
			elements := slices.Collect(item.Elements(all.Get(name)))
			all = all.Set(request.Param{Name: name, Value: arrayOf(append(elements, value))})
		} else {
			all = append(all, request.Param{Name: name, Value: value})
		}
	}
	return all
}

// tooRecent is how old a start_time must be to be asked for.
const tooRecent = 6 * time.Minute

// newZendesk makes [responseURL] for exports of Zendesk, whose last page has a next
// address that the API refuses as too recent.
func newZendesk(o *config.ObjectDecoder, env Env, p *config.Problems) Method {
	m := newResponseURL(o, env, p).(*responseURL)
	m.export = true
	return m
}

// isTooRecent tells whether the API refuses an address of an export.
func isTooRecent(address string, now time.Time) bool {
	start, ok := startTime(address)
	return ok && now.Sub(start) < tooRecent
}

// startTime reads the parameter start_time of an address, or of a query.
func startTime(address string) (time.Time, bool) {
	query, _, _ := strings.Cut(address[strings.IndexByte(address, '?')+1:], "#")
	// What of it can be read is enough.
	values, _ := url.ParseQuery(query)
	seconds, err := strconv.ParseInt(values.Get("start_time"), 10, 64)
	return time.Unix(seconds, 0), err == nil
}
