package discover

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/check"
	"sluice/source/transport/record"
)

// maxBody is the most that is read of a body, in bytes.
const maxBody = 64 << 20

// mostPatience is how often a request is sent again whose answer asks for patience.
const mostPatience = 2

// answerCache are those that came: the same request is sent only once, unless the answer asks for patience.
type answerCache struct {
	// left is how many requests may be sent, refusal what is said of the next one.
	left    int
	refusal string

	// say tells people what is sent, without the secrets.
	say     func(format string, args ...any)
	secrets *secret.Set

	// byRequest has what came, by the address and the body.
	byRequest map[string]*triedAnswer

	// patience is how many answers to a request asked for it.
	patience map[string]int
}

type triedAnswer struct {
	response http.Response
	body     []byte

	// err is why there is none.
	err error
}

// again is the answer as if it had just come.
func (a *triedAnswer) again() (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}
	response := a.response
	response.Body = io.NopCloser(bytes.NewReader(a.body))
	return &response, nil
}

// asksForPatience tells whether the request is to be sent again later.
func (a *triedAnswer) asksForPatience() bool {
	isTooMany := a.response.StatusCode == http.StatusTooManyRequests || a.response.StatusCode == statusCalm
	saysWhen := a.response.StatusCode >= http.StatusBadRequest && a.response.Header.Get("Retry-After") != ""
	return isTooMany || saysWhen
}

// statusCalm is what some APIs send for too many requests.
const statusCalm = 420

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// wrap gives the answer that is there, or else that of next.
func (a *answerCache) wrap(next http.RoundTripper, e *record.ExchangeDetails) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		key, err := keyOfRequest(r)
		if err != nil {
			return nil, err
		}
		if known := a.byRequest[key]; known != nil {
			return known.again()
		}
		if a.left == 0 {
			return nil, &record.Error{Text: a.refusal, Lasting: true, Err: check.ErrSpent}
		}
		a.left--
		a.say("sent: %s %s", r.Method, e.Request.Redacted(a.secrets))
		came := ask(next, r)
		a.keep(key, came)
		return came.again()
	})
}

// keep remembers an answer, but for one that asks for patience: that request is sent again, a few times.
func (a *answerCache) keep(key string, came *triedAnswer) {
	if !came.asksForPatience() {
		a.byRequest[key] = came
		return
	}
	a.patience[key]++
	a.say("the API asks to wait and try again: %s", came.response.Status)
	if a.patience[key] <= mostPatience {
		a.left++
		return
	}
	spent := came.response.Status + ", each time the request was sent"
	a.byRequest[key] = &triedAnswer{err: &record.Error{Text: spent, Lasting: true}}
}

// keyOfRequest is [keyOf] a request that is about to be sent.
func keyOfRequest(r *http.Request) (string, error) {
	if r.GetBody == nil {
		return keyOf(r.URL, nil), nil
	}
	body, err := r.GetBody()
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(body)
	return keyOf(r.URL, text), errors.Join(err, body.Close())
}

// keyOf is the same for requests that ask for the same: the order of parameters and how they are escaped do not count.
func keyOf(u *url.URL, body []byte) string {
	isOther := len(body) > 0 && !json.Valid(body)
	text := string(body)
	if isOther {
		if form, err := url.ParseQuery(text); err == nil {
			text = form.Encode()
		}
	} else {
		compact, _ := item.Compact(nil, body)
		text = string(compact)
	}
	parts := strings.Split(u.Query().Encode(), "&")
	slices.Sort(parts)
	return u.Scheme + "://" + u.Host + u.Path + "?" + strings.Join(parts, "&") + "\n" + text
}

// ask sends a request, and reads the whole answer.
func ask(next http.RoundTripper, r *http.Request) *triedAnswer {
	response, err := next.RoundTrip(r)
	if err != nil {
		return &triedAnswer{err: err}
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	err = errors.Join(err, response.Body.Close())
	return &triedAnswer{*response, body, err}
}
