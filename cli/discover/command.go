package discover

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/pipeline/pattern"
	"sluice/source/config"
)

// Curl reads a curl command, or two, of which the first is the login of the second. getenv gives the values of
// variables. No error shows a value.
func Curl(text string, getenv func(string) string) (*Description, error) {
	all, err := commands(text, getenv)
	if len(all) == 0 && ofOthers().MatchString(text) {
		return nil, errors.New(`there is no curl command here: of what a browser copies choose "Copy as cURL"`)
	}
	if err != nil {
		return nil, err
	}
	switch len(all) {
	case 0:
		return nil, errors.New("there is no curl command here: the text must begin with curl")
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
			return nil, errors.New("the first command has --aws-sigv4: a configuration cannot sign a login request")
		}
		login.tokenPath = readByJQ(text)
		return fromCommandAfter(login, all[1])
	}
	return nil, fmt.Errorf(
		"there are %d curl commands: give the one that asks for the items, and before it the one that logs in, "+
			"if there is a login",
		len(all),
	)
}

// ofOthers matches what browsers copy for PowerShell and for JavaScript.
var ofOthers = pattern.Lazy(`(?i)\bInvoke-(WebRequest|RestMethod)\b|\bfetch\(`)

// jqPath matches the filter of a jq that takes one member.
var jqPath = pattern.Lazy(`\|\s*jq(?:\s+-{1,2}[\w-]+)*\s+['"]?\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:['"]|[\s)]|$)`)

// readByJQ is the path of the member that the first jq behind a command takes; empty: there is none.
func readByJQ(text string) string {
	found := jqPath().FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

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
		return nil, fmt.Errorf("%d values of the command look like secrets, and at most %d are allowed: leave "+
			"out parameters and headers that do not change the answer",
			len(s.all), mostSecrets)
	}
	return &Description{configuredRequest: translated, Secrets: s.all, LeftOut: c.leftOut}, nil
}

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
		if s.Value == loginToken || len(own) == 1 && !strings.Contains(s.Value, loginToken) {
			a.token = attribute(s.Name)
			a.Secrets = slices.Delete(a.Secrets, before+i, before+i+1)
			return nil
		}
	}
	return errors.New("where does the token of the login go? " +
		"Write it as $TOKEN into the second command, as the whole of a value or after Bearer")
}
