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
	EmptyPages
	TwiceTheTotal
	MoreThanLimit
	LimitFell
	CountFell
	MoreThanCounted
	PagesApart
	OtherOrder
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
	StillOpen
	SameTexts
	FullAtLimit
	FullBySaying
	ResultWindow
	LimitOfResults
	FallingTotal
	StrippedOrigin
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
	cure = ": if it is an error, say so with failOn or retryOn; if it is how the API ends, with endOn or trustEnd"

	alwaysSays = "; if the API always says so, set trustEnd"

	notWhole = "the answer says that it is not whole: %s is %s" +
		": run again, or ask for less at once; if the API always says so, set trustEnd"

	shortMiddle = "page %d, in the middle, has %s where others have %d, and says something that no other page says: " +
		"run again; if that is right, set trustEnd"

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
			"if it is not ready yet, have it asked for again by waitOn",
	},
	OddLine: {
		Name:     "an odd last line",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byFailOn,
		Words: "the last line has no member that the lines before it have, so it may be an error: %s; " +
			"if it is one, say so with failOn or retryOn, such as [%q]; if it is an item, set failOn to []",
	},
	LoneValue: {
		Name:    "a lone value",
		Scope:   OfAnswer,
		Verdict: report.Unverified,
		Words: "%s is %s, and all that the answer has: it was taken for an item; " +
			`if it is one, write "dataField": %s; if it is an error, say so with failOn`,
	},
	ErrorArray: {
		Name:     "items that may be errors",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byFailOn,
		Words:    "the items are those of the array %s: if they are errors, say where the items are with dataField",
	},
	PartOfItem: {
		Name:     "an item with a part of a list",
		Scope:    OfAnswer,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the only item has a part of a list in it: %d at %s, and %s says that there are more: " +
			"if these are the items, write \"dataField\": %q; if not, set trustEnd",
	},
	OtherHeader: {
		Name:    "another header",
		Scope:   OfAnswer,
		Verdict: report.Unverified,
		Words: "the header of a page has other names than that of the first page: if the API sends one only once, " +
			"an item of each page is lost, as the names of the others%s",
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
		Words: "endpoint %s: the response has no array at its top%s" +
			"; if it holds items, say where with dataField%s",
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
		Words:    "the last answer has a cursor, which may lead to more: %s is %s; %s" + alwaysSays,
	},
	HasAddress: {
		Name:     "an address of another page",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "the last answer has an address of another page of the same list: %s is %s; %s" + alwaysSays,
	},
	HasPart: {
		Name:     "a part of the list",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the last answer has a part of the list only, and nothing says that it is the last part: " +
			"%s is %s; %s" + alwaysSays,
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
		Words: "%s came, and the last answer says that %d are left, at %s; " +
			"if that is another number, set trustEnd",
	},
	MayBeTotal: {
		Name:     "a number that may be the total",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s came, and the answer has %d at %s, which may be the number of all%s; if it is not, set trustEnd",
	},
	LimitOfPage: {
		Name:     "more although limitStop is reached",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s: %s is reached, but %s is %s: if that is the number of a page, name that of all",
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
		Words: "page %d has no header Link, although the page before it says that %s comes after it: " +
			"run again, or page by numbers",
	},
	LinksAsItems: {
		Name:     "links instead of items",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "dataField %s is where api.pagination finds the next page, " +
			"so these are links and no items: say where the items are with dataField",
	},
	FullPage: {
		Name:     "as many as were asked for",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s came, as many as %s",
	},
	UsualPage: {
		Name:     "as many as a page usually has",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "%s came, which is a usual size of a page",
	},
	CappedPage: {
		Name:     "a capped first page",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the first page holds exactly %d items where the limit is %d: " +
			"if the API gives no more than %[1]d at a time, set the limit to %[1]d",
	},
	NoLimit: {
		Name:    "no number for limitStop",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words:   "%s: the response has no number at %s",
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
			"which counts as the sign to stop: check field, or set ifNotSet to %t%s",
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
		Words:   "page %d holds items too (%d), although %s ended the walk: items are missing%s",
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
		Words: "a page holds %d items where the limit is %d: " +
			"the API may use another page size, and pages may overlap or leave gaps",
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
			"; if these are other items, set unique to what tells them apart, or to false%s",
	},
	RoundPages: {
		Name:     "pages that go round",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "page %d has the very items of page %d: " +
			"the pages may go round: look at the paging parameters, or bound it with forceStop",
	},
	OtherMember: {
		Name:     "pages that are earlier ones but for a member",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "%d pages in a row have the items of earlier pages, but for another value of one member: the pages may go round" +
			"; if these are other items, set unique to what tells them apart, or to false",
	},
	TouchingPages: {
		Name:     "pages that may overlap",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byUnique,
		Words: "page %d begins with the very item that the page before it ended with: " +
			"pages may overlap, and items come twice",
	},
	EmptyPages: {
		Name:    "1,000 empty pages",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "%d pages in a row have no items, and each leads to a next one: " +
			`if the first of them is the end, set "emptyStop": true in api.pagination; ` +
			`if more follow, "emptyStop": false, or a greater number`,
	},
	TwiceTheTotal: {
		Name:     "twice as many as a total",
		Scope:    OfWalk,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "%s came, where the answers say that there are %d, at %s: " +
			"the API may give the same items again: look at %s; if that is another number, set trustEnd",
	},
	MoreThanLimit: {
		Name:    "more than limitStop says",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "%s: %s came where the response says %s at %s: " +
			"some may have come twice: look at the paging parameters, or sort by something unique",
		facts: moreThanLimit,
	},
	LimitFell: {
		Name:    "a number of limitStop that falls",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "%s: %s became less while the pages were read, %s after %s: " +
			"items may have been removed, and others missed for that",
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
			"some may have come twice, and others be missing: sort by something unique",
	},
	PagesApart: {
		Name:    "pages that do not overlap",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "the page at offset %d has no item of the page before it, which was asked for several times and stayed " +
			"the same: pages do not overlap, so items may be missing, or be there twice: the API may cap its pages " +
			"(set limit to what it gives), filter them, round the offset (page without overlap), or put other " +
			"items into each answer, such as adverts (leave them out, if it can)",
	},
	OtherOrder: {
		Name:    "another order",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "items that came stand in another order on page %d: " +
			"the list has no fixed order, or items move in it, so some may be missing: " +
			"sort by something unique that does not change",
	},
	AlikeItems: {
		Name:    "items that are alike",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "overlap: page %d has several items of the same %s, which may be dropped as one: " +
			"name a key, set unique to what tells the items apart",
	},
	KeysForgotten: {
		Name:    "too many items to know",
		Scope:   OfWalk,
		Verdict: report.Unverified,
		Words: "overlap: more than %d items are known beyond page %d, and the last were " +
			"forgotten, so some may come twice",
	},

	OtherValue: {
		Name:     "a field with another value",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: nothingAt + "where other pages have some, " +
			"and a field that is the same on all of these has another value" + cure + "%s",
		facts: otherValue,
	},
	OtherPage: {
		Name:     "not a page of this list",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "page %d is no page of this list: %s" + cure + "%s",
		facts:    otherPage,
	},
	TooManyShapes: {
		Name:     "walks that all differ",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the walks of the job ended in more than %d ways, so of %d of them it is not known on what the end rests: " +
			"if these ends are right, set trustEnd",
		facts: tooManyShapes,
	},
	NullAtEnd: {
		Name:     "null in the place of the items",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "an answer has null where others have their items, and none before it says that this is the end" + cure,
		facts:    nullEnd,
	},
	NewWords: {
		Name:     "a page without items says something new",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words:    "page %d has no items at %s, and says something that no page with items says" + cure + "%s",
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
		Words: "%s null, where others are objects: the API left something out; " +
			"if null means that there is nothing, set trustEnd",
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
		Words:    "%s came where an answer says %d at %s; if that is another number, set trustEnd",
		facts:    fewerThanSaid,
	},
	FewerThanMayBe: {
		Name:     "a number that may be that of all",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEndOrNoProof,
		Words:    "--proof: %s came, and an answer has %d at %s, which may be the number of all; if it is not, set trustEnd",
		facts:    fewerThanMayBe,
	},
	StillOpen: {
		Name:     "the last page with items says that there is more",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "an answer without items ended the list, but the last answer with items says that %s" +
			": run again; if the API always says so, set trustEnd",
		facts: stillOpen,
	},
	SameTexts: {
		Name:     "items of the same text on two pages",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byUniqueOrNoProof,
		Words: "--proof: an item came on two pages with the same text, and no key tells whether it came twice in the place of " +
			"another: name with unique what tells the items apart, or set it to false",
		facts: sameTexts,
	},
	FullAtLimit: {
		Name:     "a first page that limitStop ended",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "limitStop ended the list at its first page, which is as full as was asked for, " +
			"and no answer says that this is all: if its number is that of a page, name that of all items; " +
			"if it is that, set trustEnd",
		facts: fullAtLimit,
	},
	FullBySaying: {
		Name:     "as many items as a page has",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "the last page has exactly as many items as the answer says at %s that a page has, and nothing says that this is all: " +
			"page on with api.pagination, or give --confirm-end; if this is all, set trustEnd",
		facts: saysFull,
	},
	ResultWindow: {
		Name:     "a window of results",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "exactly 1,000, 5,000 or 10,000 items came, which many APIs show at most of a search, also where there are more: " +
			"ask for less at a time, with windows or a filter; if these are all, set trustEnd",
		facts: resultWindow,
	},
	LimitOfResults: {
		Name:     "a limit of results",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "exactly as many items came as an answer says at %s that it shows at most, also where there are more: " +
			"ask for less at a time, with windows or a filter; if these are all, set trustEnd",
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
		Words: "page %d has no items, and comes from another origin, which got no credentials and no headers: " +
			"if that origin belongs to the API, make the job's endpoint absolute; if this is the end, set trustEnd",
		facts: strippedOrigin,
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
		Words: "dataField %s has one item or none, and the array at %s has %d, " +
			"as many as were asked for, or a round number: if these are the items, write \"dataField\": %q; " +
			"if not, set trustEnd",
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
		Words:    "%s (%d walks, and none has more)",
	},
	SameWindows: {
		Name:     "windows that begin alike",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "all windows begin with the same items: the API may ignore the parameters that have " +
			"the window, and items come twice; if they are the same, set trustEnd%s",
	},
	NoPlaceholder: {
		Name:    "an optional placeholder that no item has",
		Scope:   OfJob,
		Verdict: report.Unverified,
		Words: "placeholders: none of %s has anything at %s, which is optional, so nothing " +
			"was asked for: check the path; if there may be none, leave these out with recursionFilter",
	},
	AllDenied: {
		Name:     "first answers that are all denied",
		Scope:    OfJob,
		Verdict:  report.Unverified,
		Silenced: byTrustEnd,
		Words: "emptyOn: each of %d: %s: the credentials may not see what is there; if there is " +
			"nothing, let the condition look at what the answer says beside its status, or set trustEnd",
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
			"order, and as many may be missing: sort by something unique; if these are different items, " +
			"set unique to what tells them apart, or to false",
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
		Words: "the shards read other items than each other: some were added " +
			"or removed meanwhile, so items and what is below them may be missing or come twice",
	},
	PageNotHad: {
		Name:    "a page that no shard had",
		Scope:   OfRun,
		Verdict: report.Incomplete,
		Words:   "page %d could not be had, and no shard saw the end before it: %s",
	},
	PageBeyondEnd: {
		Name:    "items of another shard after the end",
		Scope:   OfRun,
		Verdict: report.Incomplete,
		Words:   "page %d holds items too, although page %d ended the walk: items are missing",
	},
}

// becameLess is about a number of all items.
const becameLess = "%s became less while the pages were read, %d after %d: items were removed, " +
	"and others may be missed for that: run again when the list is quiet, or page by a cursor"
