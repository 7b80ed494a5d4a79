package s3

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// limits say when patience ends. A request is tried again as long as its first
// attempt is less than trying ago, and at least tries times; so a bucket that
// refuses is given up after about a minute, one that is silent within two.
type limits struct {
	dial     time.Duration // for a connection
	send     time.Duration // for some bytes to go out
	answer   time.Duration // from the last byte sent to the header of the answer, and between bytes
	complete time.Duration // the same for Complete: S3 and gateways put the parts together then
	trying   time.Duration // after which no attempt begins
	tries    int           // attempts that may be made in spite of it
	pause    time.Duration // longest between two attempts
	farewell time.Duration // for giving up what is open

	smallestPart int64
	parts        int // of one object
}

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
		farewell: 20 * time.Second,

		smallestPart: MinPartSize,
		parts:        10_000,
	}
}

// retryer is the SDK's standard retryer for one operation, ended by time. No
// operation shares it: what went wrong in an hour of uploads would add up.
type retryer struct {
	*retry.Standard
	tries int // still to be made whatever the time
	until time.Time
}

func (l limits) retryer(tries, most int) *retryer {
	return &retryer{
		Standard: retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = most, l.pause
		}),
		tries: tries,
		until: time.Now().Add(l.trying),
	}
}

// IsErrorRetryable implements [aws.Retryer]. It is asked after each attempt.
func (r *retryer) IsErrorRetryable(err error) bool {
	r.tries--
	return passing(err) && (r.tries > 0 || time.Now().Before(r.until))
}

// passing tells whether the same request may well succeed later.
func passing(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	if errors.As(err, &certificate) || errors.As(err, &record) || errors.Is(err, http.ErrSchemeMismatch) {
		return false
	}
	if errors.Is(err, io.ErrUnexpectedEOF) { // an answer that was cut
		return true
	}
	too := retry.RetryableHTTPStatusCode{Codes: map[int]struct{}{http.StatusRequestTimeout: {}, http.StatusTooManyRequests: {}}}
	return retry.IsErrorRetryables(retry.DefaultRetryables).IsErrorRetryable(err) == aws.TrueTernary ||
		too.IsErrorRetryable(err) == aws.TrueTernary
}

// A conn ends when its peer takes or gives nothing for too long: an HTTP
// transport alone waits for ever until the body of a request is out.
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

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

func (l limits) dialer(dial dialer, answer time.Duration) dialer {
	if dial == nil {
		dial = (&net.Dialer{Timeout: l.dial, KeepAlive: 30 * time.Second}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &conn{Conn: c, send: l.send, answer: answer}, nil
	}
}
