package walk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/page"
	"sluice/source/transport"
	"sluice/source/verdict"
)

// maxErrorData is the longest text that becomes errorData, in bytes.
const maxErrorData = 16 << 20

// asData returns the body to decode: for a status of api.http.ignoreErrors what is
// no JSON becomes a member errorData.
func (s *Assignment) asData(
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
		spec.With = nil
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
func (s *Assignment) withContentType(
	err error, number int, resp *transport.Response, spec *page.Spec, p *page.Page,
) error {
	kind, _, _ := strings.Cut(s.options.redact(resp.Header.Get("Content-Type")), ";")
	claimed := ""
	if spec.Format.Usual() {
		claimed = page.Claimed(kind)
	}
	remedy := ": set the job's format to " + claimed
	if err == nil {
		if claimed != "" && spec.Detect && p.Selected != 'n' {
			return misread("the answer is not JSON by its content type"+remedy, claimed)
		}
		mayBeText := number == 1 && isLine(p)
		if mayBeText && !isTable(kind) {
			return refusal("the answer is one line of text, not a table")
		}
		return nil
	}
	bad, ok := errors.AsType[*page.Error](err)
	if !ok {
		return err
	}
	switch {
	case claimed != "":
		bad.Format, bad.Remedy = claimed, remedy
	case bad.Remedy == "" && strings.Contains(strings.ToLower(kind), "html"):
		bad.Remedy = ": this is a page for a browser"
		if from := resp.RedirectedFrom(); from != "" {
			bad.Remedy += ", to which " + from + " was redirected"
		}
		bad.Remedy += ": check the address, and whether the login is good for it"
	}
	saysOther := kind != "" && !strings.Contains(strings.ToLower(kind), "json")
	if claimed != "" || saysOther {
		err = fmt.Errorf("%w (content type %.60s)", err, kind)
	}
	return misread(err.Error(), bad.Format)
}

// misread says why an answer is no page, and in which format it seems to be; empty: none is known.
func misread(why, format string) error {
	refused := &transport.Counts{Text: why}
	if format != "" {
		refused.Is = &page.OtherFormatError{Format: format}
	}
	return refused
}

// Refusal is the status of the answer that made a request fail, 0 if none did, and the format, as JSON, in which it seems
// to be where that is not the job's; empty: none is known.
func Refusal(err error) (status int, format string) {
	if other, ok := errors.AsType[*page.OtherFormatError](err); ok {
		format = other.Format
	}
	return transport.StatusOf(err), format
}

// isLine tells whether a table is one name and nothing more, as is any line of text.
func isLine(p *page.Page) bool { return p.Columns == 1 && p.Items == 0 }

// isTable tells whether an answer claims to be a table.
func isTable(contentType string) bool {
	contentType = strings.ToLower(contentType)
	return strings.Contains(contentType, "tab-separated-values") || strings.Contains(contentType, "csv")
}

// endpoint is that of the job as the configuration writes it, or what people see of its value.
func (s *Assignment) endpoint() string {
	if text, ok := s.Job.Request.Endpoint.Literal(); ok {
		return text
	}
	return cmp.Or(s.Pages.Shown, s.Pages.Endpoint)
}

// nothingThere says what the response, which is quoted, has instead of items where they are looked
// for; none if it has some there.
func (s *Assignment) nothingThere(p *page.Page, quote string) (none verdict.Raised) {
	but := ""
	others := arrayPaths(p.Beside.Arrays)
	switch len(others) {
	case 0:
	case 1:
		but = ", but an array at " + others[0]
	default:
		but = ", but arrays at " + strings.Join(others[:min(len(others), arraysNamed)], ", ")
	}
	switch {
	case p.NoArray:
		return verdict.NoArray.Raise(s.endpoint(), but, quote)
	case s.Job.Spec.Detect, p.Selected != 0:
		return none
	}
	if len(others) == 1 {
		but += fmt.Sprintf(" (for its items write \"dataField\": %q)", others[0])
	}
	if but == "" {
		but = evidence.Near(s.Job.Spec.Select, p.Beside.Names)
	}
	if but == "" && p.Root == '[' {
		but = ", but is an array itself: if its elements are the items, leave dataField out"
	}
	return verdict.NothingThere.Raise(p.Field, but, quote)
}
