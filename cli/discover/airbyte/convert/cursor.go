package convert

import (
	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A timeCursor is how a stream asks for a time: what its bounds are in requests.
type timeCursor struct {
	// startName and endName are what templates call the bounds, below stream_interval and stream_slice.
	startName, endName string

	// startOption and endOption say where they go by themselves; nil: nowhere.
	startOption, endOption *manifest.Section

	// start and end are expressions of ours; nil: they could not be said, and the stream is refused.
	start, end write.ConfigValue

	// windows are those of a job; nil: there are none.
	windows *write.TimeWindows

	// isNumeral tells that the manifest sends texts of digits, isNumber that the expressions give numbers there.
	isNumeral, isNumber bool

	// format is that of the manifest for times.
	format string

	// isUsed tells that a request has one of the bounds. Until then what is said of them does not matter.
	isUsed bool
	said   *Stream

	// late is an end after the time of the conversion, nil if there is none; usesEnd tells that a request has the end.
	late    *manifest.Section
	usesEnd bool
}

// use is a bound in a request of a job.
func (k *timeCursor) use(path []string, bound write.ConfigValue) template.Meaning {
	fault.If(len(path) > 0, "a bound of the time has nothing below it")
	k.isUsed = true
	k.usesEnd = k.usesEnd || write.Same(bound, k.end)
	fault.If(bound == nil, "the bound of the time is not supported")
	switch {
	case k.isNumber:
		return template.Meaning{Expr: bound, Format: "%s"}
	case k.format == "%s":
		// In JSON Airbyte makes a number of it.
		return template.Meaning{Expr: numbered(bound), Format: "%s"}
	}
	return template.Meaning{Expr: bound, Format: k.format, IsNumeral: k.isNumeral}
}

// numbered is a text of Unix seconds as a number.
func numbered(bound write.ConfigValue) write.ConfigValue {
	if text, isText := bound.(write.Text); isText {
		return write.Word(text)
	}
	if write.Same(bound, dateOf("U")) {
		return write.Calling("time")
	}
	return write.Calling("strtotime", write.Text("+0 seconds"), bound)
}

// inject puts the bounds where their options say.
func (k *timeCursor) inject(s *Stream, j *write.PlannedJob, sc template.Scope) {
	if k == nil {
		return
	}
	for i, option := range []*manifest.Section{k.startOption, k.endOption} {
		if option == nil {
			continue
		}
		k.isUsed = true
		value := []write.ConfigValue{k.start, k.end}[i]
		if value == nil {
			option.Know()
			continue
		}
		if k.isNumber && option.Get("inject_into").Text() == "body_json" {
			value = write.Calling("concat", value)
		}
		k.usesEnd = k.usesEnd || option == k.endOption
		s.try(option, func() { j.Put(spotOf(option, sc), value) })
	}
}

// begin is before the requests of a job are read.
func (k *timeCursor) begin() {
	if k != nil {
		k.isUsed, k.usesEnd = false, false
	}
}

// apart reads what is not in a request: bounds that it names do not count.
func (k *timeCursor) apart(read func()) {
	if k == nil {
		read()
		return
	}
	isUsed, usesEnd := k.isUsed, k.usesEnd
	read()
	k.isUsed, k.usesEnd = isUsed, usesEnd
}

// divide gives a job the windows, if its requests name them. If they do not, each window would ask for the same.
func (k *timeCursor) divide(s *Stream, j *write.PlannedJob) {
	if k == nil || !k.isUsed {
		return
	}
	j.Windows = k.windows
	s.Refusals = append(s.Refusals, k.said.Refusals...)
	s.More = append(s.More, k.said.More...)
	s.widenIf(k.late != nil && (k.usesEnd || k.windows != nil), k.late,
		"the end is after now: each run asks until its own time, also when the end has passed")
}

// countCursor asks for what has a greater number than all that came.
func (c *Conversion) countCursor(s *Stream, n, at *manifest.Section, isWhole bool) *timeCursor {
	at.Ignore("allow_catalog_defined_cursor_field")
	s.refuseIf(n.Get("retriever").Get("partition_router") != nil, at, "it does not work beside a partition router, in Airbyte either")
	k := &timeCursor{startName: "start", endName: "end", startOption: at.Get("start_value_option"), said: &Stream{}}
	k.start = number(0)
	if v := at.Get("start_value"); v != nil && !k.said.try(v, func() { k.start = c.scope().Mean(v).Value() }) {
		return k
	}
	if isWhole {
		at.Ignore("cursor_field")
		return k
	}
	if path := k.said.followed(c, n, at); path != "" {
		k.start = write.Calling("last", write.Text(path), k.start)
	}
	return k
}
