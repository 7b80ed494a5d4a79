package walk

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/job"
	"sluice/transform"
)

// appendParent appends what the children of an item need: its number, for each child
// 1 if it has a walk there, and the values that are kept; nothing if no child has
// one. One run of bytes keeps a page of a million items small.
func (s *Scope) appendParent(dst []byte, number int, text []byte) []byte {
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
func (s *Scope) look(inItem func(item.Path) []byte, path string) []byte {
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
func (s *Scope) members() []transform.AddedMember {
	return s.Child.Members(s.Above.Values)
}

// A parent is what [Scope.appendParent] said of one item.
type parent struct {
	number int
	// has tells of each child whether it has a walk there.
	has  []byte
	kept []jsontext.Value
	// text is all of that.
	text []byte
}

// parents reads what [Scope.appendParent] said of the items of a page.
func (s *Scope) parents(text []byte) iter.Seq[parent] {
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

// Below begins the walks below the items of a page of w: for each item and each
// child one, or, where the values of placeholders are arrays, one for every
// combination of their elements. Each is made when it is wanted. only is the one
// child whose walks are wanted; nil: those of all.
func (r *Run) Below(
	w *Walk, page int, parents []byte, only *job.Child,
) iter.Seq2[*Walk, error] {
	return func(yield func(*Walk, error) bool) {
		for p := range w.parents(parents) {
			above := job.Ancestors{
				Item: append([]int{p.number}, w.Above.Item...),
				Kept: append([][]jsontext.Value{p.kept}, w.Above.Kept...),
			}
			for i, c := range w.Job.Children {
				wanted := only == nil || c == only
				if p.has[i] == 0 || !wanted {
					continue
				}
				place := ""
				if r.options.places {
					place = fmt.Sprintf("%s/%d.%d.%d.", w.place, page, p.number, i+1)
				}
				goesOn, err := r.combinations(w, c, above, place, yield)
				if err != nil {
					yield(nil, fmt.Errorf("job %s: item %d of page %d of job %s: %w",
						c.Job.ID, p.number, page, w.Job.ID, err))
					return
				}
				if !goesOn {
					return
				}
			}
		}
	}
}

// combinations begins the walks of a child below one item of a page of w: for each
// combination of the values of placeholders one, or one for each of its windows.
func (r *Run) combinations(
	w *Walk, c *job.Child, above job.Ancestors, place string,
	yield func(*Walk, error) bool,
) (goesOn bool, err error) {
	all, err := c.Combine(above, w.Above.Values)
	if err != nil {
		return false, err
	}
	if c.HasOptional() {
		r.tellOptional(c, above, all.Lacks)
	}
	for begun := range all.Size {
		above.Values = all.At(begun)
		own := place
		if place != "" {
			own += strconv.Itoa(begun + 1)
		}
		goesOn, err := r.windows(c, above, own, yield)
		if err != nil || !goesOn {
			return goesOn, err
		}
	}
	return true, nil
}

// windows begins the walks of a child for one set of placeholders' values.
func (r *Run) windows(
	c *job.Child, above job.Ancestors, place string, yield func(*Walk, error) bool,
) (goesOn bool, err error) {
	// Also one that has no window tonight.
	if err := r.progress[c.Job].see(above.Values); err != nil {
		return false, err
	}
	all, err := c.Job.WindowsOf(job.Own{Child: c, Values: above.Values})
	if err != nil {
		return false, err
	}
	together := &windows{of: len(all)}
	for i := range all {
		next, err := r.Begin(c.Job, c, above, &all[i])
		if err != nil {
			return false, err
		}
		next.windows, next.place = together, place
		if place != "" && c.Job.Windowed() {
			next.place = fmt.Sprintf("%s~%d", place, i+1)
		}
		if !yield(next, nil) {
			return false, nil
		}
	}
	return true, nil
}

// tellOptional tells whether an item above a child lacks an optional placeholder, nil:
// it has all of them.
func (r *Run) tellOptional(c *job.Child, above job.Ancestors, lacks *job.Placeholder) {
	found := &r.progress[c.Job].found
	isAbsent := lacks != nil && above.Kept[lacks.Level-1][lacks.Kept] == nil
	if !isAbsent {
		found.HadOptional = true
	}
	if lacks == nil {
		return
	}
	if isAbsent {
		found.NoOptional, found.Absent = max(found.NoOptional, lacks.Path), found.Absent+1
	}
	r.options.Observer.Observe(pipeline.ItemSkipped{Job: c.Job.ID, At: r.options.Now()})
}
