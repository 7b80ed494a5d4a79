package source_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source"
)

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
			case "":
			default:
				a.answers[len(a.answers)-1] += "\n" + line
			}
		}
		all = append(all, a)
	}
	return all
}

// verdict is how the API is judged, and how many items came.
func (a realAPI) verdict(t *testing.T, field, paging string) (string, int) {
	t.Helper()
	reporter := pipeline.NewReporter(pipeline.Report{Jobs: []pipeline.JobReport{{ID: "list"}}})
	var err error
	asked := 0
	synctest.Test(t, func(t *testing.T) {
		h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			body, headers, _ := strings.Cut(a.answers[min(asked, len(a.answers)-1)], "\n")
			for header := range strings.Lines(headers) {
				name, value, _ := strings.Cut(strings.TrimSpace(header), ":")
				w.Header().Add(name, strings.TrimSpace(value))
			}
			asked++
			fmt.Fprint(w, body)
		})
		text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/"%s}, "config": {"jobs": [{"endpoint": "list", "dataField": %s}]}}`, paging, item.Quote(field))
		err = run(t, text, source.Options{Observer: reporter}, h, func(b *pipeline.Batch) error {
			b.Release()
			return nil
		})
	})
	report := reporter.Succeeded(time.Time{})
	if err != nil {
		return "failed", int(report.Jobs[0].Items)
	}
	return report.Verdict.String(), int(report.Jobs[0].Items)
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
