package source_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source"
	"sluice/source/check"
)

// pagings are ways of paging that ask for one page where it has one item: by which rule
// the walk ends then.
var pagings = map[string]string{
	"no paging":  ``,
	"underflow":  `{"method": "offset", "limit": 2}`,
	"page":       `{"method": "pagenum", "limit": 2}`,
	"url":        `{"method": "response.url", "urlKey": "d.following"}`,
	"param":      `{"method": "response.param", "responseParam": "d.following", "queryParam": "x"}`,
	"zendesk":    `{"method": "zendesk.response.url", "urlKey": "d.following"}`,
	"scroller":   `{"method": "multiple", "default": "a", "scrollers": {"a": {"method": "offset", "limit": 2}}}`,
	"cursor":     `{"method": "cursor", "idKey": "id", "param": "x"}`,
	"trust":      `{"method": "offset", "limit": 2, "trustEnd": true}`,
	"forced":     `{"method": "offset", "limit": 2, "forceStop": {"pages": 1}}`,
	"limited":    `{"method": "pagenum", "limitStop": {"count": 1}}`,
	"empty page": `{"method": "pagenum"}`,
}

func TestEveryKindOfEvidenceIsWeighedForEveryMethod(t *testing.T) {
	text, err := os.ReadFile("testdata/evidence.txt")
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		if number++; strings.HasPrefix(line, "#") {
			continue
		}
		want, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		body, header, _ := strings.Cut(rest, "}} ")
		if header != "" {
			body += "}}"
		}
		for i, name := range slices.Sorted(maps.Keys(pagings)) {
			if !cases.All() && (number+i)%3 != 0 {
				continue
			}
			path, paging := "list", pagings[name]
			switch name {
			case "underflow", "scroller", "trust", "forced":
				path += "?limit=2&offset=0"
			case "page":
				path += "?page=1&limit=2"
			case "limited", "empty page":
				path += "?page=1"
			}
			fill := func(items string) string {
				return strings.NewReplacer(`$path`, path, `$`, items).Replace(body) + "\n" + strings.ReplaceAll(header, "$path", path)
			}
			a := realAPI{answers: []string{fill(`[{"id":1}]`), fill(`[]`)}}
			if strings.Contains(body, `[{"id"`) { // what stands in items
				a.answers[1] = `{"d":{"items":[]}}`
			}
			if paging != "" {
				paging = `, "pagination": ` + paging
			}
			beside := want == "unverified" && regexp.MustCompile(`"error|"success":false`).MatchString(body)
			total := regexp.MustCompile(`(?i)total|content-range`).MatchString(rest) && want == "unverified"
			expected := want
			if want == "stated" { // also by a page without items
				expected = "incomplete"
			}
			if want == "open" { // an empty page does not take it back, and makes it less sure
				expected = "incomplete"
				if name == "empty page" || name == "cursor" {
					expected = "unverified"
				}
			}
			if want == "another" { // likewise
				expected = "unverified"
			}
			if want == "alone" { // it counts for a walk of one page, or where a page was asked for
				expected, total = "unverified", true
			}
			if want == "asked" { // it counts where the request says which page it asks for
				expected = "complete"
				if slices.Contains([]string{"underflow", "page", "scroller", "empty page"}, name) {
					expected = "unverified"
				}
			}
			// It counts where the items have not run out.
			if want == "unsure" {
				expected = "unverified"
				if slices.Contains([]string{"underflow", "page", "scroller"}, name) {
					expected = "complete"
				}
			}
			switch {
			case name == "trust" && !beside:
				expected = "complete"
			case name == "forced", name == "limited": // a person chose that
				expected = "unverified"
			case (name == "empty page" || name == "cursor") && !beside && !total && !slices.Contains([]string{"asked", "stated", "open", "another"}, want):
				expected = "complete"
			}
			if got, _ := a.verdict(t, "d.items", paging); got != expected {
				t.Errorf("%s: %s is %s", name, line, got)
			}
		}
	}
}

func TestATotalThatWasReachedBeatsALinkWhereAPageWasShort(t *testing.T) {
	a := realAPI{answers: []string{`{"items":[{"id":1}],"next":"/2","total_count":1}`, `{"items":[],"next":"/2"}`}}
	for name, want := range map[string]string{"no paging": "incomplete", "url": "incomplete", "underflow": "complete", "page": "complete", "empty page": "complete"} {
		paging := pagings[name]
		if paging != "" {
			paging = `, "pagination": ` + paging
		}
		if got, _ := a.verdict(t, "items", paging); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A realAPI is an entry of testdata/answers.txt.
type realAPI struct {
	name, field, paging, verdicts string
	answers                       []string // each with its headers on further lines
}

func realAPIs(t *testing.T) (all []realAPI) {
	t.Helper()
	text, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n## ")[1:] {
		var a realAPI
		a.name, part, _ = strings.Cut(part, "\n")
		for line := range strings.Lines(part) {
			word, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
			switch word {
			case "field":
				a.field = rest
			case "paging":
				a.paging = rest
			case "=":
				a.verdicts = rest
			case "<":
				a.answers = append(a.answers, rest)
			case "docs", "":
			default:
				a.answers[len(a.answers)-1] += "\n" + line
			}
		}
		all = append(all, a)
	}
	return all
}

// handler gives the answers in order, and counts them; to a request with lesser numbers than one before it, the first.
func (a realAPI) handler(asked *int) http.Handler {
	greatest := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, sum := min(*asked, len(a.answers)-1), 0
		for _, values := range r.URL.Query() {
			n, _ := strconv.Atoi(values[0])
			sum += n
		}
		if sum < greatest {
			answer = 0
		}
		greatest = max(greatest, sum)
		body, headers, _ := strings.Cut(a.answers[answer], "\n")
		for header := range strings.Lines(headers) {
			name, value, _ := strings.Cut(strings.TrimSpace(header), ":")
			w.Header().Add(name, strings.TrimSpace(value))
		}
		*asked++
		fmt.Fprint(w, body)
	})
}

// verdict is how the API is judged, and how many items came.
func (a realAPI) verdict(t *testing.T, field, paging string) (string, int) {
	t.Helper()
	reporter := pipeline.NewReporter(report.Report{Jobs: []report.JobReport{{ID: "list"}}})
	var err error
	asked := 0
	synctest.Test(t, func(t *testing.T) {
		text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/"%s}, "config": {"jobs": [{"endpoint": "list", "dataField": %s}]}}`, paging, item.Quote(field))
		err = run(t, text, source.Options{Network: source.Network{Observer: reporter}}, a.handler(&asked), func(b *pipeline.Batch) error {
			b.Release()
			return nil
		})
	})
	told := reporter.Succeeded(time.Time{})
	if err != nil {
		return "failed", int(told.Jobs[0].Items)
	}
	return told.Verdict.String(), int(told.Jobs[0].Items)
}

func TestTheAnswersOfRealAPIsAreJudgedRight(t *testing.T) {
	apis := realAPIs(t)
	if len(apis) < 60 {
		t.Fatalf("only %d", len(apis))
	}
	for _, a := range apis {
		paging := `, "pagination": ` + a.paging
		right, came := a.verdict(t, a.field, paging)
		forgotten, _ := a.verdict(t, a.field, "")
		wrong := a.field + "s"
		if a.field == "." {
			wrong = "items"
		}
		field, _ := a.verdict(t, wrong, paging)
		cursor := "-"
		for _, option := range []string{`"urlKey": "`, `"responseParam": "`} {
			if at := strings.Index(paging, option); at >= 0 {
				end := at + len(option) + strings.IndexByte(paging[at+len(option):], '"')
				cursor, _ = a.verdict(t, a.field, paging[:end]+"x"+paging[end:])
			}
		}
		got := strings.Join([]string{right, forgotten, field, cursor}, " ")
		if got != a.verdicts || came != 3 || right != "complete" || strings.Contains(got[1:], " complete") {
			t.Errorf("%s: %s, %d items; want %s, 3", a.name, got, came, a.verdicts)
		}
	}
}

func TestWhatCheckSuggestsGetsAllThatRealAPIsHave(t *testing.T) {
	suggested := 0
	for _, a := range realAPIs(t) {
		var found check.JobResult
		synctest.Test(t, func(t *testing.T) {
			text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/"}, "config": {"jobs": [{"endpoint": "list", "dataField": %s}]}}`, item.Quote(a.field))
			asked := 0
			err := compiled(t, text, source.Options{}, a.handler(&asked)).Check(t.Context(), false, func(c check.JobResult) error {
				found = c
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		if found.Page == nil || found.Page.Verdict == report.Complete {
			t.Errorf("%s: %+v", a.name, found)
		}
		// The answers come in their order whatever is asked for, so a guess proves nothing here.
		isGuess := strings.Contains(string(found.Pagination), `"firstPageParams"`)
		if found.Pagination == nil || isGuess {
			continue
		}
		suggested++
		if verdict, came := a.verdict(t, a.field, `, "pagination": `+string(found.Pagination)); verdict != "complete" || came != 3 {
			t.Errorf("%s: %s, %d items with %s", a.name, verdict, came, found.Pagination)
		}
	}
	if suggested < 67 {
		t.Errorf("only %d", suggested)
	}
}
