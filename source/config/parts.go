package config

// Parts are parameters that name the part of the request where they stand, whatever its
// method. Nodes are nil if they are absent.
type Parts struct {
	// Query are those of the address, Body those of a body of JSON.
	Query, Body *Node
}

// Parts returns the members query and body.
func (o *Object) Parts() Parts {
	return Parts{
		Query: o.Map("query", "Parameters in the address, whatever the method."),
		Body:  o.Map("body", "Parameters in a JSON body, whatever the method, also of a GET."),
	}
}

// Check reports what cannot stand beside params in a request of that method: GET, POST
// or FORM.
func (q Parts) Check(params *Node, method string, p *Problems) {
	switch method {
	case "GET":
		q.once(q.Query, params, "a GET has both in its address", p)
	case "POST":
		q.once(q.Body, params, "a POST has both in its body", p)
	case "FORM":
		if q.Body != nil {
			p.Errorf(q.Body, "a FORM has its parameters as a form, and no JSON beside it: "+
				"put these into params, or set method to POST")
		}
	}
}

// once reports names that params has too.
func (q Parts) once(n, params *Node, why string, p *Problems) {
	if n == nil || params == nil {
		return
	}
	for _, m := range n.Members {
		if params.Member(m.Name) != nil {
			p.Errorf(m.Value, "stands in params too, and %s: remove one of the two", why)
		}
	}
}
