package view

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html"
	"strings"

	"sluice/pipeline/report"
)

// pageTemplate draws itself of the JSON that stands in it.
//
//go:embed report.html
var pageTemplate string

// Page is one page, which needs nothing else, about a run: what it is of, its report, with what
// --output says, what that means in words, and its chart.
func (t *TraceWriter) Page(r *report.Report, of Subject, output string) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	told := headlineOf(r, of)
	written := where(r, r.Status == report.Failed, output, t.secrets)
	text, err := json.Marshal(struct {
		*report.Report
		Written  string    `json:"written"`
		Chart    *chart    `json:"chart"`
		Headline headline  `json:"headline"`
		Told     []toldJob `json:"told"`
	}{r, written, &t.chart, told, jobsOf(r)})
	var inPage bytes.Buffer
	json.HTMLEscape(&inPage, shownEscapes(t.secrets.RedactJSON(text, written)))
	title := t.secrets.Redact(of.title(r, told.Title)) + " · sluice run " + t.secrets.Name(r.RunID)
	title = html.EscapeString(OneLine(title))
	whole := strings.Replace(pageTemplate, "{}", inPage.String(), 1)
	return []byte(strings.Replace(whole, "{title}", title, 1)), err
}

// shownEscapes returns JSON whose strings have escapes, which people see, for what [Printable] would escape.
func shownEscapes(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		if unprintable(r) {
			b.WriteString(strings.ReplaceAll(escaped(r), `\`, `\\`))
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}
