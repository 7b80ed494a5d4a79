package paginate

import (
	"net/http"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// What ends a walk, in the order in which it is asked: that the page is no new one,
// the conditions that all methods share, and the method's own rule.

func (s *stops) judge(st *State, f *Facts, out *PageOutcome) error {
	s.limit.judge(st, f, out)
	s.force.judge(st, f, out)
	for i := range s.flags {
		s.flags[i].judge(st, f, out)
	}
	for i := range s.sums {
		if err := s.sums[i].judge(f, out); err != nil {
			return err
		}
	}
	return nil
}

// judge ends a walk whose sum is beyond its bound. One of which a number is missing ends nothing.
func (s *sumStop) judge(f *Facts, out *PageOutcome) error {
	if out.Stop != nil {
		return nil
	}
	sum, ok, err := s.sum(f)
	if err != nil || !ok {
		return err
	}
	isEnd, err := s.isBeyond(sum, f)
	if isEnd {
		out.stop(report.StopSumBound)
	}
	return err
}

func (l *limitStop) judge(st *State, f *Facts, out *PageOutcome) {
	if l.count > 0 && st.Items >= l.count {
		out.stop(report.StopLimitCount)
	}
	if l.field == nil {
		return
	}
	limit, ok := item.DecimalOf(f.Values[l.at])
	isNothing := f.Status == http.StatusNoContent && st.Items == 0
	switch {
	case isNothing:
		// The method ends the walk: of nothing there is no number.
	case !ok, limit.CompareInt(0) < 0:
		if out.Stop == nil {
			out.doubt(verdict.NoLimit.Raise(l.reason, evidence.Place(l.field)))
		}
		out.stop(l.missing)
	case limit.CompareInt(st.reached()) <= 0:
		l.doubtMore(limit, st, f, out)
		out.stop(l.reason)
		st.Bounds.Exact = l.isExact(limit, st, f)
	}
	l.watch(st, f, out)
	number, isInteger := item.Integer(f.Values[l.at])
	if isFirst := out.Limit.At == ""; isInteger && isFirst && !f.Spread {
		out.Limit = evidence.Whole{Items: number, At: evidence.Place(l.field)}
	}
}

// isReached tells whether as many items have come as the response says that there are.
func (l *limitStop) isReached(st *State, f *Facts) bool {
	if l.field == nil {
		return false
	}
	limit, ok := item.DecimalOf(f.Values[l.at])
	return ok && limit.CompareInt(st.Items) <= 0
}

// isExact tells whether just as many items have come as the response says, and these are more than one page, or the name of
// the number is that of all items and the page is not full: else it may be the number of the page.
func (l *limitStop) isExact(limit item.Decimal, st *State, f *Facts) bool {
	if st.OtherPages > 0 || limit.CompareInt(st.reached()) != 0 {
		return false
	}
	isShort := int64(f.Items) < st.Own.Limit
	return st.Pages > 1 || isShort && evidence.CountsAll(l.field)
}

// doubtMore is for more items than the response says that there are.
func (l *limitStop) doubtMore(limit item.Decimal, st *State, f *Facts, out *PageOutcome) {
	// Pages of other shards count as if they were full.
	if st.OtherPages != 0 || limit.CompareInt(st.reached()) == 0 {
		return
	}
	// Of several arrays the number may count what has these.
	isTold := out.Stop != nil || st.Bounds.Shrunk
	if isTold || f.Spread {
		return
	}
	out.doubt(verdict.MoreThanLimit.Raise(l.reason, verdict.Counted(st.reached()), l.text(f), evidence.Place(l.field)))
}

// watch warns, once, of a number that became less while paging: items may have moved
// to pages read before, unless pages overlap.
func (l *limitStop) watch(st *State, f *Facts, out *PageOutcome) {
	b := &st.Bounds
	now, ok := item.DecimalOf(f.Values[l.at])
	if !ok {
		return
	}
	before, isKnown := item.DecimalOf([]byte(b.LimitField))
	isHarmless := b.Shrunk || st.Overlap.By > 0
	if isKnown && now.Compare(before) < 0 && !isHarmless {
		b.Shrunk = true
		earlier, _ := item.Text([]byte(b.LimitField))
		out.doubt(verdict.LimitFell.Raise(l.reason, evidence.Place(l.field), l.text(f), strings.TrimSpace(earlier)))
	}
	b.LimitField = string(f.Values[l.at])
}

// text is the number of the response.
func (l *limitStop) text(f *Facts) string {
	text, _ := item.Text(f.Values[l.at])
	return strings.TrimSpace(text)
}

func (l *limitStop) verify(st *State, f *Facts, out *PageOutcome) {
	if l.field == nil {
		return
	}
	limit, ok := item.DecimalOf(f.Values[l.at])
	if ok && limit.CompareInt(st.reached()) > 0 {
		out.doubt(verdict.FewerThanLimit.Raise(verdict.Counted(st.reached()), l.text(f), evidence.Place(l.field)))
	}
}

func (b *forceStop) judge(st *State, f *Facts, out *PageOutcome) {
	if b.pages > 0 && int64(st.Pages) >= b.pages {
		out.stop(report.StopForcePages)
	}
	if b.time > 0 && f.At.Sub(st.Started) >= b.time {
		out.stop(report.StopForceTime)
	}
	if b.volume > 0 && st.Bytes > b.volume {
		out.stop(report.StopForceVolume)
	}
}

func (n *nextPageFlag) judge(st *State, f *Facts, out *PageOutcome) {
	value := f.Values[n.at]
	isMissing := value == nil || item.Kind(value) == 'n'
	if !isMissing {
		st.Bounds.Flagged |= n.bit
	}
	if out.Stop != nil {
		return
	}
	if isMissing {
		n.judgeMissing(st, f, out)
		return
	}
	if evidence.True(value) == n.stopOn {
		out.stop(report.StopNextPageFlag)
		// The flag says that there is no link to be missed.
		out.NoLink = ""
	}
}

// saysMore tells whether the flag is there and says that there is a next page.
func (n *nextPageFlag) saysMore(f *Facts) bool {
	value := f.Values[n.at]
	return value != nil && item.Kind(value) != 'n' && evidence.True(value) != n.stopOn
}

func (n *nextPageFlag) judgeMissing(st *State, f *Facts, out *PageOutcome) {
	if n.ifNotSet != n.stopOn {
		return
	}
	isLeftOut := st.Bounds.Flagged&n.bit != 0 || st.Pages == 1 && f.saysNoMore(st)
	if !isLeftOut {
		out.doubt(verdict.NoFlag.Raise(n.field, !n.stopOn, evidence.Near(n.field, f.Names)))
	}
	// It said "more" before, or the walk had ended: an API may leave it out on the last page. An answer
	// without an array of items leaves out more than that.
	isWhole := f.Array || f.Status == http.StatusNoContent
	if isLeftOut && isWhole {
		out.stop(report.StopNextPageFlag)
		out.NoLink = ""
		return
	}
	out.stop(report.StopFlagMissing)
}

// saysNoMore tells whether a first page shows by its items that there are no more: it has none, as 204 says of no body, or
// fewer than were asked for, and no number at which an API may cap its pages.
func (f *Facts) saysNoMore(st *State) bool {
	if f.Items == 0 {
		return f.Array || f.Status == http.StatusNoContent
	}
	isShort := int64(f.Items) < st.Own.Limit || st.Asked.Numbers().AsksForMore(f.Items)
	return f.Array && isShort && !evidence.Round(f.Items)
}

func (n *nextPageFlag) verify(st *State, out *PageOutcome) {
	if st.Bounds.Flagged&n.bit == 0 {
		out.doubt(verdict.Note("nextPageFlag: no response had the member %s: check field", n.field))
	}
}

// says is what the flag says of what follows; 0: it is not there.
func (n *nextPageFlag) says(f *Facts) verdict.StatementKind {
	value := f.Values[n.at]
	switch item.Kind(value) {
	case 'n', '{', '[':
		// What is there only on pages with items says nothing of the next one.
		return 0
	}
	if n.saysMore(f) {
		return verdict.More
	}
	return verdict.NoMore
}
