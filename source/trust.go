package source

import (
	"maps"
	"net/url"
	"slices"

	"sluice/pipeline"
	"sluice/source/paginate"
	"sluice/source/request"
)

// request makes a page's request complete but for authentication. An address from an answer must not see all of it.
func (w *walk) request(r *paginate.Request) (*request.Request, error) {
	j := w.job
	bases := j.iteration.addresses.Bases()
	u, query, err := request.ResolveAt(bases[len(bases)-1], r.Endpoint)
	if err != nil {
		return nil, err
	}
	rebase := func(base *url.URL) (*url.URL, error) {
		u, _, err := request.ResolveAt(base, r.Endpoint)
		return u, err
	}
	full := &request.Request{Job: j.id, Method: r.Method, URL: u, Endpoint: query, Params: r.Params, Header: j.header, Shape: j.iteration.shape, Trusted: true, Renew: j.renew, Rebase: rebase}
	if len(r.Header) > 0 {
		full.Header = j.header.Clone()
		maps.Copy(full.Header, r.Header)
	}
	given := r.Given || w.child != nil && r.Endpoint == w.pages.Endpoint // filled from an item
	known := func(base *url.URL) bool { return request.Origin(base) == request.Origin(u) }
	if given && !known(j.own) && !slices.ContainsFunc(bases, known) {
		w.leave(full)
	}
	return full, nil
}

// leave takes out of a request what another origin must not see, and warns of it once per job.
func (w *walk) leave(r *request.Request) {
	verdict := pipeline.Complete
	ours := request.Request{URL: &url.URL{}, Params: w.pages.Defaults.Merge(w.pages.Params), Shape: r.Shape}
	theirs := ours.Foreign(r.Endpoint, w.job.iteration.o.Secrets)
	if len(r.Params) > 0 || len(theirs) < len(r.Endpoint) {
		verdict = pipeline.Unverified
	}
	harmless := r.Header.Clone()
	maps.DeleteFunc(harmless, func(name string, _ []string) bool { return name != "Accept" && name != "User-Agent" })
	r.Trusted, r.Params, r.Endpoint, r.Header = false, nil, theirs, harmless
	w.job.warnedOfOrigin.Do(func() {
		w.job.warn("an answer leads to another origin, "+pipeline.Shorten(request.Origin(r.URL), 300)+", which gets no credentials and no headers or parameters of the configuration: if it belongs to the API, make the job's endpoint absolute", verdict)
	})
}
