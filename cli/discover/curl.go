package discover

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
		a, err := fromCommand(all[0], nil)
		if err == nil && a.asksForToken() {
			err = errTokenAlone
		}
		return a, err
	case 2:
		login, err := fromCommand(all[0], nil)
		if err != nil {
			return nil, err
		}
		return fromCommandAfter(login, all[1])
	}
	return nil, fmt.Errorf(
		"there are %d curl commands: "+
			"give the one that asks for the items, and before it that of the login if there is one",
		len(all),
	)
}

var errTokenAlone = errors.New("this asks for a token, as grant_type says: " +
	"write the command that asks for items after it, with $TOKEN for the token")

// asksForToken tells whether the request is that of OAuth for a token.
func (a *API) asksForToken() bool {
	for m := range slices.Chunk(slices.Concat(a.params, a.query, a.body), 2) {
		if m[0] == "grant_type" {
			return true
		}
	}
	return false
}

// fromCommand reads the words of a curl command. Its secrets come after those of the command before it.
func fromCommand(words []string, before secrets) (*API, error) {
	c, err := parseCurl(words[1:])
	if err != nil {
		return nil, err
	}
	return c.api(before)
}

// api is what the options say, its secrets behind those that were before.
func (c *curl) api(before secrets) (*API, error) {
	s := slices.Clone(before)
	translated, err := c.translate(&s)
	if err != nil {
		return nil, err
	}
	return &API{call: translated, Secrets: s, LeftOut: c.leftOut}, nil
}

// fromCommandAfter reads the words of a curl command that sends the token of a login.
func fromCommandAfter(login *API, words []string) (*API, error) {
	a, err := fromCommand(words, login.Secrets)
	if err != nil {
		return nil, err
	}
	a.login = login
	a.LeftOut = slices.Concat(login.LeftOut, a.LeftOut)
	if err := a.takeToken(); err != nil {
		return nil, err
	}
	return a, nil
}

// takeToken takes the token of the login out of the secrets.
func (a *API) takeToken() error {
	before := len(a.login.Secrets)
	own := a.Secrets[before:]
	for i, s := range own {
		isOnly := len(own) == 1 && !strings.Contains(s.Value, loginToken)
		if s.Value == loginToken || isOnly {
			a.token = attribute(s.Name)
			a.Secrets = slices.Delete(a.Secrets, before+i, before+i+1)
			return nil
		}
	}
	return errors.New("where does the token of the login go? " +
		"Write it as $TOKEN into the second command, as the whole of a value or after Bearer")
}

// A curl is what the options of a curl command say.
type curl struct {
	address string
	method  string
	header  http.Header
	data    []string

	// user is nil, or has the name and the password of basic authentication.
	user *url.Userinfo

	// inQuery tells that data goes into the query.
	inQuery bool

	// isPlain tells that brackets and braces in the address are no globs.
	isPlain bool

	// isJSON tells that data is JSON.
	isJSON bool

	// leftOut are options and headers that do not become a part of the configuration.
	leftOut []string
}

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
	case "globoff":
		c.isPlain = true
	case "user":
		return c.takeUser(o.value)
	case "request":
		c.method = strings.ToUpper(o.value)
	case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json":
		return c.takeData(o)
	case "header", "user-agent", "cookie", "referer", "oauth2-bearer":
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
	case "user-agent":
		name = "User-Agent"
	case "referer":
		name = "Referer"
	}
	if isFile {
		return errFile
	}
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		// Curl leaves it out, too.
	case o.name == "header" || o.name == "cookie":
		c.header.Add(name, value)
	default:
		c.header.Set(name, value)
	}
	return nil
}

// takeUser takes the name and the password of basic authentication.
func (c *curl) takeUser(value string) error {
	name, password, found := strings.Cut(value, ":")
	if !found {
		return errors.New("curl would ask for the password: write it behind the name and a colon, " +
			"name: where there is none")
	}
	c.user = url.UserPassword(name, password)
	return nil
}
