package markup

// finish queues what stands around the items.
func (r *Reader) finish() error {
	r.ended = true
	if len(r.way) == 0 {
		// The item was the value of the only member.
		return nil
	}
	var out []byte
	if r.items > 0 {
		out = append(out, ']')
	}
	for i := len(r.way) - 1; i >= 0; i-- {
		out = r.around(out, i)
	}
	r.queue = out
	return nil
}

// around appends what the i-th step has beside the next one; out is what that has.
func (r *Reader) around(out []byte, i int) []byte {
	in := &r.steps[i]
	if !in.is {
		return out
	}
	f := in.top()
	hasNext := i+1 < len(r.way) && r.steps[i+1].is
	members := in.inside(f)
	if r.items > 0 {
		if len(members) > 0 {
			out = append(append(out, ','), members...)
		}
		return append(out, '}')
	}
	switch {
	case hasNext:
		out = append(append(quote([]byte{'{'}, r.way[i]), ':'), out...)
		if len(members) > 0 {
			out = append(append(out, ','), members...)
		}
		return append(out, '}')
	case i > 0 && in.isText(f):
		return append([]byte(nil), members[len(textName.json):]...)
	case i > 0 && len(members) == 0:
		return []byte(`""`)
	}
	return append(append([]byte{'{'}, members...), '}')
}

// isText tells whether an element has a text and nothing else.
func (b *builder) isText(f *openElement) bool {
	return !f.parent && len(b.members) == f.members+1 && b.members[f.members].name == textName
}

// inside are the members of the element that is open, without braces, at the end of the document.
func (b *builder) inside(f *openElement) []byte {
	if !f.object {
		return nil
	}
	b.close(f)
	b.gather(f)
	return b.out[1:]
}
