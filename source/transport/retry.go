package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/pipeline"
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
	isTooMany := status == statusCalm || status == http.StatusTooManyRequests
	isAsked := isTooMany || asked >= 0
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
	return retryAfter(answer.Get(r.Header), time.Now())
}

// retry is the outermost layer: the whole exchange, body included.
func (f *fetch) retry(ctx context.Context) error {
	for f.call.Attempt = 1; ; f.call.Attempt++ {
		err := f.attempt(ctx)
		if errors.Is(err, errRejected) {
			err = f.attempt(ctx)
		}
		if err == nil {
			return nil
		}
		if cause := context.Cause(ctx); cause != nil {
			return f.over(cause)
		}
		failed, ok := errors.AsType[*failure](err)
		if !ok || !failed.retryable {
			return err
		}
		wait := failed.asked
		if wait < 0 {
			wait = waitAfter(f.call.Attempt)
		}
		if err := f.giveUp(failed, wait); err != nil {
			return pipeline.Temporary(err)
		}
		if f.c.Instant {
			wait = 0
		}
		f.c.Observer.Observe(pipeline.Retrying{Call: f.call, Delay: wait, Reason: failed.what, At: time.Now()})
		if err := sleep(ctx, wait); err != nil {
			return f.over(err)
		}
	}
}

// giveUp returns the error of a request that is not tried again, also if it is a login within another one.
func (f *fetch) giveUp(failed *failure, wait time.Duration) error {
	final := *failed
	final.retryable = false
	most := cmp.Or(f.c.Retry.MostWait, maxAsked)
	if failed.unheard {
		f.unheard++
	}
	neverHeard := f.unheard == f.call.Attempt
	if neverHeard {
		final.detail = ": nothing has listened there since the run began: is the port right?"
	}
	switch {
	case neverHeard && f.call.Attempt >= maxUnheard:
		final.attempts = f.call.Attempt
	case f.c.Retry.spent(f.call.Attempt, failed.countsAs, failed.asked):
		final.attempts = f.call.Attempt
	case wait > most:
		until := time.Now().Add(wait).UTC().Format(time.RFC3339)
		const text = ": the API asks to wait until %s, and %s is the most that is waited: start it again then"
		final.what += fmt.Sprintf(text, until, most)
		final.detail = ""
	default:
		return nil
	}
	return &final
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
