package evidence

import (
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// mostEchoed is how many such numbers of an answer are looked at.
const mostEchoed = 4

// isMore tells whether a value is a number that is more than the page has, be it none, where it is known how many were asked for.
func (l *looker) isMore(value []byte) bool {
	isSized := l.reads.Sized && l.reads.Size > 0
	if !isSized {
		return false
	}
	n, ok := item.Integer(value)
	return ok && n > int64(l.answer.Items) && n != l.reads.Size
}

// echoed takes what stands at a path, a number that is more than the page has, if it stands beside the size and the position that
// were asked for, or beside the number of pages of that size.
func (l *looker) echoed(m *name, path item.Path, value []byte) {
	isElse := len(l.aside.Echoed) == mostEchoed || !m.mayBeOfAll(l) || isCode(path[len(path)-1]) || isTime(value)
	n, _ := item.Integer(value)
	if isElse || l.reads.has(path) || slices.Contains(l.askedNumbers(), n) {
		return
	}
	hasSize, hasPosition, hasPages, position := false, false, false, int64(0)
	pages := (n-1)/l.reads.Size + 1
	l.eachSibling(path, func(text string, value []byte) bool {
		sibling, ok := item.Integer(value)
		switch {
		case !ok:
		case sibling == l.reads.Size && !hasSize:
			hasSize = true
		case slices.Contains(l.askedNumbers(), sibling):
			hasPosition = true
			position += sibling
		case sibling == pages && !isCode(text):
			hasPages = pages > 1
		}
		return true
	})
	one := Echoed{At: l.place(path), Number: n, Position: position}
	switch {
	case hasSize && hasPosition:
		l.aside.Echoed = append(l.aside.Echoed, one)
	case hasPages:
		one.Position, one.Pages = sumOf(l.askedNumbers()), true
		l.aside.Echoed = append(l.aside.Echoed, one)
	}
}

// sumOf adds numbers.
func sumOf(numbers []int64) (all int64) {
	for _, n := range numbers {
		all += n
	}
	return all
}

// mayBeOfAll tells whether the name may be that of a number of all items: each of its words is not known, or counts something and
// says nothing else. What it says of the request, such as that a filter does not count, holds for a request that has only numbers.
func (m *name) mayBeOfAll(of *looker) bool {
	const counts, others = all | sum | thing | whole | small, state | elsewhere | end | sizeWord | fail | note
	for _, kinds := range m.kinds[:m.n] {
		isKnown := kinds != 0
		isCount := kinds&counts != 0 && kinds&(others|echo) == 0
		isOfRequest := kinds&echo != 0 && m.has(all|sum|thing) && of.asksOnlyNumbers()
		if isKnown && !isCount && !isOfRequest {
			return false
		}
	}
	return m.n > 0
}

// asksOnlyNumbers tells whether the parameters of the address are numbers, such as the page and its size.
func (l *looker) asksOnlyNumbers() bool {
	isText := func(text string) bool {
		_, err := strconv.ParseInt(text, 10, 64)
		return err != nil
	}
	for _, values := range l.query() {
		if slices.ContainsFunc(values, isText) {
			return false
		}
	}
	return len(l.query()) > 0
}

// askedNumbers are those by which the answer was asked for, but for the size.
func (l *looker) askedNumbers() []int64 {
	if l.hasNumbers {
		return l.numbers
	}
	l.hasNumbers = true
	if l.answer.Asked != nil {
		for _, n := range l.answer.Asked.Numbers() {
			l.numbers = append(l.numbers, n.Value)
		}
	}
	if i := slices.Index(l.numbers, l.reads.Size); i >= 0 {
		l.numbers = slices.Delete(l.numbers, i, i+1)
	}
	return l.numbers
}

// isCode tells whether the name is that of a code, or of what is another one in each answer.
func isCode(text string) bool {
	plain := Normal(text)
	return slices.Contains(codeNames, plain) || strings.HasSuffix(plain, "id")
}
