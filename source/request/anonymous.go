package request

import (
	"net/http"
	"slices"
	"strings"

	"sluice/pipeline/pattern"
	"sluice/pipeline/secret"
)

// Headers that say nothing of who asks.
var impersonal = []string{"Cache-Control", "Origin", "Pragma", "Referer", "X-Requested-With"}

var (
	// personal matches names of parameters that may say who asks.
	personal = pattern.Lazy(`(?i)user|client|account|app|login|mail|who|id$`)

	// random matches texts that may be a key: long, of letters and digits without blanks.
	random = pattern.Lazy(`[A-Za-z0-9_-]{16,}`)
	digit  = pattern.Lazy(`[0-9]`)
)

// Anonymous tells whether surely nothing in r says who asks. Where a name or a value is in doubt it does not.
func (r *Request) Anonymous(s *secret.Set) bool {
	sent, shown := r.Addresses(s)
	if len(r.Attributes) > 0 || len(r.Login) > 0 || sent != shown {
		return false
	}
	for name := range r.Header {
		isVersion := strings.HasSuffix(strings.ToLower(name), "version")
		isKnown := slices.Contains(impersonal, http.CanonicalHeaderKey(name))
		if !isVersion && !isKnown && !secret.HarmlessHeader(name) {
			return false
		}
	}
	if slices.ContainsFunc(strings.Split(r.URL.Path, "/"), mayBeKey) {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(r.Endpoint, r.Params), mayIdentify)
}

// mayIdentify tells whether a parameter may say who asks.
func mayIdentify(p Param) bool {
	name, value := p.Name, string(p.Value)
	if p.Value == nil {
		name, value, _ = strings.Cut(p.Raw, "=")
	}
	return p.hidden() || secret.Parameter(name) || personal().MatchString(name) || mayBeKey(value)
}

// mayBeKey tells whether some part of a text may be a key.
func mayBeKey(text string) bool {
	return slices.ContainsFunc(random().FindAllString(text, -1), digit().MatchString)
}
