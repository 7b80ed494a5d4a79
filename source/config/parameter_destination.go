package config

import (
	"cmp"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A ParameterDestination is where a paging parameter goes.
type ParameterDestination struct {
	// In is query, header or body; empty: where parameters of the job go.
	In string
	// Path is the name of the parameter, and steps within it; nil: there is no place.
	Path item.Path
	// Deep tells that it is written as a path.
	Deep bool
}

// The parts of a request that a place may name.
const (
	PlaceQuery  = "query"
	PlaceHeader = "header"
	PlaceBody   = "body"
)

// Named is a place by a name alone.
func Named(name string) ParameterDestination { return ParameterDestination{Path: item.Path{name}} }

// String is the place for people.
func (p ParameterDestination) String() string {
	if p.In == "" {
		return p.Path.String()
	}
	return p.In + " " + p.Path.String()
}

// JSON is the place as it is written.
func (p ParameterDestination) JSON() string {
	quoted := make([]string, len(p.Path))
	for i, step := range p.Path {
		quoted[i] = string(item.Quote(step))
	}
	at := quoted[0]
	if p.Deep {
		at = "[" + strings.Join(quoted, ", ") + "]"
	}
	if p.In != "" {
		return `{"` + p.In + `": ` + at + `}`
	}
	return at
}

// Place returns a member that says where a parameter goes: its name, else or, a path
// that begins with it, or an object that names a part of the request.
func (o *ObjectDecoder) Place(name, or, doc string) ParameterDestination {
	n := o.field(KnownMember{
		Name:    name,
		Type:    "any",
		Of:      "string place inPart",
		Doc:     doc,
		Default: strconv.Quote(or),
	})
	switch {
	case n == nil:
	case n.Kind == '"':
		return Named(n.Text())
	case n.Kind == '{':
		return o.inPart(n, or)
	case n.beginsWithText():
		return ParameterDestination{Path: o.steps(n), Deep: true}
	default:
		o.problems.Errorf(n,
			"must be the name of a parameter, or a path that begins with it, "+
				`such as ["variables", "after"], not %s`,
			n.shown())
	}
	return Named(or)
}

// inPart reads a place in a part of the request that the object names.
func (o *ObjectDecoder) inPart(n *Node, or string) ParameterDestination {
	usual := cmp.Or(or, "after")
	example := `{"query": ` + strconv.Quote(usual) + `}`
	if len(n.Members) != 1 {
		o.problems.Errorf(n, "must have one member, query, header or body, "+
			"with the name that the parameter has there, such as %s", example)
		return Named(or)
	}
	part, name := n.Members[0].Name, n.Members[0].Value
	isText := name.Kind == '"' && strings.TrimSpace(name.Text()) != ""
	switch {
	case part != PlaceQuery && part != PlaceHeader && part != PlaceBody:
		o.problems.Errorf(n, "unknown part %q of a request%s",
			part, Have(part, []string{PlaceQuery, PlaceHeader, PlaceBody}))
	case part == PlaceBody && name.beginsWithText():
		return ParameterDestination{In: part, Path: o.steps(name), Deep: true}
	case !isText:
		o.problems.Errorf(name, "must be the name that the parameter has there, such as %s", example)
	default:
		return ParameterDestination{In: part, Path: item.Path{name.Text()}}
	}
	return Named(or)
}

// beginsWithText tells whether the node is an array whose first element is a string.
func (n *Node) beginsWithText() bool {
	return n.Kind == '[' && len(n.Elems) > 0 && n.Elems[0].Kind == '"'
}

// steps reads the path that is written as an array.
func (o *ObjectDecoder) steps(n *Node) item.Path {
	var path item.Path
	for _, e := range n.Elems {
		i, ok := e.Int()
		isIndex := ok && i >= 0
		if e.Kind != '"' && !isIndex {
			o.problems.Errorf(e,
				"must be the name of a member, or the index of an element, not %s", e.shown())
		}
		path = append(path, e.Text())
	}
	return path
}
