package paginate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/expr"
)

// stops are the conditions that all methods share (docs/decisions.md, section 6); zero values are absent.
type stops struct {
	limitCount   int64
	limitField   item.Path
	limitReason  pipeline.StopReason // when as many have come
	limitMissing pipeline.StopReason // where the number is not there
	forcePages   int64
	forceTime    time.Duration
	forceVolume  int64
	flag         item.Path // nextPageFlag: a value of the response that is read as a boolean
	stopOn       bool
	trustEnd     bool // the end counts whatever the answers say
	ifNotSet     bool
	emptyStop    bool

	limitAt, flagAt int // indices of limitField and flag in [Facts].Values
}

// newStops decodes the conditions; a method may have emptyStop by default.
func newStops(o *config.Object, m Method, p *config.Problems) stops {
	var s stops
	offset, ok := m.(offsetter)
	byItems := ok && offset.advancesByItems()
	s.emptyStop = o.Bool("emptyStop", byItems, "Whether only an empty page ends a walk, and not a short one; by default only with advance: items.")
	s.decodeLimit(o.Object("limitStop", "Stop at a number of items."), p)
	s.decodeForce(o.Object("forceStop", "Stop at a bound of one's own."), p)
	s.decodeFlag(o.Object("nextPageFlag", "Stop when a member of the response says so."))
	s.trustEnd = o.Bool("trustEnd", false, "Whether the end counts although an answer says that there is more.")
	return s
}

func (s *stops) decodeLimit(o *config.Object, p *config.Problems) {
	s.limitCount = positive(o, p, "count", "Number of items.")
	field := o.Text("field", "", "Path in the response of the number of items.")
	header := o.Text("header", "", "Header of the number of items.", "X-Total-Count")
	if s.limitReason, s.limitMissing = pipeline.StopLimitField, pipeline.StopLimitFieldMissing; field != "" {
		s.limitField = item.ParsePath(field, ".")
	}
	if header != "" {
		s.limitReason, s.limitMissing = pipeline.StopLimitHeader, pipeline.StopLimitHeaderMissing
		s.limitField = evidence.HeaderPath(header)
	}
	given := slices.DeleteFunc([]string{"count", "field", "header"}, func(name string) bool { return o.Node().Member(name) == nil })
	o.Filled("field", "header")
	if o.Node() != nil && len(given) != 1 {
		p.Errorf(o.Node(), "must have exactly one of count, field and header")
	}
	o.Done()
}

func (s *stops) decodeForce(o *config.Object, p *config.Problems) {
	s.forcePages = positive(o, p, "pages", "Number of pages.")
	s.forceVolume = positive(o, p, "volume", "Bytes of the job's pages as compact JSON that may not be exceeded.")
	if n := o.Any("time", "Seconds since the job's first request, or text such as 2 minutes.", "integer", "string"); n != nil {
		d, err := Duration(n)
		if err != nil {
			p.Errorf(n, "%v", err)
		}
		s.forceTime = d
	}
	o.Done()
}

// Duration reads seconds, or a relative text such as "2 minutes".
func Duration(n *config.Node) (time.Duration, error) {
	if seconds, ok := n.Int(); ok && seconds > 0 && seconds <= 1<<31 {
		return time.Duration(seconds) * time.Second, nil
	}
	if n.Kind == '"' {
		if d, fixed := fixedAmount(n.Text()); fixed {
			return d, nil
		}
	}
	return 0, fmt.Errorf("must be a positive number of seconds, or a text such as \"2 minutes\", not %s", n.Raw)
}

// fixedAmount reads an amount of time that leads equally far from any time. A date does not, and neither do months
// and weekdays: a Monday in a month of 31 days and a Saturday in one of 30 days tell them apart.
func fixedAmount(text string) (amount time.Duration, fixed bool) {
	monday := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	saturday := time.Date(2003, 6, 28, 12, 0, 1, 0, time.UTC)
	from := expr.TimeFrom(text)
	one, err1 := from(monday)
	other, err2 := from(saturday)
	if err1 != nil || err2 != nil {
		return 0, false
	}
	amount = one.Sub(monday)
	return amount, amount > 0 && amount == other.Sub(saturday)
}

func (s *stops) decodeFlag(o *config.Object) {
	field := o.Text("field", "", "Path in the response.")
	s.stopOn = o.Bool("stopOn", false, "The value at which to stop.")
	s.ifNotSet = o.Bool("ifNotSet", s.stopOn, "What a missing member counts as; by default stopOn.")
	o.Require("field", "stopOn")
	o.Done()
	if o.Node() != nil {
		s.flag = item.ParsePath(field, ".")
	}
}

// emptyStop tells whether a page without items ends the walk, and a short one does not.
func (p *Paging) emptyStop() bool {
	return slices.ContainsFunc(p.stops, func(s stops) bool { return s.emptyStop })
}

// mayEndBy lists the reasons by which the conditions may end a walk.
func (s *stops) mayEndBy() (all []pipeline.StopReason) {
	add := func(configured bool, reason pipeline.StopReason) {
		if configured {
			all = append(all, reason)
		}
	}
	add(s.emptyStop, pipeline.StopEmptyPage)
	add(s.limitCount > 0, pipeline.StopLimitCount)
	add(s.limitField != nil, s.limitReason)
	add(s.limitField != nil, s.limitMissing)
	add(s.forcePages > 0, pipeline.StopForcePages)
	add(s.forceTime > 0, pipeline.StopForceTime)
	add(s.forceVolume > 0, pipeline.StopForceVolume)
	add(s.flag != nil, pipeline.StopNextPageFlag)
	add(s.flag != nil, pipeline.StopFlagMissing)
	return all
}

// judge enters the first condition that says stop, if nothing has; st counts the page already.
func (s *stops) judge(st *State, f *Facts, out *Outcome) {
	stop := func(reason pipeline.StopReason) {
		if out.Stop == nil {
			out.Stop = pipeline.EndedBy(reason)
		}
	}
	if s.limitCount > 0 && st.Items >= s.limitCount {
		stop(pipeline.StopLimitCount)
	}
	if s.limitField != nil {
		limit, ok := item.DecimalOf(f.Values[s.limitAt])
		switch {
		case !ok:
			if out.Stop == nil {
				out.warn(pipeline.Unverified, "%s: the response has no number at %s", s.limitReason, evidence.Place(s.limitField))
			}
			stop(s.limitMissing)
		case limit.CompareInt(st.Items) <= 0:
			stop(s.limitReason)
		}
		s.watch(st, f, out)
	}
	if s.forcePages > 0 && int64(st.Pages) >= s.forcePages {
		stop(pipeline.StopForcePages)
	}
	if s.forceTime > 0 && f.At.Sub(st.Started) >= s.forceTime {
		stop(pipeline.StopForceTime)
	}
	if s.forceVolume > 0 && st.Bytes > s.forceVolume {
		stop(pipeline.StopForceVolume)
	}
	if s.flag == nil {
		return
	}
	value := f.Values[s.flagAt]
	missing := value == nil || item.Kind(value) == 'n'
	st.Flagged = st.Flagged || !missing
	switch {
	case missing && s.ifNotSet == s.stopOn:
		if out.Stop == nil && !st.Flagged {
			out.warn(pipeline.Unverified, "nextPageFlag: the response has no %s, which counts as the sign to stop: check field, or set ifNotSet to %t%s", s.flag, !s.stopOn, evidence.Near(s.flag, f.Names))
		}
		stop(pipeline.StopFlagMissing)
	case !missing && item.True(value) == s.stopOn:
		if out.Stop == nil {
			out.NoLink = "" // the flag says that there is no link to be missed
		}
		stop(pipeline.StopNextPageFlag)
	}
}

// watch warns, once, of a number that became less while paging: items may have moved to pages read before.
func (s *stops) watch(st *State, f *Facts, out *Outcome) {
	before, was := item.DecimalOf([]byte(st.LimitField))
	now, is := item.DecimalOf(f.Values[s.limitAt])
	if is && was && now.Compare(before) < 0 && !st.Shrunk {
		st.Shrunk = true
		earlier, _ := item.Text([]byte(st.LimitField))
		later, _ := item.Text(f.Values[s.limitAt])
		out.warn(pipeline.Unverified, "%s: %s became less while the pages were read, %s after %s: items may have been removed, and others missed for that",
			s.limitReason, evidence.Place(s.limitField), strings.TrimSpace(later), strings.TrimSpace(earlier))
	}
	if is {
		st.LimitField = string(f.Values[s.limitAt])
	}
}

// verify makes an end by the method's own rule incomplete if the response says that there are more items.
func (s *stops) verify(st *State, f *Facts, out *Outcome) {
	if s.flag != nil && !st.Flagged {
		out.warn(pipeline.Complete, "nextPageFlag: no response had the member %s: check field", s.flag)
	}
	if s.limitField == nil {
		return
	}
	if limit, ok := item.DecimalOf(f.Values[s.limitAt]); ok && limit.CompareInt(st.Items) > 0 {
		text, _ := item.Text(f.Values[s.limitAt])
		out.warn(pipeline.Incomplete, "%d items came where the response says %s at %s", st.Items, strings.TrimSpace(text), evidence.Place(s.limitField))
	}
}

// positive reads an option that must be a positive number; 0 is none.
func positive(o *config.Object, p *config.Problems, name, doc string) int64 {
	v, n := o.Int(name, 0, doc)
	if n != nil && v <= 0 {
		p.Errorf(n, "must be positive")
	}
	return v
}
