package auth_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"sluice/source/auth"
	"sluice/source/config"
)

// RFC 5849, section 3.4.1.1: the signature base string.
func TestTheBaseStringIsThatOfTheRFC(t *testing.T) {
	h, err := http.NewRequest(http.MethodPost, "http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b", strings.NewReader("c2&a3=2+q"))
	if err != nil {
		t.Fatal(err)
	}
	h.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	got, err := auth.BaseString(h, [][2]string{
		{"oauth_consumer_key", "9djdj82h48djs9d2"}, {"oauth_token", "kkk9d7dh3k39sjv7"}, {"oauth_signature_method", "HMAC-SHA1"},
		{"oauth_timestamp", "137131201"}, {"oauth_nonce", "7d8f3e4a"},
	})
	const want = "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q" +
		"%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2" +
		"%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7"
	if err != nil || got != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
}

// RFC 5849, section 1.2: the photos of the printer.
func TestTheSignatureIsThatOfTheRFC(t *testing.T) {
	h, err := http.NewRequest(http.MethodGet, "http://photos.example.net/photos?file=vacation.jpg&size=original", nil)
	if err != nil {
		t.Fatal(err)
	}
	base, err := auth.BaseString(h, [][2]string{
		{"oauth_consumer_key", "dpf43f3p2l4k3l03"}, {"oauth_token", "nnch734d00sl2jdk"}, {"oauth_signature_method", "HMAC-SHA1"},
		{"oauth_timestamp", "137131202"}, {"oauth_nonce", "chapoH"},
	})
	if got := auth.Sign("kd94hf93k423kf44", "pfkkdhi9sl3r4s00", base); err != nil || got != "MdpQcU8iPSUjWoN/UDMsK2sui9I=" {
		t.Errorf("got %s, %v of %s", got, err, base)
	}
}

// RFC 5849, section 3.4.1.2.
func TestTheBaseStringHasTheAddressAsTheRFCWritesIt(t *testing.T) {
	for address, want := range map[string]string{
		"http://EXAMPLE.COM:80/r%20v/X?id=123":  "GET&http%3A%2F%2Fexample.com%2Fr%2520v%2FX&id%3D123",
		"https://www.example.net:8080/?q=1":     "GET&https%3A%2F%2Fwww.example.net%3A8080%2F&q%3D1",
		"https://example.com:443":               "GET&https%3A%2F%2Fexample.com%2F&",
		"http://example.com:443/a?b&=c&d=%zz&e": "GET&http%3A%2F%2Fexample.com%3A443%2Fa&%3Dc%26b%3D%26d%3D%2525zz%26e%3D",
		"http://[2001:db8::1]:80/a%2Fb":         "GET&http%3A%2F%2F%5B2001%3Adb8%3A%3A1%5D%2Fa%252Fb&",
	} {
		h, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := auth.BaseString(h, nil); err != nil || got != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", address, err, got, want)
		}
	}
}

func TestANonceIsNewForEachRequestAndEachTime(t *testing.T) {
	now := time.Unix(137131201, 0)
	e := env(nil, func() time.Time { return now })
	e.Authorization = parse(t, `{"oauth_api": {"credentials": {"appKey": "key", "#appSecret": "secret", "#data": {"oauth_token": "t", "oauth_token_secret": "s"}}}}`)
	var p config.Problems
	m := auth.New(parse(t, `{"type": "oauth10"}`), nil, e, &p)
	if err := p.Err(); err != nil || m == nil {
		t.Fatal(err)
	}
	nonces := map[string]bool{}
	for i, address := range []string{"http://h/a", "http://h/b", "http://h/b?c", "http://h/b", "http://h/b"} {
		if i > 2 {
			now = now.Add(time.Nanosecond)
		}
		h, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Finish(h); err != nil {
			t.Fatal(err)
		}
		header := h.Header.Get("Authorization")
		if !strings.Contains(header, `oauth_timestamp="137131201"`) {
			t.Errorf("%s: not at the time of the clock: %s", address, header)
		}
		nonces[regexp.MustCompile(`oauth_nonce="([0-9a-f]{32})"`).FindString(header)] = true
	}
	if len(nonces) != 5 || nonces[""] {
		t.Errorf("5 requests had the nonces %v", nonces)
	}
}
