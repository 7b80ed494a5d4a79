package paginate

import (
	"slices"
	"strconv"
	"strings"

	"sluice/source/evidence"
	"sluice/source/request"
)

// counted returns the address n pages after next, and how many come after next, where the number of a page alone tells it from last.
func counted(next, last string, n int) (address string, left int) {
	a, b := strings.Split(next, "&"), strings.Split(last, "&")
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	if i == min(len(a), len(b)) || !slices.Equal(a[i+1:], b[i+1:]) || !strings.Contains(a[0], "?") {
		return "", 0
	}
	param, value, _ := strings.Cut(a[i], "=")
	lastParam, lastValue, _ := strings.Cut(b[i], "=")
	name := evidence.Normal(request.Unescape(param[strings.LastIndexByte(param, '?')+1:]))
	from, err1 := strconv.Atoi(value)
	to, err2 := strconv.Atoi(lastValue)
	isPage := name == "p" || strings.Contains(name, "page") && !strings.Contains(name, "offset") && !strings.Contains(name, "start")
	if param != lastParam || !isPage || err1 != nil || err2 != nil || strconv.Itoa(from) != value || n > to-from || from == to {
		return "", 0
	}
	a[i] = param + "=" + strconv.Itoa(from+n)
	return strings.Join(a, "&"), to - from
}
