package markup

// A builder turns one element into JSON text. Between a name and its value it leaves a space, where a bracket goes if the
// name comes again.
type builder struct {
	out     []byte
	members []valueRun
	frames  []openElement

	// For members in another order.
	scratch []byte

	// Bytes of out.
	limit int

	// From how many bytes on elements of which there are many are counted, but not kept; 0: all are kept.
	prune int
}

const (
	// Members of the open elements of an item.
	maxMembers = 2 << 20
	// Elements of a name that are kept in any case.
	keptOfMany = 1000
)

// A valueRun is one or more values of a name that follow each other.
type valueRun struct {
	name *qualifiedName

	// In out: where the name begins, the space behind it, and where the values end.
	from, value, to int32

	// Values; in all members of the name, of the first one.
	n, all int32

	// Others of the same name: the first one, the one before and the next; of the first one also the last. -1: none.
	first, before, next, last int32
}

// An openElement is one whose end was not read yet.
type openElement struct {
	name *qualifiedName

	// Where it begins in out, and in members.
	start, members int

	// Its brace was written; it has elements; some name stands in two members.
	object, parent, apart bool

	// It is null.
	null bool

	// Of the first member by the id of its name, where they are many.
	index map[int32]int32

	// Of the value at hand: where it begins, with what stands before it, and whether a member began with it.
	mark int
	led  bool
}

const manyMembers = 24

func (b *builder) reset(limit, prune int) {
	const tooLarge = 1 << 20
	if cap(b.out) > tooLarge {
		b.out = nil
	}
	if cap(b.scratch) > tooLarge {
		b.scratch = nil
	}
	if cap(b.members) > tooLarge/64 {
		b.members = nil
	}
	b.out, b.members, b.frames = b.out[:0], b.members[:0], b.frames[:0]
	b.limit, b.prune = limit, prune
}

func (b *builder) top() *openElement { return &b.frames[len(b.frames)-1] }

// begin opens an element, whose value stands next in out.
func (b *builder) begin(n *qualifiedName) {
	b.frames = append(b.frames, openElement{name: n, start: len(b.out), members: len(b.members)})
}

// attribute adds an attribute to the element that was opened last; raw is as it stands in the document.
func (b *builder) attribute(s *scanner, n *qualifiedName, raw []byte) (err error) {
	f := b.top()
	if err := b.lead(s, f, n); err != nil {
		return err
	}
	b.out = append(b.out, '"')
	b.out, err = s.value(b.out, raw)
	b.out = append(b.out, '"')
	return err
}

// lead writes what stands before a value: its name, or a comma behind another value of the name.
func (b *builder) lead(s *scanner, f *openElement, n *qualifiedName) error {
	if len(b.out) > b.limit {
		return ErrTooLong
	}
	if m := b.open(f); m != nil && m.name == n {
		f.mark, f.led = len(b.out), false
		m.n++
		b.members[m.first].all++
		if m.n > 1 {
			b.out[m.value] = '['
		}
		b.out = append(b.out, ',')
		return nil
	}
	b.close(f)
	f.mark, f.led = len(b.out), true
	if len(b.members) == maxMembers {
		return ErrTooLong
	}
	at := int32(len(b.members))
	m := valueRun{name: n, n: 1, all: 1, first: at, before: -1, next: -1, last: at}
	if first := b.find(f, n.id); first >= 0 {
		other := b.members[first].name
		if other != n {
			return s.clash(other, n)
		}
		m.first, m.before = first, b.members[first].last
		b.members[m.before].next = at
		b.members[first].last = at
		b.members[first].all++
		f.apart = true
	} else if f.index != nil {
		f.index[n.id] = at
	}
	if f.object {
		b.out = append(b.out, ',')
	} else {
		b.out = append(b.out, '{')
		f.object = true
	}
	m.from = int32(len(b.out))
	b.out = append(b.out, n.json...)
	m.value = int32(len(b.out))
	if n.list {
		b.out = append(b.out, '[')
	} else {
		b.out = append(b.out, ' ')
	}
	b.members = append(b.members, m)
	if len(b.members)-f.members == manyMembers && f.index == nil {
		f.index = map[int32]int32{}
		for i := f.members; i < len(b.members); i++ {
			f.index[b.members[i].name.id] = b.members[i].first
		}
	}
	return nil
}

// find is the first member of an element with a name of that id, -1 if there is none.
func (b *builder) find(f *openElement, id int32) int32 {
	if f.index != nil {
		if at, ok := f.index[id]; ok {
			return at
		}
		return -1
	}
	for i := f.members; i < len(b.members); i++ {
		if b.members[i].name.id == id {
			return b.members[i].first
		}
	}
	return -1
}

// open is the member of an element that has not ended; nil: there is none.
func (b *builder) open(f *openElement) *valueRun {
	last := len(b.members) - 1
	if last < f.members || b.members[last].to > 0 {
		return nil
	}
	return &b.members[last]
}

// close ends the member of an element that was added last.
func (b *builder) close(f *openElement) {
	m := b.open(f)
	if m == nil {
		return
	}
	if m.isList() {
		b.out = append(b.out, ']')
	}
	m.to = int32(len(b.out))
}

func (m *valueRun) isList() bool { return m.n > 1 || m.name.list }

// child opens an element in the one that is open.
func (b *builder) child(s *scanner, n *qualifiedName) error {
	f := b.top()
	f.parent = true
	if err := b.lead(s, f, n); err != nil {
		return err
	}
	b.begin(n)
	return nil
}

// content reads the text up to the next tag into the element that is open.
func (b *builder) content(s *scanner) (err error) {
	f := b.top()
	begin := len(b.out)
	b.out = append(b.out, '"')
	var blank bool
	b.out, blank, err = s.text(b.out, b.limit)
	if err != nil {
		return err
	}
	isEmpty := len(b.out) == begin+1
	isBetween := blank && (f.parent || !s.isEndTag())
	isNothing := blank && f.null
	if isEmpty || isBetween || isNothing {
		b.out = b.out[:begin]
		return nil
	}
	b.out = append(b.out, '"')
	isAll := !f.object && s.isEndTag()
	if isAll {
		return nil
	}
	return b.beside(s, f, begin)
}

// beside makes a member of the text that stands in out from a byte on.
func (b *builder) beside(s *scanner, f *openElement, begin int) error {
	b.scratch = append(b.scratch[:0], b.out[begin:]...)
	b.out = b.out[:begin]
	if m := b.open(f); m != nil && m.name == textName {
		// Only an item stands between the two, and items are given out apart.
		b.out = append(b.out[:begin-1], b.scratch[1:]...)
		return nil
	}
	if err := b.lead(s, f, textName); err != nil {
		return err
	}
	b.out = append(b.out, b.scratch...)
	return nil
}

// end closes the element that is open, whose value is whole then.
func (b *builder) end(s *scanner) error {
	f := b.top()
	switch {
	case f.null && (f.parent || b.find(f, textName.id) >= 0 || !f.object && len(b.out) > f.start):
		return s.bad("an element that is nil has content")
	case f.null && f.object:
		if err := b.lead(s, f, textName); err != nil {
			return err
		}
		b.out = append(b.out, "null"...)
	case f.null:
		b.out = append(b.out, "null"...)
	case len(b.out) == f.start:
		b.out = append(b.out, `""`...)
	}
	if f.object {
		b.close(f)
		if f.apart {
			b.gather(f)
		}
		b.out = append(b.out, '}')
	}
	b.members = b.members[:f.members]
	b.frames = b.frames[:len(b.frames)-1]
	if len(b.frames) > 0 {
		b.leaveOut(b.top())
	}
	return nil
}

// leaveOut takes the value that was added last to an element back if there are many of its name, and no more room.
func (b *builder) leaveOut(f *openElement) {
	if b.prune == 0 || len(b.out) < b.prune {
		return
	}
	last := len(b.members) - 1
	m := &b.members[last]
	if b.members[m.first].all <= keptOfMany {
		return
	}
	b.out = b.out[:f.mark]
	b.members[m.first].all--
	if !f.led {
		m.n--
		return
	}
	b.members[m.first].last = m.before
	b.members[m.before].next = -1
	b.members = b.members[:last]
}

// gather writes the members of an element anew, each name once.
func (b *builder) gather(f *openElement) {
	dst := append(b.scratch[:0], '{')
	for i := f.members; i < len(b.members); i++ {
		m := &b.members[i]
		if int(m.first) != i {
			continue
		}
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = b.gathered(append(dst, m.name.json...), m)
	}
	b.out = append(b.out[:f.start], dst...)
	b.scratch = dst
}

// gathered appends the values of a name, of which m is the first member.
func (b *builder) gathered(dst []byte, m *valueRun) []byte {
	isText := m.name == textName
	isList := m.all > 1 || m.name.list
	switch {
	case isText:
		dst = append(dst, '"')
	case isList:
		dst = append(dst, '[')
	}
	for at := m.first; at >= 0; at = b.members[at].next {
		values := b.values(&b.members[at])
		if isText {
			dst = append(dst, values[1:len(values)-1]...)
			continue
		}
		if at != m.first {
			dst = append(dst, ',')
		}
		dst = append(dst, values...)
	}
	switch {
	case isText:
		dst = append(dst, '"')
	case isList:
		dst = append(dst, ']')
	}
	return dst
}

// values are those of a member, with commas between them.
func (b *builder) values(m *valueRun) []byte {
	if m.isList() {
		return b.out[m.value+1 : m.to-1]
	}
	return b.out[m.value+1 : m.to]
}

// clash is the error about two names of different namespaces that are called the same.
func (s *scanner) clash(one, other *qualifiedName) error {
	if one.space == other.space {
		return s.bad("the attribute %s stands twice in an element", one.text[1:])
	}
	e := s.bad("two namespaces have %q in one element: %q and %q", one.text, one.space, other.space)
	e.Remedy = `: give one of them a prefix in namespaces of the format`
	return e
}
