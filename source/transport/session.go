package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/pattern"
	"sluice/source/request"
	"sluice/source/transport/record"
)

// errRejected says that a request signed anew is worth one more try, and no third one. It never leaves retry.
var errRejected = errors.New("the session was rejected")

// attempt signs the request when its host may be asked, as signatures age, sends it and has the answer read.
func (f *fetch) attempt(ctx context.Context) error {
	if err := f.c.gate(f.request.URL.Host).open(ctx); err != nil {
		return err
	}
	f.signed = *f.request
	r := &f.signed
	if f.call.Login() {
		r.Cookies = newCookies(f.request.Cookies)
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
	l, end := f.lifeOf(ctx, r)
	defer end()
	err := f.exchanged(ctx, l, r)
	f.lost = f.lost || l.loses(err)
	return err
}

// exchanged sends what an attempt has signed, and has the answer read.
func (f *fetch) exchanged(ctx context.Context, l life, r *request.Request) error {
	x, err := f.follow(ctx, l, r)
	if err != nil {
		return err
	}
	defer x.close()
	return f.judge(x, r)
}

// judge decides what the status means.
func (f *fetch) judge(x *exchange, r *request.Request) error {
	status := x.answer.StatusCode
	if status/100 == 2 {
		return f.receive(x, r)
	}
	accepted := f.c.Accept != nil && !x.Login() && f.c.Accept(status)
	retried := f.c.Retry.Retries(status)
	asked := f.c.Retry.asked(x.answer.Header, status)
	used := accepted && (!retried || f.c.Retry.spent(f.call.Attempt, status, asked))
	if r.Judge != nil && !used {
		text, err := x.beginning()
		if mayBeWhole(err) {
			// The rest might say what it counts as.
			return x.failed(x.whereAndStatus(), err)
		}
		if err := r.Judge(status, x.answer.Header, text); err != nil {
			return f.counts(x, r, err)
		}
	}
	if status == http.StatusUnauthorized && f.signsAnew(x, r) {
		return errRejected
	}
	if used {
		return f.receive(x, r)
	}
	failed := x.statusFailure(f.noHelp(x, status))
	missing := slices.Contains([]int{400, 404, 410, 416, 422}, status)
	switch {
	case retried:
		f.later(x, failed, status)
	case x.Login():
	case missing:
		failed.err = ErrNoPage
	case refuses(status):
		failed.err = ErrRefused
	}
	return failed
}

// mayBeWhole tells of the error that ended a body whether another attempt may bring all of it.
func mayBeWhole(err error) bool {
	cut, ok := errors.AsType[*record.Error](err)
	if !ok || cut.Lasting {
		return false
	}
	return !errors.Is(err, errUnwanted)
}

// Counts is an error of readers of an answer that refuse it; its message quotes the answer.
type Counts struct {
	// Status that the answer counts as: 401 or 429; 0: none.
	As int

	Text string

	// What the answer says of itself, without secrets; may be empty.
	Says string

	// What it is, such as ErrNoPage; may be nil.
	Is error
}

// Unwrap returns what the error is.
func (c *Counts) Unwrap() error { return c.Is }

// Error implements error.
func (c *Counts) Error() string { return c.Text }

// counts makes of what is said of an answer the error of the attempt.
func (f *fetch) counts(x *exchange, r *request.Request, err error) error {
	as := 0
	counts, refused := errors.AsType[*Counts](err)
	if refused {
		as = counts.As
	}
	if as == http.StatusUnauthorized && f.signsAnew(x, r) {
		return errRejected
	}
	failed := f.c.failure(x.Where(), err)
	failed.detail = f.noHelp(x, as)
	switch {
	// It was shown that, and no reader the whole body.
	case x.received.start != nil:
		failed.detail = x.statusFailure(failed.detail).detail
	case refused && counts.Says != "":
		failed.detail += ": " + f.c.clean(counts.Says) + x.quote()
	case refused:
		failed.detail += x.quote()
	}
	failed.what = statusText(x.answer.StatusCode) + ": " + failed.what
	if as == http.StatusTooManyRequests {
		x.admission.leave(false)
		f.later(x, failed, as)
	}
	return failed
}

// signsAnew tells whether the request is to be signed anew, since its session is void.
func (f *fetch) signsAnew(x *exchange, r *request.Request) bool {
	if x.foreign || f.signer.Rejected == nil || f.renewed {
		return false
	}
	// Whoever is told may wait for a login, and a login for a place.
	x.admission.leave(false)
	f.renewed = f.signer.Rejected(r)
	return f.renewed
}

// noHelp is added to the message of a status that is final: what may be wrong, and what to do.
func (f *fetch) noHelp(x *exchange, status int) string {
	switch status {
	case http.StatusUnauthorized:
		return f.noLogin(x) + f.noCredentials(x)
	case http.StatusForbidden:
		if f.c.granted.Load() {
			// Then that they are missing is not why.
			return ""
		}
		return f.noCredentials(x)
	case http.StatusProxyAuthRequired:
		return ": " + credentialsOfProxy
	case http.StatusBadRequest:
		// What could be read is enough.
		text, _ := x.beginning()
		if x.answer.Request.URL.Scheme == "http" && wantsTLS().Match(text) {
			return ": the address must begin with https:// and not http://"
		}
	}
	return ""
}

// wantsTLS matches how servers answer HTTP where they speak TLS.
var wantsTLS = pattern.Lazy(`(?i)\bHTTPS (server|port)\b|\bplain HTTP\b|\brequires TLS\b`)

// noLogin says of a 401 whether a new login was made, and which attributes may be wrong.
func (f *fetch) noLogin(x *exchange) string {
	text := ""
	if f.renewed {
		text = ", and a new login did not help"
	}
	if x.foreign {
		// It got no credentials.
		return text
	}
	return text + wasRight(f.request.Attributes)
}

// whatToSet says what to do where a request without credentials is refused.
const whatToSet = "set those that its documentation has in api.authentication or api.http.headers, such as " +
	`"Authorization": {"function": "concat", "args": ["Bearer ", {"attr": "#token"}]} with --attr-env '#token=TOKEN'`

// noCredentials says of a refusal that the request surely had no credentials; empty: it may have had some.
func (f *fetch) noCredentials(x *exchange) string {
	isSigned := f.signer.Apply != nil || f.signer.Finish != nil
	hasCertificate := f.c.TLS != nil && len(f.c.TLS.Certificates) > 0
	// A redirect to another origin took them away.
	if isSigned || hasCertificate || x.foreign || x.Login() || !f.request.Anonymous(f.c.Secrets) {
		return ""
	}
	return ": the request has no credentials, and the API refuses it: " + cmp.Or(f.c.AddCredentials, whatToSet)
}

// wasRight asks for the values of attributes.
func wasRight(attributes []string) string {
	const most = 5
	var names []string
	for _, name := range attributes {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	last := len(names) - 1
	switch {
	case last < 0:
		return ""
	case last == 0:
		return fmt.Sprintf(" (was the value of %s right?)", names[0])
	case last >= most:
		return fmt.Sprintf(" (were the values of %s and %d more right?)",
			strings.Join(names[:most], ", "), len(names)-most)
	}
	return fmt.Sprintf(" (were the values of %s and %s right?)", strings.Join(names[:last], ", "), names[last])
}

// later has the attempt repeated, as after an answer of the given status.
func (f *fetch) later(x *exchange, failed *failure, status int) {
	failed.retryable = true
	failed.countsAs = status
	failed.asked = f.c.Retry.asked(x.answer.Header, status)
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return
	}
	hold := failed.asked
	// Then the run gives up, or does not wait.
	if hold > maxAsked || f.c.Instant {
		hold = 0
	}
	host := &x.admission
	until := host.gate.hold(host.place, hold)
	if until.IsZero() {
		return
	}
	reason := f.c.clean(failed.what + ", for all requests to " + host.host)
	f.c.Observer.Observe(pipeline.BudgetSpent{Reason: reason, Until: until, At: time.Now()})
}

// receive has the answer read; a body that failed is an attempt that failed, whatever is made of it.
func (f *fetch) receive(x *exchange, r *request.Request) error {
	x.response = Response{
		Status:  x.answer.StatusCode,
		Header:  x.answer.Header,
		Cookies: r.Cookies,
		URL:     r.URL,
		Body:    x,
		x:       x,
	}
	err := f.read(&x.response)
	// Whoever has read it knows that there should be more.
	if x.received.err != nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return x.failed(x.whereAndStatus(), cmp.Or(x.received.err, err))
	}
	if err != nil {
		return f.counts(x, r, err)
	}
	if !x.Login() {
		f.c.granted.Store(true)
	}
	return nil
}

// beginning reads the beginning of the body, once and not for long; an error says that there may be more.
func (x *exchange) beginning() ([]byte, error) {
	got := &x.received
	if got.start == nil {
		defer x.limit(restTime).Stop()
		// X remembers its error.
		got.start, _ = io.ReadAll(io.LimitReader(x, restBytes+1))
	}
	return got.start, got.err
}

// statusFailure shows the beginning of the body, but of a login's answer its type and length only.
func (x *exchange) statusFailure(detail string) *failure {
	// What could be read is shown, whatever ended it.
	text, err := x.beginning()
	cut := err != nil || len(text) > restBytes
	shown := x.c.excerpt(string(text), cut)
	withheld := shown == "" && len(text) > 0
	switch {
	case x.Login():
		shown = x.describe(text, cut)
	case withheld && err != nil:
		shown = fmt.Sprintf(
			"(the %d bytes that came of the body are not shown: they may end within a secret)",
			len(text),
		)
	}
	if shown != "" {
		detail += ": " + shown
	}
	status := x.answer.StatusCode
	return &failure{where: x.Where(), what: statusText(status), detail: detail, status: status}
}

// describe describes the answer to a login without showing more than may be shown.
func (x *exchange) describe(text []byte, cut bool) string {
	contentType := cmp.Or(x.answer.Header.Get("Content-Type"), "no content type")
	size := fmt.Sprintf("%d bytes", len(text))
	if cut {
		size = "at least " + size
	}
	return x.c.clean(x.c.Secrets.Refusal(text, pipeline.Shorten(x.c.clean(contentType), 100)+", "+size))
}
