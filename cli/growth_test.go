//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sluice/fixtures/api"
	"sluice/fixtures/cases"
)

// A growing is a run whose input can be made longer: # in a text between << and >> is a number, and the text stands there
// once for each number below n, with commas between.
type growing struct {
	name   string
	n      int    // in a short run
	config string // empty: that of one job
	flags  string
	header string // of the answers: its name, a colon, and its values
	body   string // of the answers; empty: one item
	status int

	// In place of config and body.
	made func(n int) (config, body string)
}

// A long run has so many times the input of a short one. What is linear takes so many times the CPU, and what is quadratic
// 256 times. A short run counts for leastCPU at least, since it is the beginning of a program that takes the time.
const (
	times     = 16
	mostTimes = 96
	leastCPU  = 3 * time.Millisecond
)

// job is a configuration of one job with further members.
func job(members string) string { return configured("", "", members) }

// paged is one of a job that is paged so.
func paged(pagination string) string { return configured(`"pagination": {`+pagination+`}`, "", "") }

// configured is one with further members of api, of config, and of its job.
func configured(api, config, members string) string {
	if api != "" {
		api = ", " + api
	}
	if config != "" {
		config += ", "
	}
	if members != "" {
		members = ", " + members
	}
	return `{"api": {"baseUrl": "http://api.test/"` + api + `}, "config": {` + config + `"jobs": [{"endpoint": "items"` + members + `}]}}`
}

// jobs is a configuration of n jobs.
func jobs(members string) string {
	return `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [<<{` + members + `}>>]}}`
}

// child is a configuration of a job with a child job.
func child(members string) string {
	return job(`"children": [{"endpoint": "c/{id}", "placeholders": {"id": "id"}` + members + `}]`)
}

const (
	manyOf   = `[{<<"c#":#>>}]`
	around   = `{<<"c#":#>>,"items":[1]}`
	byHeader = `"method": "response.url", "urlHeader": "Link"`
	byList   = `"method": "response.url", "urlKey": {"path": "link", "where": "rel==next", "value": "url"}`
)

// growings has all that may be long. Nothing in it is as long as it may be, but long enough.
var growings = []growing{
	{name: "columns", n: 1000, config: job(`"format": "csv"`), body: "<<c#>>\n<<#>>\n"},
	{name: "columns of the output", n: 1000, flags: "--format csv", body: manyOf},
	{name: "columns of two items", n: 1000, flags: "--format csv", body: `[{<<"c#":#>>},{<<"d#":#>>}]`},
	{name: "--columns", n: 1000, flags: "--format csv --columns <<c#>>", body: manyOf},
	{name: "--columns of nothing", n: 1000, flags: "--format csv --columns <<d#>>", body: manyOf},
	{name: "links", n: 500, config: paged(byHeader), header: `Link:<</x#; rel="other">>`, status: statusFailed},
	{name: "other links", n: 500, config: paged(byHeader), header: `Link:<<</x#>; rel="other">>`},
	{name: "next links", n: 2000, config: paged(byHeader), header: `Link:<<</x#>; rel="next">>`, status: statusFailed},
	{name: "links that are not read", n: 500, header: `Link:<<</x#>; rel="next">>`},
	{name: "cookies", n: 500, header: "Set-Cookie:<<c#=1>>"},
	{name: "values of a header", n: 500, header: "X-More:<<#>>"},
	{name: "members of an item", n: 1000, body: manyOf},
	{name: "members of an answer", n: 1000, config: job(`"dataField": "items"`), body: around},
	{name: "objects beside the items", n: 1000, body: `{<<"c#":{"a":#}>>,"items":[]}`},
	{name: "arrays of an answer", n: 1000, body: `{<<"c#":[#]>>}`, status: statusFailed},
	{name: "a list of links", n: 100, config: configured(`"pagination": {`+byList+`}`, "", `"dataField": "items"`),
		body: `{"items":[1],"link":[<<{"rel":"x","url":"#"}>>]}`},
	{name: "nesting of an item", n: 300, made: nested("", "[", "]")},
	{name: "nesting of an item in a table", n: 300, flags: "--format csv", made: nested("", "[", "]")},
	{name: "nesting of an answer", n: 300, made: nested(`"dataField": "items"`, `{"items":[1],"b":`, "}")},
	{name: "nesting of a parameter", n: 5, made: func(n int) (string, string) {
		return job(`"params": {"a": ` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + "}"), ""
	}},
	{name: "lines", n: 1000, config: job(`"format": "ndjson", "dataField": "a"`), body: "<<{\"a\":[#]}\n>>"},
	{name: "items of XML", n: 300, made: ofMarkup("", "<i><a>%d</a></i>", "")},
	{name: "elements of an item", n: 300, made: ofMarkup("<i>", "<c%d>1</c%[1]d>", "</i>")},
	{name: "elements of one name", n: 1000, made: ofMarkup("<i>", "<c>%d</c>", "</i>")},
	{name: "attributes of an item", n: 200, made: ofMarkup("<i", ` c%d="1"`, "/>")},
	{name: "namespaces of an item", n: 15, made: ofMarkup("<i", ` xmlns:c%d="urn:%[1]d"`, "/>")},
	{name: "elements beside the items of XML", n: 300, made: ofMarkup("<i/>", "<c%d>1</c%[1]d>", "")},
	{name: "characters by their numbers", n: 1000, made: ofMarkup("<i>", "&#65;<!-- %d -->", "</i>")},
	{name: "jobs", n: 30, config: jobs(`"endpoint": "j#"`)},
	{name: "jobs of one data type", n: 30, config: jobs(`"endpoint": "j#", "dataType": "x"`)},
	{name: "warnings", n: 10, config: jobs(`"endpoint": "j#", "scroller": "x", "params": {"b": true, "t": {"time": "previousStart"}}`)},
	{name: "--job", n: 30, flags: "<<--job=j#\n>>", config: jobs(`"endpoint": "j#"`)},
	{name: "child jobs", n: 20, config: job(`"children": [<<{"endpoint": "c#/{id}", "placeholders": {"id": "id"}}>>]`)},
	{name: "children of a page", n: 50, config: child(""), body: `[<<{"id":#}>>]`},
	{name: "iterations", n: 20, config: `{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"endpoint": "items"}]}, "iterations": [<<{"a": #}>>]}`},
	{name: "windows", n: 30, made: func(n int) (string, string) {
		to := fmt.Sprintf(`"windows": {"from": "@0", "to": "@%d", "step": "1 second"}`, n)
		return job(to + `, "params": {"f": {"window": "from"}}`), ""
	}},
	{name: "pages", n: 30, config: paged(`"method": "pagenum", "limit": 1`), flags: "--concurrency 4"},
	{name: "placeholders", n: 500, body: `[{<<"c#":#>>}]`,
		config: job(`"children": [{"endpoint": "c{c0}", "placeholders": {<<"c#": "c#">>}}]`)},
	{name: "placeholders of an endpoint", n: 500, body: `[{<<"c#":#>>}]`,
		config: job(`"children": [{"endpoint": "c<<{c#}>>", "placeholders": {<<"c#": "c#">>}}]`)},
	{name: "parameters", n: 500, config: job(`"params": {<<"p#": #>>}`)},
	{name: "parameters of a body", n: 500, config: job(`"method": "POST", "params": {<<"p#": #>>}`)},
	{name: "default parameters", n: 500, config: configured(`"http": {"defaultOptions": {"params": {<<"p#": #>>}}}`, "", `"params": {<<"p#": #>>}`)},
	{name: "parameters of a query", n: 500, made: func(n int) (string, string) {
		query := strings.ReplaceAll(filled("<<p#=1>>", n), ",", "&")
		return strings.Replace(job(""), `"items"`, `"items?`+query+`"`, 1), ""
	}},
	{name: "parameters of the login", n: 500, config: configured(`"authentication": {"type": "query", "query": {<<"p#": #>>}}`, "", `"params": {<<"p#": #>>}`)},
	{name: "elements of a parameter", n: 500, config: job(`"params": {"p": [<<#>>]}`)},
	{name: "headers of a request", n: 500, config: job(`"headers": {<<"X-#": "1">>}`)},
	{name: "attributes", n: 500, config: configured("", `<<"a#": "b">>`, `"params": {<<"p#": {"attr": "a#"}>>}`)},
	{name: "secret attributes", n: 200, config: configured("", `<<"#a#": "secret-#">>`, "")},
	{name: "arguments", n: 500, config: job(`"params": {"p": {"function": "concat", "args": [<<"a#">>]}}`)},
	{name: "userData", n: 500, config: job(`"userData": {<<"u#": 1>>}`)},
	{name: "responseFilter", n: 500, config: job(`"responseFilter": [<<"c#">>]`), body: manyOf},
	{name: "failOn", n: 500, config: configured(`"http": {"failOn": [<<"c#==x">>]}`, "", `"dataField": "items"`), body: around},
	{name: "retryOn of headers", n: 500, config: configured(`"http": {"retryOn": [<<"$header.x-#==x">>]}`, "", "")},
	{name: "alternatives", n: 500, made: func(n int) (string, string) {
		all := strings.ReplaceAll(filled("<<c#==x>>", n), ",", "|")
		return configured(`"http": {"failOn": ["`+all+`"]}`, "", `"dataField": "items"`), filled(around, n)
	}},
	{name: "chains", n: 500, made: func(n int) (string, string) {
		all := strings.ReplaceAll(filled("<<c#!=x>>", n), ",", "&")
		return configured(`"http": {"failOn": ["`+all+`&c0==x"]}`, "", `"dataField": "items"`), filled(around, n)
	}},
	{name: "chains of recursionFilter", n: 500, made: func(n int) (string, string) {
		all := strings.ReplaceAll(filled("<<c#!=x>>", n), ",", "&")
		return child(`, "recursionFilter": "` + all + `"`), filled(`[{"id":1,<<"c#":#>>}]`, n)
	}},
	{name: "ignoreErrors", n: 1000, config: configured(`"http": {"ignoreErrors": [<<404>>]}`, "", "")},
	{name: "unknown members", n: 10, config: job(`<<"zz#": #>>`)},
	{name: "unknown members of api", n: 10, config: configured(`<<"zz#": #>>`, "", "")},
	{name: "wrong jobs in one line", n: 10, config: jobs(`"endpoint": 7`), status: statusUsage},
	{name: "wrong jobs", n: 100, config: jobs("\n" + `"endpoint": 7`), status: statusUsage},
}

// ofMarkup makes a document of XML in which a text stands n times, with its number.
func ofMarkup(before, text, after string) func(n int) (config, body string) {
	return func(n int) (config, body string) {
		var b strings.Builder
		b.WriteString("<f>" + before)
		for i := range n {
			fmt.Fprintf(&b, text, i)
		}
		b.WriteString(after + "</f>")
		return job(`"format": "xml", "dataField": "f.i"`), b.String()
	}
}

// nested are n objects, each in the one before.
func nested(members, before, after string) func(n int) (config, body string) {
	return func(n int) (config, body string) {
		return job(members), before + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + after
	}
}

// filled puts n texts in the place of <<…>>.
func filled(text string, n int) string {
	before, rest, ok := strings.Cut(text, "<<")
	if !ok {
		return text
	}
	piece, after, _ := strings.Cut(rest, ">>")
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(piece, "#", fmt.Sprint(i))
	}
	between := ","
	if strings.HasSuffix(piece, "\n") {
		between = ""
	}
	return before + strings.Join(all, between) + filled(after, n)
}

// cost runs the program and returns the CPU time that it took.
func (g *growing) cost(t *testing.T, n int) time.Duration {
	t.Helper()
	config, body := filled(g.config, n), filled(g.body, n)
	if g.made != nil {
		config, body = g.made(n)
	}
	if config == "" {
		config = job("")
	}
	if body == "" {
		body = `[{"id":1}]`
	}
	name, values, _ := strings.Cut(filled(g.header, n), ":")
	network := api.NewNetwork()
	stop, err := network.Serve("api.test", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name != "" {
			w.Header()[name] = strings.Split(values, ",")
		}
		last := strings.HasPrefix(r.URL.Path, "/c") || r.URL.Query().Get("page") == fmt.Sprint(n)
		if last {
			_, _ = io.WriteString(w, "[]")
			return
		}
		_, _ = io.WriteString(w, body)
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	var stderr bytes.Buffer
	w := &world{Stdin: strings.NewReader(config), Stdout: io.Discard, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
	args := slices.Concat([]string{"sluice", "run", "-", "--log-level", "error"}, strings.Fields(filled(g.flags, n)))
	began := cpuTime(t)
	status := invoke(context.Background(), w, args)
	took := cpuTime(t) - began
	if status != g.status {
		t.Fatalf("%d: status %d: %.300s", n, status, &stderr)
	}
	return took
}

// cpuTime is what the process has used. Tests that are not parallel run alone.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func TestNothingTakesTheSquareOfItsLength(t *testing.T) {
	if !cases.All() {
		t.Skip("make whole has it: it compares CPU seconds, so its runs are long")
	}
	for _, g := range growings {
		t.Run(g.name, func(t *testing.T) {
			var short, long time.Duration
			// What another program does to the caches may be in one of them, hardly in all.
			for range 3 {
				short = max(leastCPU, g.cost(t, g.n))
				long = g.cost(t, times*g.n)
				if long < mostTimes*short {
					return
				}
			}
			t.Errorf("%d take %s, and %d take %s", g.n, short, times*g.n, long)
		})
	}
}
