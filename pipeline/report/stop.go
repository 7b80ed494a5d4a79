package report

import (
	"maps"
	"slices"
)

// A StopReason says why a walk ended, as the report writes it; empty: it has not
// ended. What it means stands in one table, stopRules. One that another version of
// the program wrote may be unknown.
type StopReason string

// The stop reasons.
const (
	StopUnderflow          StopReason = "underflow"
	StopEmptyPage          StopReason = "empty page"
	StopNothingNew         StopReason = "nothing new"
	StopNoNextPage         StopReason = "no next page"
	StopNoGrowth           StopReason = "no growth"
	StopSumBound           StopReason = "bound of add"
	StopEndOfExport        StopReason = "end of export"
	StopEndOn              StopReason = "endOn"
	StopEmptyOn            StopReason = "emptyOn"
	StopNoPage             StopReason = "no such page"
	StopNoPaging           StopReason = "no paging"
	StopRepeatedPage       StopReason = "repeated page"
	StopRepeatedItems      StopReason = "repeated items"
	StopEmptyPages         StopReason = "empty pages"
	StopBeyondTotal        StopReason = "beyond the total"
	StopUntil              StopReason = "until"
	StopNextPageFlag       StopReason = "nextPageFlag"
	StopFlagMissing        StopReason = "nextPageFlag missing"
	StopLimitCount         StopReason = "limitStop.count"
	StopLimitField         StopReason = "limitStop.field"
	StopLimitFieldMissing  StopReason = "limitStop.field missing"
	StopLimitHeader        StopReason = "limitStop.header"
	StopLimitHeaderMissing StopReason = "limitStop.header missing"
	StopForcePages         StopReason = "forceStop.pages"
	StopForceTime          StopReason = "forceStop.time"
	StopForceVolume        StopReason = "forceStop.volume"
	StopFailed             StopReason = "failed"
)

// A StopRule says what a stop reason means.
type StopRule struct {
	// Words say to people what happened; docs/missing-data.md has them too.
	Words string
	// Verdict is what the reason means if nothing speaks against the end.
	Verdict Verdict
	// Chosen: a bound is no end of the data, so the answers are not searched for
	// evidence against it.
	Chosen bool
	// Declared: by the configuration nothing behind the end is wanted, so they are not searched either.
	Declared bool
	// Proof: the items ran out, which counts more than a cursor, or a link beside a
	// total that was reached.
	Proof bool
	// Short: the page had fewer items than the limit, which ends no walk with
	// emptyStop.
	Short bool
	// Refused: the API said that there is no such page, and nothing else.
	Refused bool
	// Counted: as many items came as an answer says that there are.
	Counted bool
	// Flagged: an answer says in a configured place that there is no more.
	Flagged bool
	// Unled: the answer has no next page in the place where paging reads it.
	Unled bool
	// Standing: what the answer says leads to no page behind it.
	Standing bool
	// Bounded: a number of an answer bounds what a next page is computed of.
	Bounded bool
	// Single: there is one request.
	Single bool
	// Shown: the API was asked for what comes after, and has nothing.
	Shown bool
	// Beyond says what --confirm-end can ask for after such an end.
	Beyond Beyond
	// Divisible: shards can share the pages of a walk that a condition may end so.
	Divisible bool
	// CutShort: the run failed, and its error says why.
	CutShort bool
}

// Unsearched tells whether the answers are not searched for evidence against the end.
func (r *StopRule) Unsearched() bool { return r.Chosen || r.Declared }

// Beyond says what is known of the page after the end of a walk.
type Beyond int

const (
	// BeyondUnknown is an end after which no request is known.
	BeyondUnknown Beyond = iota
	// BeyondNext is an end after which the paging method can name one more request.
	BeyondNext
	// BeyondNothing is an end beyond which there is no page, or none is wanted.
	BeyondNothing
)

// stopRules are all the stop reasons there are.
var stopRules = map[StopReason]StopRule{
	StopUnderflow: {
		Words:     "a page held fewer items than the limit",
		Proof:     true,
		Short:     true,
		Beyond:    BeyondNext,
		Divisible: true,
	},
	StopEmptyPage: {
		Words: "a page held no items, where there is no limit, with `emptyStop` or `advance`, " +
			"or after as many items as the answers say that there are",
		Proof:  true,
		Beyond: BeyondNext,
	},
	StopNothingNew: {
		Words: "a page held only the item that the cursor named, or the page before again where all " +
			"items have come, and is not emitted; or it had no items, twice, and led to itself",
		Proof:     true,
		Shown:     true,
		Beyond:    BeyondNothing,
		Divisible: true,
	},
	StopNoNextPage: {
		Words: "the answer has no next page where `api.pagination` looks for one",
		Unled: true,
	},
	StopNoGrowth: {
		Words:    "the next page that `add` computes is not behind the page itself, which has items",
		Verdict:  Unverified,
		Standing: true,
		Beyond:   BeyondNothing,
	},
	StopSumBound: {
		Words:   "the sum of `add`, of the next page or of `sumStop`, lies beyond `below` or `upTo`",
		Bounded: true,
	},
	StopEndOfExport: {
		Words:  "the next page would begin too recently (Zendesk)",
		Beyond: BeyondNothing,
	},
	StopEndOn: {
		Words:     "a condition of `endOn` held: there is no such page",
		Proof:     true,
		Refused:   true,
		Beyond:    BeyondNothing,
		Divisible: true,
	},
	StopEmptyOn: {
		Words:     "a condition of `emptyOn` held for the first answer: there is nothing",
		Proof:     true,
		Refused:   true,
		Beyond:    BeyondNothing,
		Divisible: true,
	},
	StopNoPage: {
		Words:     "a shard asked for a page beyond a full one, and there was none",
		Divisible: true,
	},
	StopNoPaging: {
		Words:  "`api.pagination` is absent: one request",
		Single: true,
	},
	StopRepeatedPage: {
		Words:     "a page was the same as the one before it; it is not emitted",
		Verdict:   Unverified,
		Beyond:    BeyondNothing,
		Divisible: true,
	},
	StopRepeatedItems: {
		Words:     "100 pages in a row had no new item, by keys or members; or pages without keys went round, and no total says that more is to come",
		Verdict:   Unverified,
		Beyond:    BeyondNothing,
		Divisible: true,
	},
	StopEmptyPages: {
		Words:   "1,000 pages in a row had no items, and each led to a next one; or each had one object, and the array beside it had nothing any more",
		Verdict: Unverified,
		Beyond:  BeyondNothing,
	},
	StopBeyondTotal: {
		Words:     "twice as many items came as the answers say that there are",
		Verdict:   Unverified,
		Beyond:    BeyondNothing,
		Divisible: true,
	},
	StopUntil: {
		Words: "the last item of a page is older than `before` of `until`, by more than `slack`; or two pages later, " +
			"where the order was broken",
		Declared: true,
		Beyond:   BeyondNothing,
	},
	StopNextPageFlag: {
		Words:     "the flag said that there is no next page",
		Flagged:   true,
		Beyond:    BeyondNext,
		Divisible: true,
	},
	StopFlagMissing: {
		Words: "the flag was on no page, or the last answer has no array of items, and `ifNotSet` " +
			"made that a stop",
		Verdict:   Unverified,
		Beyond:    BeyondNext,
		Divisible: true,
	},
	StopLimitCount:         chosenRule,
	StopLimitField:         countedRule,
	StopLimitFieldMissing:  noNumberRule,
	StopLimitHeader:        countedRule,
	StopLimitHeaderMissing: noNumberRule,
	StopForcePages:         chosenRule,
	StopForceTime:          chosenRule,
	StopForceVolume:        chosenRule,
	StopFailed: {
		Words:    "the run failed before the job had ended",
		Verdict:  Incomplete,
		CutShort: true,
	},
}

// Rules that several reasons share.
var (
	chosenRule = StopRule{
		Words:   "a bound of the configuration ended it",
		Verdict: Unverified,
		Chosen:  true,
		Beyond:  BeyondNothing,
	}
	countedRule = StopRule{
		Words:     "as many items came as the number there says",
		Counted:   true,
		Beyond:    BeyondNext,
		Divisible: true,
	}
	noNumberRule = StopRule{
		Words:     "the answer has no number there",
		Verdict:   Unverified,
		Beyond:    BeyondNext,
		Divisible: true,
	}
)

// unknownRule is that of a reason which a newer version wrote. What it proves is not
// known here, so it is not complete.
var unknownRule = StopRule{
	Words:   "a newer version ended it, for a reason that this one does not know",
	Verdict: Unverified,
	Beyond:  BeyondNothing,
}

// StopReasons lists all the stop reasons, in order.
func StopReasons() []StopReason { return slices.Sorted(maps.Keys(stopRules)) }

// Rule returns what the reason means.
func (r StopReason) Rule() StopRule {
	if r.isUnknown() {
		return unknownRule
	}
	return stopRules[r]
}

func (r StopReason) isUnknown() bool {
	_, known := stopRules[r]
	return r != "" && !known
}

// AtLeast is the verdict of an end, as it was reported with the reason. One whose
// reason is unknown is not complete, whatever was reported.
func (r StopReason) AtLeast(reported Verdict) Verdict {
	if r.isUnknown() {
		return max(reported, unknownRule.Verdict)
	}
	return reported
}

// A Stop says why a walk ended.
type Stop struct {
	Reason  StopReason `json:"reason"`
	Verdict Verdict    `json:"verdict"`
	// Proof says what --confirm-end asked; it is empty without that.
	Proof string `json:"proof,omitempty"`
	// Ground is on what the end of the job rests, where it is known with the end of its last walk, and Total how
	// many items there are, by an answer that says so.
	Ground Ground `json:"ground,omitempty"`
	Total  int64  `json:"total,omitempty"`
}

// EndedBy returns the stop for a reason, with the verdict that it has by itself.
func EndedBy(reason StopReason) *Stop {
	return &Stop{Reason: reason, Verdict: reason.Rule().Verdict}
}
