package suggest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
)

// The ways that follow a link or a cursor that the answer has.

// mostLeading are how many signs that lead on are looked at.
const mostLeading = 8

// leading are the first of the signs that lead on.
func (f *follower) leading() (all []evidence.Sign) {
	leadsOn := []evidence.Says{evidence.Link, evidence.Cursor, evidence.Onward}
	for _, s := range f.signs {
		if len(all) == mostLeading {
			break
		}
		if slices.Contains(leadsOn, s.Says) {
			all = append(all, s)
		}
	}
	return all
}

// byLinks are the ways that follow a link or cursor; with a name that parameter takes
// what is no address.
func (f *follower) byLinks(param string) (all []Proposal) {
	for _, s := range f.leading() {
		all = append(all, f.byLink(s, param))
	}
	return all
}

// byOwnNames are the ways that send a token by its own name, as Zoom has it, or all
// that stands beside one in an object that leads on, as in MediaWiki's "continue", or one
// of that.
func (f *follower) byOwnNames() (all []Proposal) {
	for _, s := range f.leading() {
		tokens := f.beside(s)
		if len(tokens) > 0 {
			all = append(all, f.byMembers(s))
		}
		// A number counts, and so is no member's own.
		isToken := s.Path != nil && item.Kind(s.Value) == '"'
		if isToken {
			tokens = append(tokens, s)
		}
		for _, token := range tokens {
			all = append(all, f.byLink(token, memberOf(token)))
		}
	}
	return all
}

// byMembers sends each member of the object around a sign by its name.
func (f *follower) byMembers(s evidence.Sign) Proposal {
	above := s.Path[:len(s.Path)-1]
	hasDot := func(step string) bool { return strings.Contains(step, ".") }
	if slices.ContainsFunc(above, hasDot) {
		return Proposal{}
	}
	o := item.ObjectBuilder{
		"method", quoted("response.param"),
		"responseParam", quoted(strings.Join(above, ".")),
	}
	o = o.With(len(f.Job.Params) > 0, "includeParams", "true")
	return Proposal{Pagination: append(o, f.end(s)...).String()}
}

// beside are the texts and numbers beside a sign, if the object around them leads on
// by its name.
func (f *follower) beside(s evidence.Sign) (all []evidence.Sign) {
	above := len(s.Path) - 1
	isInLink := above > 0 && s.Where == ""
	if !isInLink || !evidence.LeadsOn(s.Path[above-1]) {
		return nil
	}
	for quoted, value := range item.Members(f.at(s.Path[:above])) {
		kind := item.Kind(value)
		isScalar := kind == '"' || kind == '0'
		name := item.Unquote(quoted)
		if !isScalar || name == memberOf(s) {
			continue
		}
		other := s
		other.Path = append(slices.Clone(s.Path[:above]), name)
		other.At, other.Value = other.Path.String(), value
		all = append(all, other)
	}
	return all
}

// byLink follows a link or cursor, which that parameter takes if it is no address; without a name its own tells which one
// does. The way is empty if that cannot be.
func (f *follower) byLink(s evidence.Sign, param string) Proposal {
	if s.Own || !f.canName(s) {
		return Proposal{}
	}
	o := f.following(s, param)
	if o == nil {
		return Proposal{}
	}
	end := f.end(s)
	hasOwnEnd := isStandard(s) || f.back(s) == leadsNowhere
	isOpen := end == nil && !hasOwnEnd
	return Proposal{Pagination: append(o, end...).String(), Open: isOpen}
}

// canName tells whether an option can name where the sign stands: by an index, too, where dataField has the same one.
func (f *follower) canName(s evidence.Sign) bool {
	if s.Named() {
		return true
	}
	field := item.ParsePath(f.Facts.Field, ".")
	same := 0
	for same < min(len(field), len(s.Path)-1) && field[same] == s.Path[same] {
		same++
	}
	s.Path = s.Path[same:]
	return s.Where == "" && s.Dotted()
}

// following is the pagination, without its end, that follows an address, or sends a value as a parameter; nil if that
// cannot be.
func (f *follower) following(s evidence.Sign, param string) item.ObjectBuilder {
	text := textOf(s)
	isQuery, isAddress := kindOf(evidence.Normal(memberOf(s)), text)
	isLinkHeader := s.At == "Link" && s.Path == nil
	switch {
	case isAddress, isLinkHeader:
		return f.byAddress(s, text)
	case isQuery:
		return byURL(s).With(true, "paramIsQuery", "true")
	case s.Where != "":
		return nil
	}
	return f.byParameter(s, param)
}

// textOf is the text of what leads on.
func textOf(s evidence.Sign) string {
	text, _ := item.Text(s.Value)
	return strings.TrimSpace(strings.TrimPrefix(text, evidence.LinkPrefix))
}

// kindOf tells whether the next page is asked for with a value as a query, or as
// an address; else it is a token.
func kindOf(name, text string) (isQuery, isAddress bool) {
	for _, token := range []string{"token", "cursor", "marker"} {
		if strings.HasSuffix(name, token) {
			return false, false
		}
	}
	if strings.HasPrefix(text, "?") || isPairs(text) {
		return true, false
	}
	if strings.HasPrefix(text, "/") || strings.Contains(text, "://") {
		return false, true
	}
	return false, strings.Contains(text, "?")
}

// isPairs tells whether a text is a query without its question mark.
func isPairs(text string) bool {
	param, _, isPair := strings.Cut(text, "=")
	if !isPair || strings.ContainsAny(text, "/?") {
		return false
	}
	return strings.Contains(text, "&") || evidence.Is(param, evidence.Counter)
}

// byAddress is the pagination by an address.
func (f *follower) byAddress(s evidence.Sign, text string) item.ObjectBuilder {
	lacks, ok := f.lacksParams(text)
	if !ok {
		return nil
	}
	return byURL(s).With(lacks, "includeParams", "true")
}

// byURL is the pagination by an address, or a query, that stands where the sign
// does.
func byURL(s evidence.Sign) item.ObjectBuilder {
	o := item.ObjectBuilder{"method", quoted("response.url")}
	if len(s.Path) == 0 {
		return append(o, "urlHeader", quoted(s.At))
	}
	if s.Where == "" {
		return append(o, "urlKey", quoted(s.At))
	}
	list := s.Path[:len(s.Path)-2]
	choice := item.ObjectBuilder{
		"path", quoted(strings.Join(list, ".")),
		"where", quoted(s.Where),
		"value", quoted(memberOf(s)),
	}
	return append(o, "urlKey", choice.String())
}

// addresses are the one that the answer was asked for with, and the one of the next page; not ok if one of them is none.
func (f *follower) addresses(link string) (asked, next *url.URL, ok bool) {
	address := f.Facts.Address()
	asked, err1 := url.Parse(address)
	next, err2 := url.Parse(evidence.Resolved(address, link))
	return asked, next, err1 == nil && err2 == nil
}

// lacksParams tells whether an address that counts pages or items lacks parameters
// of the job, and has none of another value; one of another path, or with a cursor,
// stands for the whole request. It is not ok if it lacks the path's beginning.
func (f *follower) lacksParams(link string) (lacks, ok bool) {
	asked, next, ok := f.addresses(link)
	if !ok {
		return false, false
	}
	isSamePath := next.Path == asked.Path
	isTail := !isSamePath && strings.HasSuffix(asked.Path, next.Path)
	if isTail && strings.HasPrefix(link, "/") {
		return false, false
	}
	query := next.Query()
	if f.hasCursor(query) {
		return false, true
	}
	for _, p := range f.Job.Params {
		text, _ := item.Text(p.Value)
		switch {
		case !query.Has(p.Name):
			lacks = true
		case query.Get(p.Name) != text:
			return false, true
		}
	}
	return lacks && isSamePath, true
}

// hasCursor tells whether a query has what is neither a number nor a parameter of
// the job.
func (f *follower) hasCursor(query url.Values) bool {
	for name := range query {
		_, err := strconv.Atoi(query.Get(name))
		if err != nil && !f.Job.Params.Has(name) {
			return true
		}
	}
	return false
}

// byParameter is the pagination that sends a value as a parameter.
func (f *follower) byParameter(s evidence.Sign, param string) item.ObjectBuilder {
	name := f.parameter(s, param)
	if name == "" {
		return nil
	}
	option := "responseParam"
	if len(s.Path) == 0 {
		option = "responseHeader"
	}
	o := item.ObjectBuilder{
		"method", quoted("response.param"),
		option, quoted(s.At),
		"queryParam", name,
	}
	return o.With(len(f.Job.Params) > 0, "includeParams", "true")
}
