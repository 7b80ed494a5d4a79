package transport

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	firstWait = time.Second
	// Between two attempts, unless the API asks for more.
	maxWait = time.Minute
	// That an API may ask to wait: a run that would wait longer ends.
	maxAsked = time.Hour

	// Attempts to reach what has taken no connection since the run began.
	maxUnheard = 3

	// The least numbers that are a Unix time, in s and ms, and no seconds.
	earliest, earliestMilli = 9e8, 1e11
)

// Retry says what is tried again, and how often.
type Retry struct {
	// Attempts after the first; 0: none.
	MaxRetries int

	// Statuses that are tried again; nil: 408, 420, 429, 500, 502, 503, 504.
	Codes []int

	// Where the API says how long to wait, if not in Retry-After; empty: nowhere.
	Header string

	// Nothing is tried again but what asks for that: an answer that says how long to wait, or that there were too
	// many requests.
	IfAsked bool

	// The longest wait that an answer may ask for; 0: an hour.
	MostWait time.Duration
}

// spent tells whether nothing is left to try after so many attempts, the last of which came to a status, 0 if to none,
// and was asked to wait, negative if it was not.
func (r Retry) spent(attempts, status int, asked time.Duration) bool {
	if attempts > r.MaxRetries {
		return true
	}
	isAsked := status == statusCalm || status == http.StatusTooManyRequests || asked >= 0
	return r.IfAsked && !isAsked
}

// asked is how long an answer asks to wait, negative if it does not. Another header is believed only of
// statuses that are about that, and not if a count begins anew while requests are left.
func (r Retry) asked(answer http.Header, status int) time.Duration {
	wait := retryAfter(answer.Get("Retry-After"), time.Now())
	if wait >= 0 || !slices.Contains([]int{403, 420, 429, 503}, status) {
		return wait
	}
	left, _ := budget(answer)
	anew := strings.HasSuffix(strings.ToLower(r.Header), "reset")
	if left > 0 && anew {
		return wait
	}
	text := answer.Get(r.Header)
	if inMilliseconds(r.Header) {
		return retryAfterMilli(text)
	}
	return retryAfter(text, time.Now())
}

// inMilliseconds tells whether a header says by its name that it has milliseconds, such as X-Ms-Retry-After-Ms.
func inMilliseconds(header string) bool {
	header = strings.ToLower(header)
	for _, unit := range []string{"-ms", "_ms", "-millis", "-milliseconds"} {
		if strings.HasSuffix(header, unit) {
			return true
		}
	}
	return false
}

// retryAfterMilli reads a number of milliseconds; what is none is negative.
func retryAfterMilli(text string) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || n < 0 || n >= earliestMilli {
		return -1
	}
	return time.Duration(n * float64(time.Millisecond))
}

// waitAfter is how long to wait after an attempt: 1, 2, 4 … seconds with jitter, a minute at most.
func waitAfter(attempt int) time.Duration {
	wait := min(firstWait<<min(attempt-1, 6), maxWait)
	tenth := int64(wait / 10)
	//nolint:gosec // nobody gains by guessing it
	jitter := time.Duration(rand.Int64N(2*tenth+1) - tenth)
	return min(wait+jitter, maxWait)
}

// sleep waits, or returns the cause for which it did not.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	return context.Cause(ctx)
}

// Retries tells whether a status is tried again.
func (r Retry) Retries(status int) bool {
	codes := r.Codes
	if codes == nil {
		codes = []int{408, 420, 429, 500, 502, 503, 504}
	}
	return slices.Contains(codes, status)
}

// retryAfter reads seconds, a Unix time or an HTTP date; what is past is 0, what is no time negative.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 {
		return -1
	}
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return -1
	}
	if n >= earliest && n < earliestMilli {
		n *= 1000
	}
	if n >= earliestMilli {
		return max(0, time.UnixMilli(int64(min(n, 1000*earliestMilli))).Sub(now))
	}
	return time.Duration(n * float64(time.Second))
}

// budget reads how many requests are left, and how long until there are more; negative is not known.
func budget(h http.Header) (left int, wait time.Duration) {
	remaining, reset := "", ""
	// As net/http writes names.
	for _, prefix := range [...]string{"X-Ratelimit-", "Ratelimit-", "X-Rate-Limit-"} {
		if text := h.Get(prefix + "Remaining"); text != "" && remaining == "" {
			remaining, reset = text, h.Get(prefix+"Reset")
		}
	}
	for pair := range strings.FieldsFuncSeq(h.Get("Ratelimit"), func(r rune) bool { return r == ',' || r == ';' }) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); name {
		case "remaining", "r":
			remaining = value
		case "reset", "t":
			reset = value
		}
	}
	if remaining == "" {
		return -1, -1
	}
	left, err := strconv.Atoi(strings.TrimSpace(remaining))
	if err != nil || left < 0 {
		return -1, -1
	}
	now := time.Now()
	if at, err := http.ParseTime(h.Get("Date")); err == nil && at.Sub(now).Abs() > 5*time.Second {
		now = at
	}
	return left, retryAfter(reset, now)
}

// statusCalm is a status that some APIs send in place of 429.
const statusCalm = 420
