package config

import "strings"

// named gives a job without a data type that of its endpoint, which must be a text for that: the value of an
// expression may be a secret, or another one in each run.
func (j *Job) named(p *Problems) {
	n := j.Endpoint
	if !n.MayBeText(p) {
		j.Endpoint = nil
		return
	}
	if n.Kind == '"' {
		if j.DataType == "" {
			j.DataType = n.Text()
		}
		return
	}
	var missing []string
	if j.ID == "" {
		missing = append(missing, "id")
	}
	if j.DataType == "" {
		missing = append(missing, "dataType")
	}
	if len(missing) > 0 {
		p.Errorf(n, "is an expression, which cannot name the job and its output: "+
			"it may hold a secret, or change from run to run; add %s", strings.Join(missing, " and "))
	}
}

// MayBeText tells whether a node is a string, or may be an expression that makes one, and reports any other one but nil.
func (n *Node) MayBeText(p *Problems) bool {
	if n == nil {
		return false
	}
	if n.Kind == '"' || n.Kind == '{' {
		return true
	}
	p.Errorf(n, "must be a string or an expression, not %s", n.kindName())
	return false
}
