package source

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"sluice/source/config"
)

// allow refuses an address that image_parameters.allowed_hosts does not have
// (docs/decisions.md, section 1). Without that member every address is fine.
func (it *iteration) allow(u *url.URL) error {
	for _, h := range it.hosts {
		if covers(h, u) {
			return nil
		}
	}
	if len(it.hosts) == 0 {
		return nil
	}
	return fmt.Errorf("image_parameters.allowed_hosts does not allow requests to %s://%s%s", u.Scheme, u.Host, u.EscapedPath())
}

// covers tells whether the address is one of the host's.
func covers(h config.AllowedHost, u *url.URL) bool {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	above, to := strings.TrimSuffix(path.Clean("/"+h.Endpoint), "/")+"/", path.Clean("/"+u.Path)+"/"
	return strings.EqualFold(h.Host, u.Hostname()) &&
		(h.Scheme == "" || strings.EqualFold(h.Scheme, u.Scheme)) &&
		(h.Port == 0 || strconv.FormatInt(h.Port, 10) == port) &&
		strings.HasPrefix(to, above)
}
