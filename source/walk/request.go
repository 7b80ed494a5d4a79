package walk

import (
	"maps"
	"net/url"
	"slices"

	"sluice/pipeline"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/verdict"
)

// Request makes a page's request complete but for authentication. An address from an
// answer must not see all of it.
func (s *Assignment) Request(r *paginate.Request) (*request.Request, error) {
	full, isOwn, err := s.complete(r)
	if err == nil && !isOwn {
		s.leave(full)
	}
	return full, err
}

// complete makes a page's request, and tells whether it goes to an origin of the API, as far as that is known.
func (s *Assignment) complete(r *paginate.Request) (full *request.Request, isOwn bool, err error) {
	api, ours := s.options.API, &s.Job.Request
	at, err := s.resolve(r)
	if err != nil {
		return nil, false, err
	}
	u := at.url
	full = &request.Request{
		Job:      s.Job.ID,
		Method:   r.Method,
		URL:      u,
		Endpoint: at.query,
		Params:   r.Params,
		Header:   s.values.Header,
		Shape:    api.Shape,
		Trusted:  true,

		Attributes: ours.Attributes,
	}
	full.Renew, full.Hide = s.values.renew, at.hide
	// Only a login says where the API is.
	if api.Signer != nil {
		full.Rebase = func(base *url.URL) (*url.URL, error) {
			u, _, err := request.ResolveAt(base, r.Endpoint)
			return u, err
		}
	}
	if len(r.Header) > 0 {
		full.Header = s.values.Header.Clone()
		maps.Copy(full.Header, r.Header)
	}
	if !r.Given && !s.isFilled(r) {
		return full, true, nil
	}
	known := append(api.Addresses.Bases(), ours.Own)
	sameOrigin := func(base *url.URL) bool {
		return request.Origin(base) == request.Origin(u)
	}
	return full, slices.ContainsFunc(known, sameOrigin), nil
}

// mayLocate tells whether a login is still to say where the API is: an answer that the journal had may lead there.
func (s *Assignment) mayLocate() bool {
	api := s.options.API
	return api.Signer != nil && api.Signer.Locate != nil && len(api.Addresses.Bases()) == 1
}

// isFilled tells whether the endpoint of a request was filled from an item: it may lead anywhere.
func (s *Assignment) isFilled(r *paginate.Request) bool {
	isOwn := r.Endpoint == s.Pages.Endpoint || s.Job.Fills()
	return isOwn && (s.Child != nil || s.Job.Request.Followed)
}

// resolve returns where a request goes.
func (s *Assignment) resolve(r *paginate.Request) (resolved, error) {
	base := s.options.API.Addresses.Last()
	if base == s.own.base && r.Endpoint == s.Pages.Endpoint {
		return s.own, nil
	}
	at, err := resolveAt(base, r.Endpoint, r.Shown)
	if at.hide == nil {
		// An answer may lead to where a secret stands too.
		at.hide = s.own.hide
	}
	return at, err
}

// resolveAt returns the address of an endpoint, of which people may see what is shown, all if that is empty.
func resolveAt(base *url.URL, endpoint, shown string) (resolved, error) {
	u, query, err := request.ResolveAt(base, endpoint)
	at := resolved{base: base, url: u, query: query}
	if err != nil || shown == "" {
		return at, err
	}
	alike := func(endpoint string) (*url.URL, request.Params, error) { return request.ResolveAt(base, endpoint) }
	at.query, at.hide = request.Conceal(u, query, shown, alike)
	return at, nil
}

// leave takes out of a request what another origin must not see, and warns of it
// once per job.
func (s *Assignment) leave(r *request.Request) {
	params := s.Pages.Defaults.Merge(s.Pages.Params)
	own := request.Request{URL: &url.URL{}, Params: params, Shape: r.Shape}
	theirs := own.Foreign(r.Endpoint, s.options.API.Secrets)
	isHarmless := len(r.Params) == 0 && len(theirs) == len(r.Endpoint)
	harmless := r.Header.Clone()
	maps.DeleteFunc(harmless, func(name string, _ []string) bool {
		return name != "Accept" && name != "User-Agent"
	})
	r.Stripped = s.options.API.Signer != nil || len(harmless) < len(r.Header)
	r.Trusted, r.Params, r.Endpoint, r.Header = false, nil, theirs, harmless
	r.Attributes = nil
	s.shared.foreign.Do(func() {
		origin := pipeline.Shorten(request.Origin(r.URL), 300)
		raised := verdict.OtherOrigin.Raise(origin)
		if isHarmless {
			raised = raised.Harmless()
		}
		_, told := verdict.Weigh(s.trust(), raised)
		for _, r := range told {
			s.options.tell(s.Job, r)
		}
	})
}
