package verdict

// answerDoubts are about one answer, by itself or beside those before it.
var answerDoubts = doubtRows{
	ErrorBeside: {
		Name:     "an error beside items",
		Silenced: byFailOn,
		Words:    "the answer has an error beside the items: %s",
	},
	NotReady: {
		Name:     "an answer that is not ready",
		Silenced: byFailOn,
		Words: "the answer is 202 Accepted and has no items: " +
			"if the data is not ready yet, set waitOn, which asks again",
	},
	OddLine: {
		Name:     "an odd last line",
		Silenced: byFailOn,
		Words: "the last line shares no member with the lines before it, so it may be an error: %s; " +
			"if it is one, name it in failOn or retryOn, such as [%q]; if it is an item, set \"failOn\": []",
	},
	UnendedLine: {
		Name:     "a last line without its end",
		Silenced: byTrustEnd,
		Words: "the last line has no line break, and nothing says how long the answer is, so it may have been cut: " +
			"run again; if the API always answers so, set \"trustEnd\": true in the job",
	},
	LoneValue: {
		Name: "a lone value",
		Words: "the answer has nothing but %s, which is %s: it was taken for an item; " +
			`if it is one, write "dataField": %s; if it is an error, name it in failOn`,
	},
	ErrorArray: {
		Name:     "items that may be errors",
		Silenced: byFailOn,
		Words: "the items were read from the array %s, whose name suggests errors: " +
			"if they are errors, name the path of the items in dataField",
	},
	PartOfItem: {
		Name:     "an item with a part of a list",
		Silenced: byTrustEnd,
		Words: "the only item holds a list (%d at %s), and %s says that the list goes on: " +
			"if these are the items, write \"dataField\": %q; if not, set \"trustEnd\": true in the job",
	},
	OtherHeader: {
		Name: "another header",
		Words: "the header of a page has other names than that of the first page. If the API sends a header only once, " +
			"the first item of each later page was taken for one, and is lost%s",
	},
	CodeBesideMessage: {
		Name:     "a code beside a message",
		Silenced: byTrustEnd,
		Words:    nothingAt + "and a code that is not 0 beside a message" + cure + "%s",
	},
	NoArray: {
		Name: "no array at the top",
		Words: "endpoint %s: the response has no array at its top level%s" +
			"; if it holds items, name their path in dataField%s",
	},
	NothingThere: {
		Name:  "nothing at dataField",
		Words: "the response has nothing at %s%s%s",
	},
	NotWhole: {
		Name:     "an answer that is not whole",
		Silenced: byTrustEnd,
		Words:    notWhole,
	},
	NotFirst: {
		Name:     "a first page that is none",
		Silenced: byTrustEnd,
		Words: "the first answer says that it is not the first page: %s is %s: check where api.pagination begins (firstPage); " +
			"if you want just the pages from there on, set \"trustEnd\": true in the job",
	},
}
