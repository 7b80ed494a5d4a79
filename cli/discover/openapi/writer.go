package openapi

import (
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/free"
	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
)

// A configWriter puts a configuration together.
type configWriter struct {
	d       *APIDocument
	account []AccountLine

	// attributes are those with values, secrets and missing names of those without one.
	attributes       item.ObjectBuilder
	secrets, missing []string

	// choice is which of the servers and of the ways to sign is taken, of as many as there are.
	choice        choice
	servers, ways int

	// api is what the requests of all jobs have in common.
	authentication item.ObjectBuilder
	headers, query item.ObjectBuilder
	base           string
}

// A choice is one of the servers of an operation and one of the ways to sign its requests, by their numbers.
type choice struct{ server, way int }

// reserved are members of config that are no attributes.
var reserved = []string{"jobs", "outputBucket", "http", "userData", "debug", "compatLevel", "incrementalOutput"}

// attribute is the reference to one that a person must set, as JSON.
func (w *configWriter) attribute(name string) string {
	name = w.nameOf(name)
	if !slices.Contains(w.missing, name) && !has(w.attributes, name) {
		w.missing = append(w.missing, name)
	}
	return reference(name)
}

// nameOf is the name of an attribute for what the document calls so.
func (w *configWriter) nameOf(name string) string {
	name = strings.Trim(notInNames().ReplaceAllString(name, "_"), "_")
	if name == "" || slices.Contains(reserved, name) {
		name = "api_" + name
	}
	return name
}

var notInNames = pattern.Lazy(`[^A-Za-z0-9_-]+`)

// give sets an attribute, and returns its name: where one of that name has another value, with a number.
func (w *configWriter) give(name, value string) string {
	value = quoted(value)
	hasOther := func(name string) bool {
		there := memberOf(w.attributes, name)
		return there != "" && there != value || slices.Contains(w.missing, name)
	}
	name = free.Name(w.nameOf(name), "_", hasOther)
	if !has(w.attributes, name) {
		w.attributes = append(w.attributes, name, value)
	}
	return name
}

// secret is the reference to an attribute that is secret, as JSON.
func (w *configWriter) secret(name string) string {
	name = "#" + strings.ToLower(w.nameOf(strings.TrimPrefix(strings.ToLower(name), "x-")))
	if !slices.Contains(w.secrets, name) {
		w.secrets = append(w.secrets, name)
	}
	return reference(name)
}

// say adds a line of the account, unless it is there.
func (w *configWriter) say(c Certainty, format string, of ...any) {
	line := AccountLine{c, fmt.Sprintf(format, of...)}
	if !slices.Contains(w.account, line) {
		w.account = append(w.account, line)
	}
}
