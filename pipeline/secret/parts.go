package secret

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/pattern"
)

var (
	// schemed is a scheme and its credentials (RFC 9110, section 11.4).
	schemed = pattern.Lazy(`(?s)^\s*([A-Za-z][\w-]*) +(.+)$`)

	// words are what stands behind the first blank of an ordinary text, such as a name, and is no token.
	words = pattern.Lazy(`^[A-Za-z ]{1,15}$`)

	// paired is a user name and a password.
	paired = pattern.Lazy(`(?s)^[^\s:"{}\[\]]*:(.+)$`)

	// parameter is one of credentials, or a cookie; the value may be quoted.
	parameter = pattern.Lazy(
		`(?:^|[;,])\s*[\w.!#$&*^|~+-]+\s*=\s*` +
			`(?:"((?:[^"\\]|\\.)*)"|([^";,\s]*[^";,\s=][^";,\s]*))`,
	)
)

// plainWords are values of cookies that are no secret: hiding them would break the JSON of a recording.
var plainWords = []string{"true", "false", "null"}

// Parts returns the value of a header or of an attribute, and the secrets in it, each of which may be sent back
// alone: the credentials behind a scheme, the password of a pair, and the values of cookies and parameters.
func Parts(value string) []string {
	all := []string{value, strings.TrimSpace(value)}
	all = append(all, password(value)...)
	all = append(all, parameters(value)...)
	found := schemed().FindStringSubmatch(value)
	if found == nil || words().MatchString(found[2]) {
		return all
	}
	scheme := found[1]
	credentials := strings.TrimSpace(found[2])
	all = append(all, credentials)
	all = append(all, parameters(credentials)...)
	if !strings.EqualFold(scheme, "Basic") {
		return append(all, password(credentials)...)
	}
	pair, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(credentials, "="))
	if err != nil {
		return all
	}
	all = append(all, string(pair))
	return append(all, password(string(pair))...)
}

// password is what stands behind the first colon, of an address that in front of its host.
func password(pair string) []string {
	found := paired().FindStringSubmatch(pair)
	if found == nil {
		return nil
	}
	if !strings.HasPrefix(found[1], "//") {
		return []string{strings.TrimSpace(found[1])}
	}
	address, err := url.Parse(pair)
	if err != nil {
		return nil
	}
	text, _ := address.User.Password()
	return []string{text}
}

// parameters are the values of cookies, or of the parameters of a scheme.
func parameters(text string) []string {
	var all []string
	for _, found := range parameter().FindAllStringSubmatch(text, -1) {
		quoted, bare := found[1], found[2]
		if slices.Contains(plainWords, bare) {
			continue
		}
		plain := escapedText{text: quoted}.unescape('\\', quotedPair)
		all = append(all, quoted, plain.text, bare)
	}
	return all
}

// quotedPair is an escape in a quoted parameter (RFC 9110, section 5.6.4).
func quotedPair(text string) (plain string, length int) {
	if len(text) < 2 {
		return "", 0
	}
	return text[1:2], 2
}
