package s3

import (
	"errors"
	"net"
	"time"
)

// retryLimits say how long to wait: a bucket that refuses is given up after about a minute, a silent one within two.
type retryLimits struct {
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

	// This many attempts are made even if their time is over.
	tries int

	// The longest between two attempts.
	pause time.Duration

	// How long it is checked, at most, whether an object is there whose publishing had no answer.
	looking time.Duration

	// The longest that all open uploads together take to be aborted.
	closing time.Duration

	// The share of closing for the parts that are on their way.
	drain time.Duration

	// How long a server may take, at most, to store a part that arrived whole although its request was cancelled.
	storing time.Duration

	// In bytes, of a part that is not the last.
	smallestPart int64

	// The most parts of one object.
	parts int
}

// usual returns the limits of every target outside tests.
func usual(partSize int64) retryLimits {
	// The bytes that the slowest server stores in a second.
	const slowest = 10 << 20
	return retryLimits{
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

// Sizes of parts, in bytes. S3 allows the two bounds.
const (
	// Makes room for objects of 156 GiB.
	DefaultPartSize = 16 << 20
	MinPartSize     = 5 << 20
	MaxPartSize     = 5 << 30
)
