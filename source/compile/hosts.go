package compile

import (
	"net/url"
	"strings"
)

// allowedHosts reads image_parameters.allowed_hosts: addresses, or names of hosts.
func (c *compiler) allowedHosts() (all []*url.URL) {
	for _, n := range c.doc.AllowedHosts {
		text := n.Text()
		if !strings.Contains(text, "://") {
			text = "//" + text
		}
		u, err := url.Parse(text)
		if err != nil || !isHost(u) {
			c.problems.Errorf(n, "must be the name of a host, "+
				"or an address such as https://api.example.com/v1")
			continue
		}
		all = append(all, u)
	}
	return all
}

// isHost tells whether an address has a host, and nothing that requests cannot
// be compared with.
func isHost(u *url.URL) bool {
	switch u.Scheme {
	case "", "http", "https":
	default:
		return false
	}
	more := u.User != nil || u.RawQuery != ""
	return u.Hostname() != "" && !more
}
