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
	// The longest that a connection takes.
	dial time.Duration

	// The longest until some bytes have gone out.
	send time.Duration

	// The longest from the last byte sent to the header of the answer, and between bytes.
	answer time.Duration

	// The same for Complete: S3 and gateways put the parts together then.
	complete time.Duration

	// No attempt of a request begins later.
	trying time.Duration

	// So many attempts are made even if trying is over.
	tries int

	// The longest between two attempts.
	pause time.Duration

	// The longest look whether something stands that this run did not see published.
	looking time.Duration

	// The longest that all open uploads together take to be aborted.
	closing time.Duration

	// The share of closing for the parts that are on their way.
	drain time.Duration

	// The longest until a part is stored that arrived whole and was cut.
	storing time.Duration

	// In bytes, of a part that is not the last.
	smallestPart int64

	// The most parts of one object.
	parts int
}

// usual returns the limits of every target outside tests.
func usual(partSize int64) limits {
	// The bytes that the slowest server stores in a second.
	const slowest = 10 << 20
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
	// It is asked once after each attempt.
	again := func(err error) aws.Ternary {
		tries--
		if goesOn != nil && !goesOn() {
			return aws.FalseTernary
		}
		if !retryable(err) {
			return aws.FalseTernary
		}
		return aws.BoolTernary(tries > 0 || time.Now().Before(until))
	}
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = t.attempts
		o.Retryables = []retry.IsErrorRetryable{retry.IsErrorRetryableFunc(again)}
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, err error) (time.Duration, error) {
			delay, wrong := backoff.BackoffDelay(attempt, err)
			if left := time.Until(until); left > 0 {
				// The last attempt begins when the time is over.
				delay = min(delay, left)
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
	if errors.As(err, new(*tls.CertificateVerificationError)) || lacksTLS(err) {
		return false
	}
	// The answer was cut.
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	too := retry.RetryableHTTPStatusCode{
		Codes: map[int]struct{}{http.StatusRequestTimeout: {}, http.StatusTooManyRequests: {}},
	}
	all := retry.IsErrorRetryables(append(slices.Clip(retry.DefaultRetryables), too))
	return all.IsErrorRetryable(err) == aws.TrueTernary
}

// lacksTLS tells whether a server has answered without TLS what was asked with it.
func lacksTLS(err error) bool {
	return errors.As(err, new(tls.RecordHeaderError)) || errors.Is(err, http.ErrSchemeMismatch)
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
	sending := c.SetWriteDeadline(now.Add(c.send))
	answering := c.SetReadDeadline(now.Add(c.send + c.answer))
	if err := errors.Join(sending, answering); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
