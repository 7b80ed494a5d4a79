package paginate

import (
	"time"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
)

// stops are the conditions that all methods share; zero values are absent.
type stops struct {
	limit limitStop
	force forceStop
	flags []nextPageFlag
	sums  []sumStop
	// trustEnd: the end counts whatever the answers say.
	trustEnd bool
	empty    emptyStop
}

// emptyStop says which page without items ends a walk.
type emptyStop struct {
	// after is how many such pages in a row, and a short one ends no walk then; 0: as
	// the method has it.
	after int64
	// never: none ends a walk that the answers lead on.
	never bool
}

// limitStop ends a walk at a number of items.
type limitStop struct {
	count int64
	// field is the path of the number in the response.
	field item.Path
	// at is the index of field in [Facts].Values.
	at int
	// reason ends the walk when as many have come, missing where the number is not
	// there.
	reason, missing report.StopReason
}

// forceStop ends a walk at a bound of a person.
type forceStop struct {
	pages  int64
	time   time.Duration
	volume int64
}

// nextPageFlag ends a walk by a value of the response that is read as a boolean.
type nextPageFlag struct {
	// field is its path.
	field item.Path
	// place is that path for people.
	place string
	// at is the index of field in [Facts].Values.
	at int
	// stopOn is the value at which to stop, ifNotSet what a missing one counts as.
	stopOn, ifNotSet bool
	// bit is that of the flag in [Bounds].Flagged.
	bit uint64
}

// mostFlags is how many flags may stand in one list.
const mostFlags = 16

// A sumStop ends a walk where a sum of numbers of the answer has reached another one.
type sumStop struct{ boundedSum }

// newStops decodes the conditions; a method may have emptyStop by default.
func newStops(o *config.ObjectDecoder, m Method, p *config.Problems) stops {
	var s stops
	s.empty.decode(o, m, p)
	s.limit.decode(o.Object("limitStop", "Stop at a number of items."), p)
	s.force.decode(o.Object("forceStop", "Stop at a bound of one's own."), p)
	for _, n := range several(o, "nextPageFlag", "Stop when a member of the response says so, or one of several.", p) {
		s.flags = append(s.flags, decodeFlag(config.NewObjectDecoder(n, p)))
	}
	for _, n := range several(o, "sumStop", "Stop when a sum of numbers of the response has reached another one, or one of several sums.", p) {
		s.sums = append(s.sums, decodeSumStop(config.NewObjectDecoder(n, p), p))
	}
	s.trustEnd = o.Bool("trustEnd", false,
		"Whether the end counts although an answer says that there is more.")
	return s
}

func (s *stops) mayEndBy() (all []report.StopReason) {
	add := func(isConfigured bool, reasons ...report.StopReason) {
		if isConfigured {
			all = append(all, reasons...)
		}
	}
	add(s.empty.after > 0, report.StopEmptyPage)
	add(s.limit.count > 0, report.StopLimitCount)
	add(s.limit.field != nil, s.limit.reason, s.limit.missing)
	add(s.force.pages > 0, report.StopForcePages)
	add(s.force.time > 0, report.StopForceTime)
	add(s.force.volume > 0, report.StopForceVolume)
	add(len(s.flags) > 0, report.StopNextPageFlag, report.StopFlagMissing)
	add(len(s.sums) > 0, report.StopSumBound)
	return all
}

func (e *emptyStop) decode(o *config.ObjectDecoder, m Method, p *config.Problems) {
	n := o.Any("emptyStop", "After how many pages in a row without items paging ends; a short page then does "+
		"not end it. true is 1, as with advance: items; false is never, if the answers lead on.", "boolean", "integer")
	offset, ok := m.(offsetter)
	if ok && offset.advancesByItems() {
		e.after = 1
	}
	if n == nil {
		return
	}
	pages, isNumber := n.Int()
	switch text := n.Text(); {
	case text == "true":
		e.after = 1
	case text == "false", text == "", isNumber && pages == 0:
		e.after, e.never = 0, true
	case isNumber && pages > 0:
		e.after = pages
	default:
		p.Errorf(n, "must be true, false or a positive number of pages, not %s", n.Raw)
	}
	led, ok := m.(itemLed)
	isStuck := ok && led.needsItems()
	if isStuck && e.after > 1 {
		p.Errorf(n, "must be true: a page without items leads to no other page here, "+
			"so the same one would be asked for again")
	}
}

func (l *limitStop) decode(o *config.ObjectDecoder, p *config.Problems) {
	l.count = positive(o, p, "count", "Number of items.")
	field := o.Text("field", "", "Path in the response of the number of items.")
	header := o.Text("header", "", "Header of the number of items.", "X-Total-Count")
	l.reason, l.missing = report.StopLimitField, report.StopLimitFieldMissing
	if field != "" {
		l.field = item.ParsePath(field, ".")
	}
	if header != "" {
		l.reason, l.missing = report.StopLimitHeader, report.StopLimitHeaderMissing
		l.field = evidence.HeaderPath(header)
	}
	o.Filled("field", "header")
	given := 0
	for _, name := range []string{"count", "field", "header"} {
		if o.Node().Member(name) != nil {
			given++
		}
	}
	if o.Node() != nil && given != 1 {
		p.Errorf(o.Node(), "must have exactly one of count, field and header")
	}
	o.Done()
}

func (b *forceStop) decode(o *config.ObjectDecoder, p *config.Problems) {
	b.pages = positive(o, p, "pages", "Number of pages.")
	b.volume = positive(o, p, "volume",
		"Bytes of the job's pages as compact JSON that may not be exceeded.")
	n := o.Any("time", "Seconds since the job's first request, or text such as 2 minutes.",
		"integer", "string")
	if n != nil {
		d, err := Duration(n)
		if err != nil {
			p.Errorf(n, "%v", err)
		}
		b.time = d
	}
	o.Done()
}

// several are the objects of a member that is one, or a list of them. Their members are those of a definition of its name.
func several(o *config.ObjectDecoder, name, doc string, p *config.Problems) []*config.Node {
	n := o.Any(name, doc, name, "["+name+"]")
	switch {
	case n == nil:
		return nil
	case n.Kind != '[':
		return []*config.Node{n}
	case len(n.Elems) > mostFlags:
		p.Errorf(n, "must have at most %d elements, not %d", mostFlags, len(n.Elems))
	}
	return n.Elems
}

func decodeFlag(o *config.ObjectDecoder) (n nextPageFlag) {
	field := o.Text("field", "", "Path in the response.")
	n.stopOn = o.Bool("stopOn", false, "The value at which to stop.")
	n.ifNotSet = o.Bool("ifNotSet", n.stopOn, "What a missing member counts as; by default stopOn.")
	o.Require("field", "stopOn")
	o.Done()
	n.field = item.ParsePath(field, ".")
	return n
}

func decodeSumStop(o *config.ObjectDecoder, p *config.Problems) sumStop {
	s := sumStop{boundedSum{what: "sumStop"}}
	s.decode(o, "The numbers that are added.", p)
	o.Require("add")
	o.Done()
	if n := o.Node(); n != nil && s.bound == nil && n.Member("below") == nil && n.Member("upTo") == nil {
		p.Errorf(n, "needs below or upTo: what the sum is compared with")
	}
	return s
}
