package view

import (
	"bytes"
	_ "embed" // the page
	"encoding/json"
	"strings"

	"sluice/pipeline"
)

// page draws itself of the JSON that stands in it.
//
//go:embed report.html
var page string

// Page is one page, which needs nothing else, about a run: its report, with what --output says, and its chart.
func (t *Trace) Page(r *pipeline.Report, output string) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, err := json.Marshal(struct {
		*pipeline.Report
		Written string `json:"written"`
		Chart   *chart `json:"chart"`
	}{r, written(r.Outputs, r.Error != "", output), &t.chart})
	var inPage bytes.Buffer
	json.HTMLEscape(&inPage, t.secrets.RedactJSON(text))
	return []byte(strings.Replace(page, "{}", inPage.String(), 1)), err
}
