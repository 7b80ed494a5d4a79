package request

import (
	"context"
	"net/http"
)

// A Signer makes requests that an API accepts. It is shared by all requests of a
// run and safe for concurrent use. A function that is nil has nothing to do.
type Signer struct {
	// Apply adds to r what the API wants to see. It is called once for each
	// attempt, on a clone, before parameters are encoded, and may log in first. An
	// error is final for the run, unless it is the cause for which ctx has ended:
	// a caller that no longer wants the request does not wait for a login.
	Apply func(ctx context.Context, r *Request) error

	// Finish signs h, the finished request: address, headers and body are those of
	// the wire. It is called once for each attempt, and not for the redirects that
	// follow. It may change headers, and the way in which the address is written,
	// not what it means. An error is final for the run.
	Finish func(h *http.Request) error

	// Rejected is told that r, which Apply signed, was answered with 401, and says
	// whether it is worth while to sign and send it once more. It is asked once for
	// a request, before Done.
	Rejected func(r *Request) bool

	// Done is called once for each request that Apply signed without an error, when
	// its body has been read or given up, whatever became of it.
	Done func(r *Request)

	// Plan returns the request that Apply would send first, which is not sent, and
	// the headers in it that every request has; and it signs r. unknown gives the text
	// that stands for a value of the answer, bare where nothing of it is encoded, and made
	// is told what a function makes of it.
	Plan func(r *Request, unknown func(name, from string, bare bool) string, made func(function, text string)) (first *Request, shared http.Header, err error)
}
