package secret

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// errorCodes are those of RFC 6749, which say nothing secret.
var errorCodes = []string{
	"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
	"unsupported_grant_type", "invalid_scope", "access_denied", "unsupported_response_type",
	"server_error", "temporarily_unavailable",
}

// Refusal says of the answer to a login what may be shown: the error of RFC 6749, else the names of the
// members; of what is no JSON object nothing but about, which is its type and length.
func (s *Set) Refusal(answer []byte, about string) string {
	const plan = "sluice plan prints the request"
	var members map[string]json.RawMessage
	if json.Unmarshal(answer, &members) != nil || len(members) == 0 {
		return about + " (the answer to a login is not shown; " + plan + ")"
	}
	var code, description string
	// Another kind of value is no such error.
	_ = json.Unmarshal(members["error"], &code)
	_ = json.Unmarshal(members["error_description"], &description)
	if slices.Contains(errorCodes, code) {
		if description != "" {
			code += ": " + description
		}
		return fmt.Sprintf("%.300s (%s; the rest of the answer to a login is not shown; %s)",
			s.Redact(code), about, plan)
	}
	names := s.Redact(strings.Join(slices.Sorted(maps.Keys(members)), ", "))
	return fmt.Sprintf("%s (the answer to a login is not shown; its members are %.300s; %s)",
		about, names, plan)
}
