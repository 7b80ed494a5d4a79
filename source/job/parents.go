package job

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

const (
	// MostParents is of how many parents a child job keeps what the function last
	// follows.
	MostParents = 100_000
	// mostUnseen is in how many complete runs of its job a parent may be missing before
	// it is forgotten.
	mostUnseen = 30
	// longestOfParent bounds a value, in bytes.
	longestOfParent = 200
)

// Parents are what the function last knows in a child job: for each parent the greatest
// values of its items, by path. Whose they are is not known from them.
type Parents struct {
	// salt is the key of the hashes, and scope what tells the parents from those of other
	// documents.
	salt, scope string
	// runs counts the complete runs of the job; of what a run has found those before it.
	runs runNumber
	// more tells that there were more than have a place.
	more bool

	// known are those of the run before, which never change; nil: there is none.
	known *knownParents
	// again tells of each of known what has become of it; shorter where that is nothing of all others.
	again []textPlace
	// rest tells that those of known are there too of which nothing has become.
	rest bool

	// own has those that are not in known, and texts the values of all that are not.
	own   *parentTable
	texts *parentTexts
	// cut is the greatest hash of a parent that has a place still; nil: each has one.
	cut *parentHash
	// borrowed tells that texts are also those of the run that has found them, and stay as they are.
	borrowed bool
	// count is how many there are.
	count int
	// text is reused.
	text []byte
}

// knownParents are those that a run begins with.
type knownParents struct {
	table *parentTable
	texts *parentTexts
}

const (
	// sameText tells of a parent that its values are still those of known.
	sameText textPlace = 1
	// gone tells of a parent that it is forgotten.
	gone textPlace = 2
)

// parentHash stands for the values of placeholders.
type parentHash [sha256.Size / 2]byte

// A runNumber counts complete runs.
type runNumber = int

// NewSalt makes a key for the hashes of parents.
func NewSalt() string {
	var random [sha256.Size / 2]byte
	_, _ = rand.Read(random[:])
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// NewParents are none yet.
func NewParents(salt string) *Parents {
	return &Parents{salt: salt, own: newParentTable(), texts: newParentTexts()}
}

// Anew are none, whose hashes are those of p, for a run that begins with p.
func (p *Parents) Anew() *Parents {
	next := NewParents(p.salt).In(p.scope)
	next.runs = p.runs
	if p.known == nil {
		next.known = &knownParents{p.own, p.texts}
	}
	return next
}

// In are the same parents as a document sees them: those of other scopes are hidden.
func (p *Parents) In(scope string) *Parents {
	own := *p
	own.scope = scope
	return &own
}

// Len is how many there are.
func (p *Parents) Len() int { return p.count }

// hash hides the values of placeholders: who has the salt can only try values one by one.
func (p *Parents) hash(placeholders []jsontext.Value) (h parentHash) {
	keyed := hmac.New(sha256.New, []byte(p.salt))
	// No JSON text has this byte.
	keyed.Write(append([]byte(p.scope), 0))
	for _, value := range placeholders {
		keyed.Write(append(slices.Clip(value), 0))
	}
	copy(h[:], keyed.Sum(nil))
	return h
}

// Last has the values of the parent with these placeholders, by path; none if it is not
// known.
func (p *Parents) Last(placeholders []jsontext.Value) map[string]json.RawMessage {
	h := p.hash(placeholders)
	text, ok := p.appendOf(nil, p.find(&h))
	if !ok {
		return nil
	}
	return byPath(text)
}

func byPath(text []byte) map[string]json.RawMessage {
	values := map[string]json.RawMessage{}
	// It was read before, or made here.
	_ = json.Unmarshal(text, &values)
	return values
}

// A parentRef is a parent's number in known; or, counted on from there, in own.
type parentRef int32

// find returns where a parent is; -1: nowhere.
func (p *Parents) find(h *parentHash) parentRef {
	if p.known != nil {
		if i := p.known.table.find(h); i >= 0 {
			return parentRef(i)
		}
	}
	if i := p.own.find(h); i >= 0 {
		return parentRef(p.knownSize() + i)
	}
	return -1
}

func (p *Parents) knownSize() int {
	if p.known == nil {
		return 0
	}
	return p.known.table.size()
}

// entry is what the table has of a parent, and whether that is known's.
func (p *Parents) entry(r parentRef) (e *parentEntry, isKnown bool) {
	known := p.knownSize()
	if int(r) < known {
		return p.known.table.entry(int(r)), true
	}
	return p.own.entry(int(r) - known), false
}

// fate tells what has become of a parent of known; 0: nothing.
func (p *Parents) fate(r parentRef) textPlace {
	if int(r) >= len(p.again) {
		return 0
	}
	return p.again[r]
}

// setFate enters it.
func (p *Parents) setFate(r parentRef, at textPlace) {
	if p.again == nil {
		p.again = make([]textPlace, p.knownSize())
	}
	p.again[r] = at
}

// has tells whether a parent is there.
func (p *Parents) has(r parentRef) bool {
	e, isKnown := p.entry(r)
	if !isKnown {
		return e.at != 0
	}
	switch p.fate(r) {
	case 0:
		return p.rest && e.at != 0
	case gone:
		return false
	}
	return true
}

// appendOf appends the values of a parent, if it is there.
func (p *Parents) appendOf(dst []byte, r parentRef) (text []byte, ok bool) {
	if r < 0 || !p.has(r) {
		return dst, false
	}
	e, isKnown := p.entry(r)
	if !isKnown {
		return p.texts.appendTo(dst, e.at), true
	}
	if fate := p.fate(r); fate > gone {
		return p.texts.appendTo(dst, fate), true
	}
	return p.known.texts.appendTo(dst, e.at), true
}

// run is the last that had a parent, counted as in runs.
func (p *Parents) run(r parentRef) runNumber {
	e, isKnown := p.entry(r)
	if isKnown && p.fate(r) != 0 {
		return p.runs
	}
	return e.run
}

// all goes through those that are there.
func (p *Parents) all() iter.Seq[parentRef] {
	return func(yield func(parentRef) bool) {
		for r := range parentRef(p.knownSize() + p.own.size()) {
			if p.has(r) && !yield(r) {
				return
			}
		}
	}
}

// Saw enters what is known of a parent that the run at hand has, after one of its walks.
func (p *Parents) Saw(placeholders []jsontext.Value, found []Greatest) error {
	values := map[string]json.RawMessage{}
	for i := range found {
		g := &found[i]
		if len(g.Text) > longestOfParent {
			return fmt.Errorf("last: an item has more than %d bytes at %s, which is too long to be kept for "+
				"each item above: name a path with a date or a number", longestOfParent, g.Path)
		}
		if g.Text != nil {
			values[g.Path] = json.RawMessage(g.Text)
		}
	}
	return p.add(p.hash(placeholders), values)
}

// Merge enters what another part of the run has.
func (p *Parents) Merge(other *Parents) error {
	var text []byte
	for r := range other.all() {
		e, _ := other.entry(r)
		text, _ = other.appendOf(text[:0], r)
		if err := p.add(e.hash, byPath(text)); err != nil {
			return err
		}
	}
	p.more = p.more || other.more
	return nil
}

// add enters the values of a parent, of each the greater one if there is one.
func (p *Parents) add(h parentHash, values map[string]json.RawMessage) error {
	r := p.find(&h)
	text, known := p.appendOf(p.text[:0], r)
	p.text = text
	if known {
		for path, value := range byPath(text) {
			greatest, err := greater(path, value, values[path])
			if err != nil {
				return err
			}
			values[path] = greatest
		}
	}
	hasNoPlace := !known && p.cut != nil && bytes.Compare(h[:], p.cut[:]) > 0
	if len(values) == 0 || hasNoPlace {
		return nil
	}
	p.put(h, p.runs, values)
	const slack = MostParents / 4
	if p.count > MostParents+slack {
		p.cut = p.keep(MostParents)
	}
	return nil
}

// put enters the values of a parent, which a run had, in place of those that are there.
func (p *Parents) put(h parentHash, run runNumber, values map[string]json.RawMessage) {
	// These texts are JSON.
	text, _ := json.Marshal(values)
	p.putText(h, run, text)
}

// putText is put of values as they are written. Of a parent that is known the run is p's.
func (p *Parents) putText(h parentHash, run runNumber, text []byte) {
	r := p.find(&h)
	if r < 0 {
		p.own.add(parentEntry{h, run, p.texts.add(text)})
		p.count++
		return
	}
	if !p.has(r) {
		p.count++
	}
	e, isKnown := p.entry(r)
	at := &e.at
	if isKnown {
		fate := p.fate(r)
		if fate <= gone && p.isKnownText(e, text) {
			p.setFate(r, sameText)
			return
		}
		p.setFate(r, fate)
		at = &p.again[r]
	} else {
		e.run = run
	}
	if *at > gone {
		*at = p.texts.replace(*at, text)
	} else {
		*at = p.texts.add(text)
	}
	if p.texts.isWasteful() {
		p.tidy()
	}
}

// isKnownText tells whether these are the values that known has of a parent.
func (p *Parents) isKnownText(e *parentEntry, text []byte) bool {
	if e.at == 0 {
		return false
	}
	p.text = p.known.texts.appendTo(p.text[:0], e.at)
	return bytes.Equal(p.text, text)
}

// tidy gives up the texts that nobody needs any more.
func (p *Parents) tidy() {
	if p.borrowed {
		return
	}
	var places []*textPlace
	for i := range p.again {
		if p.again[i] > gone {
			places = append(places, &p.again[i])
		}
	}
	for i := range p.own.size() {
		if e := p.own.entry(i); e.at != 0 {
			places = append(places, &e.at)
		}
	}
	slices.SortFunc(places, func(a, b *textPlace) int { return cmp.Compare(*a, *b) })
	p.texts.tidy(places)
}

// forget leaves out a parent that is there. Its entry stays until the table drops it.
func (p *Parents) forget(r parentRef) {
	e, isKnown := p.entry(r)
	at := e.at
	if isKnown {
		at = p.fate(r)
		p.setFate(r, gone)
	} else {
		e.at = 0
	}
	if at > gone {
		p.texts.garbage += len(p.texts.kept(at))
	}
	p.count--
}

// Keep forgets all but so many: first those that were seen longest ago, and of one run
// those with the greatest hashes. So it does not matter in which order they came, or to
// which part of the run.
func (p *Parents) Keep(most int) {
	if p.count > most {
		p.keep(most)
	}
}

// keep is Keep of more than so many. It returns the hash beyond which no parent of this run will be kept; nil: there is
// none.
func (p *Parents) keep(most int) (cut *parentHash) {
	p.more = true
	all := p.order()
	if most > 0 && p.run(all[most-1]) == p.runs {
		last, _ := p.entry(all[most-1])
		hash := last.hash
		cut = &hash
	}
	for _, r := range all[most:] {
		p.forget(r)
	}
	p.own.drop()
	if p.texts.isWasteful() {
		p.tidy()
	}
	return cut
}

// order is those that were seen last, by their hashes, then those of the run before, and so on.
func (p *Parents) order() []parentRef {
	all := make([]parentRef, 0, p.count)
	all = slices.AppendSeq(all, p.all())
	slices.SortFunc(all, func(a, b parentRef) int {
		if later := p.run(b) - p.run(a); later != 0 {
			return later
		}
		of, _ := p.entry(a)
		other, _ := p.entry(b)
		return bytes.Compare(of.hash[:], other.hash[:])
	})
	return all
}

// After is what is known after a complete run, which has found these. It takes the place
// of p, which may be nil, and is the same if p has that run already, which was killed before
// it could say so. more tells that there is no room for all of them.
func (p *Parents) After(found *Parents) (next *Parents, more bool) {
	next = p
	switch {
	case p == nil || p.salt != found.salt:
		// Hashes with another salt are of no use any more.
		next = found.nothing()
	case p.isKnownTo(found):
		next = p.withRest(found)
	case p.known != nil:
		next = p.flat()
	}
	next.runs = max(next.runs, found.runs+1)
	next.enter(found)
	next.forgetBefore(next.runs - mostUnseen)
	next.Keep(MostParents)
	more = next.more || found.more
	next.more = false
	return next, more
}

// nothing are none yet, of a state that takes what p has found. Where that is all in one table, it is not copied.
func (p *Parents) nothing() *Parents {
	next := NewParents(p.salt)
	next.runs = p.runs
	if p.knownSize() == 0 {
		next.known = &knownParents{p.own, p.texts}
		next.texts, next.borrowed = p.texts, true
	}
	return next
}

// isKnownTo tells whether p is what a run began with, which has found these.
func (p *Parents) isKnownTo(found *Parents) bool {
	return p.known == nil && found.known != nil && found.known.table == p.own
}

// withRest is p as something that can change, beside p's own table, which found needs as it is.
func (p *Parents) withRest(found *Parents) *Parents {
	return &Parents{
		salt: p.salt, scope: p.scope, runs: p.runs, more: p.more,
		known: found.known, rest: true,
		own: newParentTable(), texts: found.texts, borrowed: true,
		count: p.count,
	}
}

// flat is p without known.
func (p *Parents) flat() *Parents {
	next := NewParents(p.salt).In(p.scope)
	next.runs, next.more = p.runs, p.more
	var text []byte
	for r := range p.all() {
		e, _ := p.entry(r)
		text, _ = p.appendOf(text[:0], r)
		next.putText(e.hash, p.run(r), text)
	}
	return next
}

// enter enters what the last complete run has found.
func (p *Parents) enter(found *Parents) {
	var text, before []byte
	for r := range found.all() {
		e, isKnown := found.entry(r)
		at := e.at
		if isKnown {
			at = found.fate(r)
		}
		text, _ = found.appendOf(text[:0], r)
		before, _ = p.appendOf(before[:0], p.find(&e.hash))
		if joined := join(before, text); p.texts == found.texts && bytes.Equal(joined, text) {
			p.adopt(e.hash, at)
		} else {
			p.putText(e.hash, p.runs, joined)
		}
	}
}

// adopt enters the values of a parent that stand in texts already.
func (p *Parents) adopt(h parentHash, at textPlace) {
	r := p.find(&h)
	if r < 0 {
		p.own.add(parentEntry{h, p.runs, at})
		p.count++
		return
	}
	if !p.has(r) {
		p.count++
	}
	if e, isKnown := p.entry(r); !isKnown {
		e.run, e.at = p.runs, at
		return
	}
	p.setFate(r, at)
}

// forgetBefore forgets the parents whose last run is this one, or an earlier one.
func (p *Parents) forgetBefore(run runNumber) {
	for r := range p.all() {
		if p.run(r) <= run {
			p.forget(r)
		}
	}
}

// join has the values of both objects; those of text, where both have one. Before may be empty.
func join(before, text []byte) []byte {
	if isPlain(text) && (len(before) == 0 || isPlain(before) && bytes.Equal(firstName(before), firstName(text))) {
		return text
	}
	values := map[string]json.RawMessage{}
	if len(before) > 0 {
		values = byPath(before)
	}
	maps.Copy(values, byPath(text))
	// These texts are JSON.
	all, _ := json.Marshal(values)
	return all
}

// isPlain tells whether an object has one member, and is written as everybody would write it.
func isPlain(object []byte) bool {
	for _, c := range object {
		isPrintable := ' ' < c && c < 0x7f
		if !isPrintable || bytes.IndexByte([]byte(`\<>&`), c) >= 0 {
			return false
		}
	}
	members := 0
	for range item.Members(object) {
		members++
	}
	return members == 1
}

func firstName(object []byte) []byte {
	for name := range item.Members(object) {
		return name
	}
	return nil
}
