package evidence

import (
	"iter"
	"slices"
	"strings"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// isErrorName tells whether a member, whose name may be quoted, may say that there is an error.
func isErrorName[T string | []byte](name T) bool {
	if len(name) > nameLimit {
		return false
	}
	var buf [nameLimit]byte
	return slices.Contains(errorNames, string(normal(buf[:0], name)))
}

// errorNames are of members that may say that there is an error, without case, _ and -.
var errorNames = strings.Fields("error errors errormessage fault ok success status")

// Complaint returns the member that says that the answer is an error, or nil. One
// that can say why goes before one that only says so.
func Complaint(around []item.Found) (found *item.Found) {
	for i, m := range around {
		switch saysError(m) {
		case tells:
			return &around[i]
		case hints:
			if found == nil {
				found = &around[i]
			}
		}
	}
	return found
}

// complaint is how much a member says of an error.
type complaint int

const (
	// silent says nothing of an error.
	silent complaint = iota
	// hints says that there is one.
	hints
	// tells says what it is, too.
	tells
)

func saysError(m item.Found) complaint {
	name := m.Path[len(m.Path)-1]
	if !isErrorName(name) {
		return silent
	}
	switch Normal(name) {
	case "error", "errors", "errormessage", "fault":
		if item.True(m.Value) && !isNone(m.Value) {
			return tells
		}
	case "ok", "success":
		if item.Kind(m.Value) == 'f' {
			return hints
		}
	case "status":
		text, _ := item.Text(m.Value)
		isText := item.Kind(m.Value) == '"'
		if isText && slices.Contains(failures, strings.ToLower(text)) {
			return hints
		}
	}
	return silent
}

// isNone tells whether what is called an error says that there is none: by its code,
// or by all its text.
func isNone(value []byte) bool {
	code, hasCode := item.Text(item.Lookup(value, item.Path{"code"}))
	switch kind := item.Kind(value); {
	case kind == '"':
		return isNoneWord(item.Unquote(value))
	case kind == '[':
		return sayNone(item.Elements(value))
	case kind != '{':
		return false
	case hasCode && code != "":
		return isNoneWord(code)
	}
	return sayNone(func(yield func([]byte) bool) {
		for _, value := range item.Members(value) {
			if !yield(value) {
				return
			}
		}
	})
}

// sayNone tells whether there is a text among the values, and each says that there is
// no error.
func sayNone(values iter.Seq[[]byte]) bool {
	hasText := false
	for value := range values {
		switch item.Kind(value) {
		case '"':
			if !isNoneWord(item.Unquote(value)) {
				return false
			}
			hasText = true
		case '[', '{':
			if item.True(value) {
				return false
			}
		}
	}
	return hasText
}

func isNoneWord(text string) bool {
	return slices.Contains(noneWords, strings.ToLower(strings.TrimSpace(text)))
}

// noneWords are what a member error says where there is none.
var noneWords = []string{"", "ok", "0", "success", "none"}

// failures are what a member status says of an error.
var failures = []string{"error", "fail", "failed"}

// IsError tells whether a member is called error or errors.
func IsError(name string) bool { return strings.TrimSuffix(Normal(name), "s") == "error" }

// Near names the path among names that is nearest to one that leads nowhere; empty
// if none is near.
func Near(path item.Path, names []string) string {
	best := config.Nearest(path.String(), names)
	if best == "" || best == path.String() {
		return ""
	}
	return "; it has " + best
}
