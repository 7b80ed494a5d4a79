package run

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"sluice/pipeline/secret"
)

// findProxy says through which proxy a request goes, by the environment, whose names may be in small letters.
func findProxy(getenv func(string) string, secrets *secret.Set) (func(*http.Request) (*url.URL, error), error) {
	either := func(name string) string {
		if value := getenv(name); value != "" {
			return value
		}
		return getenv(strings.ToLower(name))
	}
	c := httpproxy.Config{HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY")}
	if c.HTTPProxy == "" && c.HTTPSProxy == "" {
		return nil, nil
	}
	find := c.ProxyFunc()
	for _, scheme := range []string{"http", "https"} {
		name := strings.ToUpper(scheme) + "_PROXY"
		u, err := find(&url.URL{Scheme: scheme, Host: "api.invalid"})
		if either(name) != "" && !isProxy(u, err) {
			return nil, Usagef(
				"%s of the environment is no address of a proxy, such as http://proxy.example.com:3128 "+
					"(it is not shown: it may hold a password)",
				name,
			)
		}
		if u != nil {
			password, _ := u.User.Password()
			secrets.Add(password)
		}
	}
	c.NoProxy = either("NO_PROXY")
	find = c.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return find(r.URL) }, nil
}

// isProxy tells whether an address of the environment, which may be none, is one of a proxy.
func isProxy(u *url.URL, err error) bool {
	if err != nil || u == nil {
		return false
	}
	hasHostAlone := u.Hostname() != "" && strings.Trim(u.Path, "/") == ""
	return hasHostAlone && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}
