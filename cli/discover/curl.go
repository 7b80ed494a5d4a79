package discover

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// Curl reads a curl command, or two, of which the first is the login of the second. getenv gives the values of
// variables. No error shows a value.
func Curl(text string, getenv func(string) string) (*Description, error) {
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
		if login.aws != "" {
			return nil, errors.New("the first command has --aws-sigv4: no configuration signs the request of a login")
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
func (a *Description) asksForToken() bool {
	for m := range slices.Chunk(slices.Concat(a.params, a.query, a.body), 2) {
		if m[0] == "grant_type" {
			return true
		}
	}
	return false
}

// fromCommand reads the words of a curl command. Its secrets come after those of the command before it.
func fromCommand(words []string, before []config.Attribute) (*Description, error) {
	c, err := parseCurl(words[1:])
	if err != nil {
		return nil, err
	}
	return c.api(before)
}

// api is what the options say, its secrets behind those that were before.
func (c *curl) api(before []config.Attribute) (*Description, error) {
	s := secretsAfter(before)
	translated, err := c.translate(s)
	if err != nil {
		return nil, err
	}
	if len(s.all) > mostSecrets {
		return nil, fmt.Errorf("%d values in it look like secrets, where %d are the most: leave out what the answer is the same without",
			len(s.all), mostSecrets)
	}
	return &Description{call: translated, Secrets: s.all, LeftOut: c.leftOut}, nil
}

// mostSecrets is how many a request may have: each is an argument of the command that runs the configuration.
const mostSecrets = 1000

// fromCommandAfter reads the words of a curl command that sends the token of a login.
func fromCommandAfter(login *Description, words []string) (*Description, error) {
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
func (a *Description) takeToken() error {
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

	// signing is nil, or what requests are signed for by AWS Signature Version 4, with the credentials of user.
	signing *signing

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
	case "aws-sigv4":
		return c.takeSigning(o.value)
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

// A signing is what --aws-sigv4 says. What is empty is in the name of the host.
type signing struct{ region, service string }

// takeSigning takes the value of --aws-sigv4. Others sign by other algorithms.
func (c *curl) takeSigning(value string) error {
	words := strings.Split(cmp.Or(value, awsProvider), ":")
	isOther := len(words) < 2 || len(words) > 4
	if isOther || strings.Join(words[:2], ":") != awsProvider {
		return errors.New("want aws:amz:REGION:SERVICE: a configuration signs requests for AWS only")
	}
	words = append(words, "", "")
	c.signing = &signing{region: words[2], service: words[3]}
	return nil
}

const awsProvider = "aws:amz"

// of are the members of the configuration that sign requests to a host, whose first two labels are service and region
// where the option does not say them.
func (g *signing) of(host string, user *url.Userinfo, s *secrets) (string, error) {
	labels := append(strings.Split(host, "."), "", "")
	service := cmp.Or(g.service, labels[0])
	region := cmp.Or(g.region, labels[1])
	key := user.Username()
	secret, _ := user.Password()
	if key == "" || secret == "" {
		return "", errors.New("--aws-sigv4: the id of the key and its secret are missing: write --user ID:SECRET")
	}
	credentials := item.Object{
		"accessKeyId", s.add("access_key_id", key),
		"#secretKey", s.add("secret_access_key", secret),
		"serviceName", quoted(service),
		"regionName", quoted(region),
	}
	return item.Object{"signature", item.Object{"credentials", credentials.String()}.String()}.String(), nil
}
