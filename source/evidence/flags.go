package evidence

import (
	"sluice/pipeline/item"
)

// True tells whether a flag is true. What is no flag is true unless it is empty or zero.
func True(value []byte) bool {
	is, _, ok := item.Flag(value)
	if !ok {
		return item.True(value)
	}
	return is
}

// mayBeFlag tells whether the name is that of a flag, if the value is one.
func (m *name) mayBeFlag() bool {
	return m.has(more|next|bound|end|part|broken) || m.saysFailed()
}

// flag looks at a flag: that there is more, or no more, or that the answer is partial.
func (l *looker) flag(m *name, path item.Path, value []byte) {
	if !m.mayBeFlag() {
		return
	}
	is, isNumber, ok := item.Flag(value)
	if !ok {
		return
	}
	isBare := isNumber && !m.has(has|more|bound)
	switch {
	case m.saysFailed():
		if is && !isNumber && !l.foreign {
			l.add(Partial, path, value)
		}
	case m.saysPartial(l):
		if is {
			l.add(Partial, path, value)
		}
	case isBare:
	case m.saysMore(l):
		l.addFlag(is != m.has(no), m.onlyHints(), path, value)
	case m.saysEnd(l):
		l.addFlag(is == m.has(no), false, path, value)
	}
}

// SaysEnd tells whether a flag beside the place of the items says that there is no more, also where there are none.
func (a *Answer) SaysEnd() bool {
	l := looker{answer: a}
	for _, around := range a.Around {
		name := read(around.Path[len(around.Path)-1])
		l.flag(&name, around.Path, around.Value)
	}
	return Find(l.signs, NoMore) != nil
}

// addFlag adds a flag that says that there is more, or not; one that only hints says nothing
// where it is false.
func (l *looker) addFlag(isMore, isHint bool, path item.Path, value []byte) {
	switch {
	case isMore && isHint:
		l.add(Hint, path, value)
	case isMore:
		l.add(More, path, value)
	case !isHint:
		l.add(NoMore, path, value)
	}
}

// saysMore tells whether a flag of that name says that there is more: each other word is about
// pages or the answer as a whole, or is a noun of the items.
func (m *name) saysMore(of *looker) bool {
	const others = more | next | bound | has | no | pageWord | token | thing | small | sizeWord | whole | linkWord
	isNext := m.has(next)
	isMet := m.has(bound) && (m.contains("truncated") || m.has(sizeWord|thing|whole))
	isMore := isNext || isMet || m.has(more)
	// An address of more is none of a page.
	isAddress := m.has(linkWord) && !isNext
	if !isMore || isAddress || m.reachedEnd() {
		return false
	}
	return m.onlyOr(others, of)
}

// onlyHints tells whether what the flag says is weak: additional what, or reached which limit.
func (m *name) onlyHints() bool { return m.contains("additional") || m.contains("reached") }

// reachedEnd tells whether the name says that the end is reached.
func (m *name) reachedEnd() bool { return m.has(bound) && m.has(end) && !m.has(sizeWord) }

// saysEnd tells whether a flag of that name says that there is no more.
func (m *name) saysEnd(of *looker) bool {
	const others = end | bound | has | no | pageWord | thing | small | whole
	// That a last page is available says that there is one to go to.
	return m.has(end) && !m.contains("available") && m.onlyOr(others, of)
}

// saysFailed tells whether a flag of that name says that something has failed: it begins with has, and ends with what failed.
func (m *name) saysFailed() bool {
	return m.n > 1 && m.kinds[0]&has != 0 && m.kinds[m.n-1]&fail != 0 && !m.isWarning()
}

// saysPartial tells whether a flag of that name says that the answer is partial.
func (m *name) saysPartial(of *looker) bool {
	const others = part | broken | off | has | pageWord | thing | small | whole | box | sum | all
	isCut := m.has(broken) && m.has(off)
	if !isCut && !m.has(part) {
		return false
	}
	return m.onlyOr(others, of)
}
