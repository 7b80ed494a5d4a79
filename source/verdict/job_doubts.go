package verdict

import "sluice/pipeline/report"

// jobDoubts are about all walks of a job, whatever the order in which they came.
var jobDoubts = doubtRows{
	OtherValue: {
		Name:     "a field with another value",
		Silenced: byTrustEnd,
		Words: nothingAt + "where other pages have some, " +
			"and a member that is the same on all of those has another value" + cure + "%s",
		facts: otherValue,
	},
	OtherPage: {
		Name:     "not a page of this list",
		Silenced: byTrustEnd,
		Words:    "page %d does not look like a page of this list: %s" + cure + "%s",
		facts:    otherPage,
	},
	NullAtEnd: {
		Name:     "null in the place of the items",
		Silenced: byTrustEnd,
		Words:    "an answer has null in place of its items, and no answer before it says that the list ends there" + cure,
		facts:    nullEnd,
	},
	TooManyShapes: {
		Name:     "walks that all differ",
		Silenced: byTrustEnd,
		Words: "the lists of the job ended in more than %d different ways. For %d of the lists it is not known why they ended: " +
			"if these ends are right, set \"trustEnd\": true in the job",
		facts: tooManyShapes,
	},
	NewWords: {
		Name:     "a page without items says something new",
		Silenced: byTrustEnd,
		Words:    "page %d has no items at %s, and a member that no page with items has" + cure + "%s",
		facts:    newWords,
	},
	ShortMiddle: {
		Name:     "a short page in the middle says something new",
		Silenced: byTrustEnd,
		Words:    shortMiddle,
		facts:    shortMiddlePage,
	},
	ShorterMiddle: {
		Name:     "a shorter page in the middle says something new",
		Silenced: byTrustEndOrNoProof,
		Words:    "--proof: " + shortMiddle,
		facts:    shorterMiddlePage,
	},
	NullItems: {
		Name:     "an item that is none",
		Silenced: byTrustEnd,
		Words: "%s null, where other items are objects, so the API may have left something out; " +
			"if null means that there is nothing, set \"trustEnd\": true in the job",
		facts: nullItems,
	},
	NotWholeText: {
		Name:     "a text that says it is not whole",
		Silenced: byTrustEnd,
		Words:    notWhole,
		facts:    notWholeText,
	},
	FewerThanSaid: {
		Name:     "fewer items than were announced",
		Silenced: byTrustEndOrUnique,
		Words:    "%s came, and an answer says %d at %s; if that number is not the total, set \"trustEnd\": true in the job",
		facts:    fewerThanSaid,
	},
	FewerThanMayBe: {
		Name:     "a number that may be that of all",
		Silenced: byTrustEndOrNoProof,
		Words:    "--proof: %s came, and an answer has %d at %s, which may be the total; if it is not, set \"trustEnd\": true in the job",
		facts:    fewerThanMayBe,
	},
	FewerThanEchoed: {
		Name:     "a number beside the page that was asked for",
		Silenced: byTrustEnd,
		Words: "%s came, and the answers have %d at %s, beside the page and the size that were asked for, or the number of such pages; " +
			"it may be the total: " +
			"check firstPage and the end of the list; if it is another number, set \"trustEnd\": true in the job",
		facts: fewerThanEchoed,
	},
	BeginsBehind: {
		Name:     "pages before the first one",
		Silenced: byTrustEnd,
		Words: "%s came of the %d that the answers say at %s: the others stand on pages before the first one that was asked for: " +
			"check firstPage; if you want just the pages from there on, set \"trustEnd\": true in the job",
		facts: beginsBehind,
	},
	ItemsAhead: {
		Name:     "items before the first page",
		Verdict:  report.Incomplete,
		Silenced: byTrustEnd,
		Words: "the page before the first one has items too (%s), none of which came: items are missing: check firstPage; " +
			"if you want just the pages from there on, set \"trustEnd\": true in the job",
		facts: itemsAhead,
	},
	StillOpen: {
		Name:     "the last page with items says that there is more",
		Silenced: byTrustEnd,
		Words: "an answer without items ended the list, but the last answer with items says that %s" +
			": run again; if the API always says so, set \"trustEnd\": true in the job",
		facts: stillOpen,
	},
	FewerPages: {
		Name:     "fewer pages than were announced",
		Silenced: byTrustEnd,
		Words: "%d pages came with items where an answer says %d at %s, and the last one names no next page: " +
			"check what leads to the next page; if that is another number, set trustEnd",
		facts: fewerPages,
	},
	SameTexts: {
		Name:     "items of the same text on two pages",
		Silenced: byUniqueOrNoProof,
		Words: "--proof: an item came on two pages with the same text, and has no key. " +
			"So it is not known whether it came in place of another: " +
			"set unique to the member that tells the items apart, or to false",
		facts: sameTexts,
	},
	FullAtLimit: {
		Name:     "a first page that limitStop ended",
		Silenced: byTrustEnd,
		Words: "limitStop or add ended the list at its first page, which is full, " +
			"and no answer says that this is all. If its number counts the items of a page, name the member that counts all; " +
			"if this is all, set \"trustEnd\": true in the job",
		facts: fullAtLimit,
	},
	FullAtFlag: {
		Name:     "a first page that nextPageFlag ended",
		Silenced: byTrustEnd,
		Words: "nextPageFlag ended the list at its first page, which is full, and nothing else says that this is all. " +
			"Check field and stopOn: the flag may be about something else than the end of the list; " +
			"if this is all, set \"trustEnd\": true in the job",
		facts: fullAtFlag,
	},
	FullBySaying: {
		Name:     "as many items as a page has",
		Silenced: byTrustEnd,
		Words: "the last page has as many items as a page can have, as the answer says at %s. Nothing says that this is all: " +
			"set api.pagination, or give --confirm-end; if this is all, set \"trustEnd\": true in the job",
		facts: saysFull,
	},
	ResultWindow: {
		Name:     "a window of results",
		Silenced: byTrustEnd,
		Words: "exactly 1,000, 5,000 or 10,000 items came. Many APIs show no more of a search, although there are more: " +
			"ask for less at a time, with windows or a filter; if this is all, set \"trustEnd\": true in the job",
		facts: resultWindow,
	},
	LimitOfResults: {
		Name:     "a limit of results",
		Silenced: byTrustEnd,
		Words: "exactly as many items came as the API shows at most, as an answer says at %s. There may be more: " +
			"ask for less at a time, with windows or a filter; if this is all, set \"trustEnd\": true in the job",
		facts: limitOfResults,
	},
	FallingTotal: {
		Name:     "a total that falls",
		Silenced: byTrustEndOrUnique,
		Words:    becameLess,
		facts:    fallingTotal,
	},
	StrippedOrigin: {
		Name:     "left out at another origin",
		Silenced: byTrustEnd,
		Words: "page %d has no items, and comes from another origin (scheme, host and port), which got no credentials and no headers. " +
			"If that origin belongs to the API, make the job's endpoint absolute; if this is the end, set \"trustEnd\": true in the job",
		facts: strippedOrigin,
	},
	PagingInItems: {
		Name:     "items that hold the paging",
		Silenced: byTrustEnd,
		Words: "each page has one item, which holds a list, and %s, by which paging goes on. The items are probably those of " +
			"that list: name their path in dataField; if not, set \"trustEnd\": true in the job",
		facts: pagingInItems,
	},
	OnlyAssumed: {
		Name:     "the end is only assumed",
		Silenced: byNoProof,
		Words: "--proof: %s complete %s; name a total, a flag or a next page that the API has (sluice check finds them), " +
			"or declare the end with endOn, trustEnd or \"pagination\": {\"method\": \"none\"}",
		facts: onlyAssumed,
	},
	NothingAnywhere: {
		Name: "nothing where the items are looked for",
	},
	RivalArray: {
		Name:     "another array that is as long as asked for",
		Silenced: byTrustEnd,
		Words: "dataField %s has few items or none, while the array at %s has %d, " +
			"as many as were asked for, or a round number. If these are the items, write \"dataField\": %q; " +
			"if not, set \"trustEnd\": true in the job",
	},
	FullWindows: {
		Name:     "windows that lead nowhere",
		Silenced: byTrustEnd,
	},
	FullWalks: {
		Name:     "walks that are all as long as asked for",
		Silenced: byTrustEnd,
		Words:    "%s (%d lists of this job have as many, and none has more)",
	},
	SameWindows: {
		Name:     "windows that begin alike",
		Silenced: byTrustEnd,
		Words: "all windows begin with the same items: the API may ignore the parameters that have " +
			"the window, and items come twice; if that is right, set \"trustEnd\": true in the job%s",
	},
	NoPlaceholder: {
		Name: "an optional placeholder that no item has",
		Words: "placeholders: none of %s has a value at %s, which is optional, so nothing " +
			"was asked for: check the path; if this may happen, exclude these items with recursionFilter",
	},
	AllDenied: {
		Name:     "first answers that are all denied",
		Silenced: byTrustEnd,
		Words: "emptyOn: all %d first answers count as empty (%s): the credentials may lack the permission to see the data; " +
			"if there is nothing, let the condition look at more than the status, or set \"trustEnd\": true in the job",
	},
	NoKey: {
		Name:  "unique that no item has",
		Words: "unique: no item had %s, so items that come twice are not noticed: check the path",
	},
	ItemsTwice: {
		Name:     "items that came twice",
		Silenced: byUnique,
		Words: "%s came twice: the list changed while it was read, or has no fixed " +
			"order, and as many may be missing: sort by a unique member; if these are different items, " +
			"set unique to the member that tells them apart, or to false",
	},
	NoOverlap: {
		Name:  "overlap that does not hold",
		Words: "overlap: %s",
	},
	OtherOrigin: {
		Name: "another origin",
		Words: "an answer leads to another origin, %s, " +
			"which gets no credentials and no headers or parameters of the configuration: " +
			"if it belongs to the API, make the job's endpoint absolute",
	},
	Redirected: {
		Name: "a redirect to another origin",
		Words: "%s redirects to another origin, %s, " +
			"which gets no credentials and no headers or parameters of the configuration: " +
			"if it is the API's new address, put it into the configuration",
	},
}

// runDoubts are about what shards have seen of each other, and the configuration.
var runDoubts = doubtRows{
	NoEffect: {
		Name: "a member without effect",
	},
	ShardsDiffer: {
		Name: "shards that read other items",
		Words: "the shards did not read the same items: some were added or removed meanwhile, " +
			"so items and their children may be missing or come twice: run again",
	},
	PageNotHad: {
		Name:    "a page that no shard had",
		Verdict: report.Incomplete,
		Words:   "page %d could not be fetched, and no shard found the end before it: %s",
	},
	PageBeyondEnd: {
		Name:    "items of another shard after the end",
		Verdict: report.Incomplete,
		Words:   "page %d has items too, although page %d had ended the paging: items are missing",
	},
}
