package source

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"sluice/source/request"
)

// parseBase checks a base URL and gives its path a trailing slash.
func (it *iteration) parseBase(text string) (*url.URL, error) {
	u, err := url.Parse(escaped(strings.TrimSpace(text)))
	switch {
	case err != nil && strings.Contains(text, "://"):
		return nil, fmt.Errorf("is not a URL: %w", plain(err))
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("must be an absolute http or https URL, such as https://api.example.com/v1/")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, fmt.Errorf("must not have a query; put its parameters into api.http.defaultOptions.params")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return nil, fmt.Errorf("must not have a fragment")
	}
	if err := checkAuthority(u); err != nil {
		return nil, err
	}
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	return u, it.allow(u)
}

// resolve is [resolveAt] for api.baseUrl, and for the hosts that are allowed.
func (it *iteration) resolve(endpoint string) (*url.URL, request.Params, error) {
	u, query, err := resolveAt(it.base, endpoint)
	if err == nil {
		err = it.allow(u)
	}
	return u, query, err
}

// resolveAt returns the address of an endpoint relative to a base, and its query apart (RFC 3986).
// Only http:// and https:// begin an absolute URL: users:list is a path.
func resolveAt(base *url.URL, endpoint string) (*url.URL, request.Params, error) {
	endpoint, _, _ = strings.Cut(strings.TrimSpace(endpoint), "#")
	path, query, _ := strings.Cut(endpoint, "?")
	switch scheme, rest, found := strings.Cut(path, "://"); {
	case isAbsolute(path):
	case found && !strings.Contains(scheme, "/") && rest != "":
		return nil, nil, fmt.Errorf("%s:// is neither http nor https", scheme)
	default:
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ":") {
			path = "./" + path
		}
	}
	ref, err := url.Parse(escaped(path))
	if err != nil {
		return nil, nil, fmt.Errorf("is not a URL or path: %w", plain(err))
	}
	u := base.ResolveReference(ref)
	if u.Host == "" {
		return nil, nil, fmt.Errorf("the URL has no host")
	}
	return u, request.ParseQuery(query), checkAuthority(u)
}

func isAbsolute(address string) bool {
	scheme, _, found := strings.Cut(address, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// checkAuthority refuses credentials beside the host, and a port that cannot be.
func checkAuthority(u *url.URL) error {
	if u.User != nil {
		return fmt.Errorf("must not hold credentials; put them into a header or api.authentication")
	}
	port := u.Port()
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return fmt.Errorf("the port %s is not between 1 and 65535", port)
	}
	return nil
}

// escaped percent-encodes what cannot stand in a URL, for which url.Parse would forget what was written as %2F.
func escaped(path string) string {
	return request.Escape(path, func(i int) bool { return path[i] > 0x7f || strings.IndexByte(" \"<>\\^`{|}", path[i]) >= 0 })
}

// plain takes the URL out of an error of net/url: it may hold a secret.
func plain(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
