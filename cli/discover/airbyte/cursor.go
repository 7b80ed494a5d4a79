package airbyte

import (
	"errors"
	"slices"

	"sluice/pipeline/item"
)

// A cursor is how a stream asks for a time: what its bounds are in requests.
type cursor struct {
	// startName and endName are what templates call the bounds, below stream_interval and stream_slice.
	startName, endName string

	// startOption and endOption say where they go by themselves; nil: nowhere.
	startOption, endOption *node

	// start and end are expressions of ours; empty: they could not be said, and the stream is refused.
	start, end string

	// windows is the member of a job that asks for one; nil: there is none.
	windows item.Object

	// isNumeral tells that the manifest sends texts of digits, isNumber that the expressions give numbers there.
	isNumeral, isNumber bool

	// format is that of the manifest for times.
	format string

	// isUsed tells that a request has one of the bounds. Until then what is said of them does not matter.
	isUsed bool
	said   *stream

	// late is an end after the time of the conversion, nil if there is none; usesEnd tells that a request has the end.
	late    *node
	usesEnd bool
}

// cursor converts incremental_sync; nil: the stream has none.
func (c *conversion) cursor(s *stream, n *node, isWhole bool) *cursor {
	at := n.get("incremental_sync")
	switch at.kind() {
	case "DatetimeBasedCursor":
		return c.datetimeCursor(s, n, at, isWhole)
	case "IncrementingCountCursor":
		return c.countCursor(s, n, at, isWhole)
	}
	if at != nil {
		at.know()
		s.refuse(at, className(at)+" is code, which is not converted")
	}
	return nil
}

// countCursor asks for what has a greater number than all that came.
func (c *conversion) countCursor(s *stream, n, at *node, isWhole bool) *cursor {
	at.ignore("allow_catalog_defined_cursor_field")
	if n.get("retriever").get("partition_router") != nil {
		s.refuse(at, "beside a partition router it works nowhere")
	}
	k := &cursor{startName: "start", endName: "end", startOption: at.get("start_value_option"), said: &stream{}}
	k.start = "0"
	if v := at.get("start_value"); v != nil {
		m, err := c.scope().mean(v)
		if err != nil {
			k.said.refuse(v, err.Error())
			return k
		}
		k.start = m.JSON()
	}
	if isWhole {
		at.ignore("cursor_field")
		return k
	}
	if path := k.said.followed(c, n, at); path != "" {
		k.start = calling("last", quote(path), k.start)
	}
	return k
}

// followed is where items have the cursor field; empty: it is not known, and all is read each time.
func (s *stream) followed(c *conversion, n, at *node) string {
	field, ok := c.decided(at.get("cursor_field"))
	if !ok || field == "" {
		s.refuse(at, "cursor_field has no name that the values decide")
		return ""
	}
	path, found := c.origin(n, field)
	if found == unknown {
		s.widen(at, "each run reads everything since the start: "+field+
			" is made by a transformation, so items do not have it as they come")
		return ""
	}
	return path
}

func (c *conversion) datetimeCursor(s *stream, n, at *node, isWhole bool) *cursor {
	at.ignore("is_compare_strictly", "allow_catalog_defined_cursor_field")
	isGlobal := at.get("global_substream_cursor").truth(false) && n.get("retriever").get("partition_router") != nil
	if isGlobal && !isWhole {
		c.values.note("global_substream_cursor: that platform asks below each parent for what is new since the newest item " +
			"of all, here each parent has a time of its own, so that later runs ask for more")
	}
	if at.get("is_data_feed").truth(false) {
		s.widen(at, "is_data_feed: all pages are read, also those with what is older than the start")
	}
	if at.get("is_client_side_incremental").truth(false) {
		s.widen(at, "is_client_side_incremental: items older than the start or the last run come, too")
	}
	p := &slicing{conversion: c, stream: &stream{}, whole: s, at: at, isWhole: isWhole}
	if clamping := at.get("clamping"); clamping != nil {
		clamping.know()
		p.stream.refuse(clamping, "clamping is not understood: windows of ours begin where the start says")
	}
	return p.cursor(n)
}

// use is a bound in a request of a job.
func (k *cursor) use(path []string, bound string) (meaning, error) {
	if len(path) > 0 {
		return meaning{}, errors.New("a bound of the time has nothing below it")
	}
	k.isUsed = true
	k.usesEnd = k.usesEnd || bound == k.end
	if bound == "" {
		return meaning{}, errors.New("the bound of the time is not understood")
	}
	switch {
	case k.isNumber:
		return meaning{json: bound, format: "%s"}, nil
	case k.format == "%s":
		// In JSON that platform makes a number of it.
		return meaning{json: numbered(bound), format: "%s"}, nil
	}
	return meaning{json: bound, format: k.format, isNumeral: k.isNumeral}, nil
}

// numbered is a text of Unix seconds as a number.
func numbered(bound string) string {
	switch {
	case isQuoted(bound):
		return item.Unquote([]byte(bound))
	case bound == calling("date", quote("U")):
		return calling("time")
	}
	return calling("strtotime", quote("+0 seconds"), bound)
}

// inject puts the bounds where their options say.
func (k *cursor) inject(s *stream, j *job, sc scope) {
	if k == nil {
		return
	}
	for _, o := range []struct {
		option *node
		value  string
	}{{k.startOption, k.start}, {k.endOption, k.end}} {
		if o.option == nil {
			continue
		}
		if o.value == "" {
			o.option.know()
			k.isUsed = true
			continue
		}
		value := o.value
		if k.isNumber && o.option.get("inject_into").text() == "body_json" {
			value = calling("concat", value)
		}
		k.isUsed = true
		k.usesEnd = k.usesEnd || o.option == k.endOption
		if err := j.inject(o.option, sc, value); err != nil {
			s.refuse(o.option, err.Error())
		}
	}
}

// begin is before the requests of a job are read.
func (k *cursor) begin() {
	if k != nil {
		k.isUsed, k.usesEnd = false, false
	}
}

// apart reads what is not in a request: bounds that it names do not count.
func (k *cursor) apart(read func()) {
	if k == nil {
		read()
		return
	}
	isUsed, usesEnd := k.isUsed, k.usesEnd
	read()
	k.isUsed, k.usesEnd = isUsed, usesEnd
}

// divide gives a job the windows, if its requests name them. If they do not, each window would ask for the same.
func (k *cursor) divide(s *stream, j *job) {
	isUsed := k != nil && k.isUsed
	if !isUsed {
		return
	}
	j.windows = slices.Clone(k.windows)
	s.refusals = append(s.refusals, k.said.refusals...)
	s.more = append(s.more, k.said.more...)
	asksUntil := k.usesEnd || k.windows != nil
	if k.late != nil && asksUntil {
		s.widen(k.late, "the end is after now: each run asks until its own time, also when the end has passed")
	}
}
