package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// excerptBytes is the most of an answer that an error shows.
	excerptBytes = 500

	// uncertain is how much at the end of a text that was cut may be the
	// beginning of a secret.
	uncertain = 16 << 10
)

// A StatusError is an answer whose status is no success.
type StatusError struct {
	Method string // GET or POST
	URL    string // secrets replaced
	Status int

	// Answer is what may be shown of the body: the first 500 bytes on one line,
	// secrets replaced; of the answer to a login request its type and length.
	Answer string

	Renewed  bool // the request was sent again after a new login
	Attempts int  // how many there were; 0 if others would not have helped
}

// Error says what was asked and what the API answered.
func (e *StatusError) Error() string {
	text := e.Method + " " + e.URL + ": " + statusText(e.Status) + attempts(e.Attempts)
	if e.Renewed {
		text += ", and a new login did not help"
	}
	if e.Answer != "" {
		text += ": " + e.Answer
	}
	return text
}

func (e *StatusError) after(attempts int) error {
	told := *e
	told.Attempts = attempts
	return &told
}

// A failure is a request that went wrong in any other way. Its texts carry no
// secrets; those of the error it wraps may.
type failure struct {
	where    string // method and URL
	what     string
	err      error
	attempts int // 0: not worth telling
}

func (f *failure) Error() string { return f.where + ": " + f.what + attempts(f.attempts) }
func (f *failure) Unwrap() error { return f.err }

func (f *failure) after(attempts int) error {
	told := *f
	told.attempts = attempts
	return &told
}

// failure says what went wrong with the request, without secrets.
func (c *Client) failure(where string, err error) *failure {
	text := oneLine(c.Secrets.Redact(err.Error()))
	return &failure{where: where, what: c.Secrets.Redact(text), err: err}
}

// attempts says how many there were.
func attempts(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " after 1 attempt"
	}
	return fmt.Sprintf(" after %d attempts", n)
}

// statusText is the status with its usual name; the API's own name for it may be
// anything.
func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// A timeout is a bound of ours that was met.
type timeout struct {
	what  string
	bound time.Duration
}

func (t *timeout) Error() string { return t.what + " within " + t.bound.String() }

// lasting tells whether a request that got no answer would get none at the next
// attempt either: what it asks does not exist or is not to be trusted. Whatever
// else keeps an answer away may pass.
func lasting(err error) bool {
	var dns *net.DNSError
	var address *net.AddrError // a port that there cannot be
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var replayed *replayError
	if errors.As(err, &dns) {
		return dns.IsNotFound
	}
	if errors.As(err, &replayed) {
		return replayed.lasting
	}
	return errors.As(err, &address) || errors.As(err, &certificate) || errors.As(err, &record)
}

// statusError describes an answer that is no success. It reads the body, but not
// for long.
func (x *exchange) statusError() *StatusError {
	defer x.limit(restTime).Stop()
	text, err := io.ReadAll(io.LimitReader(x.body, restBytes+1)) // what could be read is shown, whatever ended it
	cut := err != nil || len(text) > restBytes
	e := &StatusError{Method: x.call.Method, URL: x.call.URL, Status: x.answer.StatusCode}
	if x.call.Login() {
		e.Answer = x.outside(len(text), cut)
		return e
	}
	e.Answer = x.c.excerpt(string(text), cut)
	if e.Answer == "" && err != nil && len(text) > 0 {
		e.Answer = fmt.Sprintf("(the %d bytes that came of the body are not shown: they may end within a secret)", len(text))
	}
	return e
}

// outside describes an answer without showing it.
func (x *exchange) outside(length int, cut bool) string {
	kind := x.answer.Header.Get("Content-Type")
	if kind == "" {
		kind = "no content type"
	}
	size := fmt.Sprintf("%d bytes", length)
	if cut {
		size = "at least " + size
	}
	kind, _ = head(oneLine(x.c.Secrets.Redact(kind)), 100)
	return fmt.Sprintf("%s, %s (the answer to a login is not shown)", kind, size)
}

// excerpt is the beginning of a body, on one line and without secrets. cut says
// that the text may end within a secret.
func (c *Client) excerpt(text string, cut bool) string {
	text = c.Secrets.Redact(text)
	if cut {
		text = text[:max(0, len(text)-uncertain)]
	}
	text, more := head(strings.TrimSpace(oneLine(text)), excerptBytes)
	text = c.Secrets.Redact(text)
	if more {
		text += "…"
	}
	return text
}

// head returns at most n bytes of text, in whole characters, and whether that is
// not all.
func head(text string, n int) (string, bool) {
	if len(text) <= n {
		return text, false
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n], true
}

// oneLine makes text harmless to whoever shows it: valid UTF-8, and a blank for
// each character that would move the cursor, change colours or hide something.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
