package discover

import "net/url"

// Commands are the words of the curl commands in a text.
var Commands = commands

// LoginToken stands for the token of a login in them.
const LoginToken = loginToken

// SplitOptions writes the options of a curl command as name=value, and then the addresses.
func SplitOptions(words ...string) ([]string, error) {
	options, addresses, err := splitOptions(words)
	var all []string
	for _, o := range options {
		all = append(all, o.name+"="+o.value)
	}
	return append(all, addresses...), err
}

// KeyOf is what tells requests apart.
func KeyOf(address, body string) string {
	u, err := url.Parse(address)
	if err != nil {
		return err.Error()
	}
	return keyOf(u, []byte(body))
}
