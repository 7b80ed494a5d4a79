package consent

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"sluice/pipeline"
	"sluice/source"
)

// lastPage is how long the page that says what happened may take to reach the browser.
const lastPage = 2 * time.Second

// A desk is the loopback address that the API sends the browser to (RFC 8252). It takes one answer.
type desk struct {
	consent *source.Consent
	answers chan<- redirected
	ctx     context.Context
	server  *http.Server
	port    string

	// It has an answer.
	taken atomic.Bool
}

// listen opens the address of the configuration, or another port of it where that names none.
func (o *Options) listen(ctx context.Context, c *source.Consent, answers chan<- redirected) (*desk, error) {
	address, _ := c.Loopback()
	listener, err := o.Listen(ctx, "tcp", address)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, pipeline.Temporary(fmt.Errorf("login: the answer is to come to %s, which cannot be opened: %w; "+
			"end what uses it, or write another port into api.authentication.authorize.redirect and register that "+
			"with the API, or paste the answer (--paste)", address, err))
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, err
	}
	d := &desk{consent: c, answers: answers, ctx: ctx, port: port}
	d.server = &http.Server{
		Handler:           d,
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    mostPasted,
		// It would print parts of requests.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		// It ends with close.
		_ = d.server.Serve(listener)
	}()
	return d, nil
}

// close ends the address once the last page has been sent.
func (d *desk) close() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), lastPage)
	defer cancel()
	if d.server.Shutdown(ctx) != nil {
		_ = d.server.Close()
	}
}

// ServeHTTP implements [http.Handler].
func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	isHere := strings.TrimSuffix(r.URL.Path, "/") == strings.TrimSuffix(d.consent.Redirect().Path, "/")
	switch {
	case !isHere || r.Method != http.MethodGet:
		page(w, http.StatusNotFound, "Nothing is here", "sluice waits for the answer to a login at another address.")
	case !d.consent.IsAnswer(query):
		page(w, http.StatusBadRequest, "No answer", "sluice still waits for the answer to a login.")
	case !d.taken.CompareAndSwap(false, true):
		page(w, http.StatusGone, "Answered already", "sluice has the answer to its login, and takes no other one.")
	default:
		d.answer(w, r, query)
	}
}

// answer hands an answer on, and says what came of it. The page has nothing of it: what went wrong stands in the
// terminal.
func (d *desk) answer(w http.ResponseWriter, r *http.Request, query map[string][]string) {
	outcome := make(chan error, 1)
	var err error
	select {
	case d.answers <- redirected{query, outcome}:
	case <-d.ctx.Done():
		err = d.ctx.Err()
	}
	if err == nil {
		select {
		case err = <-outcome:
		case <-r.Context().Done():
			return
		}
	}
	if err != nil {
		page(w, http.StatusBadRequest, "The login failed", "sluice says in its terminal what went wrong. This page can be closed.")
		return
	}
	page(w, http.StatusOK, "Logged in", "sluice has what it needs. This page can be closed.")
}

// page writes a page for a person.
func page(w http.ResponseWriter, status int, title, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Connection", "close")
	w.WriteHeader(status)
	// Whoever asked may have gone.
	_, _ = fmt.Fprintf(w, "<!doctype html>\n<html lang=\"en\"><head><title>%s</title></head>\n<body><h1>%[1]s</h1><p>%s</p></body></html>\n",
		html.EscapeString(title), html.EscapeString(text))
}
