package walk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/page"
	"sluice/source/transport"
)

// maxErrorData is the longest text that becomes errorData, in bytes.
const maxErrorData = 16 << 20

// asData returns the body to decode: for a status of api.http.ignoreErrors what is
// no JSON becomes a member errorData.
func (s *Scope) asData(
	resp *transport.Response, spec *page.Spec,
) (io.Reader, error) {
	succeeded := resp.Status/100 == 2
	if !slices.Contains(s.options.API.Ignored, resp.Status) {
		return resp.Body, nil
	}
	if succeeded && !spec.Format.Usual() {
		return resp.Body, nil
	}
	spec.Format = nil
	if !succeeded {
		spec.Bare = nil
	}
	// That such an answer is data has been chosen.
	spec.Scalar = true
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorData))
	if err != nil {
		return nil, err
	}
	hasNoItems := succeeded && len(bytes.TrimSpace(text)) == 0
	isPage := isJSON(text) || hasNoItems || isCut(resp, text)
	if !isPage && len(text) < maxErrorData {
		text = append(item.AppendQuote([]byte(`{"errorData":`), string(text)), '}')
	}
	return io.MultiReader(bytes.NewReader(text), resp.Body), nil
}

// isCut tells whether the text of an answer is an object or an array that was cut.
func isCut(resp *transport.Response, text []byte) bool {
	kind := item.Kind(bytes.TrimLeft(text, " \t\r\n"))
	isContainer := kind == '{' || kind == '['
	return isContainer && item.EndsEarly(text) && resp.Cut(int64(len(text)), true) != nil
}

// withContentType adds what the answer claims to be to an error about its text, or
// makes an error of that claim.
func (s *Scope) withContentType(
	err error, number int, resp *transport.Response, spec *page.Spec, p *page.Page,
) error {
	kind, _, _ := strings.Cut(s.options.redact(resp.Header.Get("Content-Type")), ";")
	claim := ""
	if spec.Format.Usual() {
		claim = misread(kind)
	}
	if err == nil {
		looked := spec.Detect && p.Selected != 'n'
		if claim != "" && looked {
			return refusal("the answer is no JSON by its content type" + claim)
		}
		mayBeText := number == 1 && isLine(p)
		if mayBeText && !isTable(kind) {
			return refusal("the answer is one line of text, no table")
		}
		return nil
	}
	bad, ok := errors.AsType[*page.Error](err)
	if !ok {
		return err
	}
	if claim != "" {
		bad.Remedy = claim
	}
	saysJSON := strings.Contains(strings.ToLower(kind), "json")
	saysOther := kind != "" && !saysJSON
	if claim != "" || saysOther {
		err = fmt.Errorf("%w (content type %.60s)", err, kind)
	}
	return refusal(err.Error())
}

// refusal says why an answer is no page; its message quotes the answer.
func refusal(why string) error { return &transport.Counts{Text: why} }

// isLine tells whether a table is one name and nothing more, as is any line of text.
func isLine(p *page.Page) bool { return p.Columns == 1 && p.Items == 0 }

// isTable tells whether an answer claims to be a table.
func isTable(contentType string) bool {
	contentType = strings.ToLower(contentType)
	tabs := strings.Contains(contentType, "tab-separated-values")
	return tabs || strings.Contains(contentType, "csv")
}

// misread says of an answer that was read as JSON what it claims to be.
func misread(contentType string) string {
	format := page.Claimed(contentType)
	if format == "" {
		return ""
	}
	return ": set the job's format to " + format
}
