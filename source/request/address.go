package request

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Addresses are where the requests of a document may go. Only logins add to them
// while a run lasts.
type Addresses struct {
	// Base is api.baseUrl.
	Base *url.URL
	// Hosts are those that requests may go to; without any, all.
	Hosts []*url.URL

	mu sync.Mutex
	// logins are the addresses that logins gave in place of Base.
	logins []*url.URL
}

// ParseBase checks a base URL and gives its path a trailing slash.
func (a *Addresses) ParseBase(text string) (*url.URL, error) {
	u, err := url.Parse(escaped(strings.TrimSpace(text)))
	switch {
	case err != nil && strings.Contains(text, "://"):
		return nil, fmt.Errorf("is not a URL: %w", PlainError(err))
	case err != nil || !isWhole(u):
		return nil, fmt.Errorf("must be an absolute http or https URL, " +
			"such as https://api.example.com/v1/")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, fmt.Errorf("must not have a query; " +
			"put its parameters into api.http.defaultOptions.params")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return nil, fmt.Errorf("must not have a fragment")
	}
	if err := checkAuthority(u); err != nil {
		return nil, err
	}
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	return u, a.Allow(u)
}

// isWhole tells whether a URL says how to reach which host.
func isWhole(u *url.URL) bool { return isHTTP(u.Scheme) && u.Host != "" }

// Resolve is [ResolveAt] for api.baseUrl, and for the hosts that are allowed.
func (a *Addresses) Resolve(endpoint string) (*url.URL, Params, error) {
	u, query, err := ResolveAt(a.Base, endpoint)
	if err == nil {
		err = a.Allow(u)
	}
	return u, query, err
}

// ResolveAt returns the address of an endpoint relative to a base, and its
// query apart (RFC 3986). Only http:// and https:// begin an absolute URL:
// users:list is a path.
func ResolveAt(base *url.URL, endpoint string) (*url.URL, Params, error) {
	endpoint, _, _ = strings.Cut(strings.TrimSpace(endpoint), "#")
	path, query, _ := strings.Cut(endpoint, "?")
	if !IsAbsolute(path) {
		scheme, rest, _ := strings.Cut(path, "://")
		if rest != "" && !strings.Contains(scheme, "/") {
			return nil, nil, fmt.Errorf("%s:// is neither http nor https", scheme)
		}
		first, _, _ := strings.Cut(path, "/")
		if strings.Contains(first, ":") {
			path = "./" + path
		}
	}
	ref, err := url.Parse(escaped(path))
	if err != nil {
		return nil, nil, fmt.Errorf("is not a URL or path: %w", PlainError(err))
	}
	u := base.ResolveReference(ref)
	if u.Host == "" {
		return nil, nil, fmt.Errorf("the URL has no host")
	}
	return u, ParseQuery(query), checkAuthority(u)
}

// IsAbsolute tells whether an address begins with http:// or https://.
func IsAbsolute(address string) bool {
	scheme, _, found := strings.Cut(address, "://")
	return found && isHTTP(scheme)
}

func isHTTP(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// checkAuthority refuses credentials beside the host, a host that no name has, and a port that cannot be.
func checkAuthority(u *url.URL) error {
	if u.User != nil {
		return fmt.Errorf("must not hold credentials; " +
			"put them into a header or api.authentication")
	}
	if host := u.Hostname(); strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return fmt.Errorf("the name of the host has an empty part between its dots: a value in it may be missing")
	}
	port := u.Port()
	if port == "" {
		return nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return fmt.Errorf("the port %s is not between 1 and 65535", port)
	}
	return nil
}

// escaped percent-encodes what cannot stand in a URL, for which url.Parse would
// forget what was written as %2F.
func escaped(path string) string {
	return Escape(path, func(i int) bool {
		return path[i] > 0x7f || strings.IndexByte(" \"<>\\^`{|}", path[i]) >= 0
	})
}

// PlainError takes the URL out of an error of net/url: it may hold a secret.
func PlainError(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// Allow refuses an address that image_parameters.allowed_hosts does not have.
func (a *Addresses) Allow(u *url.URL) error {
	allowed := func(host *url.URL) bool { return covers(host, u) }
	if len(a.Hosts) == 0 || slices.ContainsFunc(a.Hosts, allowed) {
		return nil
	}
	address := Origin(u) + u.EscapedPath()
	return fmt.Errorf("image_parameters.allowed_hosts does not allow requests to %s", address)
}

// covers tells whether an address is of a host, which may have a scheme, a port and a path.
func covers(host, u *url.URL) bool {
	if !strings.EqualFold(host.Hostname(), u.Hostname()) {
		return false
	}
	if host.Scheme != "" && host.Scheme != u.Scheme {
		return false
	}
	if port := portOf(host); port != "" && port != portOf(u) {
		return false
	}
	return strings.HasPrefix(below(u), below(host))
}

// below is the path of an address with a slash at its end.
func below(u *url.URL) string {
	return strings.TrimSuffix(path.Clean("/"+u.Path), "/") + "/"
}

// portOf is the port of an address, empty without a scheme and a port.
func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return schemePort(u.Scheme)
}

// schemePort is the port that a scheme has anyway.
func schemePort(scheme string) string {
	switch scheme {
	case "http":
		return "80"
	case "https":
		return "443"
	}
	return ""
}

// Bases are api.baseUrl and the addresses that logins gave in its place, the
// last one last.
func (a *Addresses) Bases() []*url.URL {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]*url.URL{a.Base}, a.logins...)
}

// Last is the last of [Addresses.Bases].
func (a *Addresses) Last() *url.URL {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.logins) == 0 {
		return a.Base
	}
	return a.logins[len(a.logins)-1]
}

// LoginBase reads the address that a login gives in place of api.baseUrl, whose
// origin may have credentials.
func (a *Addresses) LoginBase(text string, login *url.URL) (*url.URL, error) {
	u, err := a.ParseBase(text)
	if err != nil {
		return nil, err
	}
	wasSecure := login.Scheme == "https" || a.Base.Scheme == "https"
	if wasSecure && u.Scheme == "http" {
		return nil, errors.New("is an http address after one of https: " +
			"anybody could read what is sent there; " +
			"name a value of the login response that is an https address")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	same := func(have *url.URL) bool { return *have == *u }
	a.logins = append(slices.DeleteFunc(a.logins, same), u)
	return u, nil
}

// Origin is scheme, host and port of an address, without the port that the scheme has anyway.
func Origin(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := u.Port()
	if port == "" || port == schemePort(u.Scheme) {
		return u.Scheme + "://" + host
	}
	return u.Scheme + "://" + host + ":" + port
}
