package auth

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/request"
)

// login sends a login request, or several, and puts values of the answers into every other request. There is one
// session for the whole run, and one login in flight.
type login struct {
	env Env

	// requests are sent one after the other; there is always one.
	requests []*loginRequest

	// numbered tells that loginRequest is a list: paths begin with the number of the answer.
	numbered bool

	// text tells that the answers are text, not JSON.
	text bool

	// headers and query are those of apiRequest.
	headers, query []expr.NamedValue

	// base is apiRequest.baseUrl; nil: that of the API.
	base *expr.Expr

	expiry expiry

	// keep is for the next login, and is in the answer to the request keepAt; nil: nothing.
	keep   *keeping
	keepAt int

	// mu is a mutex, held while a login is in flight, and to the end of the request that a paired session
	// is for. Unlike a sync.Mutex it lets the clock of a testing/synctest bubble go on.
	mu chan struct{}

	// current is nil if there must be a login first.
	current *session

	// failed is final.
	failed error

	// pairs tells that every request has a login of its own.
	pairs bool
}

// loginRequest is what the configuration says of the request.
type loginRequest struct {
	method       request.Method
	endpoint     *expr.Expr
	params       []expr.NamedValue
	loginHeaders []expr.NamedValue

	// parts are the members query and body.
	parts []loginPart

	// reads is [request.Request.AnswerHeaders].
	reads map[string]bool

	// public is [request.Request.Public].
	public []item.Path
}

// loginPart is parameters of a login request that stand in one part of it.
type loginPart struct {
	in      request.RequestPart
	members []expr.NamedValue
}

// session is what one login gave.
type session struct {
	header http.Header
	query  request.Params

	// expires is zero if it never does.
	expires time.Time

	// paired tells that the session is good for one request.
	paired bool

	// base is that of relative endpoints; nil: api.baseUrl.
	base    *url.URL
	cookies http.CookieJar

	// values evaluates header and query for one request; nil: they stay.
	values func() (http.Header, request.Params, error)
}

// sign puts the session's values into r.
func (s *session) sign(r *request.Request) (err error) {
	r.Session = s
	r.Cookies = s.cookies
	header, query := s.header, s.query
	if s.values != nil {
		header, query, err = s.values()
		if err != nil {
			return err
		}
	}
	for name := range header {
		r.SetHeader(name, header.Get(name))
	}
	r.Login = slices.Concat(r.Login, query)
	if s.base != nil {
		r.URL, err = r.Rebase(s.base)
	}
	return err
}

// later has the contexts of apiRequest, while there is no login response yet. The function public, if set, is
// told the paths in it that are referred to: what is there is no secret, and no header is either.
func (l *login) later(public func(path string)) expr.Env {
	env := with(l.env.Expr, l.answered(len(l.requests), public))
	// That is for the login request.
	delete(env.Contexts, "kept")
	return env
}
