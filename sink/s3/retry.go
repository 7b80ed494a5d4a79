package s3

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// limits say how long to wait: a bucket that refuses is given up after about a minute, a silent one within two.
type limits struct {
	dial     time.Duration // for a connection
	send     time.Duration // for some bytes to go out
	answer   time.Duration // from the last byte sent to the header of the answer, and between bytes
	complete time.Duration // the same for Complete: S3 and gateways put the parts together then
	trying   time.Duration // after which no attempt begins
	tries    int           // attempts that may be made in spite of it
	pause    time.Duration // longest between two attempts
	looking  time.Duration // whether something was published when its answer is not waited for
	closing  time.Duration // for aborting the open uploads
	drain    time.Duration // of it, for the parts that are on their way
	storing  time.Duration // until a part that was cut is stored, if it arrived whole

	smallestPart int64
	parts        int // of one object
}

// usual returns the limits of a target but in tests.
func usual(partSize int64) limits {
	const slowest = 10 << 20 // bytes a second that a server stores
	return limits{
		dial:     10 * time.Second,
		send:     30 * time.Second,
		answer:   30*time.Second + time.Duration(partSize/slowest)*time.Second,
		complete: 5 * time.Minute,
		trying:   time.Minute,
		tries:    3,
		pause:    10 * time.Second,
		looking:  3 * time.Second,
		closing:  15 * time.Second,
		drain:    5 * time.Second,
		storing:  time.Second,

		smallestPart: MinPartSize,
		parts:        10_000,
	}
}

// retryer is for one operation, since the failures of an hour of uploads would add up.
func (t *Target) retryer(tries int, goesOn func() bool) aws.Retryer {
	l := t.limits
	until := time.Now().Add(l.trying)
	backoff := retry.NewExponentialJitterBackoff(l.pause)
	again := func(err error) aws.Ternary { // asked once after each attempt
		tries--
		return aws.BoolTernary((goesOn == nil || goesOn()) && retryable(err) && (tries > 0 || time.Now().Before(until)))
	}
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = t.attempts
		o.Retryables = []retry.IsErrorRetryable{retry.IsErrorRetryableFunc(again)}
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, err error) (time.Duration, error) {
			delay, wrong := backoff.BackoffDelay(attempt, err)
			if left := time.Until(until); left > 0 {
				delay = min(delay, left) // the last attempt is then
			}
			if t.options.Again != nil {
				t.options.Again(t.reason(err), delay)
			}
			return delay, wrong
		})
	})
}

// retryable tells whether the same request may well succeed later.
func retryable(err error) bool {
	if errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(tls.RecordHeaderError)) || errors.Is(err, http.ErrSchemeMismatch) {
		return false
	}
	if errors.Is(err, io.ErrUnexpectedEOF) { // an answer that was cut
		return true
	}
	too := retry.RetryableHTTPStatusCode{Codes: map[int]struct{}{http.StatusRequestTimeout: {}, http.StatusTooManyRequests: {}}}
	all := retry.IsErrorRetryables(append(slices.Clip(retry.DefaultRetryables), too))
	return all.IsErrorRetryable(err) == aws.TrueTernary
}

// A conn ends when its peer takes or gives nothing for too long, while a body is sent too.
type conn struct {
	net.Conn
	send, answer time.Duration
}

func (c *conn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.answer)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write also gives the read that waits for the answer its full time.
func (c *conn) Write(p []byte) (int, error) {
	now := time.Now()
	if err := errors.Join(c.SetWriteDeadline(now.Add(c.send)), c.SetReadDeadline(now.Add(c.send+c.answer))); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
