package discover

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"sluice/pipeline/item"
)

var errTokenAlone = errors.New("this asks for a token, as grant_type says: " +
	"write the command that asks for items after it, with $TOKEN for the token")

// mostSecrets is how many a request may have: each is an argument of the command that runs the configuration.
const mostSecrets = 1000

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

var errFile = errors.New("its value is the name of a file: write the text of the file instead")

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
		return errors.New("curl would ask for the password: write --user NAME:PASSWORD, or NAME: if there is " +
			"no password")
	}
	c.user = url.UserPassword(name, password)
	return nil
}

// A signing is what --aws-sigv4 says. What is empty is in the name of the host.
type signing struct{ region, service string }

// takeSigning takes the value of --aws-sigv4. Others sign by other algorithms.
func (c *curl) takeSigning(value string) error {
	words := strings.Split(cmp.Or(value, awsProvider), ":")
	if len(words) < 2 || len(words) > 4 || strings.Join(words[:2], ":") != awsProvider {
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
	credentials := item.ObjectBuilder{
		"accessKeyId", s.add("access_key_id", key),
		"#secretKey", s.add("secret_access_key", secret),
		"serviceName", quoted(service),
		"regionName", quoted(region),
	}
	return item.ObjectBuilder{"signature", item.ObjectBuilder{"credentials", credentials.String()}.String()}.String(), nil
}
