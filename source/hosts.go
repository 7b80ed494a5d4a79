package source

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"strings"

	"sluice/source/request"
)

// An allowedHost is what requests may go to.
type allowedHost struct {
	scheme string // empty: both
	host   string
	port   string // empty: every one
	path   string // addresses lie below it; ends in a slash
}

// allowedHosts reads image_parameters.allowed_hosts: addresses, or names of hosts.
func (c *compiler) allowedHosts() (all []allowedHost) {
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
		all = append(all, allowedHost{u.Scheme, u.Hostname(), portOf(u), below(u)})
	}
	return all
}

// below is the path of an address with a slash at its end.
func below(u *url.URL) string { return strings.TrimSuffix(path.Clean("/"+u.Path), "/") + "/" }

// allow refuses an address that image_parameters.allowed_hosts does not have
// (docs/decisions.md, section 1). Without that member every address is fine.
func (it *iteration) allow(u *url.URL) error {
	for _, h := range it.hosts {
		if h.covers(u) {
			return nil
		}
	}
	if len(it.hosts) == 0 {
		return nil
	}
	return fmt.Errorf("image_parameters.allowed_hosts does not allow requests to %s", request.Origin(u)+u.EscapedPath())
}

// covers tells whether the address is one of the host's.
func (h *allowedHost) covers(u *url.URL) bool {
	return strings.EqualFold(h.host, u.Hostname()) && (h.scheme == "" || h.scheme == u.Scheme) &&
		(h.port == "" || h.port == portOf(u)) && strings.HasPrefix(below(u), h.path)
}

// portOf is the port of an address, empty without a scheme and a port.
func portOf(u *url.URL) string {
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}
