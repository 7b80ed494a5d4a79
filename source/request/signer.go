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

	// Plan returns the request that Apply would send first. It is not sent; r is
	// signed with response(path) in the place of the value that its answer will
	// have at path. literal is true where the path itself is meant if there is no
	// such value. secret names the headers of the first request that are not shown.
	Plan func(r *Request, response func(path string, literal bool) string) (first *Request, secret []string, err error)

	// AWS is what Finish signs with if that is a signature of AWS.
	AWS *AWS
}

// AWS is what a signature of AWS is made with.
type AWS struct{ AccessKeyID, SecretKey, Service, Region string }
