package config

// ParameterParts are the parameters of a request by the part of it where they stand. Nodes are nil
// if they are absent.
type ParameterParts struct {
	// Params stand where the method puts them.
	Params *Node
	// Query are those of the address, Body those of a body of JSON, whatever the method.
	Query, Body *Node
}

// Parts returns the members params, which doc describes, query and body.
func (o *ObjectDecoder) Parts(doc string) ParameterParts {
	return ParameterParts{
		Params: o.Map("params", doc),
		Query:  o.Map("query", "Parameters in the address, whatever the method."),
		Body:   o.Map("body", "Parameters in a JSON body, whatever the method, also of a GET, where Content-Type may make a form of it."),
	}
}

// First is the first of these members that has something; nil: none has.
func (q ParameterParts) First() *Node {
	for _, n := range []*Node{q.Params, q.Query, q.Body} {
		if n != nil && len(n.Members) > 0 {
			return n
		}
	}
	return nil
}

// Check reports what cannot stand together in a request of that method: GET, POST or
// FORM.
func (q ParameterParts) Check(method string, p *Problems) {
	switch method {
	case "GET":
		q.once(q.Query, "a GET has both in its address", p)
	case "POST":
		q.once(q.Body, "a POST has both in its body", p)
	case "FORM":
		if q.Body != nil {
			p.Errorf(q.Body, "a FORM has its parameters as a form, and no JSON beside it: "+
				"put these into params, or set method to POST")
		}
	}
}

// once reports names that params has too.
func (q ParameterParts) once(n *Node, why string, p *Problems) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		if q.Params.Member(m.Name) != nil {
			p.Errorf(m.Value, "stands in params too, and %s: remove one of the two", why)
		}
	}
}
