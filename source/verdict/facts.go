// Package verdict says how complete the data of a job is, and on what that rests. Facts of answers fold into
// those of a walk, these into those of a job; [Judge] is a pure function of the facts and of what the
// configuration trusts. It is the same for a run, for one that continues another, and for shards that are
// published together: folding is associative, and the order in which answers arrive decides nothing. What speaks against
// the word complete, wherever it is seen, is a [Doubt]: a row of one table.
package verdict

import (
	"cmp"
	"maps"
	"slices"

	"sluice/pipeline/report"
	"sluice/source/evidence"
)

// A Kind says what a statement beside the items is about.
type Kind uint8

// The kinds of statements.
const (
	// MayMore is a flag that may say that there is more, MayEnd one that may say that there is not.
	MayMore Kind = iota + 1
	MayEnd
	// More: a flag says that there is more. NoMore: it says that there is not.
	More
	NoMore
	// Next leads to the next page. NoNext is an empty place for it.
	Next
	NoNext
	// Total is a number of all items. AtLeast is one that is said to be a lower bound.
	Total
	AtLeast
	// PageCount is a number of all pages.
	PageCount
	// Guess is a number that may be that of all items, GuessedPages one that may be that of all pages.
	Guess
	GuessedPages
	// Left is how many items are left, also 0.
	Left
	// Full is a place that says how many items a page has, as many as this one has.
	Full
	// Ceiling is a number of results that are shown at most.
	Ceiling
	// Echoed is a number without a known name, beside the size and the position that were asked for.
	Echoed
)

// A Statement is one thing that an answer says beside its items.
type Statement struct {
	Kind Kind
	// Place is a path in the answer, or the name of a header.
	Place string
	// Number is that of the kinds that are numbers, and Position where an Echoed one was asked for.
	Number, Position int64
	// Named: the number's name says that it is one of all, and not of the page, or that of a flag that it is one. Guessed: no more than its name says so, and
	// where it is not Named, not even that.
	Named, Guessed bool
	// OfAll: it is none of the page, also where it is just as great.
	OfAll bool
	// Vague: it is said to be inexact.
	Vague bool
	// Pages: the number of pages stands beside an Echoed one.
	Pages bool
}

// A Body says what kind of answer it was.
type Body struct {
	// Root and Field are the kinds of JSON values there, as jsontext has them: of the whole answer, and where
	// the items are looked for. 0: there is nothing.
	Root  byte `json:"root,omitempty"`
	Field byte `json:"field,omitempty"`
}

// A Record is what is kept of one answer until it is folded into its walk, which keeps nothing of it but copies.
type Record struct {
	// Page is its number in its walk, from 1.
	Page int
	// Items are those of the page, Nulls those of them that are null, where others are objects or arrays.
	Items, Nulls int
	// Asked is how many items were asked for; 0: it is not known. Usual: people choose such a number of items as the size of a
	// page.
	Asked int64
	Usual bool
	Says  []Statement
	// Announced is how many items there are by this page; Place is empty: it does not say it, or the walk is below an item.
	Announced Announced
	// Limit is the number that limitStop reads; Place is empty: there is none, or it may count something else.
	Limit Announced

	// Caveat says that it is not whole.
	Caveat Caveat

	// Led: it has something where paging looks for the next page.
	Led bool
	// Object: it is one object by its own address.
	Object bool
	// Holder is what paging reads of the first item, which has a list of objects in it; empty: nothing.
	Holder string

	// Compared tells that the answer is compared with others of the job: it is JSON.
	Compared bool
	Body     Body
	// NoContent: the status says that the answer has none. Keyed: its only item has the key of the walk.
	NoContent, Keyed bool
	// Around is what the members around the items say.
	Around []evidence.Said
	// Members stand beside the items; Names is a hash of the names of all of them.
	Members []Member
	Names   uint64
	// Stripped: credentials or headers were left out of the request, which went to another origin.
	Stripped bool
	// Texts are hashes of the texts of the items, if these have no key and are to be compared.
	Texts []uint64
	// Quote begins the text of an answer without items, for people; secrets are removed.
	Quote string
	// Field is where the items are looked for, for people.
	Field string
}

// A Member is one beside the items, by a hash of its name.
type Member struct {
	Name uint64
	// Statement: it may say how the list is paged, or counts something. Telling: its value says something else.
	Statement, Telling bool
}

// A Place is what answers of a walk said at one place of flags and next pages.
type Place struct {
	// Named: it is a flag by the words of its name.
	Named bool `json:"named,omitempty"`
	// Value: an answer said there that there is more, or where the next page is. Next: the latter.
	Value bool `json:"value,omitempty"`
	Next  bool `json:"next,omitempty"`
	// End is the first page that said there that there is no more; 0: none did.
	End int `json:"end,omitempty"`
	// Last is the last page that said something there, and Says what.
	Last int  `json:"last"`
	Says Kind `json:"says"`
}

// A Sum is the greatest number that answers of a walk said of all items, or of all pages.
type Sum struct {
	Number int64  `json:"number"`
	Place  string `json:"place"`
	Named  bool   `json:"named,omitempty"`
	// Guessed: it may be another number.
	Guessed bool `json:"guessed,omitempty"`
	// OfAll: it is none of the page, also where it is just as great.
	OfAll bool `json:"ofAll,omitempty"`
}

// A Walk is the facts of one walk, or of the pages that one shard has of it.
type Walk struct {
	Extent
	Sums

	// Led: some answer had something where paging looks for the next page. Object: one is an object by its own
	// address.
	Led    bool `json:"led,omitempty"`
	Object bool `json:"object,omitempty"`
	// Holder is what paging reads of the first item, which has a list of objects in it; empty: nothing.
	Holder string `json:"holder,omitempty"`

	// Ahead is how many items the page before the first one has, none of which came; 0: it was not asked for, or has none.
	Ahead int `json:"ahead,omitempty"`

	// Places are what answers said at each place of flags and next pages.
	Places map[string]Place `json:"places,omitempty"`

	// Caveats are what answers say by which they are not whole.
	Caveats SaidCaveats `json:"caveats,omitempty"`

	// Around is of what kind they were. Null is the first page that has null where others have their items; 0: none
	// has.
	Around Around `json:"around"`
	Null   int    `json:"null,omitempty"`
	// Beside is what those with items say around these, and Blanks are those without.
	Beside evidence.Around `json:"beside"`
	Blanks Blanks          `json:"blanks,omitempty"`
	// Void is the last page that has nothing at all, or null; 0: none.
	Void int `json:"void,omitempty"`
	// Stripped is the first page without items that was asked for at another origin without credentials or headers; 0: none.
	Stripped int `json:"stripped,omitempty"`
	// Texts are those of items without a key, if they are to be compared.
	Texts Texts `json:"texts,omitempty"`

	End End `json:"end"`
}

// An Extent is how many pages and items came.
type Extent struct {
	// Items came, Again of them more than once, and Nulls of them are null among others.
	Items int64 `json:"items"`
	Again int64 `json:"again,omitempty"`
	Nulls int64 `json:"nulls,omitempty"`
	// Skipped stand before the first item that was asked for.
	Skipped int64 `json:"skipped,omitempty"`

	// Pages is how many pages came, Filled how many of them had items.
	Pages  int `json:"pages"`
	Filled int `json:"filled"`
	// Last and LastFilled are the numbers of the last page, and of the last with items, which had LastItems, a usual size of a
	// page if LastUsual.
	Last       int  `json:"last"`
	LastFilled int  `json:"lastFilled"`
	LastItems  int  `json:"lastItems"`
	LastUsual  bool `json:"lastUsual,omitempty"`
	// Longest is how many items the longest page had, and Longests how many pages had as many.
	Longest  int `json:"longest"`
	Longests int `json:"longests"`
	// Asked is how many items a page was asked for with, the greatest; 0: it is not known.
	Asked int64 `json:"asked,omitempty"`
}

// Sums are what answers said of all items, and of all pages.
type Sums struct {
	// Total and Count are the greatest numbers of all items, and of all pages; nil: no answer said one. Bound
	// is the greatest lower bound of all items.
	Total *Sum `json:"total,omitempty"`
	Count *Sum `json:"count,omitempty"`
	Bound *Sum `json:"bound,omitempty"`
	// Likely is the greatest number that is one of all items by what it counts, and may be something else by its name.
	Likely *Sum `json:"likely,omitempty"`
	// Guess and MayPages are the greatest numbers that may be those of all items, and of all pages.
	Guess    *Sum `json:"guess,omitempty"`
	MayPages *Sum `json:"mayPages,omitempty"`
	// Left is what the last page that says it says of the items that are left; nil: none does.
	Left *LeftItems `json:"left,omitempty"`
	// Full is the last page that has as many items as an answer says that a page has; nil: none has.
	Full *SaidFull `json:"full,omitempty"`
	// Announced is how many items there are by the last page that says it, of a walk at the root.
	Announced *Announced `json:"announced,omitempty"`
	// Limit is the number that limitStop reads, on the last page that has it.
	Limit *Announced `json:"limit,omitempty"`
	// Ceiling is the greatest number of results that are shown at most.
	Ceiling *Sum `json:"ceiling,omitempty"`
	// Said are the numbers of all items that pages with items said.
	Said SaidTotals `json:"said,omitempty"`
	// Echoed are the numbers that stand beside the size and the position that were asked for.
	Echoed SaidEchoes `json:"echoed,omitempty"`
}

// Whole is the number of all items, as far as answers say it; nil: they do not.
func (s *Sums) Whole() *Sum {
	if s.Total == nil {
		return s.Likely
	}
	return s.Total
}

// An End is how a walk has ended.
type End struct {
	Reason report.StopReason `json:"reason,omitempty"`
	// Later: the first page that was asked for is not that of the list, so pages cannot be counted.
	Later bool `json:"later,omitempty"`
	// Behind: that is so by the number of the first page in the configuration.
	Behind bool `json:"behind,omitempty"`
	// Declared: the configuration says that this is the end.
	Declared bool `json:"declared,omitempty"`
	// Root: the walk is below no item, and of no window. Counted: a rule about the pages themselves has compared the
	// numbers of all items, or the configuration says that the list may change.
	Root    bool `json:"root,omitempty"`
	Counted bool `json:"counted,omitempty"`
	// Changes: the configuration reckons with a list that changes while it is read, so that no number holds for all of it.
	Changes bool `json:"changes,omitempty"`
	// Refused: the API refused the page after the last.
	Refused bool `json:"refused,omitempty"`
	// Limit: a number of items that the configuration names was reached.
	Limit bool `json:"limit,omitempty"`
	// Exact: as many items came as that number says, which is not that of one page.
	Exact bool `json:"exact,omitempty"`
	// Beyond: what the API answered after the end shows it.
	Beyond bool `json:"beyond,omitempty"`
	// Single: there is one request, and no paging.
	Single bool `json:"single,omitempty"`
	// Flagged: a flag that the configuration names says that there is no more.
	Flagged bool `json:"flagged,omitempty"`
	// Wanted: there was nothing where paging looks for the next page.
	Wanted bool `json:"wanted,omitempty"`
}

// mostPlaces is how many places a walk remembers, and a job: beyond that they say nothing.
const mostPlaces = 1000

// Add folds an answer into the facts of its walk.
func (w *Walk) Add(r *Record) {
	w.Pages++
	w.Items += int64(r.Items)
	w.Nulls += int64(r.Nulls)
	w.Last = max(w.Last, r.Page)
	w.Asked = max(w.Asked, r.Asked)
	w.Led = w.Led || r.Led
	w.Object = w.Object || r.Object
	w.Holder = firstPlace(w.Holder, r.Holder)
	w.Caveats.hear(r)
	if r.Items > 0 {
		w.Filled++
		w.fill(r.Page, r.Items, r.Usual)
		w.lengthen(r.Items, 1)
	}
	for _, s := range r.Says {
		w.hear(r.Page, s)
		// As many as the page has may be its own number.
		mayBeOfAll := r.Items > 0 && s.Number != int64(r.Items) && !s.Vague
		// 0 beside items is how some say that they did not count.
		mayBeOfAll = mayBeOfAll && s.Number > 0
		if isNumber := s.Kind == Total || s.Kind == Guess; isNumber && mayBeOfAll {
			w.Said.add(SaidTotal{
				Place: s.Place, Number: s.Number, First: r.Page, Last: r.Page, Items: r.Items,
				Guess: s.Kind == Guess || s.Guessed,
			})
		}
	}
	isNull := r.Compared && r.Items == 0 && r.Body.Root == '{' && r.Body.Field == 'n'
	if isNull && w.Null == 0 {
		w.Null = r.Page
	}
	if isVoid := r.Body.Root == 0 || r.Body.Root == 'n'; r.Compared && isVoid {
		w.Void = max(w.Void, r.Page)
	}
	if r.Stripped && r.Items == 0 {
		w.Stripped = earlier(w.Stripped, r.Page)
	}
	announce(&w.Announced, r.Page, &r.Announced)
	announce(&w.Limit, r.Page, &r.Limit)
	if len(r.Texts) > 0 {
		w.Texts = merged(w.Texts, textsOf(r.Page, r.Texts), false)
	}
	if r.Compared {
		w.Around.add(r)
		w.compare(r)
	}
}

// compare enters what an answer says around the place of its items.
func (w *Walk) compare(r *Record) {
	if r.Items > 0 {
		w.Beside.Learn(r.Page, r.Around)
		return
	}
	w.Blanks.add(blankOf(r))
}

// announce enters how many items there are by a page, if it says it.
func announce(known **Announced, page int, one *Announced) {
	if one.Place == "" {
		return
	}
	if *known == nil {
		*known = &Announced{}
	}
	if page >= (*known).Page {
		**known = *one
		(*known).Page = page
	}
}

// fill enters a page with items.
func (w *Walk) fill(page, items int, isUsual bool) {
	if page > w.LastFilled {
		w.LastFilled, w.LastItems, w.LastUsual = page, items, isUsual
	}
}

// lengthen enters so many pages of a length.
func (w *Walk) lengthen(items, pages int) {
	switch {
	case items > w.Longest:
		w.Longest, w.Longests = items, pages
	case items == w.Longest:
		w.Longests += pages
	}
}

// hear enters what an answer says.
func (w *Walk) hear(page int, s Statement) {
	switch s.Kind {
	case Total:
		if s.isLikely() {
			raise(&w.Likely, s)
			return
		}
		raise(&w.Total, s)
		return
	case AtLeast:
		raise(&w.Bound, s)
		return
	case PageCount:
		raise(&w.Count, s)
		return
	case Guess:
		raise(&w.Guess, s)
		return
	case GuessedPages:
		raise(&w.MayPages, s)
		return
	case Full:
		w.Full = w.Full.with(&SaidFull{Page: page, Place: s.Place})
		return
	case Ceiling:
		raise(&w.Ceiling, s)
		return
	case Echoed:
		w.Echoed.add(SaidEchoed{Place: s.Place, Number: s.Number, Least: s.Position, Most: s.Position, Pages: s.Pages})
		return
	case Left:
		w.Left = w.Left.with(&LeftItems{Page: page, Number: s.Number, Place: s.Place})
		return
	}
	one := Place{Last: page, Says: s.Kind, Named: s.Named}
	switch s.Kind {
	case More, MayMore:
		one.Value = true
	case Next:
		one.Value, one.Next = true, true
	case MayEnd:
	default:
		one.End = page
	}
	w.at(s.Place, one)
}

// isLikely tells whether the number may be another one.
func (s Statement) isLikely() bool { return s.Guessed && !s.Named }

// earlier is the earlier of two pages; 0: there is none.
func earlier(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// at folds what was said at a place.
func (w *Walk) at(name string, one Place) {
	known, isKnown := w.Places[name]
	if !isKnown && len(w.Places) >= mostPlaces {
		return
	}
	if w.Places == nil {
		w.Places = map[string]Place{}
	}
	w.Places[name] = known.with(one)
}

// with folds what other pages said at the same place.
func (p Place) with(other Place) Place {
	p.Value, p.Next = p.Value || other.Value, p.Next || other.Next
	p.Named = p.Named || other.Named
	isEarlier := p.End == 0 || other.End < p.End
	if other.End > 0 && isEarlier {
		p.End = other.End
	}
	isLater := other.Last > p.Last
	// One page may say several things at one place: the greater kind, whatever their order.
	isElse := other.Last == p.Last && other.Says > p.Says
	if isLater || isElse {
		p.Last, p.Says = other.Last, other.Says
	}
	return p
}

// raise enters a number, which most answers say again.
func raise(known **Sum, s Statement) {
	one := Sum{s.Number, s.Place, s.Named, s.Guessed, s.OfAll}
	if *known != nil && **known == one {
		return
	}
	// A copy, so that the other one stays on the stack.
	kept := one
	*known = greater(*known, &kept)
}

// greater is the greater of two numbers, the one with the lesser place if they are the same.
func greater(a, b *Sum) *Sum {
	switch {
	case a == nil:
		return b
	case b == nil, a.Number > b.Number:
		return a
	case a.Number < b.Number:
		return b
	case a.Named != b.Named:
		if a.Named {
			return a
		}
		return b
	case a.OfAll != b.OfAll:
		if a.OfAll {
			return a
		}
		return b
	case b.Place < a.Place:
		return b
	}
	return a
}

// Fold folds the facts of other pages of the same walk, which another shard has.
func (w *Walk) Fold(other *Walk) {
	w.Items += other.Items
	w.Again += other.Again
	w.Nulls += other.Nulls
	w.Skipped = max(w.Skipped, other.Skipped)
	w.Pages += other.Pages
	w.Filled += other.Filled
	isLater := other.Last > w.Last
	w.Last = max(w.Last, other.Last)
	w.fill(other.LastFilled, other.LastItems, other.LastUsual)
	w.lengthen(other.Longest, other.Longests)
	w.Asked = max(w.Asked, other.Asked)
	w.Led = w.Led || other.Led
	w.Object = w.Object || other.Object
	w.Holder = firstPlace(w.Holder, other.Holder)
	w.Ahead = max(w.Ahead, other.Ahead)
	for _, caveat := range other.Caveats {
		w.Caveats.add(caveat)
	}
	for _, said := range other.Said {
		w.Said.add(said)
	}
	for _, echoed := range other.Echoed {
		w.Echoed.add(echoed)
	}
	w.Null = earlier(w.Null, other.Null)
	w.Total = greater(w.Total, other.Total)
	w.Count = greater(w.Count, other.Count)
	w.Bound = greater(w.Bound, other.Bound)
	w.Announced = w.Announced.with(other.Announced)
	w.Limit = w.Limit.with(other.Limit)
	w.Guess = greater(w.Guess, other.Guess)
	w.Likely = greater(w.Likely, other.Likely)
	w.MayPages = greater(w.MayPages, other.MayPages)
	w.Left = w.Left.with(other.Left)
	w.Full = w.Full.with(other.Full)
	w.Ceiling = greater(w.Ceiling, other.Ceiling)
	w.Void = max(w.Void, other.Void)
	w.Stripped = earlier(w.Stripped, other.Stripped)
	w.Texts = merged(w.Texts, other.Texts, false)
	for name, place := range other.Places {
		w.at(name, place)
	}
	w.Around.fold(&other.Around)
	w.Beside.Fold(&other.Beside)
	for _, blank := range other.Blanks {
		w.Blanks.add(blank)
	}
	w.End = w.End.with(other.End, isLater)
}

// with folds how another shard ended the walk: the later end counts.
func (e End) with(other End, isLater bool) End {
	reason := e.Reason
	if isLater || reason == "" {
		reason = other.Reason
	}
	return End{
		Reason:   reason,
		Later:    e.Later || other.Later,
		Behind:   e.Behind || other.Behind,
		Declared: e.Declared || other.Declared,
		Beyond:   e.Beyond || other.Beyond,
		Root:     e.Root || other.Root,
		Counted:  e.Counted || other.Counted,
		Changes:  e.Changes || other.Changes,
		Refused:  e.Refused || other.Refused,
		Limit:    e.Limit || other.Limit,
		Exact:    e.Exact || other.Exact,
		Flagged:  e.Flagged || other.Flagged,
		Single:   e.Single && other.Single,
		Wanted:   e.Wanted && other.Wanted,
	}
}

// A Job is the facts of all walks of a job.
type Job struct {
	// Walks is how many there are of each shape.
	Walks Shapes `json:"walks,omitempty"`
	// Other is how many walks had a shape that was not kept, since there are too many.
	Other int `json:"other,omitempty"`
	// Places are those of all walks.
	Places map[string]Bits `json:"places,omitempty"`
	Around Around          `json:"around"`
	Nulls  int64           `json:"nulls,omitempty"`
	// Fall is how a number of all items fell in one of them, and Short one of which fewer items came than an answer
	// says.
	Fall  *FallTotal  `json:"fall,omitempty"`
	Short *ShortTotal `json:"short,omitempty"`
	// Announced is one of which fewer came than its last answer with such a number says.
	Announced *ShortTotal `json:"announced,omitempty"`
	// OverLimit is one of which more items came than the number of limitStop says, UnderLimit one of which fewer did.
	OverLimit  *LimitTotal `json:"overLimit,omitempty"`
	UnderLimit *LimitTotal `json:"underLimit,omitempty"`
	// Caveat is what an answer says by which it is not whole.
	Caveat *Caveat `json:"caveat,omitempty"`
	// MayBeShort is one of which fewer came than a number that may be that of all.
	MayBeShort *ShortTotal `json:"mayBeShort,omitempty"`
	// Echoed is one of which fewer came than a number says that stands beside the size and the position that were asked for.
	Echoed *ShortTotal `json:"echoed,omitempty"`
	// Behind is one that begins behind the first page, and the number of all items, those before included.
	Behind *ShortTotal `json:"behind,omitempty"`
	// Open is one whose last page with items says that there is more, although an answer without items ended it.
	Open *OpenEnd `json:"open,omitempty"`
	// FewPages is one of which fewer pages came than an answer says.
	FewPages *OpenEnd `json:"fewPages,omitempty"`
	// Stripped is the first page of a walk without items, asked for at another origin without credentials or headers; 0: none.
	Stripped int `json:"stripped,omitempty"`
	// Contrary is the first answer without items of a walk that says something else than all with items.
	Contrary *Blank `json:"contrary,omitempty"`
	// Longest is how many items the longest page had.
	Longest int `json:"longest,omitempty"`
	// Ahead is how many items the page before the first one of a walk has, none of which came.
	Ahead int `json:"ahead,omitempty"`
	// Holder is what paging reads of the first item of a walk, which has a list of objects in it; empty: nothing.
	Holder string `json:"holder,omitempty"`
	// Odd are pages in the middle of walks that have few items, and say what no other page of their walk says.
	Odd []OddPage `json:"odd,omitempty"`
}

// Bits are what answers of a job said at a place.
type Bits struct {
	// Value: an answer said that there is more. Next: it said where. Followed: new items followed where one said
	// that there is not.
	Value    bool `json:"value,omitempty"`
	Next     bool `json:"next,omitempty"`
	Followed bool `json:"followed,omitempty"`
}

// mostShapes is how many shapes of walks a job keeps.
const mostShapes = 256

// Add folds the facts of a walk that has ended; its own verdict is what speaks against it beside the facts.
func (j *Job) Add(w *Walk, own report.Verdict) {
	for name, place := range w.Places {
		j.at(name, Bits{Value: place.Value, Next: place.Next, Followed: w.isFollowed(name)})
	}
	j.Nulls += w.Nulls
	j.Longest = max(j.Longest, w.Longest)
	j.Holder = firstPlace(j.Holder, w.Holder)
	j.Stripped = earlier(j.Stripped, w.Stripped)
	shape := w.shape()
	if !shape.Total && !shape.Count {
		j.Ahead = max(j.Ahead, w.Ahead)
	}
	around := w.around(&shape)
	j.Around.fold(&around)
	j.Contrary = firstBlank(j.Contrary, w.contradicted(&shape))
	caveat := w.partial(shape)
	j.Caveat = partly(j.Caveat, caveat)
	own = withCaveat(own, caveat)
	if !shape.Total {
		j.addOdd(w.oddPages())
	}
	// What doubts the walk itself has said so already.
	isSilent := own > report.Complete || w.End.Changes
	if !isSilent {
		j.Fall = lesser(j.Fall, w.Said.fall(w.End.Counted))
	}
	j.addLimits(w, own)
	if own == report.Complete {
		j.addShort(w, &shape)
		j.Open = firstOpen(j.Open, w.open(&shape))
		j.FewPages = firstOpen(j.FewPages, w.lacks(&shape))
	}
	shape.Doubted = own > report.Complete
	j.count(shape, 1)
}

// at folds what was said at a place.
func (j *Job) at(name string, bits Bits) {
	known, isKnown := j.Places[name]
	if !isKnown && len(j.Places) >= mostPlaces {
		return
	}
	if j.Places == nil {
		j.Places = map[string]Bits{}
	}
	j.Places[name] = Bits{
		Value:    known.Value || bits.Value,
		Next:     known.Next || bits.Next,
		Followed: known.Followed || bits.Followed,
	}
}

// count counts walks of a shape.
func (j *Job) count(s Shape, walks int) {
	if j.Walks == nil {
		j.Walks = Shapes{}
	}
	_, isKnown := j.Walks[s]
	if !isKnown && len(j.Walks) >= mostShapes {
		j.Other += walks
		return
	}
	j.Walks[s] += walks
}

// Fold folds the facts of other walks of the job, which another shard has.
func (j *Job) Fold(other *Job) {
	j.Other += other.Other
	j.Nulls += other.Nulls
	j.Fall = lesser(j.Fall, other.Fall)
	j.Short = shorter(j.Short, other.Short)
	j.Announced = shorter(j.Announced, other.Announced)
	j.OverLimit = firstLimit(j.OverLimit, other.OverLimit)
	j.UnderLimit = firstLimit(j.UnderLimit, other.UnderLimit)
	j.Caveat = partly(j.Caveat, other.Caveat)
	j.MayBeShort = shorter(j.MayBeShort, other.MayBeShort)
	j.Echoed = shorter(j.Echoed, other.Echoed)
	j.Behind = shorter(j.Behind, other.Behind)
	j.Open = firstOpen(j.Open, other.Open)
	j.FewPages = firstOpen(j.FewPages, other.FewPages)
	j.addOdd(other.Odd)
	j.Longest = max(j.Longest, other.Longest)
	j.Holder = firstPlace(j.Holder, other.Holder)
	j.Ahead = max(j.Ahead, other.Ahead)
	j.Stripped = earlier(j.Stripped, other.Stripped)
	j.Contrary = firstBlank(j.Contrary, other.Contrary)
	for _, s := range slices.SortedFunc(maps.Keys(other.Walks), Shape.compare) {
		j.count(s, other.Walks[s])
	}
	for _, name := range slices.Sorted(maps.Keys(other.Places)) {
		j.at(name, other.Places[name])
	}
	j.Around.fold(&other.Around)
}

// firstPlace is the one of two places that is told; empty: there is none.
func firstPlace(a, b string) string {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	return min(a, b)
}
