package discover

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/pipeline/report"
	"sluice/source/check"
)

// What a person is told to do where no request for a second page was found.

// sayNoPagination says that no pagination was found, by what the page says of the end.
func (x *Explorer) sayNoPagination(found check.JobResult) {
	if found.Page.Verdict == report.Complete {
		x.say("guessed: this is all, since no way to a second page was found; if there is more, give a command " +
			"that asks for fewer items a page, or for a later page")
		return
	}
	const unknown = "unknown: how the next page is asked for, so the configuration fetches only the first. "
	at, pagination := namelessParameter(found.Tries)
	// In a body it may be a variable of a query, which nobody would look at.
	if at != "" && x.api.method == "" {
		x.say(unknown+"What leads to it is at %s of the answer, but no parameter of a usual name took it. "+
			"Write \"pagination\": %s into api, with the parameter of the API's documentation in place of %s", at, pagination, nameless)
		return
	}
	x.say(unknown+"%s", x.api.advice())
}

// nameless stands where a person is to write the name of a parameter.
const nameless = "NAME"

// namelessParameter is the first of the paginations that were tried which sends back what the answer has, with nameless as its
// parameter, and where the answer has that; empty: there is none.
func namelessParameter(tries []check.Try) (at, pagination string) {
	for _, t := range tries {
		compact, _ := item.Compact(nil, t.Pagination)
		param := item.Lookup(compact, item.Path{"queryParam"})
		leads := item.Lookup(compact, item.Path{"responseParam"})
		if item.Kind(param) != '"' || item.Kind(leads) != '"' {
			continue
		}
		const member = `"queryParam": `
		return item.Unquote(leads), strings.Replace(string(t.Pagination), member+string(param), member+quoted(nameless), 1)
	}
	return "", ""
}

// advice is what leads to a pagination: a number in a text of the request that may be that of the page, else a parameter.
func (a *Description) advice() string {
	if size := a.sizeInText(); size != "" {
		return "The request has the size of a page in a text, as " + size + ": write {limit} and {offset} there, " +
			`with "template": true, as "Numbers in a query language" of docs/paging.md says`
	}
	text := "Give a command that names the position and the size of the first page, " +
		"as the documentation of the API calls them, such as " + a.firstPage() + "; or write api.pagination as docs/paging.md says. " +
		"A parameter that takes the id or the time of the last item is tried if the command has it with such a value"
	if a.endsWithNumber() {
		text += `. If the number that ends the path is that of the page, write {page} there, ` +
			`with "method": "pagenum", "template": true and "firstPage"`
	}
	return text
}

// countsItems matches the text of a query that may count items: that of SQL and the like, or one that does already.
var countsItems = pattern.Lazy(`(?i)\b(?:select|skip|offset)\b`)

// hasSize matches what may be the size of pages in the text of a query, such as first: 50 or LIMIT 50.
var hasSize = pattern.Lazy(`(?i)\b(first|limit|top|rows|maxresults)(?:\s*:\s*|\s+)\d+\b`)

// sizeInText is the name of a size in the text of a query that may count items; empty: there is none.
func (a *Description) sizeInText() string {
	for m := range slices.Chunk(slices.Concat(a.params, a.query, a.body), 2) {
		found := hasSize().FindStringSubmatch(m[1])
		if found != nil && countsItems().MatchString(m[1]) {
			return found[1]
		}
	}
	return ""
}

// endsWithNumber tells whether the path ends with a number.
func (a *Description) endsWithNumber() bool {
	if len(a.endpoint) != 1 {
		return false
	}
	path := item.Unquote([]byte(a.endpoint[0]))
	_, err := strconv.Atoi(path[strings.LastIndex(path, "/")+1:])
	return err == nil
}

// firstPage is an example of how the request could name the position and the size of the first page.
func (a *Description) firstPage() string {
	if a.method == "FORM" {
		return "-d page=1 -d per_page=100"
	}
	if a.method == http.MethodPost && len(a.query) == 0 {
		return `{"page": 1, "per_page": 100} in its body`
	}
	mark := "?"
	if len(a.params)+len(a.query) > 0 {
		mark = "?…&"
	}
	return a.base + item.Unquote([]byte(a.endpoint[0])) + mark + "page=1&per_page=100"
}
