package verdict

import "sluice/pipeline/report"

// walkDoubts are about a list, from its first page to its end.
var walkDoubts = doubtRows{
	SaysMore: {
		Name:     "it says that there is more",
		Verdict:  report.Incomplete,
		Silenced: byTrustEnd,
		Words:    "the last answer says that there is more: %s is %s; %s" + alwaysSays,
	},
	HasCursor: {
		Name:     "a cursor at the end",
		Silenced: byTrustEnd,
		Words:    "the last answer has a cursor (%s is %s), which may lead to another page; %s" + alwaysSays,
	},
	HasAddress: {
		Name:     "an address of another page",
		Silenced: byTrustEnd,
		Words:    "the last answer has the address of another page of the list (%s is %s); %s" + alwaysSays,
	},
	HasPart: {
		Name:     "a part of the list",
		Silenced: byTrustEnd,
		Words: "the last answer is a part of the list (%s is %s), " +
			"and nothing says that it is the last part; %s" + alwaysSays,
	},
	MayHaveMore: {
		Name:     "a hint of more",
		Silenced: byTrustEnd,
		Words:    "the last answer may say that there is more: %s is %s; %s" + alwaysSays,
	},
	MoreAnnounced: {
		Name:     "a total that is more than came",
		Silenced: byTrustEnd,
		Words:    "%s came where the answer says %d at %s%s",
		facts:    moreAnnounced,
	},
	ItemsLeft: {
		Name:     "items that are left",
		Silenced: byTrustEnd,
		Words: "%s came, and the last answer says that %d more are left, at %s; " +
			"if that number means something else, set \"trustEnd\": true in the job",
	},
	MayBeTotal: {
		Name:     "a number that may be the total",
		Silenced: byTrustEnd,
		Words:    "%s came, and the answer has %d at %s, which may be the total%s; if it is not, set \"trustEnd\": true in the job",
	},
	LimitOfPage: {
		Name:     "more although limitStop is reached",
		Silenced: byTrustEnd,
		Words: "%s: the number %s is reached, but %s is %s, so there is more: " +
			"if the number counts the items of a page, name the member that counts all",
	},
	OpenFlag: {
		Name:     "more before endOn",
		Silenced: byTrustEnd,
		Words:    "%s ended the list, but the last answer with items says at %s that there is more",
	},
	OpenPages: {
		Name:     "more pages before endOn",
		Silenced: byTrustEnd,
		Words:    "%s ended the list after %d of %d pages, which the last answer with items says at %s",
	},
	LinkMissing: {
		Name:     "a missing header Link",
		Silenced: byTrustEnd,
		Words: "page %d has no header Link, although the page before it names %s as the last page: " +
			"run again, or page by numbers",
	},
	LinksAsItems: {
		Name:     "links instead of items",
		Silenced: byTrustEnd,
		Words: "dataField %s leads to the links of the next page, which api.pagination reads, not to items: " +
			"name the path of the items in dataField",
	},
	FullPage: {
		Name:     "as many as were asked for",
		Silenced: byTrustEnd,
		Words:    "exactly %s came, as many as %s, so there may be more",
	},
	UsualPage: {
		Name:     "as many as a page usually has",
		Silenced: byTrustEnd,
		Words:    "exactly %s came, which is a usual page size, so there may be more",
	},
	CappedPage: {
		Name:     "a capped first page",
		Silenced: byTrustEnd,
		Words: "the first page has exactly %d items where the limit is %d: " +
			"if the API gives no more than %[1]d at a time, set the limit to %[1]d",
	},
	NoLimit: {
		Name:  "no number for limitStop",
		Words: "%s: the response has no number at %s: check the path",
	},
	FewerThanLimit: {
		Name:    "fewer than limitStop says",
		Verdict: report.Incomplete,
		Words:   "%s came where the response says %s at %s",
		facts:   fewerThanLimit,
	},
	NoFlag: {
		Name: "no nextPageFlag",
		Words: "nextPageFlag: the response has no %s, " +
			"and a missing member ends the paging: check field, or set ifNotSet to %t%s",
	},
	Unconfirmed: {
		Name:  "an end that could not be confirmed",
		Words: "the end could not be confirmed: %s",
	},
	ItemsBeyond: {
		Name:    "new items after the end",
		Verdict: report.Incomplete,
		Words:   "page %d has items too (%d), although %s had ended the paging: items are missing%s",
	},
	MeantElsewhere: {
		Name: "an array that dataField may mean",
		Words: "no answer has anything at %s, but an array of %d at %s: " +
			"if these are the items, write \"dataField\": %q%s",
	},
	LongPage: {
		Name: "a page that is longer than the limit",
		Words: "a page has %d items where the limit is %d, so pages may overlap or leave gaps: " +
			"set limit to the page size of the API, or correct limitParam",
	},
	SamePage: {
		Name:  "the page before again",
		Words: "the page is the same as the one before it: the API may ignore the paging parameters%s",
	},
	SameAnswers: {
		Name:  "the same items in each answer",
		Words: "%d answers in a row have the same items: the API may ignore the paging parameters%s",
	},
	SameItems: {
		Name:     "the items of the page before",
		Silenced: byUnique,
		Words: "%s the items of the page before%s: the API may ignore the paging parameters" +
			"; if these are other items, set unique to the member that tells them apart, or to false%s",
	},
	RoundPages: {
		Name:     "pages that go round",
		Silenced: byUnique,
		Words: "page %d has exactly the items of page %d, so the pages may repeat: " +
			"check the paging parameters, or bound the job with forceStop",
	},
	OtherMember: {
		Name:     "pages that are earlier ones but for a member",
		Silenced: byUnique,
		Words: "%d pages in a row have the items of earlier pages, with another value of one member, so the pages may repeat" +
			"; if these are other items, set unique to the member that tells them apart, or to false",
	},
	TouchingPages: {
		Name:     "pages that may overlap",
		Silenced: byUnique,
		Words: "page %d begins with the item that the page before it ended with, so pages may overlap and items come twice: " +
			"check firstPage, limit and the paging parameters",
	},
	MovedPages: {
		Name:     "pages that move on by one item",
		Silenced: byUnique,
		Words: "page %d has the items of the page before it but for the first one, so items come twice; " +
			"the API may count items where it is given the number of a page: page by offset, or check the paging parameters",
	},
	EmptyPages: {
		Name: "1,000 empty pages",
		Words: "%d pages in a row have no items, and each leads to a next one: " +
			`if the first of them is the end, set "emptyStop": true in api.pagination; ` +
			`if items follow, set it to false or to a greater number`,
	},
	NoGrowth: {
		Name: "a computed next page that does not grow",
		Words: "the sum of %s is not greater than what its page was asked for with: " +
			"check the paths of add in api.pagination, or page on by offset or pagenum",
	},
	LonePages: {
		Name: "1,000 pages of one object",
		Words: "%d pages in a row have one object at %s, and no list beside it or in it any more. " +
			`If that list had the items, name its path in dataField; if not, set "emptyStop": false in api.pagination`,
	},
	TwiceTheTotal: {
		Name:     "twice as many as a total",
		Silenced: byTrustEnd,
		Words: "%s came, where the answers say that there are %d, at %s: " +
			"the API may give the same items again: check %s; if that number is not the total, set \"trustEnd\": true in the job",
	},
	MoreThanLimit: {
		Name: "more than limitStop says",
		Words: "%s: %s came, more than the %s that the response says at %s, so some may have come twice: " +
			"check the paging parameters, or sort by a unique member",
		facts: moreThanLimit,
	},
	LimitFell: {
		Name: "a number of limitStop that falls",
		Words: "%s: %s fell from %[4]s to %[3]s while the pages were read: " +
			"items may have been removed, and others missed because of that",
	},
	CountFell: {
		Name:     "a total that falls while pages are counted",
		Silenced: byUnique,
		Words:    becameLess,
	},
	MoreThanCounted: {
		Name:     "more items than a total",
		Silenced: byTrustEndOrUnique,
		Words: "%s came where the answer says %d at %s: " +
			"some may have come twice, and others may be missing: sort by a unique member",
	},
	PagesApart: {
		Name: "pages that do not overlap",
		Words: "the page at offset %d has no item of the page before it. That page was asked for several times and stayed " +
			"the same, so pages do not overlap, and items may be missing or come twice. " +
			"The API may cap its pages: set limit to what it gives. " +
			"It may filter them, or round the offset: page without overlap. " +
			"It may put other items into each answer, such as adverts: exclude them, if the API can",
	},
	OtherOrder: {
		Name: "another order",
		Words: "items that came before stand in another order on page %d. " +
			"The list has no fixed order, or items move in it, so some may be missing: " +
			"sort by a unique member that does not change",
	},
	OutOfOrder: {
		Name: "an item that breaks the order",
		Words: "until: page %d has an item whose %s is %s, behind one with %s, so newer items may stand behind the end. " +
			"Sort the list by that, the newest first, or say with slack of until how far items may be apart",
	},
	AlikeItems: {
		Name: "items that are alike",
		Words: "overlap: page %d has several items with the same %s, all but one of which may be dropped: " +
			"set unique to the member that tells the items apart",
	},
	KeysForgotten: {
		Name: "too many items to know",
		Words: "overlap: more than %d items came from beyond page %d, and not all of them were remembered, " +
			"so some may come twice: run again when the list changes less",
	},
}
