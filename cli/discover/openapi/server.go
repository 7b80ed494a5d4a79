package openapi

import (
	"net/url"
	"slices"
	"strings"

	"sluice/cli/discover/pattern"
	"sluice/cli/discover/withhold"
	"sluice/pipeline/item"
)

// A writer puts a configuration together.
type writer struct {
	d       *Document
	account []Line

	// attributes are those with values, secrets and missing names of those without one.
	attributes       item.Object
	secrets, missing []string

	// api is what the requests of all jobs have in common.
	authentication item.Object
	headers, query item.Object
	base           string
}

// reserved are members of config that are no attributes.
var reserved = []string{"jobs", "outputBucket", "http", "userData", "debug", "compatLevel", "incrementalOutput"}

// attribute is the reference to one that a person must set, as JSON.
func (w *writer) attribute(name string) string {
	name = w.nameOf(name)
	if !slices.Contains(w.missing, name) && !has(w.attributes, name) {
		w.missing = append(w.missing, name)
	}
	return reference(name)
}

// nameOf is the name of an attribute for what the document calls so.
func (w *writer) nameOf(name string) string {
	name = strings.Trim(notInNames().ReplaceAllString(name, "_"), "_")
	if name == "" || slices.Contains(reserved, name) {
		name = "api_" + name
	}
	return name
}

var notInNames = pattern.Lazy(`[^A-Za-z0-9_-]+`)

// has tells whether an object has a member, whatever the case of its name.
func has(o item.Object, name string) bool {
	for m := range slices.Chunk(o, 2) {
		if strings.EqualFold(m[0], name) {
			return true
		}
	}
	return false
}

// given is the reference to an attribute with a value, as JSON.
func (w *writer) given(name, value string) string {
	name = w.nameOf(name)
	if !has(w.attributes, name) {
		w.attributes = append(w.attributes, name, quoted(value))
	}
	return reference(name)
}

// secret is the reference to an attribute that is secret, as JSON.
func (w *writer) secret(name string) string {
	name = "#" + strings.ToLower(w.nameOf(strings.TrimPrefix(strings.ToLower(name), "x-")))
	if !slices.Contains(w.secrets, name) {
		w.secrets = append(w.secrets, name)
	}
	return reference(name)
}

func reference(name string) string { return item.Object{"attr", quoted(name)}.String() }

// concat is an expression that joins what is JSON; a text alone stays one.
func concat(parts ...string) string {
	if len(parts) == 1 && strings.HasPrefix(parts[0], `"`) {
		return parts[0]
	}
	return function("concat", parts...)
}

func function(name string, args ...string) string {
	return item.Object{"function", quoted(name), "args", "[" + strings.Join(args, ", ") + "]"}.String()
}

// findServer finds the address of the API.
func (w *writer) findServer(o *operation) {
	if w.d.isSwagger {
		w.takeAddress(w.d.oldAddress(), nil)
		return
	}
	for _, n := range []*node{o.node, o.item, w.d.root} {
		servers := n.get("servers").elements()
		if len(servers) == 0 {
			continue
		}
		server := servers[0]
		for _, one := range servers {
			if strings.HasPrefix(one.get("url").scalar(), "https:") {
				server = one
				break
			}
		}
		w.takeAddress(server.get("url").scalar(), server.get("variables"))
		if len(servers) > 1 {
			w.say(Likely, "it is the server that is meant: the document names %d", len(servers))
		}
		return
	}
	w.takeAddress("/", nil)
}

// oldAddress is that of a document of Swagger 2.
func (d *Document) oldAddress() string {
	scheme, host := "https", d.root.get("host").scalar()
	var schemes []string
	for _, one := range d.root.get("schemes").elements() {
		schemes = append(schemes, one.scalar())
	}
	if slices.Contains(schemes, "http") && !slices.Contains(schemes, "https") {
		scheme = "http"
	}
	if host == "" {
		return d.root.get("basePath").scalar()
	}
	return scheme + "://" + host + d.root.get("basePath").scalar()
}

var serverVariable = pattern.Lazy(`\{([^{}]*)\}`)

// takeAddress makes the base address, variables of it attributes.
func (w *writer) takeAddress(address string, variables *node) {
	if withhold.Address(address).HasSecret() {
		w.say(Unknown, "the address of the server: the one of the document has a secret in it")
		address = "/"
	}
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	var parts []string
	plain := address
	if strings.HasPrefix(address, "//") {
		address = "https:" + address
	}
	if !isAbsolute().MatchString(address) {
		parts = append(parts, w.attribute("host"))
		w.say(Unknown, "the host: the document names %s alone; set the attribute host to the rest, such as https://api.example.com",
			shortened(address))
		address = "/" + strings.Trim(address, "/")
		address = strings.TrimSuffix(address, "/")
		plain = ""
	}
	for address != "" {
		at := serverVariable().FindStringSubmatchIndex(address)
		if at == nil {
			parts = append(parts, quoted(address))
			break
		}
		if at[0] > 0 {
			parts = append(parts, quoted(address[:at[0]]))
		}
		parts = append(parts, w.variable(address[at[2]:at[3]], variables))
		address = address[at[1]:]
		plain = ""
	}
	w.base = concat(parts...)
	if plain == "" {
		return
	}
	if u, err := url.Parse(plain); err != nil || u.Host == "" {
		w.base = w.attribute("host")
		w.say(Unknown, "the host: the address %s cannot be read; set the attribute host", shortened(plain))
		return
	}
	w.say(Sure, "the server is %s", shortened(plain))
}

var isAbsolute = pattern.Lazy(`(?i)^(https?|\{[^{}]*\})://`)

// variable is a part of the address of the server that a person may choose.
func (w *writer) variable(name string, variables *node) string {
	said := variables.get(name)
	value := said.get("default").scalar()
	if value == "" {
		w.say(Unknown, "the part %s of the server's address: set the attribute", name)
		return w.attribute(name)
	}
	w.say(Likely, "%s in the server's address is %s, which the attribute changes", name, shortened(value))
	return w.given(name, value)
}
