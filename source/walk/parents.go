package walk

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/transform"
)

// appendParent appends what the children of an item need: its number, for each child
// 1 if it has a walk there, and the values that are kept; nothing if no child has
// one. One run of bytes keeps a page of a million items small.
func (s *Assignment) appendParent(dst []byte, number int, text []byte) []byte {
	begin := len(dst)
	dst = binary.AppendUvarint(dst, uint64(number))
	some := false
	for _, c := range s.Job.Children {
		has := byte(0)
		if c.Filter == nil || c.Filter.Match(text) {
			has, some = 1, true
		}
		dst = append(dst, has)
	}
	if !some {
		return dst[:begin]
	}
	inItem := item.Looker(text, len(s.Job.Keeps))
	for _, path := range s.Job.Keeps {
		length, found := uint64(0), s.look(inItem, path)
		if found != nil {
			length = uint64(len(found)) + 1
		}
		dst = append(binary.AppendUvarint(dst, length), found...)
	}
	return dst
}

// look finds what a path leads to: in the item as the API sent it, through which
// inItem goes, or else among its members to be.
func (s *Assignment) look(inItem func(item.Path) []byte, path string) []byte {
	if found := inItem(item.ParsePath(path, ".")); found != nil {
		return found
	}
	for _, m := range s.members() {
		if m.Name == path {
			return m.Value
		}
	}
	return nil
}

// members are the values of placeholders, which each item of the walk gets beside
// its own members.
func (s *Assignment) members() []transform.AddedMember {
	return s.Child.Members(s.Above.Values)
}

// A parent is what [Assignment.appendParent] has written about one item.
type parent struct {
	number int
	// has tells of each child whether it has a walk there.
	has  []byte
	kept []jsontext.Value
	// text is all of that.
	text []byte
}

// parents reads what [Assignment.appendParent] said of the items of a page.
func (s *Assignment) parents(text []byte) iter.Seq[parent] {
	return func(yield func(parent) bool) {
		take := func(n int) (taken []byte) {
			taken, text = text[:n], text[n:]
			return taken
		}
		uvarint := func() int {
			n, size := binary.Uvarint(text)
			take(size)
			return int(n)
		}
		for len(text) > 0 {
			begin := text
			p := parent{number: uvarint(), has: take(len(s.Job.Children))}
			p.kept = make([]jsontext.Value, len(s.Job.Keeps))
			for i := range p.kept {
				if length := uvarint(); length > 0 {
					p.kept[i] = slices.Clone(jsontext.Value(take(length - 1)))
				}
			}
			p.text = begin[:len(begin)-len(text)]
			if !yield(p) {
				return
			}
		}
	}
}

// changes tells whether change is anything.
func (s *Assignment) changes() bool {
	return len(s.members())+len(s.values.Added) > 0 || s.Job.Items.Filter != nil
}

// change is what the configuration says about each item of the walk; nil if
// there is nothing.
func (s *Assignment) change() transform.Func {
	added := append(s.members(), s.values.Added...)
	filter := s.Job.Items.Filter
	if len(added) == 0 && filter == nil {
		return nil
	}
	// text is reused.
	var text []byte
	return func(dst, value []byte) []byte {
		if filter != nil {
			text = filter.Append(text[:0], value)
			value = text
		}
		if len(added) == 0 {
			return append(dst, value...)
		}
		return transform.AddMembers(dst, value, added)
	}
}
