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

	"sluice/pipeline/item"
	"sluice/source/request"
)

// Curl reads a curl command, or two, of which the first is the login of the second. getenv gives the values of
// variables. No error shows a value.
func Curl(text string, getenv func(string) string) (*API, error) {
	all, err := commands(text, getenv)
	if err != nil {
		return nil, err
	}
	switch len(all) {
	case 0:
		return nil, errors.New("there is no curl command: it begins with curl")
	case 1:
		return fromCommand(all[0], nil)
	case 2:
		login, err := fromCommand(all[0], nil)
		if err != nil {
			return nil, err
		}
		return fromCommand(all[1], login)
	}
	return nil, fmt.Errorf(
		"there are %d curl commands: "+
			"give the one that asks for the items, and before it that of the login if there is one",
		len(all),
	)
}

// fromCommand reads the words of a curl command after that of the login, which may be nil.
func fromCommand(words []string, login *API) (*API, error) {
	c, err := parseCurl(words[1:])
	if err != nil {
		return nil, err
	}
	a := &API{login: login}
	var s secrets
	if login != nil {
		s = slices.Clone(login.Secrets)
	}
	own := len(s)
	if err := c.translate(&a.call, &s); err != nil {
		return nil, err
	}
	a.LeftOut = c.leftOut
	if login != nil {
		a.LeftOut = slices.Concat(login.LeftOut, c.leftOut)
		at, err := tokenOf(s[own:])
		if err != nil {
			return nil, err
		}
		at += own
		a.token = attribute(s[at].Name)
		s = slices.Delete(s, at, at+1)
	}
	a.Secrets = s
	return a, nil
}

// tokenOf returns which of the secrets of a command is the token of the login before it.
func tokenOf(all secrets) (int, error) {
	for i, a := range all {
		isOnly := len(all) == 1 && !strings.Contains(a.Value, loginToken)
		if a.Value == loginToken || isOnly {
			return i, nil
		}
	}
	return 0, errors.New("where does the token of the login go? " +
		"Write it as $TOKEN into the second command, as the whole of a value or after Bearer")
}

// A curl is what the options of a curl command say.
type curl struct {
	address string
	method  string
	header  http.Header
	data    []string

	// inQuery tells that data goes into the query.
	inQuery bool

	// isJSON tells that data is JSON.
	isJSON bool

	// leftOut are options and headers that do not become a part of the configuration.
	leftOut []string
}

// basic is the name in curl.header of what becomes Authorization. A space is in no name of a header.
const basic = "User "

var errFile = errors.New("it names a file: write its text in its place")

// parseCurl reads what follows the name of the command.
func parseCurl(words []string) (*curl, error) {
	c := &curl{header: http.Header{}}
	options, addresses, err := splitOptions(words)
	if err != nil {
		return nil, err
	}
	for _, o := range options {
		if err := c.take(o); err != nil {
			return nil, fmt.Errorf("--%s: %w", o.name, err)
		}
	}
	for _, address := range addresses {
		if err := c.takeAddress(address); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// take takes an option.
func (c *curl) take(o option) error {
	switch o.name {
	case "url":
		return c.takeAddress(o.value)
	case "get":
		c.inQuery = true
	case "request":
		c.method = strings.ToUpper(o.value)
	case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json":
		return c.takeData(o)
	case "header", "user", "user-agent", "cookie", "referer", "oauth2-bearer":
		return c.takeHeader(o)
	// People may miss what these do.
	case "insecure", "proxy", "proxy-user", "noproxy", "cert", "key", "cacert", "resolve", "connect-to":
		c.leftOut = append(c.leftOut, "--"+o.name)
	}
	return nil
}

func (c *curl) takeAddress(address string) error {
	if c.address != "" {
		return errors.New("a second address: is a quote missing?")
	}
	c.address = address
	return nil
}

func (c *curl) takeData(o option) error {
	text := o.value
	isFile := strings.HasPrefix(text, "@")
	switch o.name {
	case "data-raw":
		isFile = false
	case "data-urlencode":
		name, value, found := strings.Cut(text, "=")
		if found {
			text = strings.TrimPrefix(name+"="+url.QueryEscape(value), "=")
		} else {
			isFile = strings.Contains(text, "@")
			text = url.QueryEscape(text)
		}
	case "json":
		c.isJSON = true
	}
	if isFile {
		return errFile
	}
	c.data = append(c.data, text)
	return nil
}

func (c *curl) takeHeader(o option) error {
	isFile, name, value := false, "", o.value
	switch o.name {
	case "header":
		isFile = strings.HasPrefix(value, "@")
		name, value, _ = strings.Cut(value, ":")
		name = strings.TrimSpace(name)
	case "cookie":
		isFile = !strings.Contains(value, "=")
		name = "Cookie"
	case "oauth2-bearer":
		name, value = "Authorization", "Bearer "+value
	case "user":
		name = basic
	case "user-agent":
		name = "User-Agent"
	case "referer":
		name = "Referer"
	}
	if isFile {
		return errFile
	}
	value = strings.TrimSpace(value)
	// Curl leaves out what has no value, too.
	if value != "" {
		c.header.Set(name, value)
	}
	return nil
}

// translate makes the members of the configuration, and takes the secrets out.
func (c *curl) translate(to *call, s *secrets) error {
	address := c.address
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || !isHTTP(u) {
		return errors.New("there is no http or https address in the curl command")
	}
	if !slices.Contains([]string{"", http.MethodGet, http.MethodPost}, c.method) {
		return errors.New("a configuration sends GET and POST only")
	}
	if u.User != nil {
		c.header.Set(basic, request.Unescape(u.User.String()))
	}
	query, body := u.RawQuery, strings.Join(c.data, "&")
	if c.inQuery {
		query, body = query+"&"+body, ""
	}
	if err := c.translateBody(body, to, s); err != nil {
		return err
	}
	to.base = u.Scheme + "://" + u.Host + "/"
	to.endpoint = cmp.Or(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	// The parameters of other methods go into the body.
	params, rest := s.params(query, to.method != "")
	to.params = append(to.params, params...)
	if rest != "" {
		to.endpoint += "?" + rest
	}
	stem := strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path))
	to.dataType = cmp.Or(strings.Trim(stem, "/."), "items")
	to.headers = c.headers(s)
	return nil
}

func isHTTP(u *url.URL) bool {
	return u.Host != "" && slices.Contains([]string{"http", "https"}, u.Scheme)
}

// translateBody makes the method, and the parameters of a body.
func (c *curl) translateBody(body string, to *call, s *secrets) error {
	if body == "" && c.method != http.MethodPost {
		return nil
	}
	kind := c.header.Get("Content-Type")
	value, _ := item.Compact(nil, []byte(body))
	isObject := item.Kind(value) == '{'
	isCalledJSON := c.isJSON || strings.Contains(kind, "json")
	looksJSON := kind == "" && isObject
	if isCalledJSON || looksJSON {
		if !isObject || !json.Valid(value) {
			return errBody
		}
		to.method = http.MethodPost
		to.params = s.replaceMembers(value)
		return nil
	}
	isForm := kind == "" || strings.Contains(kind, "form-urlencoded")
	params, rest := s.params(body, false)
	if !isForm || rest != "" {
		return errBody
	}
	to.method, to.params = "FORM", params
	return nil
}

var errBody = errors.New("the body is neither a JSON object nor a form of fields that each stand there once: " +
	"no configuration can send it")

// ofOneBrowser are headers of one browser or one connection.
var ofOneBrowser = pattern(`^(Accept-Encoding|Connection|Content-Length|Host|If-.*|Range|Te|Priority|` +
	`Upgrade-Insecure-Requests|Sec-.*)$`)

// headers are those of the configuration, the secrets taken out.
func (c *curl) headers(s *secrets) (all item.Object) {
	for _, name := range slices.Sorted(maps.Keys(c.header)) {
		value := c.header.Get(name)
		scheme, token, hasScheme := strings.Cut(value, " ")
		switch {
		case ofOneBrowser().MatchString(name):
			c.leftOut = append(c.leftOut, name)
			continue
		case name == basic:
			name = "Authorization"
			encoded := expression("base64_encode", s.add("user", value))
			value = expression("concat", quoted("Basic "), encoded)
		case name == "Authorization" && hasScheme:
			value = expression("concat", quoted(scheme+" "), s.add("token", token))
		case secretName(name) || looksRandom(value):
			value = s.add(name, value)
		default:
			value = quoted(value)
		}
		all = append(all, name, value)
	}
	return all
}
