// Package withhold finds the secrets in what others have written for an API: in addresses, headers, parameters and bodies.
// The same rules hold in each place.
package withhold

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/pipeline/secret"
)

// A Piece is a part of a text.
type Piece struct {
	// Name is what a secret is called; empty: the piece is none.
	Name string

	// Raw is the piece as it stands, Plain what its escapes mean.
	Raw, Plain string
}

// Pieces are the parts of a text, one that is no secret first.
type Pieces []Piece

// HasSecret tells whether one of them is a secret.
func (p Pieces) HasSecret() bool { return len(p) > 1 }

// Header takes the value of a header apart.
func Header(name, value string) Pieces {
	var f secretFinder
	scheme, token, hasScheme := strings.Cut(value, " ")
	schemed := schemes().FindStringSubmatch(value)
	switch {
	case strings.EqualFold(name, "Authorization") && hasScheme:
		f.text(scheme + " ")
		f.secret("token", token, token)
	case secret.HarmlessHeader(name):
		f.text(value)
	case secret.Parameter(name) || LooksRandom(value):
		f.secret(name, value, value)
	case schemed != nil:
		f.text(schemed[1])
		f.secret(name, schemed[2], schemed[2])
	case isAddress(value):
		f.address(value)
	case f.isSecret(name, value):
		f.secret(name, value, value)
	default:
		f.text(value)
	}
	return f.pieces()
}

// Address takes an address apart, be it absolute or not: user name and password, steps of the path, the parameters of
// path, query and fragment.
func Address(text string) Pieces {
	var f secretFinder
	f.address(text)
	return f.pieces()
}

// Query takes a query apart, or the rest of one.
func Query(text string) Pieces {
	var f secretFinder
	f.query(text)
	return f.pieces()
}

// IsSecret tells by its name, or by what it is or has in it, that the value of a parameter is a secret.
func IsSecret(name, value string) bool {
	var f secretFinder
	return f.isSecret(name, value)
}

// IsUserName tells that what stands in front of a password is the name of a user, which is no secret. Keys stand there too, with
// an empty password or a word in its place.
func IsUserName(name, password string) bool {
	return len(password) >= 4 && userNames().MatchString(name) && !threeDigits().MatchString(name)
}

// LooksRandom tells that a value looks as if a machine had made it.
func LooksRandom(value string) bool {
	return longWord().MatchString(value) && threeDigits().MatchString(value)
}

var (
	longWord    = pattern.Lazy(`^[A-Za-z0-9_+/=.~-]{20,}$`)
	userNames   = pattern.Lazy(`^([A-Za-z0-9._-]{1,19}|[A-Za-z0-9._+-]{1,40}@[A-Za-z0-9.-]{1,40})$`)
	threeDigits = pattern.Lazy(`([0-9].*){3}`)

	// schemes are credentials behind the name of their scheme.
	schemes = pattern.Lazy(`^((?i:Bearer|Basic|Token|Api-?Key) +)(\S+)$`)

	// members are those of what is written like JSON, such as GraphQL and what Python prints.
	members = pattern.Lazy(`([\w.-]+)["']?\s*:\s*["'][^"']`)

	// absolutes are the beginnings of absolute addresses: the scheme, user information, the host.
	absolutes = pattern.Lazy(`^((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)([^/?#]*@)?([^/?#]*)`)

	// relatives are addresses without a host: a path, or what has a query.
	relatives = pattern.Lazy(`^(/\S*|[^\s?#=]*[?#][^\s=]+=\S*|[^\s?#=]+;[^\s=]+=\S*)$`)
)

// isAddress tells whether a text is an address in which secrets may stand.
func isAddress(text string) bool {
	return absolutes().MatchString(text) || relatives().MatchString(text)
}

// A secretFinder takes texts apart where secrets stand in them.
type secretFinder struct {
	all Pieces

	// last is the text behind the last secret.
	last strings.Builder

	// depth is how many values the one stands in that is looked through.
	depth int
}

// deepest is how many values stand in each other that are looked through, deepestJSON how many containers of JSON.
const (
	deepest     = 3
	deepestJSON = 100
)

func (f *secretFinder) text(text string) { f.last.WriteString(text) }

func (f *secretFinder) secret(name, raw, plain string) {
	before := f.last.String()
	f.all = append(f.all, Piece{Raw: before, Plain: before}, Piece{Name: name, Raw: raw, Plain: plain})
	f.last.Reset()
}

func (f *secretFinder) pieces() Pieces {
	if f.last.Len() == 0 && len(f.all) > 0 {
		return f.all
	}
	behind := f.last.String()
	return append(f.all, Piece{Raw: behind, Plain: behind})
}

func (f *secretFinder) address(text string) {
	if begin := absolutes().FindStringSubmatch(text); begin != nil {
		scheme, user, host := begin[1], begin[2], begin[3]
		f.text(scheme)
		if user != "" {
			f.user(strings.TrimSuffix(user, "@"))
			f.text("@")
		}
		f.text(host)
		text = text[len(begin[0]):]
	}
	for i, part := range strings.Split(text, "#") {
		if i > 0 {
			f.text("#")
		}
		isFragment := i > 0 && !strings.ContainsAny(part, "/?")
		if isFragment {
			f.query(part)
			continue
		}
		path, query, hasQuery := strings.Cut(part, "?")
		f.path(path)
		if hasQuery {
			f.text("?")
			f.query(query)
		}
	}
}

// user takes a user name and a password, without which the name may be a token.
func (f *secretFinder) user(text string) {
	name, password, hasPassword := strings.Cut(text, ":")
	if IsUserName(name, password) {
		f.text(name)
	} else {
		f.secret("user", name, unescapedStep(name))
	}
	if hasPassword {
		f.text(":")
		f.secret("password", password, unescapedStep(password))
	}
}

// path takes the steps of a path, with the parameters of each.
func (f *secretFinder) path(path string) {
	for i, step := range strings.Split(path, "/") {
		if i > 0 {
			f.text("/")
		}
		step, params, hasParams := strings.Cut(step, ";")
		plain := unescapedStep(step)
		if LooksRandom(strings.ReplaceAll(plain, ":", "")) {
			f.secret("path", step, plain)
		} else {
			f.text(step)
		}
		if hasParams {
			f.text(";")
			f.params(params, ";", unescapedStep)
		}
	}
}

// unescapedStep is a step of a path as it is meant, or as it stands where its escapes are none.
func unescapedStep(step string) string {
	plain, err := url.PathUnescape(step)
	if err != nil {
		return step
	}
	return plain
}

// unescaped is a part of a query as it is meant, or as it stands where its escapes are none.
func unescaped(part string) string {
	plain, err := url.QueryUnescape(part)
	if err != nil {
		return part
	}
	return plain
}

// query takes the parameters of an address.
func (f *secretFinder) query(query string) { f.params(query, "&", unescaped) }

// params takes parameters that are divided by a sign; plain is what their escapes mean. One of a query that is itself no
// secret may be several, divided by semicolons.
func (f *secretFinder) params(text, sign string, plain func(string) string) {
	for i, part := range strings.Split(text, sign) {
		if i > 0 {
			f.text(sign)
		}
		name, value, hasValue := strings.Cut(part, "=")
		plainName, plainValue := plain(name), plain(value)
		switch {
		case hasValue && f.isSecret(plainName, plainValue):
			f.text(name + "=")
			f.secret(plainName, value, plainValue)
		case !hasValue && LooksRandom(plainName):
			f.secret("query", name, plainName)
		case sign != ";" && strings.Contains(part, ";"):
			f.params(part, ";", plain)
		default:
			f.text(part)
		}
	}
}

// isSecret tells by its name, or by what it is or has in it, that a value is a secret. A value that leads to a page may look
// like one, and is none.
func (f *secretFinder) isSecret(name, value string) bool {
	if value == "" {
		return false
	}
	if f.hasSecret(name, value) {
		return true
	}
	return !secret.Page(name) && (secret.Parameter(name) || LooksRandom(value))
}

// hasSecret tells whether a value is a credential behind its scheme, or is an address or JSON with a secret in it, or has a member
// that is called so, or stands too deep to be looked through.
func (f *secretFinder) hasSecret(name, value string) bool {
	isMember := func(found []string) bool { return secret.Parameter(found[1]) }
	if schemes().MatchString(value) || slices.ContainsFunc(members().FindAllStringSubmatch(value, -1), isMember) {
		return true
	}
	container := containerOf(value)
	if container == nil && !isAddress(value) {
		return false
	}
	if f.depth == deepest {
		return true
	}
	inner := secretFinder{depth: f.depth + 1}
	if container != nil {
		return inner.isInJSON(name, container, 0)
	}
	inner.address(value)
	return len(inner.all) > 0
}

// containerOf is the object or array of JSON that a text is; nil: it is none.
func containerOf(text string) []byte {
	text = strings.TrimSpace(text)
	isOne := strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
	if !isOne || !json.Valid([]byte(text)) {
		return nil
	}
	compact, _ := item.Compact(nil, []byte(text))
	return compact
}

// isInJSON tells whether a value of that name is a secret, or has one in it, or is nested too deep.
func (f *secretFinder) isInJSON(name string, value []byte, depth int) bool {
	if depth > deepestJSON {
		return true
	}
	switch item.Kind(value) {
	case '{':
		for member, value := range item.Members(value) {
			if f.isInJSON(item.Unquote(member), value, depth+1) {
				return true
			}
		}
	case '[':
		for element := range item.Elements(value) {
			if f.isInJSON(name, element, depth+1) {
				return true
			}
		}
	case '"':
		return f.isSecret(name, item.Unquote(value))
	case '0':
		return secret.Parameter(name)
	}
	return false
}
