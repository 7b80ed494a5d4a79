package verdict

import (
	"slices"

	"sluice/source/evidence"
)

// WalkFacts are the facts of one walk, or of the pages that one shard has of it.
type WalkFacts struct {
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
	Places map[string]PlaceFacts `json:"places,omitempty"`

	// Caveats are what answers say by which they are not whole.
	Caveats SaidCaveats `json:"caveats,omitempty"`

	// Around is of what kind they were. Null is the first page that has null where others have their items; 0: none
	// has.
	Around AnswerProfile `json:"around"`
	Null   int           `json:"null,omitempty"`
	// Beside is what those with items say around these, and Blanks are those without.
	Beside evidence.SteadyMembers `json:"beside"`
	Blanks Blanks                 `json:"blanks,omitempty"`
	// Void is the last page that has nothing at all, or null; 0: none.
	Void int `json:"void,omitempty"`
	// Stripped is the first page without items that was asked for at another origin without credentials or headers; 0: none.
	Stripped int `json:"stripped,omitempty"`
	// Texts are those of items without a key, if they are to be compared.
	Texts Texts `json:"texts,omitempty"`

	End End `json:"end"`
}

// Add folds an answer into the facts of its walk.
func (w *WalkFacts) Add(r *Record) {
	w.Pages++
	w.Items += int64(r.Items)
	w.Nulls += int64(r.Nulls)
	w.Last = max(w.Last, r.Page)
	w.Asked = max(w.Asked, r.Asked)
	w.Led = w.Led || r.Led
	w.Object = w.Object || r.Object
	w.Holder = leastOf(w.Holder, r.Holder)
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
		w.Stripped = leastOf(w.Stripped, r.Page)
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
func (w *WalkFacts) compare(r *Record) {
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

// hear enters what an answer says.
func (w *WalkFacts) hear(page int, s Statement) {
	if known := w.greatest(s); known != nil {
		raise(known, s)
		return
	}
	switch s.Kind {
	case Full:
		w.Full = firstOf(w.Full, &SaidFull{Page: page, Place: s.Place})
		return
	case Echoed:
		w.Echoed.add(SaidEchoed{Place: s.Place, Number: s.Number, Least: s.Position, Most: s.Position, Pages: s.Pages})
		return
	case Left:
		w.Left = firstOf(w.Left, &LeftItems{Page: page, Number: s.Number, Place: s.Place})
		return
	}
	one := PlaceFacts{Last: page, Says: s.Kind, Named: s.Named}
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

// at folds what was said at a place.
func (w *WalkFacts) at(name string, one PlaceFacts) {
	known, isKnown := w.Places[name]
	if !isKnown && len(w.Places) >= mostPlaces {
		return
	}
	if w.Places == nil {
		w.Places = map[string]PlaceFacts{}
	}
	w.Places[name] = known.with(one)
}

// Fold folds the facts of other pages of the same walk, which another shard has.
func (w *WalkFacts) Fold(other *WalkFacts) {
	isLater := other.Last > w.Last
	w.Extent.fold(&other.Extent)
	w.Sums.fold(&other.Sums)
	w.Led = w.Led || other.Led
	w.Object = w.Object || other.Object
	w.Holder = leastOf(w.Holder, other.Holder)
	w.Ahead = max(w.Ahead, other.Ahead)
	for _, caveat := range other.Caveats {
		w.Caveats.add(caveat)
	}
	w.Null = leastOf(w.Null, other.Null)
	w.Void = max(w.Void, other.Void)
	w.Stripped = leastOf(w.Stripped, other.Stripped)
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

// ShardFacts are what one shard has of the facts of a root walk. Its last answer may be beyond the end, which another
// shard has seen, so it stands apart.
type ShardFacts struct {
	Before WalkFacts `json:"before"`
	Final  WalkFacts `json:"final"`
	// Ahead is that of the walk, which no answer of it has.
	Ahead int `json:"ahead,omitempty"`
}

// Add folds an answer into the facts.
func (p *ShardFacts) Add(r *Record) {
	if p.Final.Pages > 0 {
		p.Before.Fold(&p.Final)
		p.Final = WalkFacts{}
	}
	p.Final.Add(r)
}

// Contradicts tells whether an answer without items says something else than all answers of the pages with items.
func (p *ShardFacts) Contradicts(says []evidence.Said) bool {
	around := p.Before.Beside
	around.Members = slices.Clone(around.Members)
	around.Fold(&p.Final.Beside)
	return around.Contradicts(says)
}

// isNamedTotal tells whether so many items are exactly as many as limitStop says, and not as many as an API may show at most.
func isNamedTotal(isExact bool, items int64) bool { return isExact && !evidence.MayBeMost(items) }

// isExact tells whether as many items came as a number says that a person has named, and which is none of one page. A round one
// beside a greater one of all items may be how many are shown at most.
func (w *WalkFacts) isExact(total *GreatestTotal) bool {
	mayBeMost := evidence.MayBeMost(w.Items) && total != nil && total.Number > w.Items
	return w.End.Exact && !mayBeMost
}
