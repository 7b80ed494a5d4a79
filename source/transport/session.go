package transport

import (
	"context"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"sluice/source/request"
)

// own are the headers that the program sends by itself. They go to any origin.
var own = [...]string{"User-Agent", "Accept", "Accept-Encoding"}

// errRejected says that an answer was 401 and that a request signed anew is
// worth one more try. It never leaves attempt.
var errRejected = errors.New("the session was rejected")

// attempt is one attempt of the retry layer: the request signed and sent, and
// once more if its session turns out to be void.
func (f *fetch) attempt(ctx context.Context) error {
	err := f.signed(ctx)
	if errors.Is(err, errRejected) {
		return f.signed(ctx) // f.renewed is set: not a third time
	}
	return err
}

// signed signs the request, sends it and has the answer read. It is signed only
// when its host may be asked: a signature may be good for minutes.
func (f *fetch) signed(ctx context.Context) error {
	if err := f.c.gate(f.request.URL.Host).open(ctx); err != nil {
		return err
	}
	r := f.request.Clone()
	if f.call.Login() {
		r.Cookies, _ = cookiejar.New(nil) // it never fails
	}
	if r.Renew != nil {
		if err := r.Renew(r); err != nil {
			return err
		}
	}
	if f.signer.Apply != nil {
		if err := f.signer.Apply(ctx, r); err != nil {
			return err
		}
	}
	if f.signer.Done != nil {
		defer f.signer.Done(r)
	}
	h, err := f.encode(ctx, r)
	if err != nil {
		return err
	}
	x, err := f.follow(ctx, r, h)
	if err != nil {
		return err
	}
	defer x.close()
	return f.judge(x, r)
}

// encode makes the HTTP request, with the program's own headers where the
// configuration sets none.
func (f *fetch) encode(ctx context.Context, r *request.Request) (*http.Request, error) {
	h, err := r.HTTP(ctx)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // without the address, secrets and all
		}
		return nil, f.c.failure(string(r.Method)+" "+r.Redacted(f.c.Secrets), err)
	}
	values := [len(own)]string{f.c.UserAgent, "application/json", "gzip, zstd"}
	for i, name := range own {
		if len(h.Header.Values(name)) == 0 {
			h.Header.Set(name, values[i])
		}
	}
	return h, nil
}

// judge decides what the status means.
func (f *fetch) judge(x *exchange, r *request.Request) error {
	status := x.answer.StatusCode
	switch {
	case status/100 == 2:
		return f.receive(x, r)
	case status == http.StatusUnauthorized && !x.foreign:
		// Whoever is told may wait for a login, and a login for a place.
		x.leave(false)
		if f.rejected(r) {
			return errRejected
		}
	}
	accepted := f.c.Accept != nil && !x.Login() && f.c.Accept(status)
	retried := f.c.Retry.retries(status)
	if accepted && (!retried || f.call.Attempt > f.c.Retry.MaxRetries) {
		return f.receive(x, r)
	}
	detail := ""
	if status == http.StatusUnauthorized && f.renewed {
		detail = ", and a new login did not help"
	}
	failed := x.statusFailure(detail)
	if retried {
		failed.retryable, failed.asked = true, f.c.Retry.asked(x.answer)
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			hold := failed.asked
			if hold > maxAsked || f.c.Instant { // then the run gives up, or does not wait
				hold = 0
			}
			x.gate.hold(x.generation, hold)
		}
	}
	return failed
}

// rejected tells whether the request is to be signed anew.
func (f *fetch) rejected(r *request.Request) bool {
	if f.signer.Rejected == nil || f.renewed {
		return false
	}
	f.renewed = f.signer.Rejected(r)
	return f.renewed
}

// receive has the answer read. A body that failed is an attempt that failed,
// whatever read has made of it.
func (f *fetch) receive(x *exchange, r *request.Request) error {
	err := f.read(&Response{Status: x.answer.StatusCode, Header: x.answer.Header, Cookies: r.Cookies, URL: r.URL, Body: x})
	if x.bodyErr != nil {
		return x.failed(x.whereAndStatus(), x.bodyErr)
	}
	if err != nil {
		return f.c.failure(x.whereAndStatus(), err)
	}
	return nil
}
