package discover

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"sluice/pipeline/secret"
	"sluice/source/transport/record"
)

// maxBody is the most that is read of a body, in bytes.
const maxBody = 64 << 20

// answers are those that came: the same request is sent only once.
type answers struct {
	// left is how many requests may be sent.
	left int

	// say tells people what is sent, without the secrets.
	say     func(format string, args ...any)
	secrets *secret.Set

	// byRequest has what came, by the address and the body.
	byRequest map[string]*answer
}

type answer struct {
	response http.Response
	body     []byte
}

// again is the answer as if it had just come.
func (a *answer) again() *http.Response {
	response := a.response
	response.Body = io.NopCloser(bytes.NewReader(a.body))
	return &response
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// wrap gives the answer that is there, or else that of next.
func (a *answers) wrap(next http.RoundTripper, e *record.Exchange) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		key, err := keyOfRequest(r)
		if err != nil {
			return nil, err
		}
		if known := a.byRequest[key]; known != nil {
			return known.again(), nil
		}
		if a.left == 0 {
			return nil, &record.Error{Text: "that would be one request too many", Lasting: true}
		}
		a.left--
		a.say("sent: %s %s", e.Request.Method, e.Request.Redacted(a.secrets))
		came, err := ask(next, r)
		if err != nil {
			return nil, err
		}
		a.byRequest[key] = came
		return came.again(), nil
	})
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

// ask sends a request, and reads the whole answer.
func ask(next http.RoundTripper, r *http.Request) (*answer, error) {
	response, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	err = errors.Join(err, response.Body.Close())
	if err != nil {
		return nil, err
	}
	return &answer{*response, body}, nil
}
