package paginate

import (
	"slices"
	"strconv"
	"strings"

	"sluice/source/evidence"
	"sluice/source/request"
)

// counted returns the address n pages after next, and how many come after next,
// where the number of a page alone tells it from last.
func counted(next, last string, n int) (address string, left int) {
	a, b := strings.Split(next, "&"), strings.Split(last, "&")
	i := differing(a, b)
	if i < 0 || !strings.Contains(a[0], "?") {
		return "", 0
	}
	param, value, _ := strings.Cut(a[i], "=")
	lastParam, lastValue, _ := strings.Cut(b[i], "=")
	if param != lastParam || !IsPageNumber(param) {
		return "", 0
	}
	from, err1 := strconv.Atoi(value)
	to, err2 := strconv.Atoi(lastValue)
	if err1 != nil || err2 != nil {
		return "", 0
	}
	if n > to-from || from == to || strconv.Itoa(from) != value {
		return "", 0
	}
	a[i] = param + "=" + strconv.Itoa(from+n)
	return strings.Join(a, "&"), to - from
}

// differing returns the only place where the parts differ, -1 if there is none, or
// another one.
func differing(a, b []string) int {
	i, both := 0, min(len(a), len(b))
	for i < both && a[i] == b[i] {
		i++
	}
	if i == both || !slices.Equal(a[i+1:], b[i+1:]) {
		return -1
	}
	return i
}

// IsPageNumber tells whether a parameter of an address counts pages.
func IsPageNumber(param string) bool {
	last := param[strings.LastIndexByte(param, '?')+1:]
	name := evidence.Normal(request.Unescape(last))
	if !strings.Contains(name, "page") {
		return name == "p"
	}
	isOfItems := strings.Contains(name, "offset") || strings.Contains(name, "start")
	return !isOfItems || evidence.IsStartPage(name)
}
