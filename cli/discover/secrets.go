package discover

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/request"
)

// secrets are values that do not stand in the configuration, each with the name of its attribute.
type secrets []config.Attribute

// add adds one, and returns the reference to it as JSON.
func (s *secrets) add(name, value string) string {
	name = strings.TrimPrefix(strings.ToLower(name), "x-")
	name = "#" + strings.Trim(notInNames().ReplaceAllString(name, "-"), "-")
	for slices.ContainsFunc(*s, func(a config.Attribute) bool { return a.Name == name }) {
		name += "2"
	}
	*s = append(*s, config.Attribute{Name: name, Value: value})
	return attribute(name)
}

// basic is the value of Authorization for a user, as JSON.
func (s *secrets) basic(user *url.Userinfo) string {
	password, _ := user.Password()
	both := []string{s.add("user", user.Username()), quoted(":")}
	if password != "" {
		both = append(both, s.add("password", password))
	}
	encoded := expression("base64_encode", expression("concat", both...))
	return expression("concat", quoted("Basic "), encoded)
}

// address is an endpoint, references in the place of the steps of its path that look as if a machine had made them.
func (s *secrets) address(endpoint string) address {
	path, query, hasQuery := strings.Cut(endpoint, "?")
	literal := ""
	var all address
	for i, step := range strings.Split(path, "/") {
		if i > 0 {
			literal += "/"
		}
		value := request.Unescape(step)
		if !looksRandom(strings.ReplaceAll(value, ":", "")) {
			literal += step
			continue
		}
		all = append(all, quoted(literal), s.add("path", value))
		literal = ""
	}
	if hasQuery {
		literal += "?" + query
	}
	if literal != "" {
		all = append(all, quoted(literal))
	}
	return all
}

// replace is a parameter as JSON, references in the place of the secrets.
func (s *secrets) replace(name string, value []byte) string {
	text, _ := item.Text(value)
	isRandom := item.Kind(value) == '"' && looksRandom(text) && !pageNames().MatchString(name)
	isSecret := text != "" && secretName(name)
	if isSecret || isRandom {
		return s.add(name, text)
	}
	if item.Kind(value) != '{' {
		return string(value)
	}
	return s.replaceMembers(value).String()
}

// replaceMembers does so with each member of an object.
func (s *secrets) replaceMembers(object []byte) item.Object {
	var o item.Object
	for quoted, value := range item.Members(object) {
		name := item.Unquote(quoted)
		o = append(o, name, s.replace(name, value))
	}
	return o
}

// params makes parameters of the parts of a query or a form. The rest is what cannot be one, because it has no value or
// its name is there again.
func (s *secrets) params(text string) (all item.Object, rest string) {
	parts := request.ParseQuery(text)
	alone := parts.Alone()
	var others []string
	for _, part := range parts {
		_, encoded, hasValue := strings.Cut(part.Raw, "=")
		plain := valueOf(encoded)
		value := s.replace(part.Name, []byte(plain))
		isSecret := value != plain
		isParam := hasValue && alone[part.Name]
		if isSecret || isParam {
			all = append(all, part.Name, value)
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

var (
	secretNames = pattern(`(?i)((^|[_-]|app|access)key|^appid)$`)
	pageNames   = pattern(`(?i)page|next|contin|^authors?(_id)?$`)
	longWord    = pattern(`^[A-Za-z0-9_+/=.~-]{20,}$`)
	threeDigits = pattern(`([0-9].*){3}`)
	notInNames  = pattern(`[^a-z0-9_]+`)
)

// secretName tells by the name of a parameter or header that its value is a secret, and leads to no page.
func secretName(name string) bool {
	if pageNames().MatchString(name) {
		return false
	}
	return secret.Name(name) || secretNames().MatchString(name)
}

// looksRandom tells that a value looks as if a machine had made it.
func looksRandom(value string) bool {
	return longWord().MatchString(value) && threeDigits().MatchString(value)
}

// pattern compiles a pattern when it is used for the first time, since only init needs those of curl commands.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
