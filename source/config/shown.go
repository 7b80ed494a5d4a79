package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// How much of the values in an object or array an excerpt shows.
type openness int

const (
	// All but what its name or its text tells to be secret.
	open openness = iota
	// Only what a login never has secrets in: the values of plainInLogins.
	guarded
	// nothing.
	hidden
)

var (
	// logins are the objects whose values are guarded, in small letters.
	logins = []string{"authentication", "loginrequest", "apirequest"}

	// plainInLogins are the members of these that hold no secret.
	plainInLogins = []string{"type", "endpoint", "method", "format", "expires", "relative"}

	// plainAnywhere are members that hold no secret, whatever they turn out to be members of.
	plainAnywhere = []string{
		"type",
		"method",
		"endpoint",
		"format",
		"limit",
		"datafield",
		"datatype",
		"scroller",
	}

	// hiddenBelow are names below which everything is hidden, in small letters, and misspelt ones too: beside those of the
	// dialect what secrets are mostly called.
	hiddenBelow = []string{
		"headers", "query", "credentials", "authorization",
		"password", "secret", "token", "apikey", "accesskey", "cookie", "session", "signature",
	}

	// pairValues are what lists of names and values, such as those of headers, call a value.
	pairValues = []string{"value", "values"}

	// signing are functions one of whose arguments is a key, and one that is not known yet.
	signing = []string{"hash_hmac", "jwt", ""}
)

// A container is an object or array that is being read, and what is known of it.
type container struct {
	openness openness

	// Of the member that is read, in small letters.
	name string

	// The value of the member of that name, for an array of the object around.
	function string

	// How many values were shown before it.
	first int

	// An array of which one element sounds like the name of a secret.
	spoilt bool
}

// below is how open the values of the member at hand are.
func (c *container) below() openness {
	login := slices.Contains(logins, Nearest(c.name, logins))
	switch {
	case c.openness == hidden:
		return hidden
	case login:
		return guarded
	case c.openness == guarded && slices.Contains(plainInLogins, c.name):
		return open
	case c.openness == guarded, secretName(c.name), Nearest(c.name, hiddenBelow) != "":
		return hidden
	case slices.Contains(pairValues, c.name), c.name == "args" && slices.Contains(signing, c.function):
		return hidden
	}
	return open
}

// shownValues are the texts and numbers that an excerpt may show: where each begins, and where it ends. They are read as
// far as the file is JSON; if not all of it is, its members may be meant to be members of something else.
func (f *file) shownValues() map[int]int {
	if f.shown == nil {
		r := &shownReader{
			file: f,
			dec:  jsontext.NewDecoder(bytes.NewReader(f.text), lenient...),
			path: []container{{}},
		}
		f.shown = map[int]int{}
		// Until the end, or what is no JSON.
		for r.next() {
		}
		for len(r.path) > 1 {
			r.leave()
		}
	}
	return f.shown
}

var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// shownReader finds the values that may be shown.
type shownReader struct {
	file *file
	dec  *jsontext.Decoder

	// Those that are open, the whole first.
	path []container

	// The keys of file.shown as they came.
	order []int
}

// next reads a token, and tells whether there was one.
func (r *shownReader) next() bool {
	top := &r.path[len(r.path)-1]
	in, length := r.dec.StackIndex(r.dec.StackDepth())
	switch kind := r.dec.PeekKind(); kind {
	case '{', '[':
		inner := container{openness: top.below(), name: top.name, first: len(r.order)}
		if kind == '[' {
			// Whose arguments these may be.
			inner.function = top.function
		}
		r.path = append(r.path, inner)
	case '}', ']':
		if len(r.path) > 1 {
			r.leave()
		}
	case '"', '0':
		raw, err := r.dec.ReadValue()
		if err != nil {
			return false
		}
		if in == '{' && length%2 == 0 {
			top.name = strings.ToLower(item.Unquote(raw))
			return true
		}
		r.value(top, in == '[', raw)
		return true
	}
	_, err := r.dec.ReadToken()
	return err == nil && len(r.path) <= deepest
}

// value enters a value that may be shown.
func (r *shownReader) value(in *container, element bool, raw []byte) {
	text := string(raw)
	if raw[0] == '"' {
		text = item.Unquote(raw)
	}
	if element && secretName(text) {
		in.spoilt = true
	}
	if in.name == "function" {
		in.function = text
	}
	sure := !r.file.broken || slices.Contains(plainAnywhere, in.name)
	strict := in.openness == guarded || r.file.broken
	// Of which the part that tells may be cut off.
	address := strict && strings.ContainsAny(text, "?:@")
	if !sure || address || in.below() != open || secretText(text) {
		return
	}
	end := int(r.dec.InputOffset())
	at := end - len(raw)
	r.file.shown[at] = end
	r.order = append(r.order, at)
}

// leave ends the innermost container.
func (r *shownReader) leave() {
	last := r.path[len(r.path)-1]
	r.path = r.path[:len(r.path)-1]
	if !last.spoilt {
		return
	}
	for _, at := range r.order[last.first:] {
		delete(r.file.shown, at)
	}
	r.order = r.order[:last.first]
}

// secretText tells whether a text looks like a secret by itself.
func secretText(text string) bool {
	text = strings.ToLower(text)
	begins := func(sign string) bool { return strings.HasPrefix(text, sign) }
	credential := slices.ContainsFunc([]string{"bearer ", "basic ", "eyj"}, begins)
	return credential || strings.Contains(text, "private key") || secretAddress(text)
}
