package walk

import (
	"maps"
	"net/url"
	"slices"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/paginate"
	"sluice/source/request"
)

// Request makes a page's request complete but for authentication. An address from an
// answer must not see all of it.
func (s *Scope) Request(r *paginate.Request) (*request.Request, error) {
	api, ours := s.options.API, &s.Job.Request
	u, query, err := s.resolve(r.Endpoint)
	if err != nil {
		return nil, err
	}
	full := &request.Request{
		Job:      s.Job.ID,
		Method:   r.Method,
		URL:      u,
		Endpoint: query,
		Params:   r.Params,
		Header:   s.values.Header,
		Shape:    api.Shape,
		Trusted:  true,
	}
	full.Renew = s.values.renew
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
	// An endpoint that was filled from an item may lead anywhere.
	filled := s.Child != nil && r.Endpoint == s.Pages.Endpoint
	if r.Given || filled {
		known := append(api.Addresses.Bases(), ours.Own)
		sameOrigin := func(base *url.URL) bool {
			return request.Origin(base) == request.Origin(u)
		}
		if !slices.ContainsFunc(known, sameOrigin) {
			s.leave(full)
		}
	}
	return full, nil
}

// resolve returns the address of an endpoint, and its query, which nobody may change.
func (s *Scope) resolve(endpoint string) (*url.URL, request.Params, error) {
	base := s.options.API.Addresses.Last()
	if base == s.own.base && endpoint == s.Pages.Endpoint {
		return s.own.url, s.own.query, nil
	}
	return request.ResolveAt(base, endpoint)
}

// leave takes out of a request what another origin must not see, and warns of it
// once per job.
func (s *Scope) leave(r *request.Request) {
	verdict := report.Complete
	params := s.Pages.Defaults.Merge(s.Pages.Params)
	own := request.Request{URL: &url.URL{}, Params: params, Shape: r.Shape}
	theirs := own.Foreign(r.Endpoint, s.options.API.Secrets)
	if len(r.Params) > 0 || len(theirs) < len(r.Endpoint) {
		verdict = report.Unverified
	}
	harmless := r.Header.Clone()
	maps.DeleteFunc(harmless, func(name string, _ []string) bool {
		return name != "Accept" && name != "User-Agent"
	})
	r.Trusted, r.Params, r.Endpoint, r.Header = false, nil, theirs, harmless
	s.shared.foreign.Do(func() {
		origin := pipeline.Shorten(request.Origin(r.URL), 300)
		text := "an answer leads to another origin, " + origin +
			", which gets no credentials and no headers or parameters " +
			"of the configuration: if it belongs to the API, " +
			"make the job's endpoint absolute"
		s.options.warn(s.Job, text, verdict)
	})
}
