package verdict

// All doubts there are. A new one is a constant here, a row in the table of what it is about and in docs/missing-data.md,
// and a scenario that has its words or begins with "# doubt: NAME.". The order is that in which doubts that rest on the facts
// of a job are told.
const (
	// NoDoubt is that of what is told and speaks against nothing.
	NoDoubt Doubt = iota

	// Of an answer.

	ErrorBeside
	NotReady
	OddLine
	UnendedLine
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

	becameLess = "%s fell from %[3]d to %[2]d while the pages were read: items were removed, " +
		"and others may have been missed. Run again when the list does not change, or page by a cursor"
)
