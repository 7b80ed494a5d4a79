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
	// Only the values of plainInLogins.
	guarded
	// Nothing.
	hidden
)

var (
	// logins are the objects whose values are guarded, in small letters.
	logins = []string{"authentication", "loginrequest", "apirequest"}

	// plainInLogins are the members of these that hold no secret.
	plainInLogins = []string{"type", "endpoint", "method", "format", "expires", "relative"}

	// plainAnywhere are members that hold no secret, whatever they turn out to be members of.
	plainAnywhere = []string{
		"type", "method", "endpoint", "format", "limit", "datafield", "datatype", "scroller",
	}

	// hiddenBelow are names below which everything is hidden, in small letters: those of the dialect, and
	// what secrets are mostly called. Misspelt they count too.
	hiddenBelow = []string{
		"headers", "query", "credentials", "authorization",
		"password", "secret", "token", "apikey", "accesskey", "cookie", "session", "signature",
	}

	// pairValues are what lists of names and values, such as those of headers, call a value.
	pairValues = []string{"value", "values"}

	// signing are functions one of whose arguments is a key. The empty name is of a function not known yet.
	signing = []string{"hash_hmac", "jwt", ""}
)

// A container is an object or array that is being read, and what is known of it.
type container struct {
	openness openness

	// The name of the member that is read, in small letters.
	name string

	// The value of the member "function"; in an array, that of the object around.
	function string

	// How many values were shown before it.
	first int

	// One element of the array sounds like the name of a secret.
	spoilt bool
}

// below is how open the values of the member at hand are.
func (c *container) below() openness {
	switch {
	case c.openness == hidden:
		return hidden
	case slices.Contains(logins, Nearest(c.name, logins)):
		return guarded
	case c.openness == guarded && slices.Contains(plainInLogins, c.name):
		return open
	case c.openness == guarded || c.mayBeSecret():
		return hidden
	}
	return open
}

// mayBeSecret tells whether the name of the member at hand is one of secrets.
func (c *container) mayBeSecret() bool {
	switch {
	case secretName(c.name), Nearest(c.name, hiddenBelow) != "", slices.Contains(pairValues, c.name):
		return true
	}
	return c.name == "args" && slices.Contains(signing, c.function)
}

// shownValues are the texts and numbers that an excerpt may show: where each begins, and where it ends. They
// are read as far as the file is JSON; if not all of it is, its members may be meant for another object.
func (f *documentText) shownValues() map[int]int {
	if f.shown == nil {
		r := &shownReader{
			file: f,
			dec:  jsontext.NewDecoder(bytes.NewReader(f.text), lenient...),
			path: []container{{}},
		}
		f.shown = map[int]int{}
		// It stops at the end, or at what is no JSON.
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
	file *documentText
	dec  *jsontext.Decoder

	// The containers that are open, the document first.
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
			// These may be its arguments.
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
	// The part of an address that tells may be cut off.
	address := strict && strings.ContainsAny(text, "?:@")
	switch {
	case !sure, address, in.below() != open, secretText(text):
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
