package openapi

import (
	"net/url"
	"slices"
	"strings"

	"sluice/cli/discover/withhold"
	"sluice/pipeline/pattern"
)

// A server is an address that a document names, with what it says of the variables in it.
type server struct {
	address   string
	variables *documentNode
}

// serversOf are those of an operation, the best first; none: the document names none.
func (d *APIDocument) serversOf(o *operation) (all []server) {
	if d.isSwagger {
		return d.oldServers()
	}
	for _, n := range []*documentNode{o.node, o.item, d.root} {
		for _, said := range n.get("servers").elements() {
			all = append(all, server{said.get("url").scalar(), said.get("variables")})
		}
		if len(all) > 0 {
			break
		}
	}
	first := slices.IndexFunc(all, func(s server) bool { return strings.HasPrefix(s.address, "https:") })
	if first > 0 {
		best := all[first]
		all = slices.Insert(slices.Delete(all, first, first+1), 0, best)
	}
	return all
}

// findServer finds the address of the API: of several the one that is chosen.
func (w *configWriter) findServer(o *operation) {
	all := w.d.serversOf(o)
	w.servers = len(all)
	if len(all) == 0 {
		w.takeAddress("/", nil)
		return
	}
	one := all[w.choice.server]
	w.takeAddress(one.address, one.variables)
	if len(all) > 1 && !w.d.isSwagger {
		w.say(Likely, "it is the server that is meant: the document names %d", len(all))
	}
}

// oldServers are those of a document of Swagger 2: its host, by each of its schemes.
func (d *APIDocument) oldServers() (all []server) {
	host, path := d.root.get("host").scalar(), d.root.get("basePath").scalar()
	if host == "" {
		return []server{{address: path}}
	}
	path = "/" + strings.TrimPrefix(path, "/")
	var schemes []string
	for _, one := range d.root.get("schemes").elements() {
		schemes = append(schemes, one.scalar())
	}
	for _, scheme := range []string{"https", "http"} {
		if slices.Contains(schemes, scheme) {
			all = append(all, server{address: scheme + "://" + host + path})
		}
	}
	if len(all) == 0 {
		all = []server{{address: "https://" + host + path}}
	}
	return all
}

var serverVariable = pattern.Lazy(`\{([^{}]*)\}`)

// expanded is an address with the default of a variable in the place of the variable, where it begins with one.
func expanded(address string, variables *documentNode) string {
	at := serverVariable().FindStringSubmatchIndex(address)
	if at == nil || at[0] != 0 {
		return address
	}
	whole := variables.get(address[at[2]:at[3]]).get("default").scalar()
	if withhold.Address(whole).HasSecret() || !isAbsolute().MatchString(whole) {
		return address
	}
	return whole + address[at[1]:]
}

// takeAddress makes the base address, variables of it attributes.
func (w *configWriter) takeAddress(address string, variables *documentNode) {
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
	if !isAbsolute().MatchString(expanded(address, variables)) {
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
func (w *configWriter) variable(name string, variables *documentNode) string {
	said := variables.get(name)
	value := said.get("default").scalar()
	if value == "" {
		w.say(Unknown, "the part %s of the server's address: set the attribute", name)
		return w.attribute(name)
	}
	set := w.give(name, value)
	w.say(Likely, "%s in the server's address is %s, which the attribute %s changes", name, shortened(value), set)
	return reference(set)
}
