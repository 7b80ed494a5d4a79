package discover

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"sluice/cli/discover/withhold"
	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
)

// translate makes the members of the configuration, and takes the secrets out.
func (c *curl) translate(s *secrets) (configuredRequest, error) {
	u, err := c.url()
	if err != nil {
		return configuredRequest{}, err
	}
	if !slices.Contains([]string{"", http.MethodGet, http.MethodPost}, c.method) {
		return configuredRequest{}, errors.New("the method is neither GET nor POST, and a configuration sends no other")
	}
	c.user = cmp.Or(c.user, u.User)
	query, body := u.RawQuery, strings.Join(c.data, "&")
	if c.inQuery {
		query, body = query+"&"+body, ""
	}
	var translated configuredRequest
	err = translated.takeBody(c, body, s)
	if err != nil {
		return configuredRequest{}, err
	}
	ofQuery, rest := s.params(query)
	// Beside a body, parameters are those of the body.
	if translated.method != "" || translated.body != nil {
		translated.query = ofQuery
	} else {
		translated.params = ofQuery
	}
	endpoint := cmp.Or(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	if rest != "" {
		endpoint += "?" + rest
	}
	translated.base = u.Scheme + "://" + u.Host + "/"
	translated.endpoint = s.address(withhold.Address(endpoint), asMeant)
	if c.signing != nil {
		translated.aws, err = c.signing.of(u.Hostname(), c.user, s)
		c.user = nil
	}
	if err != nil {
		return configuredRequest{}, err
	}
	translated.headers = c.headers(s)
	translated.dataType = nameOf(u.Path)
	return translated, nil
}

// nameOf is what the items at a path are called.
func nameOf(p string) string {
	// Parameters stand behind it.
	last, _, _ := strings.Cut(path.Base(p), ";")
	stem := strings.Trim(strings.TrimSuffix(last, path.Ext(last)), "/.")
	if stem == "" || withhold.LooksRandom(last) {
		return "items"
	}
	return stem
}

// takeBody takes the body of the command, which may be that of a GET.
func (t *configuredRequest) takeBody(c *curl, body string, s *secrets) error {
	method, params, err := c.translateBody(body, s)
	if err != nil {
		return err
	}
	isGet := c.method == http.MethodGet && method != ""
	if isGet && method == "FORM" {
		return errFormOfGet
	}
	isEmpty := method == http.MethodPost && len(params) == 0
	if !isGet {
		t.method = method
	}
	if isGet || isEmpty {
		t.body = append(item.ObjectBuilder{}, params...)
	} else {
		t.params = params
	}
	return nil
}

var errFormOfGet = errors.New("a configuration cannot send a GET with a form as its body: give -G, which puts " +
	"the fields into the address")

// url is the address, of http if it does not say.
func (c *curl) url() (*url.URL, error) {
	address := c.address
	if err := tooLong(address); err != nil {
		return nil, err
	}
	if !c.isPlain && globs().MatchString(address) {
		return nil, errGlobs
	}
	if !c.isPlain {
		address = unescaped().Replace(address)
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	isAddress := err == nil && isHTTP(u)
	if !isAddress && strings.ContainsAny(address, "“”„‘’") {
		return nil, errors.New("the address has typographic quotation marks, which a shell does not know: write straight ones")
	}
	if !isAddress {
		return nil, errors.New("there is no http or https address in the curl command")
	}
	return u, nil
}

// longestAddress is the most bytes of an address; servers take 8 to 32 KiB.
const longestAddress = 64 << 10

// tooLong is the error of an address that no server takes.
func tooLong(address string) error {
	if len(address) <= longestAddress {
		return nil
	}
	return fmt.Errorf("the address has %d bytes, and at most %d are allowed", len(address), longestAddress)
}

// unescaped takes away what keeps curl from seeing a glob.
func unescaped() *strings.Replacer {
	return strings.NewReplacer(`\[`, "[", `\]`, "]", `\{`, "{", `\}`, "}")
}

// globs are what curl expands the brackets or braces in this address of.
var globs = pattern.Lazy(`\[([0-9]+-[0-9]+|[a-zA-Z]-[a-zA-Z])(:[0-9]+)?\]|\{[^{}]*,[^{}]*\}`)

var errGlobs = errors.New("curl expands the brackets or braces in this address to several addresses: give the " +
	"first of them; if they are part of the address, add --globoff")

func isHTTP(u *url.URL) bool {
	return u.Host != "" && slices.Contains([]string{"http", "https"}, u.Scheme)
}

// translateBody makes the method, which is empty for GET, and the parameters of a body.
func (c *curl) translateBody(body string, s *secrets) (method string, params item.ObjectBuilder, err error) {
	hasBody := len(c.data) > 0 && !c.inQuery
	if !hasBody && c.method != http.MethodPost {
		return "", nil, nil
	}
	if err := tooBig(body); err != nil {
		return "", nil, err
	}
	kind := c.header.Get("Content-Type")
	value, _ := item.Compact(nil, []byte(body))
	isObject := item.Kind(value) == '{'
	looksJSON := kind == "" && isObject
	if c.isJSON || strings.Contains(kind, "json") || looksJSON {
		if !isObject || !json.Valid(value) {
			return "", nil, errBody
		}
		return http.MethodPost, s.replaceMembers(value), nil
	}
	isForm := kind == "" || strings.Contains(kind, "form-urlencoded")
	params, rest := s.params(body)
	if !isForm || rest != "" {
		return "", nil, errBody
	}
	return "FORM", params, nil
}

// longestBody is the most bytes of a body, and deepestBody the most objects and arrays of it in each other: those of a
// configuration around it are more than a few.
const (
	longestBody = 1 << 20
	deepestBody = 90
)

// tooBig is the error of a body that no configuration can have.
func tooBig(body string) error {
	if len(body) > longestBody {
		return fmt.Errorf("the body has %d bytes, and at most %d are allowed: leave out members that do not "+
			"change the answer",
			len(body), longestBody)
	}
	if isDeep(body) {
		return fmt.Errorf("the body is nested more than %d deep: a configuration cannot hold it", deepestBody)
	}
	return nil
}

// isDeep tells whether a text is JSON that is nested deeper than a body may be.
func isDeep(body string) bool {
	d := json.NewDecoder(strings.NewReader(body))
	depth := 0
	for {
		token, err := d.Token()
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if err != nil || depth > deepestBody {
			return depth > deepestBody
		}
	}
}

var errBody = errors.New("the body is neither a JSON object nor a form in which each field occurs once: a " +
	"configuration cannot send it")

// ofOneBrowser are headers of one browser or one connection.
var ofOneBrowser = pattern.Lazy(`^(Accept-Encoding|Connection|Content-Length|Host|If-.*|Range|Te|Priority|` +
	`Upgrade-Insecure-Requests|Sec-.*)$`)

// headers are those of the configuration, the secrets taken out.
func (c *curl) headers(s *secrets) (all item.ObjectBuilder) {
	if c.user != nil {
		c.header.Del("Authorization")
		all = item.ObjectBuilder{"Authorization", s.basic(c.user)}
	}
	for _, name := range slices.Sorted(maps.Keys(c.header)) {
		value := together(name, c.header[name])
		if ofOneBrowser().MatchString(name) {
			c.leftOut = append(c.leftOut, name)
			continue
		}
		if len(value) > longestAddress {
			c.leftOut = append(c.leftOut, fmt.Sprintf("%s (%d bytes, and at most %d are "+
				"allowed)", name, len(value), longestAddress))
			continue
		}
		made := s.address(withhold.Header(name, value), asItStands)
		all = append(all, name, made.JSON())
	}
	return all
}

// together is the value of a header that stands there several times: it is sent once, which means the same.
func together(name string, values []string) string {
	if name == "Cookie" {
		return strings.Join(values, "; ")
	}
	return strings.Join(values, ", ")
}
