package request

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A Param is one named parameter.
type Param struct {
	Name string

	// Compact JSON; nil if the parameter stands as Raw.
	Value []byte

	// name=value as the endpoint's own query has it.
	Raw string

	// Where it stands; empty: where the method puts it.
	In RequestPart

	// Not to be shown, however short.
	Secret bool

	// It is all of the body, as it stands.
	Text bool

	// It stands below an index beside a login parameter: arrays are indexed.
	paired bool
}

// Params are parameters in the order in which they are sent. The methods leave their receiver alone.
type Params []Param

// ParseQuery splits the query of an endpoint. What cannot stand in a URL, such as a blank, is escaped.
func ParseQuery(raw string) Params {
	var p Params
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, _, _ := strings.Cut(part, "=")
		p = append(p, Param{Name: Unescape(name), Raw: escapeStray(part)})
	}
	return p
}

// Unescape reads a part of a query; what is no escape stands for itself.
func Unescape(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return part
}

// escapeStray escapes what cannot stand in a query, and a percent sign that begins no escape.
func escapeStray(part string) string {
	return Escape(part, func(i int) bool {
		if part[i] == '%' {
			_, err := url.PathUnescape(part[i:min(i+3, len(part))])
			return err != nil
		}
		isPrintable := part[i] > ' ' && part[i] < 0x7f
		return !isPrintable || strings.IndexByte(`"<>#`, part[i]) >= 0
	})
}

// Escape percent-encodes the bytes of a text that are stray.
func Escape(text string, stray func(i int) bool) string {
	first := 0
	for first < len(text) && !stray(first) {
		first++
	}
	// As most are.
	if first == len(text) {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:first])
	for i := first; i < len(text); i++ {
		if stray(i) {
			fmt.Fprintf(&b, "%%%02X", text[i])
		} else {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// Get returns the value of the first parameter called name, nil if there is none.
func (p Params) Get(name string) []byte {
	if i := slices.IndexFunc(p, func(q Param) bool { return q.Name == name }); i >= 0 {
		return p[i].Value
	}
	return nil
}

// Has tells whether a parameter is called name.
func (p Params) Has(name string) bool { return slices.ContainsFunc(p, called(name)) }

// Lacking are the parameters of which p has none called so.
func (p Params) Lacking(of Params) (all Params) {
	names := of.firsts()
	has := map[string]bool{}
	for i := range p {
		names.each(&p[i], func(name string, _ int) { has[name] = true })
	}
	for _, q := range of {
		if !has[q.Name] {
			all = append(all, q)
		}
	}
	return all
}

// Alone are the names that only one parameter is called by.
func (p Params) Alone() map[string]bool {
	names := p.firsts()
	alone := map[string]bool{}
	for i := range p {
		names.each(&p[i], func(name string, _ int) {
			_, again := alone[name]
			alone[name] = !again
		})
	}
	return alone
}

// called returns what tells whether a parameter is called name.
func called(name string) func(Param) bool {
	return func(q Param) bool { return q.is(name) }
}

// like returns what tells whether a parameter has the name and the place of q.
func (q *Param) like() func(Param) bool {
	in, name := q.In, q.Name
	return func(other Param) bool { return other.In == in && other.is(name) }
}

// is tells whether the parameter is called name, or is an element of it in an endpoint's query: name[0].
func (q *Param) is(name string) bool {
	if q.Name == name {
		return true
	}
	if q.Raw == "" {
		return false
	}
	below, found := strings.CutPrefix(q.Name, name)
	return found && strings.HasPrefix(below, "[")
}

// Set puts one parameter in the place of the first of its name in that part of the
// request, or at the end.
func (p Params) Set(q Param) Params {
	return append(make(Params, 0, len(p)+1), p...).Put(q)
}

// Put is [Params.Set] in p itself.
func (p Params) Put(q Param) Params {
	isIt := q.like()
	i := slices.IndexFunc(p, isIt)
	if i < 0 {
		return append(p, q)
	}
	p[i] = q
	rest := slices.DeleteFunc(p[i+1:], isIt)
	return p[:i+1+len(rest)]
}

// Without returns the parameters but for those with the name of q in its part of the
// request.
func (p Params) Without(q Param) Params {
	// Room for one in its place.
	return slices.DeleteFunc(append(make(Params, 0, len(p)+1), p...), q.like())
}

// Index is the place of the first parameter with the very name of q in its part of the
// request, -1 if there is none.
func (p Params) Index(q Param) int {
	return slices.IndexFunc(p, func(have Param) bool { return have.In == q.In && have.Name == q.Name })
}

// Merge lets each parameter of over take the place of the one of its name in that part
// of the request, or stand at the end. A name that over repeats, as a query may, stays
// repeated.
func (p Params) Merge(over Params) Params {
	if len(p) == 0 {
		return over
	}
	if len(over) == 0 {
		return p
	}
	if p.anyIn() || over.anyIn() {
		return p.mergeParts(over)
	}
	return p.mergeNames(over)
}

// mergeNames is [Params.Merge] where all stand in one part of the request.
func (p Params) mergeNames(over Params) Params {
	first := over.firsts()
	placed := make([]bool, len(over))
	out := make(Params, 0, len(p)+len(over))
	for _, q := range p {
		i, replaced := first.of(&q)
		if !replaced {
			out = append(out, q)
		} else if !placed[i] {
			out = append(out, over[i])
			placed[i] = true
		}
	}
	for i, q := range over {
		if !placed[i] {
			out = append(out, q)
		}
	}
	return out
}

// places are those of parameters by their names.
type places struct {
	byName map[string]int

	// Of the names.
	lengths map[int]bool
}

// firsts are the places of parameters whose name none before them is called, elements in an endpoint's query
// included.
func (p Params) firsts() places {
	all := places{
		byName:  make(map[string]int, len(p)),
		lengths: make(map[int]bool),
	}
	for i := range p {
		_, before := all.byName[p[i].Name]
		if !before {
			all.byName[p[i].Name] = i
			all.lengths[len(p[i].Name)] = true
		}
	}
	for i := range p {
		all.elements(&p[i], func(name string, first int) {
			if first > i {
				delete(all.byName, name)
			}
		})
	}
	return all
}

// of is the least place of a name that the parameter is called by.
func (a *places) of(q *Param) (place int, ok bool) {
	a.each(q, func(_ string, other int) {
		if !ok || other < place {
			place = other
			ok = true
		}
	})
	return place, ok
}

// each gives each name that the parameter is called by, with its place.
func (a *places) each(q *Param, use func(name string, place int)) {
	if place, ok := a.byName[q.Name]; ok {
		use(q.Name, place)
	}
	a.elements(q, use)
}

// elements gives each name of which the parameter is an element in an endpoint's query, with its place.
func (a *places) elements(q *Param, use func(name string, place int)) {
	if q.Raw == "" {
		return
	}
	for i := range len(q.Name) {
		if q.Name[i] != '[' || !a.lengths[i] {
			continue
		}
		if place, ok := a.byName[q.Name[:i]]; ok {
			use(q.Name[:i], place)
		}
	}
}

// Empty stands for a body that is there and has no members.
var Empty = Param{In: InBody}

// isNothing tells whether the parameter is [Empty], wherever it stands.
func (q *Param) isNothing() bool { return q.Name == "" && q.Value == nil && q.Raw == "" }

// anyIn tells whether a parameter names a part.
func (p Params) anyIn() bool {
	return slices.ContainsFunc(p, func(q Param) bool { return q.In != "" })
}

// For are the parameters as those of a method, which name no part where it puts them
// anyway.
func (p Params) For(m Method) Params {
	if !p.anyIn() {
		return p
	}
	all := slices.Clone(p)
	for i := range all {
		all[i].In = m.Of(all[i].In)
	}
	return all
}

// Group are the parameters that the configuration gives for one part of a request. A body
// without any is one all the same.
func (p Params) Group(part RequestPart) Params {
	if part == InBody && len(p) == 0 {
		return Params{Empty}
	}
	return p.Into(part)
}

// Into are the parameters, all of which name a part; an empty one is none.
func (p Params) Into(part RequestPart) Params {
	if part == "" && !p.anyIn() {
		return p
	}
	all := slices.Clone(p)
	for i := range all {
		all[i].In = part
	}
	return all
}

// Naming are the parameters that name a part; an empty one are those that name none.
func (p Params) Naming(part RequestPart) Params {
	isElsewhere := func(q Param) bool { return q.In != part }
	if !slices.ContainsFunc(p, isElsewhere) {
		return p
	}
	return slices.DeleteFunc(slices.Clone(p), isElsewhere)
}

// mergeParts is [Params.Merge] where parameters name parts: those of one name that
// stand in others have nothing to do with each other.
func (p Params) mergeParts(over Params) (all Params) {
	for _, part := range []RequestPart{"", InQuery, InBody} {
		all = append(all, p.Naming(part).mergeNames(over.Naming(part))...)
	}
	return all
}
