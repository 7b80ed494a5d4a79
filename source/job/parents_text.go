package job

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// MarshalJSON implements json.Marshaler.
func (p *Parents) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	// A buffer takes everything.
	_ = p.Write(&text)
	return text.Bytes(), nil
}

// Write writes what MarshalJSON returns, piece by piece.
func (p *Parents) Write(w io.Writer) error {
	text := escaped(fmt.Appendf(nil, `{"salt":%s`, item.Quote(p.salt)))
	if p.runs > 0 {
		text = fmt.Appendf(text, `,"runs":%d`, p.runs)
	}
	if p.more {
		text = append(text, `,"more":true`...)
	}
	text = append(text, `,"seen":{`...)
	run := -1
	var values []byte
	for _, r := range p.order() {
		if p.run(r) != run {
			if run >= 0 {
				text = append(text, "},"...)
			}
			run = p.run(r)
			text = append(strconv.AppendQuote(text, strconv.Itoa(run)), ":{"...)
		} else {
			text = append(text, ',')
		}
		e, _ := p.entry(r)
		text = append(text, '"')
		text = base64.RawURLEncoding.AppendEncode(text, e.hash[:])
		text = append(text, `":`...)
		values, _ = p.appendOf(values[:0], r)
		text = append(text, escaped(values)...)
		const enough = 16 << 10
		if len(text) < enough {
			continue
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		text = text[:0]
	}
	if run >= 0 {
		text = append(text, '}')
	}
	_, err := w.Write(append(text, "}}"...))
	return err
}

// escaped is a text of JSON as package json writes it.
func escaped(text []byte) []byte {
	// The last one begins U+2028 and U+2029.
	if !bytes.ContainsAny(text, "<>&") && bytes.IndexByte(text, 0xe2) < 0 {
		return text
	}
	var b bytes.Buffer
	json.HTMLEscape(&b, text)
	return b.Bytes()
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Parents) UnmarshalJSON(text []byte) error {
	var there struct {
		Salt string
		Runs int
		More bool
		// By the last run that had them, and their hash: what [Parents.MarshalJSON] writes.
		Seen jsontext.Value
	}
	if err := json.Unmarshal(text, &there); err != nil {
		return fmt.Errorf("parents: %w", err)
	}
	*p = *NewParents(there.Salt)
	p.runs, p.more = there.Runs, there.More
	if there.Seen == nil {
		return nil
	}
	if err := there.Seen.Compact(); err != nil {
		return fmt.Errorf("parents: %w", err)
	}
	for run, all := range item.Members(there.Seen) {
		for name, values := range item.Members(all) {
			if err := p.read(item.Unquote(run), item.Unquote(name), values); err != nil {
				return err
			}
		}
	}
	return nil
}

// read enters a parent as it was written down.
func (p *Parents) read(runText, name string, values []byte) error {
	h, run, err := parentOf(runText, name, values)
	if err == nil && run > p.runs {
		err = errNoParent
	}
	if err != nil {
		return fmt.Errorf("parents: seen has %q in %q, which is no hash of a parent with its values, "+
			"or no run", name, runText)
	}
	p.putText(h, run, values)
	return nil
}

var errNoParent = errors.New("that is no parent")

// parentOf reads the names of a parent.
func parentOf(runText, name string, values []byte) (h parentHash, run runNumber, err error) {
	decoded, err := base64.RawURLEncoding.DecodeString(name)
	if err != nil || len(decoded) != len(h) || item.Kind(values) != '{' {
		return h, 0, errNoParent
	}
	run, err = strconv.Atoi(runText)
	if err != nil || run < 0 {
		return h, 0, errNoParent
	}
	return parentHash(decoded), run, nil
}

// A ParentsReader takes the parents of a state one after the other. Where they are those that another reader took
// before, in the same order, they share their memory.
type ParentsReader struct {
	like *knownParents
	// same are the first ones, which are those of like; all, while read is nil.
	same int
	read *Parents
	last runNumber
}

// NewParentsReader is a reader of parents, which may be those that a run began with that has found these; nil: of any.
func NewParentsReader(found *Parents) *ParentsReader {
	r := &ParentsReader{}
	if found != nil {
		r.like = found.known
	}
	return r
}

// Add takes a parent as [Parents.Write] has written it, its values without blanks. It has an error where that is no
// parent, or not a new one.
func (r *ParentsReader) Add(runText, name string, values []byte) error {
	h, run, err := parentOf(runText, name, values)
	if err != nil {
		return err
	}
	r.last = max(r.last, run)
	if r.read == nil && r.isNext(parentEntry{hash: h, run: run}, values) {
		r.same++
		return nil
	}
	r.part()
	before := r.read.count
	r.read.putText(h, run, values)
	if r.read.count == before {
		return errNoParent
	}
	return nil
}

// isNext tells whether like has a parent with these values next.
func (r *ParentsReader) isNext(parent parentEntry, values []byte) bool {
	if r.like == nil || r.same == r.like.table.size() {
		return false
	}
	e := r.like.table.entry(r.same)
	if e.hash != parent.hash || e.run != parent.run || e.at == 0 {
		return false
	}
	return bytes.Equal(r.like.texts.appendTo(nil, e.at), values)
}

// part goes another way than like.
func (r *ParentsReader) part() {
	if r.read != nil {
		return
	}
	r.read = NewParents("")
	for i := range r.same {
		e := r.like.table.entry(i)
		r.read.putText(e.hash, e.run, r.like.texts.appendTo(nil, e.at))
	}
}

// Into gives p, which has none yet, the parents that were taken. It tells whether p can have them.
func (r *ParentsReader) Into(p *Parents) bool {
	if p.count > 0 || r.last > p.runs {
		return false
	}
	isAll := r.like != nil && r.same == r.like.table.size()
	if r.read == nil && isAll {
		p.own, p.texts, p.count = r.like.table, r.like.texts, r.same
		return true
	}
	r.part()
	p.own, p.texts, p.count = r.read.own, r.read.texts, r.read.count
	return true
}
