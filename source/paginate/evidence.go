package paginate

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// A Sign is a place in an answer, beside its items, that tells whether there is more
// (docs/decisions.md, section 10).
type Sign struct {
	Says  Says
	At    string         // a path such as paging.next, or the name of a header
	Value jsontext.Value // compact JSON; may hold a secret, and may be cut
	Own   bool           // the method, or a stop condition on a number of items, reads it: no evidence
	Total int64          // of Total

	header bool
}

// Says is what a sign says.
type Says int

// What signs say.
const (
	More   Says = iota // a flag: there is more
	NoMore             // a flag: there is no more
	Link               // what leads to the next page is there
	Cursor             // a cursor that some APIs also give at the end
	Total              // how many items there are
)

// nameLimit is the length of the longest name that is looked at, quotes aside.
const nameLimit = 40

// The names of signs, as normal writes them.
var (
	containers = set("links", "paging", "pagination", "page", "pages", "pageinfo", "pagecontext", "meta", "metadata",
		"responsemetadata", "resultinfo", "info", "additionaldata", "urls")
	moreFlags   = set("istruncated", "exceededtransferlimit")
	noMoreFlags = set("islast", "islastpage", "lastpage", "last", "done", "endofstream")
	links       = set("next", "nextpage", "nexturl", "nextlink", "nextpageuri", "nextpageurl", "nextrecordsurl", "nextcursor",
		"nexttoken", "nextpagetoken", "nextoffset", "nextstart", "nextpagestart", "nextmarker", "continue",
		"continuationtoken", "endcursor", "@odata.nextlink", "odata.nextlink")
	inLinks = set("href", "url", "uri", "link", "$ref", "path", "after", "startingafter", "startafter", "cursor", "token", "pagetoken",
		"offset", "skip", "start", "page", "pagenumber", "marker", "value")
	cursors = set("cursor", "after", "offset", "marker")
	totals  = set("total", "totalcount", "totalresults", "totalitems", "totalrecords", "totalelements", "totalentries", "totalsize")
	// A bare total means items where one of these is beside it.
	counters = set("limit", "offset", "skip", "start", "page", "size", "count", "perpage", "pagesize", "maxresults",
		"startat", "startindex", "currentpage", "pagenumber", "itemsperpage")
	errorNames = set("error", "errors", "errormessage", "fault", "ok", "success", "status")

	linkHeaders  = []string{"X-Next-Page", "X-Ms-Continuationtoken"}
	totalHeaders = []string{"X-Total-Count", "X-Total", "X-Wp-Total"}
)

// Headers are those of an answer that are looked at.
func Headers() []string { return slices.Concat([]string{"Link"}, linkHeaders, totalHeaders) }

func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

// Notable tells whether a member beside the items is wanted as [Facts].Around.
func Notable(quoted []byte) bool {
	if len(quoted) > nameLimit+2 {
		return false
	}
	var buf [nameLimit + 2]byte
	name := string(normal(buf[:0], quoted[1:len(quoted)-1]))
	return containers[name] || links[name] || flag(name) || totals[name] || counters[name] || errorNames[name] || cursors[name] || name == "link" || name == "before"
}

// normal appends a name without case, _ and -.
func normal(dst, name []byte) []byte {
	for _, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c != '_' && c != '-':
			dst = append(dst, c)
		}
	}
	return dst
}

func normalized(name string) string { return string(normal(nil, []byte(name))) }

func flag(name string) bool {
	return strings.HasPrefix(name, "hasmore") || strings.HasPrefix(name, "hasnext") || strings.HasPrefix(name, "more") || moreFlags[name] || noMoreFlags[name]
}

// Signs lists what an answer says about what follows, in the order of the answer.
func (p *Paging) Signs(f *Facts) []Sign {
	l := &looker{paging: p, facts: f}
	if f.Array {
		for _, m := range f.Around {
			l.member(m, slices.ContainsFunc(f.Around, func(o item.Found) bool {
				return len(o.Path) == len(m.Path) && slices.Equal(o.Path[:len(o.Path)-1], m.Path[:len(m.Path)-1]) && counters[normalized(o.Path[len(o.Path)-1])]
			}), 0)
		}
	}
	for _, value := range f.Header.Values("Link") {
		if next := nextLink(value); next != "" && !l.ownAddress(next) {
			l.header(Link, "Link", `rel="next" `+next, 0)
		}
	}
	for _, name := range linkHeaders {
		if value := strings.TrimSpace(f.Header.Get(name)); value != "" && value != "0" && value != "-1" {
			l.header(Link, name, value, 0)
		}
	}
	for _, name := range totalHeaders {
		if n, err := strconv.ParseInt(strings.TrimSpace(f.Header.Get(name)), 10, 64); err == nil {
			l.header(Total, name, strconv.FormatInt(n, 10), n)
		}
	}
	return l.signs
}

// looker looks for signs in one answer.
type looker struct {
	paging *Paging
	facts  *Facts
	signs  []Sign
}

func (l *looker) header(says Says, name, value string, total int64) {
	l.signs = append(l.signs, Sign{Says: says, At: name, Value: item.Quote(value), Total: total, header: true})
}

func (l *looker) add(says Says, path item.Path, value jsontext.Value, total int64) {
	at := path.String()
	own := func(p item.Path) bool { return p.String() == at }
	l.signs = append(l.signs, Sign{
		Says: says, At: at, Value: value, Total: total,
		Own: slices.ContainsFunc(l.paging.method.Needs().Values, own) || slices.ContainsFunc(l.paging.stops, func(s stops) bool { return s.limitField != nil && own(s.limitField) }),
	})
}

// member looks at a member of an object on the way to the items, or of a container
// that deep. counted: it has a member beside it that makes a bare total one of items.
func (l *looker) member(m item.Found, counted bool, depth int) {
	name, kind := normalized(m.Path[len(m.Path)-1]), item.Kind(m.Value)
	inside := func(name []byte, value []byte) item.Found {
		return item.Found{Path: append(slices.Clone(m.Path), item.Unquote(name)), Value: value}
	}
	switch {
	case links[name]:
		if m, ok := l.link(m); ok {
			l.add(Link, m.Path, m.Value, 0)
			return
		}
	case flag(name):
		if says, ok := truth(m.Value); ok {
			if noMoreFlags[name] == says {
				l.add(NoMore, m.Path, m.Value, 0)
			} else {
				l.add(More, m.Path, m.Value, 0)
			}
		}
	case totals[name] && (name != "total" || depth > 0 || counted || kind == '{'):
		value := m.Value
		if kind == '{' && item.Lookup(value, item.Path{"relation"}) != nil { // Elasticsearch
			value = item.Lookup(value, item.Path{"value"})
		}
		if d, ok := expr.DecimalOf(value); ok {
			if n, ok := d.Int(); ok && n >= 0 {
				l.add(Total, m.Path, value, n)
			}
		}
	case cursors[name] && kind == '"' && leads(m.Value) && (name != "after" || depth > 0 || l.beside(m.Path, "before")):
		if _, number := expr.DecimalOf(m.Value); !number {
			l.add(Cursor, m.Path, m.Value, 0)
		}
	}
	switch {
	case kind == '[' && (name == "links" || name == "link"):
		l.list(m)
	case kind == '{' && containers[name] && depth < 2:
		for name, value := range item.Members(m.Value) {
			l.member(inside(name, value), true, depth+1)
		}
	}
}

// beside tells whether the object of path has a member called name.
func (l *looker) beside(path item.Path, name string) bool {
	return slices.ContainsFunc(l.facts.Around, func(o item.Found) bool {
		return len(o.Path) == len(path) && slices.Equal(o.Path[:len(o.Path)-1], path[:len(path)-1]) && normalized(o.Path[len(o.Path)-1]) == name
	})
}

// list looks at a list of links, in which each names its relation.
func (l *looker) list(m item.Found) {
	i := -1
	for element := range item.Elements(m.Value) {
		i++
		for _, relation := range []string{"rel", "relation"} {
			if text, _ := item.Text(item.Lookup(element, item.Path{relation})); text != "next" {
				continue
			}
			for _, name := range []string{"href", "url", "uri"} {
				at := item.Found{Path: append(slices.Clone(m.Path), strconv.Itoa(i), name), Value: item.Lookup(element, item.Path{name})}
				if at.Value != nil && l.leads(at) {
					l.add(Link, at.Path, at.Value, 0)
				}
			}
		}
	}
}

// link returns what leads to the next page: a text, a number, or that in an object.
func (l *looker) link(m item.Found) (item.Found, bool) {
	if item.Kind(m.Value) != '{' {
		return m, l.leads(m)
	}
	for name, value := range item.Members(m.Value) {
		in := item.Found{Path: append(slices.Clone(m.Path), item.Unquote(name)), Value: value}
		if n := normalized(in.Path[len(in.Path)-1]); (inLinks[n] || links[n]) && l.leads(in) {
			return in, true
		}
	}
	return m, false
}

// leads tells whether a value may lead to another page.
func (l *looker) leads(m item.Found) bool {
	text, _ := item.Text(m.Value)
	return leads(m.Value) && !l.ownAddress(text)
}

func leads(value []byte) bool {
	switch item.Kind(value) {
	case '"':
		text := strings.TrimSpace(item.Unquote(value))
		return text != "" && text != "0" && text != "-1"
	case '0':
		d, ok := expr.DecimalOf(value)
		return ok && d.CompareInt(0) > 0
	}
	return false
}

// ownAddress tells whether a link leads to the page that it stands in.
func (l *looker) ownAddress(link string) bool {
	asked, err := url.Parse(l.facts.Address)
	if err != nil || l.facts.Address == "" {
		return false
	}
	to, err := asked.Parse(strings.TrimSpace(link))
	if err != nil || !strings.ContainsAny(link, "/?") {
		return false
	}
	asked.Fragment, to.Fragment = "", ""
	return to.Scheme == asked.Scheme && to.Host == asked.Host && to.EscapedPath() == asked.EscapedPath() && to.Query().Encode() == asked.Query().Encode()
}

// truth reads a boolean, or the text of one.
func truth(value []byte) (is, ok bool) {
	switch text := strings.ToLower(string(bytes.Trim(value, `"`))); text {
	case "true", "false":
		return text == "true", true
	}
	return false, false
}

// nextLink returns the target whose relation is next of a header Link (RFC 8288).
func nextLink(header string) string {
	for rest := header; ; {
		_, after, found := strings.Cut(rest, "<")
		if !found {
			return ""
		}
		target, params, _ := strings.Cut(after, ">")
		params, rest = parameters(params)
		next, none := false, false
		for param := range strings.SplitSeq(params, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
			value = strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`))
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "rel":
				next = slices.Contains(strings.Fields(value), "next")
			case "results": // Sentry gives a link even where nothing follows
				none = value == "false"
			}
		}
		if next && !none {
			return target
		}
	}
}

// parameters splits what follows a target at the comma before the next link.
func parameters(text string) (params, rest string) {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// weigh says what the last answer of a walk says against its end.
func (p *Paging) weigh(s *State, f *Facts, out *Outcome) {
	signs := p.Signs(f)
	s.remember(signs)
	reason := ""
	if out.Stop != nil {
		reason = out.Stop.Reason
	}
	switch reason {
	case "", LimitStopCount, LimitStopField, ForceStopPages, ForceStopTime, ForceStopVolume: // it goes on, or a person chose the end
		return
	}
	if p.trustEnd {
		return
	}
	underflow := reason == Underflow || reason == EmptyPage
	came := s.Items + s.Skipped
	if !underflow || f.Items > 0 || s.Pages < 2 { // else the next page was asked for, and is empty
		out.More = p.strongest(signs, underflow, came)
	}
	own := slices.ContainsFunc(p.stops, func(st stops) bool { return st.limitField != nil && st.limitField.String() == s.TotalAt })
	if f.Root && !own && s.Total > came {
		out.warn(pipeline.Unverified, "%d items came%s where the answer says %d at %s", s.Items, skipped(s.Skipped), s.Total, s.TotalAt)
	}
}

func skipped(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" after the first %d", n)
}

// remember keeps the total of the last answer that had one: the greatest.
func (s *State) remember(signs []Sign) {
	first := true
	for _, sign := range signs {
		if sign.Says == Total && (first || sign.Total > s.Total) {
			s.Total, s.TotalAt, first = sign.Total, sign.At, false
		}
	}
}

// strongest returns the sign that there is more, nil if there is none, or if others
// beat it: a flag that says no more beats links, and so does a total that has been
// reached where the walk ended by underflow or an empty page.
func (p *Paging) strongest(signs []Sign, underflow bool, came int64) *Sign {
	find := func(says Says) *Sign {
		i := slices.IndexFunc(signs, func(s Sign) bool { return s.Says == says && (!s.Own || says == NoMore || says == Total) })
		if i < 0 {
			return nil
		}
		return &signs[i]
	}
	more, total := find(More), find(Total)
	switch {
	case more != nil:
		return more
	case find(NoMore) != nil, underflow && total != nil && total.Total <= came:
		return nil
	case find(Link) != nil:
		return find(Link)
	case underflow: // the method goes on without the cursor
		return nil
	}
	return find(Cursor)
}

// Verdict is what the sign means for a walk that has ended.
func (s *Sign) Verdict() pipeline.Verdict {
	if s.Says == Cursor {
		return pipeline.Unverified
	}
	return pipeline.Incomplete
}

// Warning quotes the sign, and names the option that would follow it. clean takes
// the secrets out of a text.
func (s *Sign) Warning(clean func(string) string) string {
	value := clean(string(s.Value))
	if len(value) > 120 {
		value = strings.ToValidUTF8(value[:120], "") + "…"
	}
	text := "the last answer says that there is more"
	if s.Says == Cursor {
		text = "the last answer has a cursor, which may lead to more"
	}
	text += ": " + s.At + " is " + value + "; "
	if follow := s.Follow(); follow != "" {
		text += "api.pagination " + follow + " would follow it"
	} else {
		text += "page on with api.pagination, such as pagenum or offset"
	}
	return text + "; if the API always says so, set trustEnd"
}

// Follow is the pagination, or the member of it, that would follow the sign, as JSON;
// empty if there is none.
func (s *Sign) Follow() string {
	q := func(text string) string { return string(item.Quote(text)) }
	last := s.At[strings.LastIndexByte(s.At, '.')+1:]
	text, _ := item.Text(s.Value)
	switch {
	case s.header:
		return ""
	case s.Says == More && last == s.At:
		return `{"nextPageFlag": {"field": ` + q(s.At) + `, "stopOn": ` + strconv.FormatBool(noMoreFlags[normalized(last)]) + `}}`
	case s.Says == Total:
		return `{"limitStop": {"field": ` + q(s.At) + `}}`
	case s.Says != Link && s.Says != Cursor:
		return ""
	case strings.Contains(text, "://"), strings.HasPrefix(text, "/"), strings.HasPrefix(text, "?"):
		return `{"method": "response.url", "urlKey": ` + q(s.At) + `}`
	}
	return `{"method": "response.param", "responseParam": ` + q(s.At) + `, "queryParam": ` + q(parameter(last)) + `}`
}

// parameter guesses which parameter takes the value of a member: next_cursor is that
// of cursor, nextPageToken that of pageToken.
func parameter(member string) string {
	rest := strings.TrimLeft(strings.TrimPrefix(member, "next"), "_-")
	if rest == "" || rest == member {
		return member
	}
	return strings.ToLower(rest[:1]) + rest[1:]
}

// Complaint returns the member on the way to the items that says that the answer is
// an error, nil if there is none (docs/decisions.md, section 10).
func Complaint(around []item.Found) *item.Found {
	for i, m := range around {
		name, kind := normalized(m.Path[len(m.Path)-1]), item.Kind(m.Value)
		text, _ := item.Text(m.Value)
		bad := false
		switch name {
		case "error", "errors", "errormessage", "fault":
			bad = item.True(m.Value)
		case "ok", "success":
			bad = kind == 'f'
		case "status":
			bad = kind == '"' && slices.Contains([]string{"error", "fail", "failed"}, strings.ToLower(text))
		}
		if bad {
			return &around[i]
		}
	}
	return nil
}

// IsError tells whether a member is called error or errors.
func IsError(path item.Path) bool {
	name := normalized(path[len(path)-1])
	return name == "error" || name == "errors"
}

// Near names the path among names that is nearest to one that leads nowhere, for a
// message; empty if none is near.
func Near(path item.Path, names []string) string {
	prefix := ""
	for _, step := range path {
		if slices.Contains(names, prefix+step) {
			prefix += step + "."
			continue
		}
		var here []string
		for _, name := range names {
			if rest, ok := strings.CutPrefix(name, prefix); ok && !strings.Contains(rest, ".") {
				here = append(here, rest)
			}
		}
		if best := config.Nearest(step, here); best != "" {
			return "; it has " + prefix + best
		}
		break
	}
	return ""
}

// skips returns how many items a first request skips by the job's own parameters. A
// greater number is a time.
func (r *Request) skips() int64 {
	for _, p := range r.Params {
		if n, ok := integer(p.Value); ok && n > 0 && n < 1e8 && slices.Contains([]string{"offset", "skip", "start", "startat"}, normalized(p.Name)) {
			return n
		}
	}
	return 0
}
