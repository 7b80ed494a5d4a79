package job

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

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
	runs int
	all  map[parentHash]lastOfParent
	// more tells that there were more than have a place.
	more bool
}

// parentHash stands for the values of placeholders.
type parentHash [sha256.Size / 2]byte

// lastOfParent is what is kept of a parent.
type lastOfParent struct {
	// run is the last that had the parent, counted as in Parents.
	run int
	// values is an object, by path.
	values string
}

// NewSalt makes a key for the hashes of parents.
func NewSalt() string {
	var random [sha256.Size / 2]byte
	_, _ = rand.Read(random[:])
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// NewParents are none yet.
func NewParents(salt string) *Parents {
	return &Parents{salt: salt, all: map[parentHash]lastOfParent{}}
}

// Anew are none, whose hashes are those of p, for a run that begins with p.
func (p *Parents) Anew() *Parents {
	next := NewParents(p.salt).In(p.scope)
	next.runs = p.runs
	return next
}

// In are the same parents as a document sees them: those of other scopes are hidden.
func (p *Parents) In(scope string) *Parents {
	own := *p
	own.scope = scope
	return &own
}

// Len is how many there are.
func (p *Parents) Len() int { return len(p.all) }

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
	known, ok := p.all[p.hash(placeholders)]
	if !ok {
		return nil
	}
	return known.byPath()
}

func (l lastOfParent) byPath() map[string]json.RawMessage {
	values := map[string]json.RawMessage{}
	// It was read before, or made here.
	_ = json.Unmarshal([]byte(l.values), &values)
	return values
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
	for h, known := range other.all {
		if err := p.add(h, known.byPath()); err != nil {
			return err
		}
	}
	p.more = p.more || other.more
	return nil
}

// add enters the values of a parent, of each the greater one if there is one.
func (p *Parents) add(h parentHash, values map[string]json.RawMessage) error {
	if known, ok := p.all[h]; ok {
		for path, value := range known.byPath() {
			text, err := greater(path, value, values[path])
			if err != nil {
				return err
			}
			values[path] = text
		}
	}
	if len(values) == 0 {
		return nil
	}
	p.put(h, p.runs, values)
	const slack = MostParents / 4
	if len(p.all) > MostParents+slack {
		p.Keep(MostParents)
	}
	return nil
}

func (p *Parents) put(h parentHash, run int, values map[string]json.RawMessage) {
	// These texts are JSON.
	text, _ := json.Marshal(values)
	p.all[h] = lastOfParent{run, string(text)}
}

// Keep forgets all but so many: first those that were seen longest ago, and of one run
// those with the greatest hashes. So it does not matter in which order they came, or to
// which part of the run.
func (p *Parents) Keep(most int) {
	if len(p.all) <= most {
		return
	}
	p.more = true
	for _, h := range p.order()[most:] {
		delete(p.all, h)
	}
}

// order is those that were seen last, by their hashes, then those of the run before, and so on.
func (p *Parents) order() []parentHash {
	return slices.SortedFunc(maps.Keys(p.all), func(a, b parentHash) int {
		if later := p.all[b].run - p.all[a].run; later != 0 {
			return later
		}
		return bytes.Compare(a[:], b[:])
	})
}

// After is what is known after a complete run, which has found these. It takes the place
// of p, which may be nil, and is the same if p has that run already, which was killed before
// it could say so. more tells that there is no room for all of them.
func (p *Parents) After(found *Parents) (next *Parents, more bool) {
	next = p
	// Hashes with another salt are of no use any more.
	if p == nil || p.salt != found.salt {
		next = found.Anew()
	}
	next.runs = max(next.runs, found.runs+1)
	for h, seen := range found.all {
		values := next.all[h].byPath()
		maps.Copy(values, seen.byPath())
		next.put(h, next.runs, values)
	}
	maps.DeleteFunc(next.all, func(_ parentHash, known lastOfParent) bool {
		return next.runs-known.run >= mostUnseen
	})
	next.Keep(MostParents)
	more = next.more || found.more
	next.more = false
	return next, more
}

// MarshalJSON implements json.Marshaler.
func (p *Parents) MarshalJSON() ([]byte, error) {
	text := fmt.Appendf(nil, `{"salt":%s`, item.Quote(p.salt))
	if p.runs > 0 {
		text = fmt.Appendf(text, `,"runs":%d`, p.runs)
	}
	if p.more {
		text = append(text, `,"more":true`...)
	}
	text = append(text, `,"seen":{`...)
	run := -1
	for _, h := range p.order() {
		known := p.all[h]
		switch {
		case known.run == run:
			text = append(text, ',')
		case run >= 0:
			text = append(text, "},"...)
		}
		if known.run != run {
			run = known.run
			text = append(strconv.AppendQuote(text, strconv.Itoa(run)), ":{"...)
		}
		text = append(text, '"')
		text = base64.RawURLEncoding.AppendEncode(text, h[:])
		text = append(text, `":`...)
		text = append(text, known.values...)
	}
	if run >= 0 {
		text = append(text, '}')
	}
	return append(text, "}}"...), nil
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
	h, err := base64.RawURLEncoding.DecodeString(name)
	isHash := err == nil && len(h) == len(parentHash{})
	run, err := strconv.Atoi(runText)
	isRun := err == nil && run >= 0 && run <= p.runs
	isObject := item.Kind(values) == '{'
	if !isHash || !isRun || !isObject {
		return fmt.Errorf("parents: seen has %q in %q, which is no hash of a parent with its values, "+
			"or no run", name, runText)
	}
	p.all[parentHash(h)] = lastOfParent{run, string(values)}
	return nil
}
