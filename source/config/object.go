package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// An ObjectDecoder decodes the members of one object, strictly: each call names a member that is known
// here, and [ObjectDecoder.Done] reports all others. A member that is absent or null, as all of an absent
// object are, gives its default. The same calls describe the object: see [ObjectDecoder.Fields].
type ObjectDecoder struct {
	node     *Node
	problems *Problems
	fields   []KnownMember

	// Done was called: there are no other members.
	closed bool

	// Names that Require has taken for misspelt ones.
	guessed []string
}

// A KnownMember is a member that an object may have.
type KnownMember struct {
	Name string

	// Type is string, integer, boolean, object, array, any, ignored or unsupported.
	Type string

	// Of is what any may be, or what the elements of an array may be; see [ObjectDecoder.Any].
	Of string

	// Doc is one sentence, for the schema and the reference.
	Doc string

	// Default is JSON text, empty if there is none.
	Default string

	Examples []string
	Required bool

	// Object describes the members of an object.
	Object *ObjectDecoder
}

// NewObjectDecoder begins to decode n, an object or nil. PHP writes an empty object as an empty array.
func NewObjectDecoder(n *Node, p *Problems) *ObjectDecoder {
	if n != nil && n.Kind == '[' && len(n.Elems) == 0 {
		n = &Node{Path: n.Path, Kind: '{', Raw: jsontext.Value("{}"), file: n.file, offset: n.offset}
	}
	if !n.mustBe('{', "an object", p) {
		n = nil
	}
	return &ObjectDecoder{node: n, problems: p}
}

// Node returns what is decoded, nil if it is absent.
func (o *ObjectDecoder) Node() *Node { return o.node }

// Fields lists what was asked for, in order.
func (o *ObjectDecoder) Fields() []KnownMember { return o.fields }

func (o *ObjectDecoder) field(f KnownMember) *Node {
	// These are as good as no default.
	if f.Default == `""` || f.Default == "0" {
		f.Default = ""
	}
	o.fields = append(o.fields, f)
	return o.node.Member(f.Name)
}

// Closed tells whether the object has no other members than its fields.
func (o *ObjectDecoder) Closed() bool { return o.closed }

// Any returns the member as it stands, nil if it is absent. The types are for the
// schema only: string, integer, object, array, map (an object of any members, or an
// empty array), a definition, {x}, an object all of whose members are x, or [x], an array of x.
func (o *ObjectDecoder) Any(name, doc string, types ...string) *Node {
	return o.field(KnownMember{Name: name, Type: "any", Doc: doc, Of: strings.Join(types, " ")})
}

// Map returns a member that must be an object of any members, nil if it is absent or wrong.
func (o *ObjectDecoder) Map(name, doc string) *Node {
	return NewObjectDecoder(o.Any(name, doc, "map"), o.problems).Node()
}

// Text returns a member that must be a string. Examples are what editors propose.
func (o *ObjectDecoder) Text(name, or, doc string, examples ...string) string {
	n := o.field(KnownMember{Name: name, Type: "string", Doc: doc, Default: strconv.Quote(or), Examples: examples})
	if n == nil || !n.mustBeString("a string", o.problems) {
		return or
	}
	return n.Text()
}

// Choice returns a member that is one of a few words; empty if it is absent, which means or.
func (o *ObjectDecoder) Choice(name, or, doc string, words ...string) string {
	word := o.Text(name, or, doc, words...)
	n := o.node.Member(name)
	if n == nil {
		return ""
	}
	if !slices.Contains(words, word) {
		o.problems.Errorf(n, "unknown word %q%s", word, Have(word, words))
	}
	return word
}

// Int returns an integer, or a string that is one, and its node, nil if it is absent or wrong.
func (o *ObjectDecoder) Int(name string, or int64, doc string) (int64, *Node) {
	n := o.field(KnownMember{Name: name, Type: "integer", Doc: doc, Default: strconv.FormatInt(or, 10)})
	if n == nil {
		return or, nil
	}
	if i, ok := n.Int(); ok {
		return i, n
	}
	o.problems.Errorf(n, "must be an integer, not %s", n.shown())
	return or, nil
}

// Int returns the node as an integer: a number without a fraction, or a string that holds one.
func (n *Node) Int() (int64, bool) {
	d, ok := item.DecimalOf(n.Raw)
	if !ok {
		return 0, false
	}
	return d.Int()
}

// shown is the node's text for a message, or its kind in words if the text is long or may be a secret.
func (n *Node) shown() string {
	isShort := len(n.Raw) <= 40 && n.Kind != '{' && n.Kind != '['
	if !isShort || secretPath(n.Path) {
		return n.kindName()
	}
	return string(n.Raw)
}

// Bool returns a member that must be a boolean; 0, 1, "0" and "1" are taken too.
func (o *ObjectDecoder) Bool(name string, or bool, doc string) bool {
	n := o.field(KnownMember{Name: name, Type: "boolean", Doc: doc, Default: strconv.FormatBool(or)})
	if n == nil {
		return or
	}
	switch n.Text() {
	case "true", "1":
		return true
	case "false", "0", "":
		return false
	}
	o.problems.Errorf(n, "must be true or false, not %s", n.shown())
	return or
}

// Object begins to decode a member that must be an object.
func (o *ObjectDecoder) Object(name, doc string) *ObjectDecoder {
	inner := NewObjectDecoder(o.node.Member(name), o.problems)
	o.fields = append(o.fields, KnownMember{Name: name, Type: "object", Doc: doc, Object: inner})
	return inner
}

// List returns the elements of a member that must be an array; its types are as those of [ObjectDecoder.Any].
func (o *ObjectDecoder) List(name, doc string, types ...string) []*Node {
	n := o.field(KnownMember{Name: name, Type: "array", Doc: doc, Of: strings.Join(types, " ")})
	if n == nil || !n.mustBe('[', "an array", o.problems) {
		return nil
	}
	return n.Elems
}

// Require reports those of the names that are absent, unless the whole object is.
func (o *ObjectDecoder) Require(names ...string) {
	for i, f := range o.fields {
		o.fields[i].Required = f.Required || slices.Contains(names, f.Name)
	}
	if o.node == nil {
		return
	}
	for _, name := range names {
		if o.node.Member(name) != nil {
			continue
		}
		at, guess := o.misspelt(name)
		o.problems.add(o.node.file, at, join(o.node.Path, name), "is missing%s", guess)
	}
}

// misspelt looks for unknown members whose names are near the one that is missing. It returns where the
// last of them stands, else the object, and a guess in words.
func (o *ObjectDecoder) misspelt(name string) (at int, guess string) {
	at = o.node.offset
	known := o.known()
	for _, m := range o.node.Members {
		if !slices.Contains(known, m.Name) && Nearest(name, []string{m.Name}) != "" {
			at = m.offset
			guess = fmt.Sprintf(" (did you mean it by %q?)", m.Name)
			o.guessed = append(o.guessed, m.Name)
		}
	}
	return at, guess
}

// Filled reports those of the names that are there and empty.
func (o *ObjectDecoder) Filled(names ...string) {
	for _, name := range names {
		n := o.node.Member(name)
		if n != nil && n.Kind == '"' && strings.TrimSpace(n.Text()) == "" {
			o.problems.Errorf(n, "must not be empty")
		}
	}
}

// known lists the names of the fields.
func (o *ObjectDecoder) known() []string {
	names := make([]string, len(o.fields))
	for i, f := range o.fields {
		names[i] = f.Name
	}
	return names
}

// meansNothing are the values that switch off a member that is not supported.
var meansNothing = []string{"{}", "[]", "false", `""`}

// Unsupported stops the run for each name that is there and neither empty nor false, and says why.
func (o *ObjectDecoder) Unsupported(why string, names ...string) {
	for _, name := range names {
		n := o.field(KnownMember{Name: name, Type: "unsupported"})
		if n != nil && !slices.Contains(meansNothing, string(n.Raw)) {
			o.problems.Errorf(n, "%s", why)
		}
	}
}

// Ignored names members that the dialect knows and that have no effect here.
func (o *ObjectDecoder) Ignored(names ...string) {
	for _, name := range names {
		o.field(KnownMember{Name: name, Type: "ignored"})
	}
}

// Done warns of every member that was not asked for, with the nearest known name.
func (o *ObjectDecoder) Done() {
	o.closed = true
	if o.node == nil {
		return
	}
	known := o.known()
	for _, m := range o.node.Members {
		if slices.Contains(known, m.Name) || slices.Contains(o.guessed, m.Name) {
			continue
		}
		at := &Node{Path: m.Value.Path, file: m.Value.file, offset: m.offset}
		warn := o.problems.Doubtf
		if isRemark(m.Name) {
			warn = o.problems.Warnf
		}
		warn(at, "unknown member%s", Suggest(m.Name, known))
	}
}

// mustBeString reports a node that is there and no string; what says in words which string it must be.
func (n *Node) mustBeString(what string, p *Problems) bool { return n.mustBe('"', what, p) }

func (n *Node) mustBe(kind jsontext.Kind, what string, p *Problems) bool {
	if n != nil && n.Kind != kind {
		p.Errorf(n, "must be %s, not %s", what, n.kindName())
		return false
	}
	return true
}

// remarks are names of members that people write for people, as they stand and as beginnings.
var (
	remarks      = []string{"comment", "description"}
	remarkBegins = []string{"_", "$", "//", "x-"}
)

// isRemark tells whether a member that is unknown is meant to have no effect, by its name.
func isRemark(name string) bool {
	begins := func(with string) bool { return strings.HasPrefix(name, with) }
	return slices.Contains(remarks, name) || slices.ContainsFunc(remarkBegins, begins)
}
