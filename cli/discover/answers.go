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
	secrets *secret.Set

	// most is how many requests are sent.
	most int

	// byRequest has what came, by the address and the body without secrets.
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
		key := r.URL.String() + e.Request.RedactedBody(a.secrets)
		if known := a.byRequest[key]; known != nil {
			return known.again(), nil
		}
		if len(a.byRequest) >= a.most {
			return nil, &record.Error{Text: "that would be one request too many", Lasting: true}
		}
		came, err := ask(next, r)
		if err != nil {
			return nil, err
		}
		a.byRequest[key] = came
		return came.again(), nil
	})
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
