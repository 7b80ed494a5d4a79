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
	"sluice/source/evidence"
	"sluice/source/request"
)

// follower finds the api.pagination that follows what an answer says (docs/decisions.md, section 10).
type follower struct {
	paging  *Paging // that is configured
	job     *Job
	facts   *Facts
	signs   []evidence.Sign
	numbers evidence.Numbers
}

// follow returns the pagination as JSON, empty if none is known.
func follow(p *Paging, s *State, j *Job, f *Facts, signs []evidence.Sign, stop *pipeline.Stop) string {
	w := &follower{paging: p, job: j, facts: f, signs: signs}
	for _, sign := range signs {
		if !sign.Own && sign.Named() && (sign.Says == evidence.Link || sign.Says == evidence.Cursor) {
			if found := w.value(sign); found != "" {
				return found
			}
		}
	}
	short := w.short(s, stop)
	if s.Pages != 1 || f.Items == 0 || short != "" && s.Total > s.Items+s.Skipped {
		return short
	}
	return cmp.Or(w.numbered(s), short, w.lastItem())
}

// short pages on after a short page, as is configured: a first one shows a smaller page size, from a later one items were filtered.
func (w *follower) short(s *State, stop *pipeline.Stop) string {
	n, added := w.paging.Node, item.Object{"emptyStop", "true"}
	if w.paging.byOffset() && s.Pages == 1 {
		added = item.Object{"advance", quoted("items")}
	}
	if !stop.Reason.Rule().Short || w.facts.Items == 0 || n.Member(added[0]) != nil {
		return ""
	}
	var o item.Object
	for _, m := range n.Members {
		compact, _ := item.Compact(nil, m.Value.Raw)
		o = append(o, m.Name, string(compact))
	}
	return append(o, added...).String()
}

// lastItem asks for what comes after the last item, where a flag says that there is more, or items are sorted by Elasticsearch.
func (w *follower) lastItem() string {
	idKey, param := "id", "starting_after"
	if w.facts.Sorted && w.job.Params.Has("sort") {
		idKey, param = "sort", "search_after"
	} else if !w.facts.ID || !slices.ContainsFunc(w.signs, func(s evidence.Sign) bool {
		return len(s.Path) == 1 && strings.HasPrefix(evidence.Normal(s.At), "hasmore")
	}) {
		return ""
	}
	o := item.Object{"method", quoted("cursor"), "idKey", quoted(idKey), "param", quoted(param), "take", quoted("last")}
	return append(o, w.flag()...).String()
}

// value follows an address, or a value that is sent as a parameter; empty if that cannot be.
func (w *follower) value(s evidence.Sign) string {
	text, _ := item.Text(s.Value)
	text = strings.TrimSpace(strings.TrimPrefix(text, evidence.LinkPrefix))
	last, address, param := s.At, item.Object{"urlHeader", quoted(s.At)}, item.Object{"responseHeader", quoted(s.At)}
	if n := len(s.Path) - 1; n >= 0 {
		last, address, param = s.Path[n], item.Object{"urlKey", quoted(s.At)}, item.Object{"responseParam", quoted(s.At)}
		if s.Where != "" {
			address[1] = item.Object{"path", quoted(strings.Join(s.Path[:n-1], ".")), "where", quoted(s.Where), "value", quoted(last)}.String()
		}
	}
	byURL := append(item.Object{"method", quoted("response.url")}, address...)
	isQuery, isAddress := linkKind(evidence.Normal(last), text)
	switch {
	case isAddress, s.At == "Link" && s.Path == nil:
		lacks, ok := w.lacksParams(text)
		if !ok {
			return ""
		}
		return append(byURL.With(lacks, "includeParams", "true"), w.flag()...).String() // some give an address at the end too
	case isQuery:
		return byURL.With(true, "paramIsQuery", "true").String()
	case s.Where != "":
		return ""
	}
	name := quoted(parameter(last, item.Kind(s.Value) == '0'))
	switch n := evidence.Normal(last); {
	case n == "nextcursor" && w.job.Params.Has("page_size"): // as Notion
		name = quoted("start_cursor")
	case n == "nextpagetoken" && slices.ContainsFunc(w.signs, func(s evidence.Sign) bool { return s.At == "isLast" }): // as Jira
		name = quoted(last)
	}
	for _, p := range w.job.Params { // an object about pages in the body, as of Intercom
		if item.Lookup(p.Value, item.Path{"per_page"}) != nil || item.Lookup(p.Value, item.Path{"limit"}) != nil {
			name = "[" + quoted(p.Name) + ", " + name + "]"
		}
	}
	if w.job.Method == request.Post && w.job.Params.Has("query") && evidence.Normal(last) == "endcursor" {
		variable := afterVariable.FindSubmatch(w.job.Params.Get("query"))
		if variable == nil {
			return "" // GraphQL, and the query does not take it
		}
		name = `["variables", ` + quoted(string(variable[1])) + `]`
	} else if m, ok := w.paging.method.(valueNamer); ok && len(m.valueParam()) == 1 {
		name = quoted(m.valueParam()[0])
	}
	o := append(item.Object{"method", quoted("response.param")}, append(param, "queryParam", name)...).With(len(w.job.Params) > 0, "includeParams", "true")
	return append(o, w.flag()...).String() // some give a cursor at the end too
}

// afterVariable matches where a GraphQL query takes the cursor from a variable.
var afterVariable = regexp.MustCompile(`\bafter\s*:\s*\$(\w+)`)

// linkKind tells whether the next page is asked for with a value as a query, or as an address; else it is a token.
func linkKind(name, text string) (isQuery, isAddress bool) {
	param, _, pair := strings.Cut(text, "=")
	switch {
	case strings.HasSuffix(name, "token"), strings.HasSuffix(name, "cursor"), strings.HasSuffix(name, "marker"):
		return false, false
	case strings.HasPrefix(text, "?"), pair && !strings.ContainsAny(text, "/?") && (strings.Contains(text, "&") || evidence.Is(param, evidence.Counter)):
		return true, false
	}
	return false, strings.HasPrefix(text, "/") || strings.Contains(text, "://") || strings.Contains(text, "?")
}

// lacksParams tells whether an address that counts pages or items lacks parameters of the job, and has none of another
// value; one of another path, or with a cursor, stands for the whole request. It is not ok if it lacks the path's beginning.
func (w *follower) lacksParams(link string) (lacks, ok bool) {
	asked, err1 := url.Parse(w.facts.Address)
	to, err2 := url.Parse(evidence.Resolved(w.facts.Address, link))
	if err1 != nil || err2 != nil || strings.HasPrefix(link, "/") && to.Path != asked.Path && strings.HasSuffix(asked.Path, to.Path) {
		return false, false
	}
	query := to.Query()
	for name := range query {
		if _, err := strconv.Atoi(query.Get(name)); err != nil && !w.job.Params.Has(name) {
			return false, true
		}
	}
	for _, p := range w.job.Params {
		text, _ := item.Text(p.Value)
		if lacks = lacks || !query.Has(p.Name); query.Has(p.Name) && query.Get(p.Name) != text {
			return false, true
		}
	}
	return lacks && to.Path == asked.Path, true
}

// parameters take the values of members whose names do not tell it.
var parameters = map[string]string{
	"endcursor": "after", "next": "cursor", "nextpagestart": "start", "xmscontinuationtoken": "continuationToken", "xnextpage": "page",
	"xnextcursor": "cursor", "xcontinuationtoken": "continuationToken",
}

// parameter guesses which parameter takes the value of a member: cursor that of next_cursor.
func parameter(member string, number bool) string {
	name := evidence.Normal(member)
	if name == "next" && number {
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

// numbered counts pages or items, where the request or the answer shows which parameters do.
func (w *follower) numbered(s *State) string {
	w.fromParams(s.Asked.Params)
	_, query, _ := strings.Cut(s.Asked.Endpoint, "?")
	query, _, _ = strings.Cut(query, "#")
	for _, p := range request.ParseQuery(query) {
		_, value, _ := strings.Cut(p.Raw, "=")
		w.numbers = w.numbers.With(p.Name, item.Quote(value), 2)
	}
	w.numbers = append(w.numbers, w.facts.Numbers()...)
	return w.counted(false)
}

// Guesses are paginations to be tried where nothing says how it goes on: by the number that the request has, else by usual ones.
func Guesses(s *State, j *Job, f *Facts) (all []string) {
	w := &follower{job: j, facts: f}
	w.fromParams(s.Asked.Params)
	if w.numbers.First(evidence.PageNames|evidence.OffsetNames) != nil {
		return []string{w.counted(true)}
	}
	style := ""
	if size := w.numbers.First(evidence.SizeNames); size != nil && size.Name[0] == '_' {
		style = "_"
	}
	usual := evidence.Numbers{{Name: style + "page", Value: 0}, {Name: style + "page", Value: 1}, {Name: "offset", Value: 0}}
	for _, n := range usual {
		guess := &follower{job: j, facts: f, numbers: append(slices.Clip(w.numbers), n)}
		all = append(all, strings.TrimSuffix(guess.counted(true), "}")+`, "firstPageParams": false}`)
	}
	return all
}

// counted is the pagination by the numbers. A guess goes on after a page of another size than was asked for.
func (w *follower) counted(guess bool) string {
	size, where, limitParam := w.numbers.First(evidence.SizeNames), w.numbers.First(evidence.PageNames|evidence.OffsetNames), "limit"
	if where == nil {
		return ""
	}
	if size != nil {
		limitParam = size.Name
	}
	own, _ := effectiveLimit(w.job, item.Path{limitParam}, int64(w.facts.Items))
	if own != int64(w.facts.Items) && !guess {
		return "" // the job asks for another size than it gets
	}
	open := guess && (size == nil || own != int64(w.facts.Items))
	limit := item.Object{"limit", strconv.FormatInt(own, 10)}.With(limitParam != "limit", "limitParam", quoted(limitParam))
	o := item.Object{"method", quoted("offset")}
	switch name := where.Name; {
	case evidence.Is(name, evidence.PageNames):
		if o[1] = quoted("pagenum"); size != nil {
			o = append(o, limit...)
		}
		if n := evidence.Normal(name); n == "currentpage" || n == "number" {
			name = "page"
		}
		o = o.With(name != "page", "pageParam", quoted(name)).With(where.Value != 1, "firstPage", strconv.FormatInt(where.Value, 10)).With(open && size != nil, "emptyStop", "true")
	case where.Value != 0 && !w.job.Params.Has(name): // it counts from another number than 0
		return ""
	default:
		o = append(o, limit...).With(name != "offset", "offsetParam", quoted(name)).With(where.Value != 0, "offsetFromJob", "true").With(open, "advance", quoted("items"))
	}
	return append(o, w.flag()...).String()
}

func (w *follower) flag() item.Object {
	for _, sign := range w.signs {
		if sign.Says == evidence.More && sign.Dotted() {
			stopOn := strconv.FormatBool(sign.NoMoreFlag())
			return item.Object{"nextPageFlag", item.Object{"field", quoted(sign.At), "stopOn", stopOn}.String()}
		}
	}
	return nil
}

func (w *follower) fromParams(params request.Params) {
	for _, p := range params {
		w.numbers = w.numbers.With(p.Name, p.Value, 2)
	}
}

func quoted(text string) string { return string(item.Quote(text)) }
