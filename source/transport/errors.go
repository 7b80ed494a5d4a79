package transport

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sluice/pipeline"
)

const (
	// Of an answer that an error shows, at most.
	excerptBytes = 500
	// Bytes that an error says about what was wrong, at most.
	maxReason = 600
	// Bytes at the end of a text that was cut, which may begin a secret.
	uncertain = 16 << 10

	// Of a body, kept for an excerpt.
	seenBytes = uncertain + 4*excerptBytes
)

// ErrRefused is wrapped by that of an answer of 4xx to what was asked for: not of one about
// who asks or how often, and not of one that is tried again.
var ErrRefused = errors.New("the request is refused")

// ErrNoPage is wrapped by that of an answer that may mean that nothing is there. It is an
// [ErrRefused], too.
var ErrNoPage = fmt.Errorf("%w: there is no such page", ErrRefused)

// aboutAsker are statuses about who asks, or how often.
var aboutAsker = []int{
	http.StatusUnauthorized,
	http.StatusForbidden,
	http.StatusProxyAuthRequired,
	http.StatusRequestTimeout,
	statusCalm,
	http.StatusTooManyRequests,
}

// refuses tells whether a status says that what was asked for cannot be had.
func refuses(status int) bool { return status/100 == 4 && !slices.Contains(aboutAsker, status) }

// A failure is a request that went wrong. Its texts have no secrets; the text of err may have some.
type failure struct {
	// Method and URL.
	where string

	what string

	// What the message says after the number of attempts.
	detail string

	// May be nil.
	err error

	// 0: not worth telling.
	attempts int

	// It may be gone at the next attempt.
	retryable bool

	// How long the API asks to wait; negative if it does not ask.
	asked time.Duration

	// Of an answer that is an error; 0: none came.
	status int

	// The status for which it is tried again; 0: there is none.
	countsAs int

	// The host, with its port if the address has one, that no connection was got to; empty: there was one.
	unreached string

	// The address refuses connections, and has taken none so far.
	unheard bool
}

// Answered tells whether the API has refused the request, whoever asks by an interface.
func (f *failure) Answered() bool { return f.status != 0 }

// StatusOf is that of the answer which made a request fail; 0: none did.
func StatusOf(err error) int {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return 0
	}
	return f.status
}

// Unreached is the host, with its port if the address has one, that a request got no connection to; empty: it had
// one.
func Unreached(err error) string {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return ""
	}
	return f.unreached
}

func (f *failure) Error() string {
	text := f.where + ": " + f.what
	switch f.attempts {
	case 0:
	case 1:
		text += " after 1 attempt"
	default:
		text += fmt.Sprintf(" after %d attempts", f.attempts)
	}
	return text + f.detail
}

func (f *failure) Unwrap() error { return f.err }

// failure says what went wrong with the request.
func (c *Client) failure(where string, err error) *failure {
	return &failure{where: where, what: pipeline.Shorten(c.clean(err.Error()), maxReason), err: err, asked: -1}
}

// excerpt is the beginning of a body on one line; cut says that the text may end within a secret.
func (c *Client) excerpt(text string, cut bool) string {
	text = c.Secrets.Redact(text)
	if cut {
		text = text[:max(0, len(text)-uncertain)]
	}
	return pipeline.Shorten(strings.TrimSpace(c.clean(text)), excerptBytes)
}

// clean makes text fit for people: on one line, and without the secrets that show there.
func (c *Client) clean(text string) string {
	return c.Secrets.Redact(oneLine(c.Secrets.Redact(text)))
}

// oneLine makes text harmless: valid UTF-8, and blanks for what moves the cursor or hides something.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		hides := unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
		breaks := r == '\u2028' || r == '\u2029'
		if hides || breaks {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// Quote is the beginning of a body on one line after a colon; nothing if that is empty.
func (c *Client) Quote(text string, cut bool) string {
	shown := c.excerpt(text, cut)
	if shown == "" {
		return ""
	}
	return ": " + shown
}

// statusText is the status with its usual name; the API's own may be anything.
func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}
