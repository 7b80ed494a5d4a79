package source

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"sluice/source/request"
)

// allowedHosts reads image_parameters.allowed_hosts: addresses, or names of hosts.
func (c *compiler) allowedHosts() (all []*url.URL) {
	for _, n := range c.doc.AllowedHosts {
		text := n.Text()
		if !strings.Contains(text, "://") {
			text = "//" + text
		}
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
			c.problems.Errorf(n, "must be the name of a host, or an address such as https://api.example.com/v1")
			continue
		}
		all = append(all, u)
	}
	return all
}

// allow refuses an address that image_parameters.allowed_hosts does not have (docs/decisions.md, section 1).
func (it *iteration) allow(u *url.URL) error {
	covers := func(h *url.URL) bool {
		return strings.EqualFold(h.Hostname(), u.Hostname()) && (h.Scheme == "" || h.Scheme == u.Scheme) &&
			(portOf(h) == "" || portOf(h) == portOf(u)) && strings.HasPrefix(below(u), below(h))
	}
	if len(it.hosts) == 0 || slices.ContainsFunc(it.hosts, covers) {
		return nil
	}
	return fmt.Errorf("image_parameters.allowed_hosts does not allow requests to %s", request.Origin(u)+u.EscapedPath())
}

// below is the path of an address with a slash at its end.
func below(u *url.URL) string { return strings.TrimSuffix(path.Clean("/"+u.Path), "/") + "/" }

// portOf is the port of an address, empty without a scheme and a port.
func portOf(u *url.URL) string {
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}
