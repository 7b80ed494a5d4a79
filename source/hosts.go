package source

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
		if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
			c.problems.Errorf(n, "must be the name of a host, or an address such as https://api.example.com/v1")
			continue
		}
		all = append(all, u)
	}
	return all
}
