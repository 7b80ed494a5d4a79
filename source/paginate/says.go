package paginate

import (
	"slices"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// What an answer says of what follows: by its own words, and at the places that the configuration names.

// says appends the statements of an answer; aside is what it says that is no sign.
func (p *Paging) says(
	all []verdict.Statement, f *Facts, signs []evidence.Sign, aside evidence.Aside, out *PageOutcome,
) []verdict.Statement {
	add := func(kind verdict.StatementKind, place string) {
		all = append(all, verdict.Statement{Kind: kind, Place: place})
	}
	for i := range signs {
		s := &signs[i]
		switch s.Says {
		case evidence.More:
			all = append(all, verdict.Statement{Kind: verdict.More, Place: s.At, Named: true})
		case evidence.NoMore:
			all = append(all, verdict.Statement{Kind: verdict.NoMore, Place: s.At, Named: true})
		case evidence.Link, evidence.Cursor:
			add(verdict.Next, s.At)
		case evidence.Total, evidence.Pages, evidence.Guessed:
			all = append(all, numberOf(s))
		case evidence.Hint:
			all = append(all, hintOf(s))
		case evidence.Left:
			all = append(all, verdict.Statement{Kind: verdict.Left, Place: s.At, Number: s.Total})
		}
	}
	if aside.NoNext != "" {
		add(verdict.NoNext, aside.NoNext)
	}
	for _, place := range aside.NoMore {
		all = append(all, verdict.Statement{Kind: verdict.MayEnd, Place: place, Named: true})
	}
	if aside.NoLeft != "" {
		add(verdict.Left, aside.NoLeft)
	}
	if aside.Full != "" {
		add(verdict.Full, aside.Full)
	}
	if aside.Ceiling != "" {
		all = append(all, verdict.Statement{Kind: verdict.Ceiling, Place: aside.Ceiling, Number: aside.Most})
	}
	for _, e := range aside.Echoed {
		all = append(all, verdict.Statement{Kind: verdict.Echoed, Place: e.At, Number: e.Number, Position: e.Position, Pages: e.Pages})
	}
	if aside.BareAt != "" {
		all = append(all, verdict.Statement{Kind: verdict.Guess, Place: aside.BareAt, Number: aside.Bare})
	}
	// A number of which a next page is computed says nothing of it.
	if f.End == "" && p.isLedOn() && !p.ComparesTotals() && p.atNext(f) != nil {
		switch {
		case p.ledOn(f, out):
			add(verdict.Next, p.nextPlace)
		case !leads(p.atNext(f)):
			add(verdict.NoNext, p.nextPlace)
		}
	}
	for flag := range p.flags {
		kind := flag.says(f)
		isTaken := kind != verdict.NoMore || f.mayEnd(flag.field)
		if kind != 0 && isTaken {
			add(kind, flag.place)
		}
	}
	return all
}

// atEnd are those of the signs of an answer that ends the walk by a condition which count. It may be of another kind than pages are, such
// as an error, whose flags and numbers have no meaning: so they can only speak against the end, but for a flag that the condition looks at,
// and for a number that is just reached.
func (s *State) atEnd(f *Facts, signs []evidence.Sign) (all []evidence.Sign) {
	came := s.came()
	for _, sign := range signs {
		var counts bool
		switch sign.Says {
		case evidence.More:
			counts = true
		case evidence.NoMore:
			counts = f.mayEnd(sign.Read())
		case evidence.Total:
			counts = !sign.Weak && sign.Total >= came.Items+came.Skipped && sign.Total >= s.Seen.Whole.Items
		case evidence.Pages:
			counts = sign.Total >= int64(came.Pages) && sign.Total >= s.Seen.Open.Pages
		}
		if counts {
			all = append(all, sign)
		}
	}
	return all
}

// mayEnd tells whether what stands at the path may say that there is no more: in the answer that ends the walk only what the condition
// looks at.
func (f *Facts) mayEnd(path item.Path) bool {
	isIt := func(read item.Path) bool { return slices.Equal(read, path) }
	return f.End == "" || slices.ContainsFunc(f.Ends, isIt)
}

// Says is what an answer says that ends no walk, and leads to no other page.
func (p *Paging) Says(f *Facts) []verdict.Statement {
	signs, aside := f.Heard(p.reads)
	return p.says(nil, f, signs, aside, &PageOutcome{})
}

// ledOn tells whether what stands at the place of the next page leads to one.
func (p *Paging) ledOn(f *Facts, out *PageOutcome) bool {
	if out.byMethod {
		return out.Next != nil
	}
	return leads(p.atNext(f))
}
