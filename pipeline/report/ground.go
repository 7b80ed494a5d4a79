package report

// A Ground says why the end of a walk is believed to be the end of its list, as the report writes it. What it means
// stands in one table, groundRules; source/verdict decides which one holds. Empty: nothing is known to speak for the
// end.
type Ground string

// The grounds, the strongest first.
const (
	GroundTotal    Ground = "total"
	GroundPages    Ground = "pages"
	GroundFlag     Ground = "flag"
	GroundNext     Ground = "next"
	GroundBeyond   Ground = "beyond"
	GroundObject   Ground = "object"
	GroundDeclared Ground = "declared"
	GroundEmpty    Ground = "empty"
	GroundUneven   Ground = "uneven"
	GroundShort    Ground = "short"
	GroundAlone    Ground = "alone"
	GroundUnseen   Ground = "unseen"
	GroundEnded    Ground = "ended"
)

// A Class says how much a ground is worth.
type Class string

// The classes of grounds.
const (
	// Stated grounds are the API's own words.
	Stated Class = "stated"
	// Shown grounds are what the API answered beyond the end.
	Shown Class = "shown"
	// Declared grounds are the configuration's.
	Declared Class = "declared"
	// Assumed grounds prove nothing: only nothing speaks against the end.
	Assumed Class = "assumed"
)

// A GroundRule says what a ground means.
type GroundRule struct {
	Class Class
	// Words tell people why the end is believed. They stand after the word complete.
	Words string
}

// groundRules are all the grounds there are, the strongest first.
var groundRules = []struct {
	ground Ground
	rule   GroundRule
}{
	{GroundTotal, GroundRule{Stated, "as many as the API says"}},
	{GroundPages, GroundRule{Stated, "as many pages as the API says"}},
	{GroundFlag, GroundRule{Stated, "the API says that there is no more"}},
	{GroundNext, GroundRule{Stated, "the API names no next page"}},
	{GroundBeyond, GroundRule{Shown, "the API has nothing after it"}},
	{GroundObject, GroundRule{Shown, "one object by its own address"}},
	{GroundDeclared, GroundRule{Declared, "by the configuration"}},
	{GroundEmpty, GroundRule{Assumed, "as far as one empty page shows"}},
	{GroundUneven, GroundRule{Assumed, "as far as pages of uneven sizes show"}},
	{GroundShort, GroundRule{Assumed, "as far as one short page shows"}},
	{GroundAlone, GroundRule{Assumed, "as far as one answer shows"}},
	{GroundUnseen, GroundRule{Assumed, "although no answer had a place for the next page"}},
	{GroundEnded, GroundRule{Assumed, "as far as its end shows"}},
}

// AllGrounds lists all the grounds, the strongest first.
func AllGrounds() (all []Ground) {
	for _, g := range groundRules {
		all = append(all, g.ground)
	}
	return all
}

// Rule returns what the ground means. One that another version of the program wrote is only assumed.
func (g Ground) Rule() GroundRule {
	for _, known := range groundRules {
		if known.ground == g {
			return known.rule
		}
	}
	return GroundRule{Class: Assumed, Words: "as far as a newer version knows"}
}

// Grounds is how many walks of a job rest on each ground.
type Grounds map[Ground]int

// Add adds those of other walks of the job.
func (g *Grounds) Add(other Grounds) {
	for ground, walks := range other {
		if *g == nil {
			*g = Grounds{}
		}
		(*g)[ground] += walks
	}
}

// Weakest is the weakest of them: that of the job as a whole. Empty: no walk has one.
func (g Grounds) Weakest() (weakest Ground) {
	for _, known := range groundRules {
		if g[known.ground] > 0 {
			weakest = known.ground
		}
	}
	return weakest
}

// Assumed is how many walks end by assumption only.
func (g Grounds) Assumed() (walks int) {
	for ground, count := range g {
		if ground.Rule().Class == Assumed {
			walks += count
		}
	}
	return walks
}
