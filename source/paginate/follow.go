package paginate

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/request"
)

// A Way is an api.pagination that may lead to what is missing. Whether it does is
// not known before it was tried.
type Way struct {
	// Pagination is it, as JSON.
	Pagination string
	// Open tells that it follows what the answers give for as long as they do, which
	// some APIs do on their last page too.
	Open bool
	// Blind tells that it counts until a page has no items, which some APIs refuse.
	Blind bool
}

// Bounded is the pagination that an empty page ends.
func (w Way) Bounded() string {
	return strings.TrimSuffix(w.Pagination, "}") + `, "emptyStop": true}`
}

// follower finds the ways that follow what an answer says.
type follower struct {
	// paging is the one that is configured.
	paging *Paging
	job    *Job
	facts  *Facts
	signs  []evidence.Sign
	// numbers are those that may say where the page is; the first asked of them are
	// those of the request.
	numbers evidence.Numbers
	asked   int
	// first tells that the answer is that of the first page, and has items.
	first bool
	// skipped are the items before it.
	skipped int64
	// param takes what leads on; empty: the name of that tells it.
	param string
	// inQuery tells that parameters are put into the address, whatever the method.
	inQuery bool
}

// follow returns the ways that an answer shows, the best one first.
//
// An address that counts pages or items, beside the number of all of them, is not
// followed where counting does as well: that ends without one request too many, and
// can be read ahead, and some APIs give an address on their last page too. Where
// this one does not (its way back is there, and leads nowhere on the first page),
// following it is the best. Then what leads on comes before what only counts.
func follow(p *Paging, s *State, j *Job, f *Facts, signs []evidence.Sign, stop *report.Stop) []Way {
	w := &follower{paging: p, job: j, facts: f, signs: signs, skipped: s.Own.Skipped}
	w.first = s.Pages == 1 && f.Items > 0
	short := w.short(s, stop)
	isKnownShort := short.Pagination != "" && s.Seen.Whole.Items > s.Items+s.Own.Skipped
	var all ways
	if w.first && w.countsBest() {
		all.add(w.eachPart(s)[0])
	}
	for _, way := range w.leads("") {
		all.add(way)
	}
	for _, way := range w.byOwnNames() {
		all.add(way)
	}
	if !w.first || isKnownShort {
		all.add(short)
	}
	if !w.first {
		return all
	}
	for _, way := range w.eachPart(s) {
		all.add(way)
	}
	all.add(short)
	all.add(w.lastItem())
	// The name of the parameter that takes a cursor may be another one.
	for _, way := range w.leads("after") {
		all.add(way)
	}
	return all
}

// mostLeading are how many signs that lead on are looked at.
const mostLeading = 8

// leading are the first of the signs that lead on.
func (w *follower) leading() (all []evidence.Sign) {
	leadsOn := []evidence.Says{evidence.Link, evidence.Cursor, evidence.Onward}
	for _, s := range w.signs {
		if len(all) == mostLeading {
			break
		}
		if slices.Contains(leadsOn, s.Says) {
			all = append(all, s)
		}
	}
	return all
}

// leads are the ways that follow a link or cursor; with a name that parameter takes
// what is no address.
func (w *follower) leads(param string) (all []Way) {
	for _, sign := range w.leading() {
		w.param = param
		if way := w.sign(sign); way.Pagination != "" {
			all = append(all, way)
		}
	}
	w.param = ""
	return all
}

// byOwnNames are the ways that send a token by its own name, as Zoom has it, or all
// that stands beside one in an object that leads on, as in MediaWiki's "continue", or one
// of that.
func (w *follower) byOwnNames() (all []Way) {
	defer func() { w.param = "" }()
	for _, sign := range w.leading() {
		tokens := w.beside(sign)
		if len(tokens) > 0 {
			all = append(all, w.members(sign))
		}
		// A number counts, and so is no member's own.
		isToken := sign.Path != nil && item.Kind(sign.Value) == '"'
		if isToken {
			tokens = append(tokens, sign)
		}
		for _, s := range tokens {
			w.param = memberOf(s)
			if way := w.sign(s); way.Pagination != "" {
				all = append(all, way)
			}
		}
	}
	return all
}

// members sends each member of the object around a sign by its name.
func (w *follower) members(sign evidence.Sign) Way {
	above := sign.Path[:len(sign.Path)-1]
	isDotted := !slices.ContainsFunc(above, func(step string) bool { return strings.Contains(step, ".") })
	if !isDotted {
		return Way{}
	}
	o := item.Object{
		"method", quoted("response.param"),
		"responseParam", quoted(strings.Join(above, ".")),
	}
	o = o.With(len(w.job.Params) > 0, "includeParams", "true")
	return Way{Pagination: append(o, w.end(sign)...).String()}
}

// beside are the texts and numbers beside a sign, if the object around them leads on
// by its name.
func (w *follower) beside(sign evidence.Sign) (all []evidence.Sign) {
	above := len(sign.Path) - 1
	isInLink := above > 0 && sign.Where == ""
	if !isInLink || !evidence.LeadsOn(sign.Path[above-1]) {
		return nil
	}
	for quoted, value := range item.Members(w.facts.at(sign.Path[:above])) {
		kind := item.Kind(value)
		isScalar := kind == '"' || kind == '0'
		name := item.Unquote(quoted)
		if !isScalar || name == memberOf(sign) {
			continue
		}
		s := sign
		s.Path = append(slices.Clone(sign.Path[:above]), name)
		s.At, s.Value = s.Path.String(), value
		all = append(all, s)
	}
	return all
}

type ways []Way

// add adds a way, unless it is none, or is there already.
func (all *ways) add(way Way) {
	isThere := func(w Way) bool { return w.Pagination == way.Pagination }
	if way.Pagination != "" && !slices.ContainsFunc(*all, isThere) {
		*all = append(*all, way)
	}
}

// sign follows a link or cursor; the way is empty if that cannot be.
func (w *follower) sign(s evidence.Sign) Way {
	if s.Own || !w.canName(s) {
		return Way{}
	}
	o := w.value(s)
	if o == nil {
		return Way{}
	}
	end := w.end(s)
	hasOwnEnd := isStandard(s) || w.back(s) == leadsNowhere
	isOpen := end == nil && !hasOwnEnd
	return Way{Pagination: append(o, end...).String(), Open: isOpen}
}

// canName tells whether an option can name where the sign stands: by an index, too, where dataField has the same one.
func (w *follower) canName(s evidence.Sign) bool {
	if s.Named() {
		return true
	}
	field := item.ParsePath(w.facts.Field, ".")
	same := 0
	for same < min(len(field), len(s.Path)-1) && field[same] == s.Path[same] {
		same++
	}
	s.Path = s.Path[same:]
	return s.Where == "" && s.Dotted()
}

// short pages on after a short page, as is configured: a first one shows a smaller
// page size, from a later one items were filtered.
func (w *follower) short(s *State, stop *report.Stop) Way {
	if !stop.Reason.Rule().Short || w.facts.Items == 0 {
		return Way{}
	}
	n, added := w.paging.Node, item.Object{"emptyStop", "true"}
	if w.paging.byOffset() && s.Pages == 1 {
		added = item.Object{"advance", quoted("items")}
	}
	if n.Member(added[0]) != nil {
		return Way{}
	}
	var o item.Object
	for _, m := range n.Members {
		compact, _ := item.Compact(nil, m.Value.Raw)
		o = append(o, m.Name, string(compact))
	}
	return Way{Pagination: append(o, added...).String()}
}

// lastItem asks for what comes after the last item, where a flag says that there is
// more, or items are sorted by Elasticsearch.
func (w *follower) lastItem() Way {
	switch {
	case w.facts.Sorted && w.job.Params.Has("sort"):
		return w.after("sort", "search_after")
	case w.facts.ID && slices.ContainsFunc(w.signs, isTopFlag):
		return w.after("id", "starting_after")
	}
	return Way{}
}

// isTopFlag tells whether a sign at the top of the answer says that there is more.
func isTopFlag(s evidence.Sign) bool {
	return len(s.Path) == 1 && strings.HasPrefix(evidence.Normal(s.At), "hasmore")
}

// after is the pagination by what the last item has at idKey.
func (w *follower) after(idKey, param string) Way {
	o := item.Object{
		"method", quoted("cursor"),
		"idKey", quoted(idKey),
		"param", w.put(param),
		"take", quoted("last"),
	}
	return Way{Pagination: append(o, w.flag()...).String()}
}

// value follows an address, or a value that is sent as a parameter; nil if that
// cannot be.
func (w *follower) value(s evidence.Sign) item.Object {
	text := linkText(s)
	isQuery, isAddress := linkKind(evidence.Normal(memberOf(s)), text)
	isLinkHeader := s.At == "Link" && s.Path == nil
	switch {
	case isAddress, isLinkHeader:
		return w.address(s, text)
	case isQuery:
		return byURL(s).With(true, "paramIsQuery", "true")
	case s.Where != "":
		return nil
	}
	return w.parameter(s)
}

// linkText is the text of what leads on.
func linkText(s evidence.Sign) string {
	text, _ := item.Text(s.Value)
	return strings.TrimSpace(strings.TrimPrefix(text, evidence.LinkPrefix))
}

// memberOf is the name of the member, or header, that holds the value.
func memberOf(s evidence.Sign) string {
	if len(s.Path) == 0 {
		return s.At
	}
	return s.Path[len(s.Path)-1]
}

// byURL is the pagination by an address, or a query, that stands where the sign
// does.
func byURL(s evidence.Sign) item.Object {
	o := item.Object{"method", quoted("response.url")}
	if len(s.Path) == 0 {
		return append(o, "urlHeader", quoted(s.At))
	}
	if s.Where == "" {
		return append(o, "urlKey", quoted(s.At))
	}
	list := s.Path[:len(s.Path)-2]
	choice := item.Object{
		"path", quoted(strings.Join(list, ".")),
		"where", quoted(s.Where),
		"value", quoted(memberOf(s)),
	}
	return append(o, "urlKey", choice.String())
}

// address follows an address.
func (w *follower) address(s evidence.Sign, text string) item.Object {
	lacks, ok := w.lacksParams(text)
	if !ok {
		return nil
	}
	return byURL(s).With(lacks, "includeParams", "true")
}

// parameter sends a value as a parameter.
func (w *follower) parameter(s evidence.Sign) item.Object {
	name := w.parameterName(s)
	if name == "" {
		return nil
	}
	option := "responseParam"
	if len(s.Path) == 0 {
		option = "responseHeader"
	}
	o := item.Object{
		"method", quoted("response.param"),
		option, quoted(s.At),
		"queryParam", name,
	}
	return o.With(len(w.job.Params) > 0, "includeParams", "true")
}

// parameterName is the JSON of the parameter that takes the value of a sign; empty
// if there is none.
func (w *follower) parameterName(s evidence.Sign) string {
	member := memberOf(s)
	isGraphQL := w.job.Method == request.Post && w.job.Params.Has("query")
	if isGraphQL {
		name := w.variable(member)
		isOfAfter := evidence.Normal(member) == "endcursor"
		if name != "" || isOfAfter {
			return name
		}
	}
	if m, ok := w.paging.method.(valueNamer); ok && len(m.valueParam().Path) == 1 {
		return m.valueParam().JSON()
	}
	name := w.param
	if name == "" {
		name = w.takes(s)
	}
	if name == "" {
		name = w.usualName(member, item.Kind(s.Value) == '0')
	}
	aboutPages := func(p request.Param) bool { return isAboutPages(p.Value) }
	at := slices.IndexFunc(w.job.Params, aboutPages)
	if at < 0 {
		return w.put(name)
	}
	return "[" + quoted(w.job.Params[at].Name) + ", " + quoted(name) + "]"
}

// variable is the one of a GraphQL query that takes the cursor: of the argument after that of endCursor, else of one
// called as the member; empty if the query has none.
func (w *follower) variable(member string) string {
	argument := evidence.Normal(member)
	if argument == "endcursor" {
		argument = "after"
	}
	for _, found := range variables.FindAllSubmatch(w.job.Params.Get("query"), -1) {
		if evidence.Normal(string(found[1])) == argument {
			return `["variables", ` + quoted(string(found[2])) + `]`
		}
	}
	return ""
}

// usualName guesses which parameter takes the value of a member, as Notion, Jira and
// others have it.
func (w *follower) usualName(member string, isNumber bool) string {
	name := evidence.Normal(member)
	isOfNotion := name == "nextcursor" && w.job.Params.Has("page_size")
	if isOfNotion {
		return "start_cursor"
	}
	isOfJira := name == "nextpagetoken" && slices.ContainsFunc(w.signs, isLastFlag)
	if isOfJira {
		return member
	}
	return parameter(member, isNumber)
}

func isLastFlag(s evidence.Sign) bool { return s.At == "isLast" }

// isAboutPages tells whether a parameter is an object about pages in the body, as of
// Intercom.
func isAboutPages(value []byte) bool {
	perPage := item.Lookup(value, item.Path{"per_page"})
	limit := item.Lookup(value, item.Path{"limit"})
	return perPage != nil || limit != nil
}

// variables matches where a GraphQL query takes an argument from a variable.
var variables = regexp.MustCompile(`\b(\w+)\s*:\s*\$(\w+)`)

// linkKind tells whether the next page is asked for with a value as a query, or as
// an address; else it is a token.
func linkKind(name, text string) (isQuery, isAddress bool) {
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

// lacksParams tells whether an address that counts pages or items lacks parameters
// of the job, and has none of another value; one of another path, or with a cursor,
// stands for the whole request. It is not ok if it lacks the path's beginning.
func (w *follower) lacksParams(link string) (lacks, ok bool) {
	asked, err1 := url.Parse(w.facts.Address())
	to, err2 := url.Parse(evidence.Resolved(w.facts.Address(), link))
	if err1 != nil || err2 != nil {
		return false, false
	}
	isSamePath := to.Path == asked.Path
	isTail := !isSamePath && strings.HasSuffix(asked.Path, to.Path)
	if isTail && strings.HasPrefix(link, "/") {
		return false, false
	}
	query := to.Query()
	if w.hasCursor(query) {
		return false, true
	}
	for _, p := range w.job.Params {
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
func (w *follower) hasCursor(query url.Values) bool {
	for name := range query {
		_, err := strconv.Atoi(query.Get(name))
		if err != nil && !w.job.Params.Has(name) {
			return true
		}
	}
	return false
}

// parameters take the values of members whose names do not tell it.
var parameters = map[string]string{
	"endcursor":            "after",
	"lastevaluatedkey":     "ExclusiveStartKey",
	"next":                 "cursor",
	"nextforwardtoken":     "nextToken",
	"nextpagestart":        "start",
	"xmscontinuationtoken": "continuationToken",
	"xnextpage":            "page",
	"xnextcursor":          "cursor",
	"xcontinuationtoken":   "continuationToken",
}

// parameter guesses which parameter takes the value of a member: cursor that of
// next_cursor.
func parameter(member string, number bool) string {
	name := evidence.Normal(member)
	if name == "next" && number {
		return "page"
	}
	if known := parameters[name]; known != "" {
		return known
	}
	rest := strings.TrimLeft(strings.TrimPrefix(member, "next"), "_-")
	isWhole := rest == "" || rest == member
	if isWhole || name == "nexttoken" {
		return member
	}
	return strings.ToLower(rest[:1]) + rest[1:]
}

func quoted(text string) string { return string(item.Quote(text)) }
