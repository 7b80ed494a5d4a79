package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/request"
)

// A curl is what a curl command asks for, and the configuration that it becomes. No error about it shows a value.
type curl struct {
	address, method string
	header          http.Header
	data            []string

	// Where data goes, and what it is.
	inQuery, json bool

	// Options and headers that do not become a part of the configuration.
	leftOut []string

	base, endpoint, dataType string
	headers, params          item.Object

	// Which do not stand in the configuration.
	secrets []config.Attribute

	// The command before it, which gives its token; nil: none.
	login *curl

	// The reference to an attribute in whose place the token stands.
	token string

	// Where the answer to the login has the token, and for how many seconds it is good.
	found, expires string
}

// Options of curl, a letter after the slash, that no configuration needs.
const (
	curlFlags  = "silent/s show-error/S location/L location-trusted fail/f fail-with-body include/i verbose/v compressed globoff/g progress-bar/# no-progress-meter no-buffer/N http1.1 http2 http3 tlsv1.2 basic path-as-is remote-name/O insecure/k"
	curlValues = "output/o max-time/m connect-timeout retry retry-delay retry-max-time max-redirs write-out/w dump-header/D cookie-jar/c proxy/x proxy-user/U noproxy cert/E key cacert resolve connect-to"
)

// parseCurl reads a curl command, or two, of which the first is the login of the second. getenv gives variables.
func parseCurl(text string, getenv func(string) string) (*curl, error) {
	commands, err := curlCommands(text, getenv)
	switch n := len(commands); {
	case err != nil:
		return nil, err
	case n == 0:
		return nil, errors.New("there is no curl command: it begins with curl")
	case n > 2:
		return nil, fmt.Errorf(
			"there are %d curl commands: give the one that asks for the items, and before it that of the login if there is one",
			n,
		)
	}
	c := &curl{header: http.Header{}}
	if err = c.parse(commands[0][1:]); err != nil || len(commands) == 1 {
		return c, err
	}
	next := &curl{
		header:  http.Header{},
		login:   c,
		secrets: slices.Clone(c.secrets),
		leftOut: c.leftOut,
		found:   "access_token",
	}
	return next, cmp.Or(next.parse(commands[1][1:]), next.takeToken())
}

// takeToken takes the token of the login out of the secrets.
func (c *curl) takeToken() error {
	before := len(c.login.secrets)
	for i, a := range c.secrets[before:] {
		if a.Value == loginToken || len(c.secrets) == before+1 && !strings.Contains(a.Value, loginToken) {
			c.token, c.secrets = attribute(a.Name), slices.Delete(c.secrets, before+i, before+i+1)
			return nil
		}
	}
	return errors.New(
		"where does the token of the login go? Write it as $TOKEN into the second command, as the whole of a value or after Bearer",
	)
}

// parse reads what follows the name of the command.
func (c *curl) parse(words []string) error {
	f := pflag.NewFlagSet("curl", pflag.ContinueOnError)
	f.Usage = func() {}
	declare := func(names string, add func(name, letter, usage string, do func(string) error)) {
		for name := range strings.FieldsSeq(names) {
			name, letter, _ := strings.Cut(name, "/")
			add(name, letter, "", func(value string) error { return c.option(name, value) })
		}
	}
	declare(curlFlags+" get/G", f.BoolFuncP)
	declare(
		curlValues+" url request/X user/u header/H user-agent/A cookie/b referer/e oauth2-bearer data/d data-ascii data-binary data-raw data-urlencode json",
		f.FuncP,
	)
	err := f.Parse(words)
	for _, address := range f.Args() {
		err = cmp.Or(err, c.option("url", address))
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return fmt.Errorf(
			"no configuration can say what the option %.20s does: leave it out if the answer is the same without it",
			unknown.GetSpecifiedName(),
		)
	} else if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s: %w", wrong.GetFlag().Name, wrong.Unwrap())
	} else if err != nil {
		return err
	}
	return c.translate()
}

// option takes an option and its value.
func (c *curl) option(name, value string) error {
	isFile := false
	switch name {
	case "url":
		if c.address != "" {
			return errors.New("a second address: is a quote missing?")
		}
		c.address = value
	case "get":
		c.inQuery = true
	case "request":
		c.method = strings.ToUpper(value)
	case "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json":
		before, text, found := strings.Cut(value, "=")
		if isFile = strings.HasPrefix(value, "@") && name != "data-raw"; name == "data-urlencode" && found {
			value = strings.TrimPrefix(before+"="+url.QueryEscape(text), "=")
		} else if name == "data-urlencode" {
			value, isFile = url.QueryEscape(value), strings.Contains(value, "@")
		}
		c.json, c.data = c.json || name == "json", append(c.data, value)
	case "header", "user", "user-agent", "cookie", "referer", "oauth2-bearer":
		isFile = strings.HasPrefix(value, "@") && name == "header" ||
			name == "cookie" && !strings.Contains(value, "=")
		before := map[string]string{
			"user-agent":    "User-Agent:",
			"cookie":        "Cookie:",
			"referer":       "Referer:",
			"oauth2-bearer": "Authorization: Bearer ",
			"user":          "User:",
		} // see setHeaders
		// Else curl leaves it out, too.
		if name, text, _ := strings.Cut(before[name]+value, ":"); strings.TrimSpace(text) != "" {
			c.header.Set(strings.TrimSpace(name), strings.TrimSpace(text))
		}
	case "insecure", "proxy", "proxy-user", "noproxy", "cert", "key", "cacert", "resolve", "connect-to":
		// People may miss it.
		c.leftOut = append(c.leftOut, "--"+name)
	}
	if isFile {
		return errors.New("it names a file: write its text in its place")
	}
	return nil
}

// translate makes the parts of the configuration.
func (c *curl) translate() error {
	if !strings.Contains(c.address, "://") {
		c.address = "http://" + c.address
	}
	u, err := url.Parse(c.address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("there is no http or https address in the curl command")
	case c.method != "" && c.method != "GET" && c.method != "POST":
		return errors.New("a configuration sends GET and POST only")
	case u.User != nil:
		c.header.Set("User", request.Unescape(u.User.String()))
	}
	text := strings.Join(c.data, "&")
	if c.inQuery {
		u.RawQuery, text = u.RawQuery+"&"+text, ""
	}
	kind := c.header.Get("Content-Type")
	value, _ := item.Compact(nil, []byte(text))
	switch isJSON := c.json || strings.Contains(kind, "json") || kind == "" && item.Kind(value) == '{'; {
	case text == "" && c.method != "POST":
		c.method = ""
	case isJSON && json.Valid(value) && item.Kind(value) == '{':
		c.method = "POST"
		for name, member := range item.Members(value) {
			c.params = append(c.params, item.Unquote(name), c.value(item.Unquote(name), member))
		}
	case isJSON, kind != "" && !strings.Contains(kind, "form-urlencoded"), c.pairs(text, true) != "":
		return errors.New(
			"the body is neither a JSON object nor a form of fields that each stand there once: no configuration can send it",
		)
	default:
		c.method = "FORM"
	}
	c.base = u.Scheme + "://" + u.Host + "/"
	c.endpoint = strings.TrimSuffix(
		cmp.Or(strings.TrimPrefix(u.EscapedPath(), "/"), "/")+"?"+c.pairs(u.RawQuery, c.method == ""),
		"?",
	)
	c.dataType = cmp.Or(strings.Trim(strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path)), "/."), "items")
	c.setHeaders()
	return nil
}

// pairs makes parameters of a query or a form, of all or of secrets alone, and returns what stays as it stands.
func (c *curl) pairs(text string, all bool) (left string) {
	parts := request.ParseQuery(text)
	alone := parts.Alone()
	for _, part := range parts {
		_, value, valued := strings.Cut(part.Raw, "=")
		plain := quoted(request.Unescape(value))
		if n, err := strconv.Atoi(value); err == nil && strconv.Itoa(n) == value {
			plain = value
		}
		once := valued && alone[part.Name]
		if known := c.value(part.Name, []byte(plain)); all && once || known != plain {
			c.params = append(c.params, part.Name, known)
		} else {
			left += "&" + part.Raw
		}
	}
	return strings.TrimPrefix(left, "&")
}

// value is a parameter as JSON, the secrets taken out.
func (c *curl) value(name string, value []byte) string {
	text, _ := item.Text(value)
	if text != "" && secretName(name) {
		return c.secret(name, text)
	} else if item.Kind(value) != '{' {
		return string(value)
	}
	var o item.Object
	for name, member := range item.Members(value) {
		o = append(o, item.Unquote(name), c.value(item.Unquote(name), member))
	}
	return o.String()
}

// setHeaders sets them, the secrets taken out.
func (c *curl) setHeaders() {
	for _, name := range slices.Sorted(maps.Keys(c.header)) {
		value := c.header.Get(name)
		scheme, token, two := strings.Cut(value, " ")
		switch {
		case ofOneBrowser().MatchString(name):
			c.leftOut = append(c.leftOut, name)
			continue
		case name == "User":
			name, value = "Authorization", `{"function": "concat", "args": ["Basic ", {"function": "base64_encode", "args": [`+c.secret(
				"user",
				value,
			)+`]}]}`
		case name == "Authorization" && two:
			value = `{"function": "concat", "args": [` + quoted(
				scheme+" ",
			) + ", " + c.secret(
				"token",
				token,
			) + "]}"
		case secretName(name) || machineMade().MatchString(value) && threeDigits().MatchString(value):
			value = c.secret(name, value)
		default:
			value = quoted(value)
		}
		c.headers = append(c.headers, name, value)
	}
}

var (
	ofOneBrowser = pattern(
		`^(Accept-Encoding|Connection|Content-Length|Host|If-.*|Range|Te|Priority|Upgrade-Insecure-Requests|Sec-.*)$`,
	)
	secretNames = pattern(`(?i)((^|[_-]|app|access)key|^appid)$`)
	pageNames   = pattern(`(?i)page|next|contin|^authors?(_id)?$`)
	machineMade = pattern(`^[A-Za-z0-9_+/=.~-]{20,}$`)
	threeDigits = pattern(`([0-9].*){3}`)
	odd         = pattern(`[^a-z0-9_]+`)
)

// secretName tells by the name of a parameter or header that its value is a secret, and leads to no page.
func secretName(name string) bool {
	return (secret.Name(name) || secretNames().MatchString(name)) && !pageNames().MatchString(name)
}

// secret takes a secret out, and returns the reference to it.
func (c *curl) secret(name, value string) string {
	a := config.Attribute{
		Name: "#" + strings.Trim(
			odd().ReplaceAllString(strings.TrimPrefix(strings.ToLower(name), "x-"), "-"),
			"-",
		),
		Value: value,
	}
	for slices.ContainsFunc(c.secrets, func(b config.Attribute) bool { return a.Name == b.Name }) {
		a.Name += "2"
	}
	c.secrets = append(c.secrets, a)
	return attribute(a.Name)
}

func attribute(name string) string { return item.Object{"attr", quoted(name)}.String() }

func quoted(text string) string { return string(item.Quote(text)) }

// configuration has the items at dataField, and a pagination as JSON; both may be empty.
func (c *curl) configuration(dataField, pagination string) []byte {
	headers, tokenHeaders := c.divide(c.headers)
	params, tokenParams := c.divide(c.params)
	job := c.request(c.endpoint, params).
		With(true, "dataType", quoted(c.dataType)).
		With(dataField != "", "dataField", quoted(dataField))
	api := item.Object{
		"baseUrl",
		quoted(c.base),
	}.With(
		len(headers) > 0,
		"http",
		item.Object{"headers", headers.String()}.String(),
	)
	if l := c.login; l != nil {
		endpoint := l.endpoint
		if l.base != c.base {
			endpoint = l.base + endpoint
		}
		login := l.request(endpoint, l.params).With(len(l.headers) > 0, "headers", l.headers.String())
		use := item.Object{}.With(len(tokenHeaders) > 0, "headers", tokenHeaders.String()).
			With(len(tokenParams) > 0, "query", tokenParams.String()).
			String()
		api = append(
			api,
			"authentication",
			item.Object{
				"type",
				`"login"`,
				"loginRequest",
				login.String(),
				"apiRequest",
				strings.ReplaceAll(use, c.token, item.Object{"response", quoted(c.found)}.String()),
			}.
				With(
					c.expires != "",
					"expires",
					item.Object{"response", quoted(c.expires), "relative", "true"}.String(),
				).
				String(),
		)
	}
	api = api.With(pagination != "", "pagination", pagination)
	var b bytes.Buffer
	_ = json.Indent(
		&b,
		[]byte(
			item.Object{
				"api",
				api.String(),
				"config",
				item.Object{"jobs", "[" + job.String() + "]"}.String(),
			}.String()+"\n",
		),
		"",
		"  ",
	) // it is JSON
	return b.Bytes()
}

// request is what a job and a login request have in common.
func (c *curl) request(endpoint string, params item.Object) item.Object {
	return item.Object{
		"endpoint",
		quoted(endpoint),
	}.With(c.method != "", "method", quoted(c.method)).
		With(len(params) > 0, "params", params.String())
}

// divide separates the members that the token of the login stands in.
func (c *curl) divide(all item.Object) (without, with item.Object) {
	for m := range slices.Chunk(all, 2) {
		if c.login != nil && strings.Contains(m[1], c.token) {
			with = append(with, m...)
		} else {
			without = append(without, m...)
		}
	}
	return without, with
}

// findToken finds the token in the answer to a login, and for how long it is good.
func (c *curl) findToken(answer []byte) bool {
	first := func(fits func(value []byte) bool, paths string) string {
		for path := range strings.FieldsSeq(paths) {
			if fits(item.Lookup(answer, item.ParsePath(path, "."))) {
				return path
			}
		}
		return ""
	}
	isText := func(value []byte) bool { return item.Kind(value) == '"' }
	isNumber := func(value []byte) bool {
		_, ok := item.DecimalOf(value)
		return ok
	}
	c.found = first(
		isText,
		"access_token accessToken token id_token jwt session_id sessionId sid key data.access_token data.accessToken data.token result.token result.access_token",
	)
	c.expires = first(isNumber, "expires_in expiresIn data.expires_in data.expiresIn result.expires_in")
	return c.found != ""
}

// pattern compiles a pattern when it is used for the first time, since only init needs those of curl commands.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var (
	prompt     = pattern(`(?m)^\s*[$%>] |\r`)
	ofWindows  = pattern(`(?m)\s\^("|$)`)
	afterCaret = pattern(`\^(\n|.)`)
)

// loginToken is the value of a variable that is not set, or of a command, in the command after the login.
const loginToken = "token-of-the-login-0123456789"

// curlCommands returns the words of each curl command in a text for bash, or the shell of Windows, an inner one first;
// an address alone is one. getenv gives the values of variables.
func curlCommands(text string, getenv func(string) string) (all [][]string, err error) {
	if text = strings.TrimSpace(text); !strings.ContainsAny(text, " \t\n'\"") && strings.Contains(text, "://") {
		return [][]string{{"curl", text}}, nil
	}
	text = strings.TrimRight(prompt().ReplaceAllString(text, ""), "\\ \t\n")
	if ofWindows().MatchString(text) {
		text = afterCaret().ReplaceAllString(strings.NewReplacer("$", `\$`, "`", "\\`", "^\n", " ").Replace(text), "$1")
	}
	wrong := errors.New("this is no command that a shell can read: is a quote missing?")
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, wrong
	}
	var calls []*syntax.CallExpr
	syntax.Walk(file, func(n syntax.Node) bool {
		// By an & of the address.
		if s, ok := n.(*syntax.Stmt); ok && s.Background {
			err = wrong
		} else if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && strings.TrimSuffix(path.Base(c.Args[0].Lit()), ".exe") == "curl" {
			calls = append(calls, c)
		}
		return true
	})
	slices.SortFunc(
		calls,
		func(a, b *syntax.CallExpr) int { return cmp.Compare(a.End().Offset(), b.End().Offset()) },
	)
	c := &expand.Config{
		Env:       expand.FuncEnviron(getenv),
		NoUnset:   true,
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return "", errors.ErrUnsupported },
	}
	for _, call := range calls {
		words, failed := expand.Fields(c, call.Args...)
		if unset, ok := errors.AsType[expand.UnsetParameterError](failed); ok {
			return nil, fmt.Errorf(
				"the environment has no %.40s: set it, or write its value",
				unset.Node.Param.Value,
			)
		} else if failed != nil {
			return nil, errors.New("what a command in the command gives is not known: write its value")
		}
		all = append(all, words)
		c.Env = expand.FuncEnviron(func(name string) string { return cmp.Or(getenv(name), loginToken) })
		c.CmdSubst = func(w io.Writer, s *syntax.CmdSubst) error {
			if s.End().Offset() < calls[0].End().Offset() || calls[0].Pos().Offset() < s.Pos().Offset() {
				// There is no login in it.
				return errors.ErrUnsupported
			}
			_, err := io.WriteString(w, loginToken)
			return err
		}
	}
	return all, err
}
