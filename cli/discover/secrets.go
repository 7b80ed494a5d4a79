package discover

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/withhold"
	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/request"
)

// secrets are values that do not stand in the configuration.
type secrets struct {
	// all are they, each with the name of its attribute.
	all []config.Attribute

	// numbers are how many were called so, by the names that are taken.
	numbers map[string]int
}

// secretsAfter are those that stand behind others.
func secretsAfter(before []config.Attribute) *secrets {
	s := &secrets{all: slices.Clone(before), numbers: map[string]int{}}
	for _, a := range before {
		s.numbers[a.Name] = 1
	}
	return s
}

// add adds one, and returns the reference to it as JSON. Those of one name are told apart by a number.
func (s *secrets) add(name, value string) string {
	name = strings.TrimPrefix(strings.ToLower(name), "x-")
	name = "#" + strings.Trim(notInNames().ReplaceAllString(name, "-"), "-")
	numbered := name
	for s.numbers[numbered] > 0 {
		s.numbers[name]++
		numbered = name + strconv.Itoa(s.numbers[name])
	}
	s.numbers[numbered] = 1
	s.all = append(s.all, config.Attribute{Name: numbered, Value: value})
	return attribute(numbered)
}

// basic is the value of Authorization for a user, as JSON.
func (s *secrets) basic(user *url.Userinfo) string {
	password, _ := user.Password()
	both := []string{quoted(user.Username() + ":")}
	if !withhold.IsUserName(user.Username(), password) {
		both = []string{s.add("user", user.Username()), quoted(":")}
	}
	if password != "" {
		both = append(both, s.add("password", password))
	}
	encoded := expression("base64_encode", expression("concat", both...))
	return expression("concat", quoted("Basic "), encoded)
}

// address is an address, references in the place of the secrets in it. Value makes of them what is kept.
func (s *secrets) address(all withhold.Pieces, value func(withhold.Piece) string) address {
	var made address
	for _, piece := range all {
		if piece.Name == "" {
			made = append(made, quoted(piece.Raw))
		} else {
			made = append(made, s.add(piece.Name, value(piece)))
		}
	}
	return made
}

// asItStands and asMeant are what is kept of a secret: where the run escapes it, it is kept as it is meant.
func asItStands(p withhold.Piece) string { return p.Raw }
func asMeant(p withhold.Piece) string    { return p.Plain }

// replace is a parameter as JSON, references in the place of the secrets. The elements of an array are called as it is.
func (s *secrets) replace(name string, value []byte) string {
	switch item.Kind(value) {
	case '{':
		return s.replaceMembers(value).String()
	case '[':
		var all []string
		for element := range item.Elements(value) {
			all = append(all, s.replace(name, element))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	text, _ := item.Text(value)
	isSecret := text != "" && secret.Parameter(name)
	if isSecret || item.Kind(value) == '"' && withhold.IsSecret(name, text) {
		return s.add(name, text)
	}
	return string(value)
}

// replaceMembers does so with each member of an object.
func (s *secrets) replaceMembers(object []byte) item.ObjectBuilder {
	var o item.ObjectBuilder
	for quoted, value := range item.Members(object) {
		name := item.Unquote(quoted)
		o = append(o, name, s.replace(name, value))
	}
	return o
}

// params makes parameters of the parts of a query or a form. The rest is what cannot be one, because it has no value or
// its name is there again.
func (s *secrets) params(text string) (all item.ObjectBuilder, rest string) {
	parts := request.ParseQuery(text)
	alone := parts.Alone()
	var others []string
	for _, part := range parts {
		_, encoded, hasValue := strings.Cut(part.Raw, "=")
		if hasValue && alone[part.Name] {
			all = append(all, part.Name, s.replace(part.Name, []byte(valueOf(encoded))))
		} else {
			others = append(others, part.Raw)
		}
	}
	return all, strings.Join(others, "&")
}

// valueOf is the value of a part as JSON: a number only if it would be written the same.
func valueOf(encoded string) string {
	n, err := strconv.Atoi(encoded)
	if err == nil && strconv.Itoa(n) == encoded {
		return encoded
	}
	return quoted(request.Unescape(encoded))
}

var notInNames = pattern.Lazy(`[^a-z0-9_]+`)
