package paginate

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/request"
)

// Names of numbers that say where a page is, as normal writes them.
var (
	pageNames   = []string{"page", "pagenumber", "currentpage", "number"}
	offsetNames = []string{"offset", "skip", "start", "startat", "startindex"}
	sizeNames   = []string{"limit", "size", "perpage", "pagesize", "maxresults"}
)

// follower finds the api.pagination that would follow what an answer says
// (docs/decisions.md, section 10).
type follower struct {
	paging  *Paging // that is configured
	job     *Job
	facts   *Facts
	signs   []Sign
	numbers []pageNumber // what is sure first
}

// A pageNumber is a number by which a page is asked for.
type pageNumber struct {
	name  string
	value int64 // of the page at hand
}

// follow returns the pagination as JSON, empty if none is known. Where a page begins
// is known of the first one only.
func follow(p *Paging, s *State, j *Job, f *Facts, signs []Sign, stop *pipeline.Stop) string {
	w := &follower{paging: p, job: j, facts: f, signs: signs}
	for _, sign := range signs {
		if sign.Own || !sign.named() || sign.Says != Link && sign.Says != Cursor {
			continue
		}
		if found := w.value(sign); found != "" {
			return found
		}
	}
	short := w.short(s, stop)
	if s.Pages != 1 || f.Items == 0 || short != "" && s.Total > s.Items+s.Skipped {
		return short
	}
	return cmp.Or(w.numbered(s), short, w.lastItem())
}

// short pages on after a short page, by the pagination that is configured. Where the first
// page is short, the API has a smaller page size, and an offset that grows by the items
// loses none; where a later one is, items were filtered out of it.
func (w *follower) short(s *State, stop *pipeline.Stop) string {
	n, added := w.paging.node, option{"emptyStop", "true"}
	if w.paging.byOffset() && s.Pages == 1 {
		added = option{"advance", quoted("items")}
	}
	if stop.Reason != Underflow || w.facts.Items == 0 || n.Member(added.name) != nil {
		return ""
	}
	var o options
	for _, m := range n.Members {
		compact, _ := item.Compact(nil, m.Value.Raw)
		o = append(o, option{m.Name, string(compact)})
	}
	return append(o, added).json()
}

// lastItem asks for what comes after the last item, where a flag says that there is more.
func (w *follower) lastItem() string {
	flag := w.flag()
	if !w.facts.ID || !slices.ContainsFunc(w.signs, func(s Sign) bool { return len(s.path) == 1 && strings.HasPrefix(normalized(s.At), "hasmore") }) {
		return ""
	}
	o := options{{"method", quoted("cursor")}, {"idKey", quoted("id")}, {"param", quoted("starting_after")}, {"take", quoted("last")}}
	return append(o, flag...).json()
}

// signPath is where a sign stands; nil: in a header.
type signPath item.Path

// dotted tells whether an option can name the path: not an index in a list, since the
// order of links changes, and no dot in one of several names.
func (p signPath) dotted() bool {
	return len(p) == 1 || len(p) > 1 && !slices.ContainsFunc(p, func(step string) bool {
		_, err := strconv.Atoi(step)
		return err == nil || strings.Contains(step, ".") || step == "*"
	})
}

// named tells whether an option can name where the sign stands.
func (s *Sign) named() bool {
	if n := len(s.path) - 2; s.where != "" {
		return s.path[:n].dotted() && !strings.Contains(s.path[n+1], ".")
	}
	return s.path == nil || s.path.dotted()
}

// value follows an address, or a value that is sent as a parameter; empty if this
// cannot be done.
func (w *follower) value(s Sign) string {
	text, _ := item.Text(s.Value)
	text = strings.TrimSpace(strings.TrimPrefix(text, linkPrefix))
	last, address, param := s.At, option{"urlHeader", quoted(s.At)}, option{"responseHeader", quoted(s.At)}
	if n := len(s.path) - 1; n >= 0 {
		last, address, param = s.path[n], option{"urlKey", quoted(s.At)}, option{"responseParam", quoted(s.At)}
		if s.where != "" {
			address.json = options{{"path", quoted(strings.Join(s.path[:n-1], "."))}, {"where", quoted(s.where)}, {"value", quoted(last)}}.json()
		}
	}
	kind := linkKind(normalized(last), text)
	if s.At == "Link" && s.path == nil {
		kind = isAddress
	}
	switch {
	case kind == isQuery:
		return options{{"method", quoted("response.url")}, address, {"paramIsQuery", "true"}}.json()
	case kind == isAddress && w.leadsAstray(text):
		return ""
	case kind == isAddress:
		return w.withParams(options{{"method", quoted("response.url")}, address}, w.lacksParams(text)).json()
	case s.where != "":
		return ""
	}
	name := quoted(parameter(last, item.Kind(s.Value) == '0'))
	switch n := normalized(last); {
	case n == "nextcursor" && w.job.Params.Has("page_size"): // as Notion
		name = quoted("start_cursor")
	case n == "nextpagetoken" && slices.ContainsFunc(w.signs, func(s Sign) bool { return s.At == "isLast" }): // as Jira
		name = quoted(last)
	}
	if w.job.Method == request.Post && w.job.Params.Has("query") && normalized(last) == "endcursor" {
		variable := afterVariable.FindSubmatch(w.job.Params.Get("query"))
		if variable == nil {
			return "" // GraphQL, and the query does not take it
		}
		name = `["variables", ` + quoted(string(variable[1])) + `]`
	} else if m, ok := w.paging.method.(*responseParam); ok && len(m.queryParam) == 1 && m.queryParam[0] != "page" { // else it is the default
		name = quoted(m.queryParam[0])
	}
	o := options{{"method", quoted("response.param")}, param, {"queryParam", name}}
	o = w.withParams(o, len(w.job.Params) > 0)
	return append(o, w.flag()...).json() // some give a cursor at the end too
}

// afterVariable matches where a GraphQL query takes the cursor from a variable.
var afterVariable = regexp.MustCompile(`\bafter\s*:\s*\$(\w+)`)

const (
	isToken = iota
	isAddress
	isQuery
)

// linkKind says how the next page is asked for with a value.
func linkKind(name, text string) int {
	param, _, pair := strings.Cut(text, "=")
	switch {
	case strings.HasSuffix(name, "token"), strings.HasSuffix(name, "cursor"), strings.HasSuffix(name, "marker"):
		return isToken
	case strings.HasPrefix(text, "?"), pair && !strings.ContainsAny(text, "/?") && (strings.Contains(text, "&") || classOf(param)&counter != 0):
		return isQuery
	case strings.Contains(text, "://"), strings.HasPrefix(text, "/"), strings.Contains(text, "?"):
		return isAddress
	}
	return isToken
}

// leadsAstray tells whether an address lacks the beginning of the path that was asked
// for: some APIs leave their prefix out.
func (w *follower) leadsAstray(link string) bool {
	asked, err1 := url.Parse(w.facts.Address)
	to, err2 := url.Parse(strings.TrimSpace(link))
	return err1 != nil || err2 != nil || to.Host == "" && strings.HasPrefix(to.Path, "/") && to.Path != asked.Path && strings.HasSuffix(asked.Path, to.Path)
}

// lacksParams tells whether an address that counts pages or items lacks parameters of the
// job, and has none of another value, which they would override. An address of another path,
// or with a cursor, stands for the whole request, and some APIs refuse parameters beside it.
func (w *follower) lacksParams(link string) bool {
	asked, _ := url.Parse(w.facts.Address) // both can be read: see leadsAstray
	to, _ := asked.Parse(strings.TrimSpace(link))
	query, lacks := to.Query(), false
	for name := range query {
		if _, err := strconv.Atoi(query.Get(name)); err != nil && !w.job.Params.Has(name) {
			return false
		}
	}
	for _, p := range w.job.Params {
		text, _ := item.Text(p.Value)
		if !query.Has(p.Name) {
			lacks = true
		} else if query.Get(p.Name) != text {
			return false
		}
	}
	return lacks && to.Path == asked.Path
}

func (w *follower) withParams(o options, include bool) options {
	if include {
		o = append(o, option{"includeParams", "true"})
	}
	return o
}

// parameter guesses which parameter takes the value of a member: next_cursor is that
// of cursor, nextPageToken that of pageToken.
func parameter(member string, number bool) string {
	switch name := normalized(member); {
	case name == "next" && number, name == "xnextpage":
		return "page"
	case name == "xmscontinuationtoken":
		return "continuationToken"
	case name == "next":
		return "cursor"
	case name == "nextpagestart":
		return "start"
	case name == "endcursor":
		return "after"
	case name == "nexttoken":
		return member
	}
	rest := strings.TrimLeft(strings.TrimPrefix(member, "next"), "_-")
	if rest == "" || rest == member {
		return member
	}
	return strings.ToLower(rest[:1]) + rest[1:]
}

// numbered counts pages or items, where the answer shows which parameters do.
func (w *follower) numbered(s *State) string {
	if !w.fromLinks() {
		return ""
	}
	w.fromRequest(s.Asked)
	for _, m := range w.facts.Around {
		w.fromAnswer(m, 0)
	}
	items := strconv.Itoa(w.facts.Items)
	size := w.number(sizeNames)
	where := w.number(pageNames, offsetNames)
	if where == nil {
		return ""
	}
	limitParam := "limit"
	if size != nil {
		limitParam = size.name
	}
	if own, _, _ := effectiveLimit(w.job, item.Path{limitParam}, int64(w.facts.Items)); own != int64(w.facts.Items) {
		return "" // the job asks for another size than it gets
	}
	limit := options{{"limit", items}}
	if limitParam != "limit" {
		limit = append(limit, option{"limitParam", quoted(limitParam)})
	}
	var o options
	if slices.Contains(pageNames, normalized(where.name)) {
		o = options{{"method", quoted("pagenum")}}
		if size != nil {
			o = append(o, limit...)
		}
		if name := pageParam(where.name); name != "page" {
			o = append(o, option{"pageParam", quoted(name)})
		}
		if where.value != 1 {
			o = append(o, option{"firstPage", strconv.FormatInt(where.value, 10)})
		}
	} else {
		o = append(options{{"method", quoted("offset")}}, limit...)
		if where.name != "offset" {
			o = append(o, option{"offsetParam", quoted(where.name)})
		}
		switch {
		case where.value == 0:
		case w.job.Params.Has(where.name):
			o = append(o, option{"offsetFromJob", "true"})
		default: // it counts from another number than 0
			return ""
		}
	}
	return append(o, w.end(s)...).json()
}

// pageParam guesses the parameter that takes a page's number.
func pageParam(name string) string {
	if n := normalized(name); n == "currentpage" || n == "number" {
		return "page"
	}
	return name
}

// end is the stop condition that the answer allows.
func (w *follower) end(s *State) options {
	if flag := w.flag(); flag != nil {
		return flag
	}
	for _, sign := range w.signs {
		if sign.Says == Total && sign.path.dotted() && s.Skipped == 0 {
			return options{{"limitStop", options{{"field", quoted(sign.At)}}.json()}}
		}
	}
	return nil
}

// flag is the member that says that there is more; nil if there is none.
func (w *follower) flag() options {
	for _, sign := range w.signs {
		if sign.Says == More && sign.path.dotted() {
			stopOn := strconv.FormatBool(classOf(sign.path[len(sign.path)-1])&noMoreFlag != 0)
			return options{{"nextPageFlag", options{{"field", quoted(sign.At)}, {"stopOn", stopOn}}.json()}}
		}
	}
	return nil
}

// number returns the first number whose name is in one of the families.
func (w *follower) number(families ...[]string) *pageNumber {
	for i, n := range w.numbers {
		if slices.ContainsFunc(families, func(names []string) bool { return slices.Contains(names, normalized(n.name)) }) {
			return &w.numbers[i]
		}
	}
	return nil
}

// fromLinks takes the numbers from the addresses that cannot be followed as such. It
// returns false if one has no number that says where the next page is.
func (w *follower) fromLinks() bool {
	for _, s := range w.signs {
		if s.Says != Link || s.Own {
			continue
		}
		text, _ := item.Text(s.Value)
		_, query, _ := strings.Cut(text, "?")
		query, _, _ = strings.Cut(query, "#")
		for _, p := range request.ParseQuery(query) {
			_, value, _ := strings.Cut(p.Raw, "=")
			n, err := strconv.ParseInt(value, 10, 64)
			switch name := normalized(p.Name); {
			case err != nil:
				continue
			case slices.Contains(pageNames, name):
				n--
			case slices.Contains(offsetNames, name):
				n -= int64(w.facts.Items)
			}
			w.numbers = append(w.numbers, pageNumber{p.Name, n})
		}
		if w.number(pageNames, offsetNames) == nil {
			return false
		}
	}
	return true
}

// fromRequest takes the numbers that were asked for.
func (w *follower) fromRequest(r *Request) {
	_, query, _ := strings.Cut(r.Endpoint, "?")
	for _, p := range slices.Concat(r.Params, request.ParseQuery(query)) {
		value := p.Value
		if value == nil {
			_, text, _ := strings.Cut(p.Raw, "=")
			value = []byte(text)
		}
		if n, ok := integer(value); ok {
			w.numbers = append(w.numbers, pageNumber{p.Name, n})
		}
	}
}

// fromAnswer takes the numbers that the answer repeats, those in a container too.
func (w *follower) fromAnswer(m item.Found, depth int) {
	last := m.Path[len(m.Path)-1]
	if n, ok := integer(m.Value); ok {
		w.numbers = append(w.numbers, pageNumber{last, n})
	}
	if item.Kind(m.Value) != '{' || classOf(last)&container == 0 || depth == 2 {
		return
	}
	for name, value := range item.Members(m.Value) {
		w.fromAnswer(item.Found{Path: item.Path{item.Unquote(name)}, Value: value}, depth+1)
	}
}

// options are members of an object, in order.
type options []option

type option struct{ name, json string }

func (o options) json() string {
	all := make([]string, len(o))
	for i, m := range o {
		all[i] = quoted(m.name) + ": " + m.json
	}
	return "{" + strings.Join(all, ", ") + "}"
}

func quoted(text string) string { return string(item.Quote(text)) }

// chosenEnd tells whether a person chose that the walk ends so.
func chosenEnd(stop *pipeline.Stop) bool {
	switch stop.Reason {
	case LimitStopCount, ForceStopPages, ForceStopTime, ForceStopVolume:
		return true
	}
	return false
}

func normalized(name string) string { return string(normal(nil, name)) }
