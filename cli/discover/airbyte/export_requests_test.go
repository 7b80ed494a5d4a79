package airbyte

import (
	"fmt"
	"strings"

	"sluice/pipeline/item"
)

// Requested is what the requester, and the decoder, below definitions become, one member of a job a line, and the
// reasons why it is refused.
func Requested(manifest, given string) (said string, reasons []Reason, err error) {
	d, err := read([]byte(manifest))
	if err != nil {
		return "", nil, err
	}
	v, err := newValues(d.root, []byte(given))
	if err != nil {
		return "", nil, err
	}
	retriever := d.root.get("definitions").get("retriever")
	id := func(path []string) (meaning, error) {
		return meaning{json: item.Object{"placeholder", quote(strings.Join(path, "."))}.String()}, nil
	}
	sc := scope{values: v}.with(map[string]variable{"stream_partition": id})
	s, j := &stream{}, &job{}
	s.requester(retriever.get("requester"), sc, j)
	s.decoder(retriever.get("decoder"), j)
	for _, n := range retriever.unread() {
		s.refuse(n, "it is not understood")
	}
	return j.said(s), s.refusals, nil
}

// said are the members that are not empty.
func (j *job) said(s *stream) string {
	var all strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&all, "%s %s\n", name, value)
		}
	}
	object := func(name string, o item.Object) {
		if o != nil {
			line(name, o.String())
		}
	}
	line("base", j.base)
	line("endpoint", j.endpoint)
	line("method", j.method)
	object("params", j.params)
	object("query", j.query)
	object("headers", j.headers)
	object("body", j.body)
	object("auth.headers", j.auth.headers)
	object("auth.query", j.auth.query)
	object("auth", j.auth.member)
	line("format", j.format)
	line("retryOn", strings.Join(j.retryOn, " ; "))
	line("emptyOn", strings.Join(j.emptyOn, " ; "))
	line("endOn", strings.Join(j.endOn, " ; "))
	line("failOn", strings.Join(j.failOn, " ; "))
	line("retryHeader", j.retryHeader)
	line("jq", strings.Join(s.steps, " | "))
	return all.String()
}
