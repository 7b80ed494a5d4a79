package verdict

import "sluice/pipeline/report"

// All doubts there are. A new one is a constant here, a row in [rules] and in docs/missing-data.md, and a scenario
// that has its words or begins with "# doubt: NAME.". The order is that in which doubts that rest on the facts of a
// job are told.
const (
	// NoDoubt is that of what is told and speaks against nothing.
	NoDoubt Doubt = iota

	// Of an answer.

	ErrorBeside
	NotReady
	OddLine
	LoneValue
	ErrorArray
	PartOfItem
	OtherHeader
	CodeBesideMessage
	NoArray
	NothingThere
	NotWhole
	NotFirst

	// Of the end of a walk.

	SaysMore
	HasCursor
	HasAddress
	HasPart
	MayHaveMore
	MoreAnnounced
	ItemsLeft
	MayBeTotal
	LimitOfPage
	OpenFlag
	OpenPages
	LinkMissing
	LinksAsItems
	FullPage
	UsualPage
	CappedPage
	NoLimit
	FewerThanLimit
	NoFlag
	Unconfirmed
	ItemsBeyond
	MeantElsewhere

	// Of the pages of a walk, and of its items.

	LongPage
	SamePage
	SameAnswers
	SameItems
	RoundPages
	OtherMember
	TouchingPages
	MovedPages
	EmptyPages
	NoGrowth
	LonePages
	TwiceTheTotal
	MoreThanLimit
	LimitFell
	CountFell
	MoreThanCounted
	PagesApart
	OtherOrder
	OutOfOrder
	AlikeItems
	KeysForgotten

	// Of a job, by the facts of its answers.

	OtherValue
	OtherPage
	NullAtEnd
	TooManyShapes
	NewWords
	ShortMiddle
	ShorterMiddle
	NullItems
	NotWholeText
	FewerThanSaid
	FewerThanMayBe
	FewerThanEchoed
	BeginsBehind
	ItemsAhead
	StillOpen
	FewerPages
	SameTexts
	FullAtLimit
	FullAtFlag
	FullBySaying
	ResultWindow
	LimitOfResults
	FallingTotal
	StrippedOrigin
	PagingInItems
	OnlyAssumed

	// Of a job, by what its pages have beside that.

	NothingAnywhere
	RivalArray
	FullWindows
	FullWalks
	SameWindows
	NoPlaceholder
	AllDenied
	NoKey
	ItemsTwice
	NoOverlap
	OtherOrigin
	Redirected

	// Of a run.

	NoEffect
	ShardsDiffer
	PageNotHad
	PageBeyondEnd

	lastDoubt
)

// What stands in the words of several doubts.
const (
	cure = ": if it is an error, name it in failOn or retryOn; " +
		"if the API ends its lists like this, name it in endOn, or set \"trustEnd\": true in the job"

	alwaysSays = "; if the API always says so, set \"trustEnd\": true in the job"

	notWhole = "the answer says that it is partial (%s is %s)" +
		": run again, or ask for less at once; if the API always says so, set \"trustEnd\": true in the job"

	shortMiddle = "page %d, which is not the last, has %s where others have %d, and a member beside them that no other page has: " +
		"run again; if this is all, set \"trustEnd\": true in the job"

	nothingAt = "the answer has no items at %s, "
)

// rules are the rows of the table.
var rules = [lastDoubt]DoubtRule{
	ErrorBeside: {
		Name:     "an error beside items",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byFailOn,
		Words:    "the answer has an error beside the items: %s",
	},
	NotReady: {
		Name:     "an answer that is not ready",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byFailOn,
		Words: "the answer is 202 Accepted and has no items: " +
			"if the data is not ready yet, set waitOn, which asks again",
	},
	OddLine: {
		Name:     "an odd last line",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byFailOn,
		Words: "the last line shares no member with the lines before it, so it may be an error: %s; " +
			"if it is one, name it in failOn or retryOn, such as [%q]; if it is an item, set \"failOn\": []",
	},
	LoneValue: {
		Name:    "a lone value",
		Scope:   OfAnswer,
		Verdict: report.Unverified,
		Words: "the answer has nothing but %s, which is %s: it was taken for an item; " +
			`if it is one, write "dataField": %s; if it is an error, name it in failOn`,
	},
	ErrorArray: {
		Name:     "items that may be errors",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byFailOn,
		Words: "the items were read from the array %s, whose name suggests errors: " +
			"if they are errors, name the path of the items in dataField",
	},
	PartOfItem: {
		Name:     "an item with a part of a list",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the only item holds a list (%d at %s), and %s says that the list goes on: " +
			"if these are the items, write \"dataField\": %q; if not, set \"trustEnd\": true in the job",
	},
	OtherHeader: {
		Name:    "another header",
		Scope:   OfAnswer,
		Verdict: report.Unverified,
		Words: "the header of a page has other names than that of the first page. If the API sends a header only once, " +
			"the first item of each later page was taken for one, and is lost%s",
	},
	CodeBesideMessage: {
		Name:     "a code beside a message",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    nothingAt + "and a code that is not 0 beside a message" + cure + "%s",
	},
	NoArray: {
		Name:    "no array at the top",
		Scope:   OfAnswer,
		Verdict: report.Unverified,
		Words: "endpoint %s: the response has no array at its top level%s" +
			"; if it holds items, name their path in dataField%s",
	},
	NothingThere: {
		Name:    "nothing at dataField",
		Scope:   OfAnswer,
		Verdict: report.Unverified,
		Words:   "the response has nothing at %s%s%s",
	},
	NotWhole: {
		Name:     "an answer that is not whole",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    notWhole,
	},
	NotFirst: {
		Name:     "a first page that is none",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the first answer says that it is not the first page: %s is %s: check where api.pagination begins (firstPage); " +
			"if you want just the pages from there on, set \"trustEnd\": true in the job",
	},

	SaysMore: {
		Name:     "it says that there is more",
		Scope:    OfWalk,
		Verdict:  report.Incomplete,
		Silenced: byTrustEnd,
		Words:    "the last answer says that there is more: %s is %s; %s" + alwaysSays,
	},
	HasCursor: {
		Name:     "a cursor at the end",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "the last answer has a cursor (%s is %s), which may lead to another page; %s" + alwaysSays,
	},
	HasAddress: {
		Name:     "an address of another page",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "the last answer has the address of another page of the list (%s is %s); %s" + alwaysSays,
	},
	HasPart: {
		Name:     "a part of the list",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the last answer is a part of the list (%s is %s), " +
			"and nothing says that it is the last part; %s" + alwaysSays,
	},
	MayHaveMore: {
		Name:     "a hint of more",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "the last answer may say that there is more: %s is %s; %s" + alwaysSays,
	},
	MoreAnnounced: {
		Name:     "a total that is more than came",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s came where the answer says %d at %s%s",
		facts:    moreAnnounced,
	},
	ItemsLeft: {
		Name:     "items that are left",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%s came, and the last answer says that %d more are left, at %s; " +
			"if that number means something else, set \"trustEnd\": true in the job",
	},
	MayBeTotal: {
		Name:     "a number that may be the total",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s came, and the answer has %d at %s, which may be the total%s; if it is not, set \"trustEnd\": true in the job",
	},
	LimitOfPage: {
		Name:     "more although limitStop is reached",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%s: the number %s is reached, but %s is %s, so there is more: " +
			"if the number counts the items of a page, name the member that counts all",
	},
	OpenFlag: {
		Name:     "more before endOn",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s ended the list, but the last answer with items says at %s that there is more",
	},
	OpenPages: {
		Name:     "more pages before endOn",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s ended the list after %d of %d pages, which the last answer with items says at %s",
	},
	LinkMissing: {
		Name:     "a missing header Link",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "page %d has no header Link, although the page before it names %s as the last page: " +
			"run again, or page by numbers",
	},
	LinksAsItems: {
		Name:     "links instead of items",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "dataField %s leads to the links of the next page, which api.pagination reads, not to items: " +
			"name the path of the items in dataField",
	},
	FullPage: {
		Name:     "as many as were asked for",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "exactly %s came, as many as %s, so there may be more",
	},
	UsualPage: {
		Name:     "as many as a page usually has",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "exactly %s came, which is a usual page size, so there may be more",
	},
	CappedPage: {
		Name:     "a capped first page",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the first page has exactly %d items where the limit is %d: " +
			"if the API gives no more than %[1]d at a time, set the limit to %[1]d",
	},
	NoLimit: {
		Name:    "no number for limitStop",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words:   "%s: the response has no number at %s: check the path",
	},
	FewerThanLimit: {
		Name:    "fewer than limitStop says",
		Scope:   OfWalk,
		Verdict: report.Incomplete,
		Words:   "%s came where the response says %s at %s",
		facts:   fewerThanLimit,
	},
	NoFlag: {
		Name:    "no nextPageFlag",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "nextPageFlag: the response has no %s, " +
			"and a missing member ends the paging: check field, or set ifNotSet to %t%s",
	},
	Unconfirmed: {
		Name:    "an end that could not be confirmed",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words:   "the end could not be confirmed: %s",
	},
	ItemsBeyond: {
		Name:    "new items after the end",
		Scope:   OfWalk,
		Verdict: report.Incomplete,
		Words:   "page %d has items too (%d), although %s had ended the paging: items are missing%s",
	},
	MeantElsewhere: {
		Name:    "an array that dataField may mean",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "no answer has anything at %s, but an array of %d at %s: " +
			"if these are the items, write \"dataField\": %q%s",
	},

	LongPage: {
		Name:    "a page that is longer than the limit",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "a page has %d items where the limit is %d, so pages may overlap or leave gaps: " +
			"set limit to the page size of the API, or correct limitParam",
	},
	SamePage: {
		Name:    "the page before again",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words:   "the page is the same as the one before it: the API may ignore the paging parameters%s",
	},
	SameAnswers: {
		Name:    "the same items in each answer",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words:   "%d answers in a row have the same items: the API may ignore the paging parameters%s",
	},
	SameItems: {
		Name:     "the items of the page before",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "%s the items of the page before%s: the API may ignore the paging parameters" +
			"; if these are other items, set unique to the member that tells them apart, or to false%s",
	},
	RoundPages: {
		Name:     "pages that go round",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "page %d has exactly the items of page %d, so the pages may repeat: " +
			"check the paging parameters, or bound the job with forceStop",
	},
	OtherMember: {
		Name:     "pages that are earlier ones but for a member",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "%d pages in a row have the items of earlier pages, with another value of one member, so the pages may repeat" +
			"; if these are other items, set unique to the member that tells them apart, or to false",
	},
	TouchingPages: {
		Name:     "pages that may overlap",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "page %d begins with the item that the page before it ended with, so pages may overlap and items come twice: " +
			"check firstPage, limit and the paging parameters",
	},
	MovedPages: {
		Name:     "pages that move on by one item",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "page %d has the items of the page before it but for the first one, so items come twice; " +
			"the API may count items where it is given the number of a page: page by offset, or check the paging parameters",
	},
	EmptyPages: {
		Name:    "1,000 empty pages",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "%d pages in a row have no items, and each leads to a next one: " +
			`if the first of them is the end, set "emptyStop": true in api.pagination; ` +
			`if items follow, set it to false or to a greater number`,
	},
	NoGrowth: {
		Name:    "a computed next page that does not grow",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "the sum of %s is not greater than what its page was asked for with: " +
			"check the paths of add in api.pagination, or page on by offset or pagenum",
	},
	LonePages: {
		Name:    "1,000 pages of one object",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "%d pages in a row have one object at %s, and no list beside it or in it any more. " +
			`If that list had the items, name its path in dataField; if not, set "emptyStop": false in api.pagination`,
	},
	TwiceTheTotal: {
		Name:     "twice as many as a total",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%s came, where the answers say that there are %d, at %s: " +
			"the API may give the same items again: check %s; if that number is not the total, set \"trustEnd\": true in the job",
	},
	MoreThanLimit: {
		Name:    "more than limitStop says",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "%s: %s came, more than the %s that the response says at %s, so some may have come twice: " +
			"check the paging parameters, or sort by a unique member",
		facts: moreThanLimit,
	},
	LimitFell: {
		Name:    "a number of limitStop that falls",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "%s: %s fell from %[4]s to %[3]s while the pages were read: " +
			"items may have been removed, and others missed because of that",
	},
	CountFell: {
		Name:     "a total that falls while pages are counted",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words:    becameLess,
	},
	MoreThanCounted: {
		Name:     "more items than a total",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEndOrUnique,
		Words: "%s came where the answer says %d at %s: " +
			"some may have come twice, and others may be missing: sort by a unique member",
	},
	PagesApart: {
		Name:    "pages that do not overlap",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "the page at offset %d has no item of the page before it. That page was asked for several times and stayed " +
			"the same, so pages do not overlap, and items may be missing or come twice. " +
			"The API may cap its pages: set limit to what it gives. " +
			"It may filter them, or round the offset: page without overlap. " +
			"It may put other items into each answer, such as adverts: exclude them, if the API can",
	},
	OtherOrder: {
		Name:    "another order",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "items that came before stand in another order on page %d. " +
			"The list has no fixed order, or items move in it, so some may be missing: " +
			"sort by a unique member that does not change",
	},
	OutOfOrder: {
		Name:    "an item that breaks the order",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "until: page %d has an item whose %s is %s, behind one with %s, so newer items may stand behind the end. " +
			"Sort the list by that, the newest first, or say with slack of until how far items may be apart",
	},
	AlikeItems: {
		Name:    "items that are alike",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "overlap: page %d has several items with the same %s, all but one of which may be dropped: " +
			"set unique to the member that tells the items apart",
	},
	KeysForgotten: {
		Name:    "too many items to know",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "overlap: more than %d items came from beyond page %d, and not all of them were remembered, " +
			"so some may come twice: run again when the list changes less",
	},

	OtherValue: {
		Name:     "a field with another value",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: nothingAt + "where other pages have some, " +
			"and a member that is the same on all of those has another value" + cure + "%s",
		facts: otherValue,
	},
	OtherPage: {
		Name:     "not a page of this list",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "page %d does not look like a page of this list: %s" + cure + "%s",
		facts:    otherPage,
	},
	TooManyShapes: {
		Name:     "walks that all differ",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the lists of the job ended in more than %d different ways. For %d of the lists it is not known why they ended: " +
			"if these ends are right, set \"trustEnd\": true in the job",
		facts: tooManyShapes,
	},
	NullAtEnd: {
		Name:     "null in the place of the items",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "an answer has null in place of its items, and no answer before it says that the list ends there" + cure,
		facts:    nullEnd,
	},
	NewWords: {
		Name:     "a page without items says something new",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "page %d has no items at %s, and a member that no page with items has" + cure + "%s",
		facts:    newWords,
	},
	ShortMiddle: {
		Name:     "a short page in the middle says something new",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    shortMiddle,
		facts:    shortMiddlePage,
	},
	ShorterMiddle: {
		Name:     "a shorter page in the middle says something new",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEndOrNoProof,
		Words:    "--proof: " + shortMiddle,
		facts:    shorterMiddlePage,
	},
	NullItems: {
		Name:     "an item that is none",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%s null, where other items are objects, so the API may have left something out; " +
			"if null means that there is nothing, set \"trustEnd\": true in the job",
		facts: nullItems,
	},
	NotWholeText: {
		Name:     "a text that says it is not whole",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    notWhole,
		facts:    notWholeText,
	},
	FewerThanSaid: {
		Name:     "fewer items than were announced",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEndOrUnique,
		Words:    "%s came, and an answer says %d at %s; if that number is not the total, set \"trustEnd\": true in the job",
		facts:    fewerThanSaid,
	},
	FewerThanMayBe: {
		Name:     "a number that may be that of all",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEndOrNoProof,
		Words:    "--proof: %s came, and an answer has %d at %s, which may be the total; if it is not, set \"trustEnd\": true in the job",
		facts:    fewerThanMayBe,
	},
	FewerThanEchoed: {
		Name:     "a number beside the page that was asked for",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%s came, and the answers have %d at %s, beside the page and the size that were asked for, or the number of such pages; " +
			"it may be the total: " +
			"check firstPage and the end of the list; if it is another number, set \"trustEnd\": true in the job",
		facts: fewerThanEchoed,
	},
	BeginsBehind: {
		Name:     "pages before the first one",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%s came of the %d that the answers say at %s: the others stand on pages before the first one that was asked for: " +
			"check firstPage; if you want just the pages from there on, set \"trustEnd\": true in the job",
		facts: beginsBehind,
	},
	ItemsAhead: {
		Name:     "items before the first page",
		Scope:    OfJob,
		Verdict:  report.Incomplete,
		Silenced: byTrustEnd,
		Words: "the page before the first one has items too (%s), none of which came: items are missing: check firstPage; " +
			"if you want just the pages from there on, set \"trustEnd\": true in the job",
		facts: itemsAhead,
	},
	StillOpen: {
		Name:     "the last page with items says that there is more",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "an answer without items ended the list, but the last answer with items says that %s" +
			": run again; if the API always says so, set \"trustEnd\": true in the job",
		facts: stillOpen,
	},
	FewerPages: {
		Name:     "fewer pages than were announced",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%d pages came with items where an answer says %d at %s, and the last one names no next page: " +
			"check what leads to the next page; if that is another number, set trustEnd",
		facts: fewerPages,
	},
	SameTexts: {
		Name:     "items of the same text on two pages",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byUniqueOrNoProof,
		Words: "--proof: an item came on two pages with the same text, and has no key. " +
			"So it is not known whether it came in place of another: " +
			"set unique to the member that tells the items apart, or to false",
		facts: sameTexts,
	},
	FullAtLimit: {
		Name:     "a first page that limitStop ended",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "limitStop or add ended the list at its first page, which is full, " +
			"and no answer says that this is all. If its number counts the items of a page, name the member that counts all; " +
			"if this is all, set \"trustEnd\": true in the job",
		facts: fullAtLimit,
	},
	FullAtFlag: {
		Name:     "a first page that nextPageFlag ended",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "nextPageFlag ended the list at its first page, which is full, and nothing else says that this is all. " +
			"Check field and stopOn: the flag may be about something else than the end of the list; " +
			"if this is all, set \"trustEnd\": true in the job",
		facts: fullAtFlag,
	},
	FullBySaying: {
		Name:     "as many items as a page has",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the last page has as many items as a page can have, as the answer says at %s. Nothing says that this is all: " +
			"set api.pagination, or give --confirm-end; if this is all, set \"trustEnd\": true in the job",
		facts: saysFull,
	},
	ResultWindow: {
		Name:     "a window of results",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "exactly 1,000, 5,000 or 10,000 items came. Many APIs show no more of a search, although there are more: " +
			"ask for less at a time, with windows or a filter; if this is all, set \"trustEnd\": true in the job",
		facts: resultWindow,
	},
	LimitOfResults: {
		Name:     "a limit of results",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "exactly as many items came as the API shows at most, as an answer says at %s. There may be more: " +
			"ask for less at a time, with windows or a filter; if this is all, set \"trustEnd\": true in the job",
		facts: limitOfResults,
	},
	FallingTotal: {
		Name:     "a total that falls",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEndOrUnique,
		Words:    becameLess,
		facts:    fallingTotal,
	},
	StrippedOrigin: {
		Name:     "left out at another origin",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "page %d has no items, and comes from another origin (scheme, host and port), which got no credentials and no headers. " +
			"If that origin belongs to the API, make the job's endpoint absolute; if this is the end, set \"trustEnd\": true in the job",
		facts: strippedOrigin,
	},
	PagingInItems: {
		Name:     "items that hold the paging",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "each page has one item, which holds a list, and %s, by which paging goes on. The items are probably those of " +
			"that list: name their path in dataField; if not, set \"trustEnd\": true in the job",
		facts: pagingInItems,
	},
	OnlyAssumed: {
		Name:     "the end is only assumed",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byNoProof,
		Words: "--proof: %s complete %s; name a total, a flag or a next page that the API has (sluice check finds them), " +
			"or declare the end with endOn, trustEnd or \"pagination\": {\"method\": \"none\"}",
		facts: onlyAssumed,
	},

	NothingAnywhere: {
		Name:    "nothing where the items are looked for",
		Scope:   OfJob,
		Verdict: report.Unverified,
	},
	RivalArray: {
		Name:     "another array that is as long as asked for",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "dataField %s has few items or none, while the array at %s has %d, " +
			"as many as were asked for, or a round number. If these are the items, write \"dataField\": %q; " +
			"if not, set \"trustEnd\": true in the job",
	},
	FullWindows: {
		Name:     "windows that lead nowhere",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
	},
	FullWalks: {
		Name:     "walks that are all as long as asked for",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s (%d lists of this job have as many, and none has more)",
	},
	SameWindows: {
		Name:     "windows that begin alike",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "all windows begin with the same items: the API may ignore the parameters that have " +
			"the window, and items come twice; if that is right, set \"trustEnd\": true in the job%s",
	},
	NoPlaceholder: {
		Name:    "an optional placeholder that no item has",
		Scope:   OfJob,
		Verdict: report.Unverified,
		Words: "placeholders: none of %s has a value at %s, which is optional, so nothing " +
			"was asked for: check the path; if this may happen, exclude these items with recursionFilter",
	},
	AllDenied: {
		Name:     "first answers that are all denied",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "emptyOn: all %d first answers count as empty (%s): the credentials may lack the permission to see the data; " +
			"if there is nothing, let the condition look at more than the status, or set \"trustEnd\": true in the job",
	},
	NoKey: {
		Name:    "unique that no item has",
		Scope:   OfJob,
		Verdict: report.Unverified,
		Words:   "unique: no item had %s, so items that come twice are not noticed: check the path",
	},
	ItemsTwice: {
		Name:     "items that came twice",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "%s came twice: the list changed while it was read, or has no fixed " +
			"order, and as many may be missing: sort by a unique member; if these are different items, " +
			"set unique to the member that tells them apart, or to false",
	},
	NoOverlap: {
		Name:    "overlap that does not hold",
		Scope:   OfJob,
		Verdict: report.Unverified,
		Words:   "overlap: %s",
	},
	OtherOrigin: {
		Name:    "another origin",
		Scope:   OfJob,
		Verdict: report.Unverified,
		Words: "an answer leads to another origin, %s, " +
			"which gets no credentials and no headers or parameters of the configuration: " +
			"if it belongs to the API, make the job's endpoint absolute",
	},
	Redirected: {
		Name:    "a redirect to another origin",
		Scope:   OfJob,
		Verdict: report.Unverified,
		Words: "%s redirects to another origin, %s, " +
			"which gets no credentials and no headers or parameters of the configuration: " +
			"if it is the API's new address, put it into the configuration",
	},

	NoEffect: {
		Name:    "a member without effect",
		Scope:   OfRun,
		Verdict: report.Unverified,
	},
	ShardsDiffer: {
		Name:    "shards that read other items",
		Scope:   OfRun,
		Verdict: report.Unverified,
		Words: "the shards did not read the same items: some were added or removed meanwhile, " +
			"so items and their children may be missing or come twice: run again",
	},
	PageNotHad: {
		Name:    "a page that no shard had",
		Scope:   OfRun,
		Verdict: report.Incomplete,
		Words:   "page %d could not be fetched, and no shard found the end before it: %s",
	},
	PageBeyondEnd: {
		Name:    "items of another shard after the end",
		Scope:   OfRun,
		Verdict: report.Incomplete,
		Words:   "page %d has items too, although page %d had ended the paging: items are missing",
	},
}

// becameLess is about a number of all items.
const becameLess = "%s fell from %[3]d to %[2]d while the pages were read: items were removed, " +
	"and others may have been missed. Run again when the list does not change, or page by a cursor"
