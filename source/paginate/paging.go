package paginate

import (
	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/report"
	"sluice/source/config"
	"sluice/source/evidence"
	"sluice/source/verdict"
)

// Paging is a method and the common stop conditions. It is immutable.
type Paging struct {
	method Method
	// stops are the stop conditions of api.pagination, then those of the scroller that the job chose.
	stops []stops
	// reads has the paths of an answer that the method and the stop conditions read.
	reads evidence.Reads
	// Needs has what the method needs of an answer, then what each of stops needs.
	Needs Needs
	// nextPlace is where the method looks for the next page, for people; empty: nowhere.
	nextPlace string
	// inHeaders: the method puts a parameter into a header.
	inHeaders bool
	// TrustEnd: the end counts whatever the answers say.
	TrustEnd bool
	// Unique says what tells the items of the job apart.
	Unique evidence.Unique
	// Until ends a walk at items that an earlier run had; nil: there is no such condition.
	Until *Until
	// Node names the method; nil: there is none.
	Node *config.Node
	// shard of shards asks for every shards-th page; 0 shards: every page is asked for.
	shard, shards int
}

// Trust is what the configuration says of ends and items.
func (p *Paging) Trust() verdict.Trust {
	return verdict.Trust{End: p.TrustEnd, Unique: p.Unique.Never}
}

// isOnePage tells whether a walk has one page.
func (p *Paging) isOnePage() bool {
	_, isOne := p.method.(onePager)
	return isOne
}

// Declared tells whether the configuration says that there is one page.
func (p *Paging) Declared() bool {
	m, isOne := p.method.(onePager)
	return isOne && m.isDeclared()
}

// Keyed tells whether items are told apart by their keys, so that one that comes twice is noticed.
func (p *Paging) Keyed() bool { return !p.isOnePage() && !p.Unique.Never }

// ByOffset tells whether the method counts items.
func (p *Paging) ByOffset() bool {
	m, ok := p.method.(offsetter)
	return ok && m.byOffset()
}

// ValueParam is the parameter that takes a value of the answer. Its path is empty where no parameter does, or several do.
func (p *Paging) ValueParam() config.ParameterDestination {
	if m, ok := p.method.(pageNamer); ok && p.isLedOn() {
		return m.pageParam()
	}
	return config.ParameterDestination{}
}

// ItemParam is the parameter that counts items; empty: none does.
func (p *Paging) ItemParam() string {
	if m, ok := p.method.(offsetter); ok {
		return m.itemParam()
	}
	return ""
}

// Places are those of the parameters that paging adds.
func (p *Paging) Places() []NamedPlace {
	if m, ok := p.method.(placer); ok {
		return m.places()
	}
	return nil
}

// InHeaders tells whether paging puts a parameter into a header.
func (p *Paging) InHeaders() bool { return p.inHeaders }

// Stride returns the paging of a shard, counted from 0, which asks for every shards-th page only. It returns p itself,
// which asks for all pages, where a page cannot be requested without the one before it, or where a stop condition needs
// all pages. A shard counts the pages of other shards as if they were full: whether they were is found out when the ends
// of all shards are compared ([report.Merge]).
func (p *Paging) Stride(shard, shards int) *Paging {
	d, ok := p.method.(divider)
	if !ok || !d.divisible() {
		return p
	}
	for _, reason := range p.mayEndBy() {
		if !reason.Rule().Divisible {
			return p
		}
	}
	own := *p
	own.shard, own.shards = shard, shards
	return &own
}

// Every is the distance between the pages that are asked for: 1, or the number of shards.
func (p *Paging) Every() int { return max(p.shards, 1) }

// mayEndBy lists the reasons by which the shared conditions, or until, may end a walk.
func (p *Paging) mayEndBy() (all []report.StopReason) {
	for i := range p.stops {
		all = append(all, p.stops[i].mayEndBy()...)
	}
	if p.Until != nil {
		all = append(all, report.StopUntil)
	}
	return all
}

// atNext is what an answer has where the method looks for the next page; nil: nothing.
func (p *Paging) atNext(f *Facts) jsontext.Value {
	if m, ok := p.method.(multiLed); ok {
		return m.atNext(f)
	}
	return f.Values[0]
}

// NextPlace is where the method looks for the next page, for people; empty: nowhere.
func (p *Paging) NextPlace() string { return p.nextPlace }

// isLedOn tells whether each answer has what leads to the next page, such as a cursor.
func (p *Paging) isLedOn() bool {
	_, ok := p.method.(answerLed)
	return ok
}

// Overlaps tells whether pages overlap.
func (p *Paging) Overlaps() bool { return p.overlapper() != nil }

// overlapper is the method where pages overlap; nil: they do not.
func (p *Paging) overlapper() overlapper {
	if m, ok := p.method.(overlapper); ok && m.early() > 0 {
		return m
	}
	return nil
}
