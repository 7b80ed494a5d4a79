package view

import (
	"bytes"
	_ "embed" // the page
	"encoding/json"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// page draws itself of the JSON that stands in it.
//
//go:embed report.html
var page string

// Page is one page, which needs nothing else, about a run: its report, with what --output
// says, and its chart. A nil Trace has none.
func (t *Trace) Page(r *pipeline.Report, output string, secrets *secret.Set) ([]byte, error) {
	data := struct {
		*pipeline.Report
		Written string `json:"written"`
		Chart   *chart `json:"chart"`
	}{r, written(r.Outputs, r.Error != "", output), &chart{Step: 1000, Series: []*series{}}}
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		data.Chart = &t.chart
	}
	text, err := json.Marshal(data)
	var inPage bytes.Buffer
	json.HTMLEscape(&inPage, secrets.RedactJSON(text))
	return []byte(strings.Replace(page, "{}", inPage.String(), 1)), err
}
