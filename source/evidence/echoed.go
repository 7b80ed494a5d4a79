package evidence

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// An Echoed is a number whose name has no known word, as in another language. In its object stand the size that was asked for and
// the position, by their values, so it may be that of all items.
type Echoed struct {
	At string
	// Number is more than the page has, and Position where the page was asked for: the sum of all such numbers that the object has.
	Number, Position int64
}

// mostEchoed is how many such numbers of an answer are looked at.
const mostEchoed = 4

// echoed takes a member of the object at a path if it is a number that stands beside the size and the position that were asked for.
func (l *looker) echoed(m *name, object item.Path, quoted, value []byte) {
	isSized := l.reads.Sized && l.reads.Size > 0
	if !isSized || l.answer.Items == 0 || len(l.aside.Echoed) == mostEchoed {
		return
	}
	n, ok := item.Integer(value)
	isMore := ok && n > int64(l.answer.Items) && n != l.reads.Size
	isKnown := m.n == 0 || m.has(^word(0)) || isCode(quoted)
	if !isMore || isKnown || isTime(value) {
		return
	}
	path := below(object, item.Unquote(quoted))
	if l.reads.has(path) {
		return
	}
	hasSize, hasPosition, position := false, false, int64(0)
	l.eachSibling(path, func(_ string, value []byte) bool {
		sibling, ok := item.Integer(value)
		switch {
		case !ok:
		case sibling == l.reads.Size && !hasSize:
			hasSize = true
		case slices.Contains(l.askedNumbers(), sibling):
			hasPosition = true
			position += sibling
		}
		return true
	})
	if hasSize && hasPosition {
		l.aside.Echoed = append(l.aside.Echoed, Echoed{l.place(path), n, position})
	}
}

// askedNumbers are those of the parameters of the address, but for the size.
func (l *looker) askedNumbers() []int64 {
	if l.hasNumbers {
		return l.numbers
	}
	l.hasNumbers = true
	at, err := url.Parse(l.address())
	if err != nil {
		return nil
	}
	hasSize := false
	for _, values := range at.Query() {
		for _, text := range values {
			n, err := strconv.ParseInt(text, 10, 64)
			if isSize := n == l.reads.Size && !hasSize; isSize {
				hasSize = true
				continue
			}
			if err == nil {
				l.numbers = append(l.numbers, n)
			}
		}
	}
	return l.numbers
}

// isCode tells whether the name is that of a code, or of what is another one in each answer.
func isCode(quoted []byte) bool {
	plain := string(normal(nil, quoted))
	return slices.Contains(codeNames, plain) || strings.HasSuffix(plain, "id")
}
