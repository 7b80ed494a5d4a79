package auth

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what OAuth 1.0a signs with
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sluice/source/config"
	"sluice/source/request"
)

// oauth10 signs requests as OAuth 1.0a has it, with HMAC-SHA1 (RFC 5849). The
// libraries for it sign only the first of several parameters of one name.
type oauth10 struct {
	env             Env
	consumer, token string

	// consumerKey and tokenKey prove the two.
	consumerKey, tokenKey string
}

func newOAuth10(o *config.ObjectDecoder, env Env, p *config.Problems) *request.Signer {
	c := decodeCredentials(o, env, p, "appKey", "#appSecret", "#data")
	c.wantObject(p)
	a := &oauth10{
		env:         env,
		consumer:    c.appKey,
		consumerKey: c.appSecret,
		token:       c.member("oauth_token", p),
		tokenKey:    c.member("oauth_token_secret", p),
	}
	return &request.Signer{Finish: a.finish}
}

func (a *oauth10) finish(h *http.Request) error {
	body, err := bodyOf(h)
	if err != nil {
		return err
	}
	now := a.env.Now()
	protocol := [][2]string{
		{"oauth_consumer_key", a.consumer},
		{"oauth_nonce", nonce(a.tokenKey, now, h.Method, h.URL.String(), string(body))},
		{"oauth_signature_method", "HMAC-SHA1"},
		{"oauth_timestamp", strconv.FormatInt(now.Unix(), 10)},
		{"oauth_token", a.token},
		{"oauth_version", "1.0"},
	}
	signature := a.sign(baseString(h, body, protocol))
	a.env.Secrets.AddSignature(signature)
	protocol = slices.Insert(protocol, 2, [2]string{"oauth_signature", signature})
	var members []string
	for _, q := range protocol {
		members = append(members, fmt.Sprintf(`%s="%s"`, q[0], percent(q[1])))
	}
	h.Header.Set("Authorization", "OAuth "+strings.Join(members, ", "))
	return nil
}

// sign is HMAC-SHA1 (RFC 5849, section 3.4.2).
func (a *oauth10) sign(base string) string {
	mac := hmac.New(sha1.New, []byte(percent(a.consumerKey)+"&"+percent(a.tokenKey)))
	mac.Write([]byte(base))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// baseString is what is signed (RFC 5849, section 3.4.1). Parameters are pairs of name and value.
func baseString(h *http.Request, body []byte, protocol [][2]string) string {
	all := append(decodePairs(h.URL.RawQuery), protocol...)
	if request.IsForm(h.Header.Get("Content-Type")) {
		all = append(all, decodePairs(string(body))...)
	}
	for i, q := range all {
		all[i] = [2]string{percent(q[0]), percent(q[1])}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	var normal []string
	for _, q := range all {
		normal = append(normal, q[0]+"="+q[1])
	}
	origin := request.Origin(&url.URL{Scheme: h.URL.Scheme, Host: cmp.Or(h.Host, h.URL.Host)})
	address := origin + cmp.Or(h.URL.EscapedPath(), "/")
	return h.Method + "&" + percent(address) + "&" + percent(strings.Join(normal, "&"))
}
