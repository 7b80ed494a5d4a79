package transport

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// Cut tells readers of JSON why a body was cut that has ended after so many bytes, within its value if that has begun: an
// error that is [io.ErrUnexpectedEOF]. It is nil of a body that is as its sender meant it: one of an announced length,
// 0 too (specification.md, offset rule 6: an empty response), or one of nothing that does not say that it is JSON.
func (r *Response) Cut(bytes int64, begun bool) error {
	isAnnounced := r.Header.Get("Content-Length") != ""
	kind := jsonType(r.Header)
	isNothing := r.Header.Get("Content-Length") == "0"
	isMeant := !begun && (kind == "" || isNothing || mayBeEmpty(r.Status))
	const begin = "the body was cut short at %d bytes: "
	switch {
	case isMeant:
		return nil
	case bytes == 0:
		return fmt.Errorf(begin+"the content type is %s, which is never empty: %w", bytes, kind, io.ErrUnexpectedEOF)
	case isAnnounced:
		return nil
	}
	return fmt.Errorf(begin+"its JSON has no end, and its length was not announced: %w", bytes, io.ErrUnexpectedEOF)
}

// jsonType is the content type of an answer if that is one JSON document, else empty.
func jsonType(header http.Header) string {
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	// That is how lines of JSON are called by some.
	isJSON := strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json")
	if kind == "application/stream+json" || !isJSON {
		return ""
	}
	return kind
}

// mayBeEmpty tells whether an answer of a status may be without a body although its header describes one.
func mayBeEmpty(status int) bool {
	without := []int{http.StatusCreated, http.StatusAccepted, http.StatusNoContent, http.StatusResetContent}
	return status/100 != 2 || slices.Contains(without, status)
}
