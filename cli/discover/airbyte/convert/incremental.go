package convert

import (
	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/times"
	"sluice/cli/discover/airbyte/write"
)

// cursor converts incremental_sync; nil: the stream has none.
func (c *Conversion) cursor(s *Stream, n *manifest.Section, isWhole bool) *timeCursor {
	at := n.Get("incremental_sync")
	switch at.Kind() {
	case "DatetimeBasedCursor":
		return c.datetimeCursor(s, n, at, isWhole)
	case "IncrementingCountCursor":
		return c.countCursor(s, n, at, isWhole)
	}
	s.refuseWhole(at, manifest.ClassName(at)+" is a Python class, which cannot be converted")
	return nil
}

// followed is where items have the cursor field; empty: it is not known, and all is read each time.
func (s *Stream) followed(c *Conversion, n, at *manifest.Section) string {
	field, ok := decided(c.scope(), at.Get("cursor_field"))
	if !ok || field == "" {
		s.Refuse(at, "--values does not determine the name in cursor_field")
		return ""
	}
	path, found := fieldOrigin(n, field)
	if found == unknown {
		s.widen(at, "each run reads everything since the start: "+field+
			" is made by a transformation, so items do not have it as they come")
		return ""
	}
	return path
}

func (c *Conversion) datetimeCursor(s *Stream, n, at *manifest.Section, isWhole bool) *timeCursor {
	at.Ignore("is_compare_strictly", "allow_catalog_defined_cursor_field")
	isGlobal := at.Get("global_substream_cursor").Truth(false) && n.Get("retriever").Get("partition_router") != nil
	c.Values.NoteIf(isGlobal && !isWhole,
		"global_substream_cursor: Airbyte asks below each parent for what is newer than the newest item of all; "+
			"sluice keeps a time for each parent, so later runs ask for more")
	s.widenIf(at.Get("is_data_feed").Truth(false), at,
		"is_data_feed: all pages are read, also those with what is older than the start")
	s.widenIf(at.Get("is_client_side_incremental").Truth(false), at,
		"is_client_side_incremental: items older than the start or the last run come, too")
	p := &slicing{conversion: c, scope: c.scope(), stream: &Stream{}, whole: s, at: at, isWhole: isWhole}
	p.stream.refuseWhole(at.Get("clamping"), "clamping is not supported: windows of sluice begin at the start")
	return p.cursor(n)
}

// cursor reads the formats and bounds.
func (p *slicing) cursor(n *manifest.Section) *timeCursor {
	k := &timeCursor{
		startName:   p.name("partition_field_start", "start_time"),
		endName:     p.name("partition_field_end", "end_time"),
		startOption: p.at.Get("start_time_option"),
		endOption:   p.at.Get("end_time_option"),
		said:        p.stream,
	}
	text, _ := decided(p.scope, p.at.Get("datetime_format"))
	isRead := p.stream.try(p.member("datetime_format"), func() {
		var err error
		p.format, err = times.ParseLayout(text)
		fault.Check(err)
		fault.If(text == "", "--values does not determine datetime_format")
	})
	k.isNumeral, k.format = p.format.IsNumeral(), text
	for _, e := range p.at.Get("cursor_datetime_formats").Elements() {
		// One that we cannot write is one that we cannot follow.
		f, _ := times.ParseLayout(e.Text())
		p.items = append(p.items, f)
	}
	if p.items == nil {
		p.items = []times.Layout{p.format}
	}
	p.lookback = p.period("lookback_window")
	p.at.Ignore("cursor_field")
	if !p.isWhole {
		p.path = p.stream.followed(p.conversion, n, p.at)
	}
	start, isSaid := p.readBound("start_datetime")
	end, hasEnd := p.readBound("end_datetime")
	if !isRead || !isSaid {
		p.at.Ignore("step", "cursor_granularity")
		return k
	}
	p.check(start, end, hasEnd)
	if hasEnd && p.isAfterNow(end) {
		k.late = p.at.Get("end_datetime")
		hasEnd = false
	}
	step, granularity := p.period("step"), p.period("cursor_granularity")
	if step.IsZero() {
		k.start, k.end = p.since(start), dateOf(p.format.Date(0))
		if hasEnd {
			k.end = end.sent(p.format)
		}
		return k
	}
	isDivided := p.stream.try(p.member("step"), func() { p.divide(k, start, step, granularity) })
	if isDivided {
		p.compare(start, end, step, hasEnd)
	}
	if isDivided && hasEnd {
		p.endAt(k, end)
	}
	return k
}

// isAfterNow tells that a time is after that of the conversion.
func (p *slicing) isAfterNow(b bound) bool { return b.isKnown && b.at.After(p.scope.Values.Now) }

// check refuses a time in which Airbyte asks for nothing.
func (p *slicing) check(start, end bound, hasEnd bool) {
	areKnown := hasEnd && start.isKnown && end.isKnown
	switch {
	case p.isAfterNow(start):
		p.whole.Refuse(p.at.Get("start_datetime"), "the start is after now, so Airbyte sends no request yet")
	case areKnown && !start.at.Before(end.at):
		p.whole.Refuse(p.at.Get("end_datetime"), "the end is not after the start, so Airbyte sends no request")
	}
}

// since is the start in requests, without windows.
func (p *slicing) since(start bound) write.ConfigValue {
	isSame := len(p.items) == 1 && p.items[0].Text == p.format.Text
	switch {
	case p.followsDates():
		// The texts of items are sent as they are, but for Z, which Airbyte writes as +0000.
		if isSame && (start.hasOffset() || !p.format.HasZone || p.format.Digits > 0) {
			return p.last(start.sent(p.format))
		}
		p.inUTC("start_datetime", start)
		p.sayCut(start)
		return dateOf(p.format.Date(0), write.Calling("strtotime", p.last(start.dated())))
	case p.followsNumbers():
		// A text, as the manifest sends it.
		if isSame && p.lookback.IsZero() {
			return write.Calling("last", write.Text(p.path), start.sent(p.format))
		}
		if last := p.lastSeconds(start); last != nil {
			p.sayCut(start)
			return dateOf(p.format.Date(0), last)
		}
	}
	p.giveUp()
	return start.sent(p.format)
}
