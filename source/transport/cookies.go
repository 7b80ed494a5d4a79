package transport

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
)

// cookies are those that the answers of a login have set. Another jar can begin with them.
type cookies struct {
	http.CookieJar

	set []setCookies
}

// setCookies are what one answer has set.
type setCookies struct {
	by      *url.URL
	cookies []*http.Cookie
}

// newCookies makes a jar for an attempt at a login request, with what the answers to the requests before it have set;
// before may be nil.
func newCookies(before http.CookieJar) *cookies {
	// It never fails.
	jar, _ := cookiejar.New(nil)
	c := &cookies{CookieJar: jar}
	if earlier, ok := before.(*cookies); ok {
		for _, s := range earlier.set {
			c.SetCookies(s.by, s.cookies)
		}
	}
	return c
}

// SetCookies implements [http.CookieJar].
func (c *cookies) SetCookies(by *url.URL, set []*http.Cookie) {
	c.set = append(c.set, setCookies{by, set})
	c.CookieJar.SetCookies(by, set)
}
