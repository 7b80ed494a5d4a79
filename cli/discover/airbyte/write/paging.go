package write

import (
	"strconv"
	"strings"

	"sluice/pipeline/item"
)

// A Paging is how the pages of a job follow one another.
type Paging struct {
	Method string

	// LastKey is the path of what is taken of the last item, where the method is cursor.
	LastKey []string

	// Members are those of the method, in order.
	Members item.Object

	// IncludesParams: all pages have the parameters of the job, where answers lead on. EndsEmpty: a page without
	// items is the last one.
	IncludesParams, EndsEmpty bool

	// Flag is what of an answer says that there are no more pages; nil: nothing does.
	Flag *Flag
}

// IsLed tells that answers lead to the next page.
func (p *Paging) IsLed() bool { return p != nil && strings.HasPrefix(p.Method, "response.") }

// json is the method as the configuration has it.
func (p *Paging) json() string {
	if p == nil {
		return ""
	}
	o := item.Object{"method", Quote(p.Method)}
	if p.LastKey != nil {
		o = append(o, "take", `"last"`, "idKey", Quote(strings.Join(p.LastKey, ".")))
	}
	o = append(o, p.Members...).With(p.IncludesParams, "includeParams", "true").With(p.EndsEmpty, "emptyStop", "true")
	if p.Flag != nil {
		o = append(o, "nextPageFlag", p.Flag.json())
	}
	return o.String()
}

// A Flag is a member of an answer that ends paging where it is StopOn; a missing one counts as IfMissing.
type Flag struct {
	Field             string
	StopOn, IfMissing bool
}

func (f Flag) json() string {
	return item.Object{"field", Quote(f.Field), "stopOn", strconv.FormatBool(f.StopOn)}.
		With(f.IfMissing != f.StopOn, "ifNotSet", strconv.FormatBool(f.IfMissing)).
		String()
}
