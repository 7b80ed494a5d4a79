package evidence

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// pairs looks at a list of names with their values, as at an object with these members: at its flags and states.
func (l *looker) pairs(list *name, path item.Path, value jsontext.Value) {
	const known = pageWord | box | whole | thing | small
	if l.foreign || !isSmall(value) || !list.onlyOr(known, l) {
		return
	}
	i := 0
	for element := range item.Elements(value) {
		at := below(path, strconv.Itoa(i))
		if called, member, text := pairOf(element); member != "" {
			l.stated(called, below(at, member), text)
		}
		i++
	}
}

// stated looks at the value of a pair.
func (l *looker) stated(called string, path item.Path, value jsontext.Value) {
	m, before := read(called), len(l.signs)
	l.flag(&m, path, value)
	isState := len(l.signs) == before && m.has(state) && item.Kind(value) == '"'
	switch {
	case !isState:
	case l.isPartialState(&m, value):
		l.add(Partial, path, value)
	case l.isFullState(&m, value):
		l.add(More, path, value)
	}
}

// isFullState tells whether a status says that there was no room for all, and is not the one that was asked for.
func (l *looker) isFullState(m *name, value jsontext.Value) bool {
	if !m.has(state) || !m.only(state|thing|whole|small|pageWord|has) {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(item.Unquote(value)))
	return slices.Contains(fullStates, text) && !l.wasSent(value)
}

// fullStates say of an answer that there was no room for all.
var fullStates = []string{"overflow", "overflowed"}
