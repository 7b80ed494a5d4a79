package walk

import (
	"sluice/source/evidence"
	"sluice/source/paginate"
	"sluice/source/suggest"
)

// A firstItem is what the first item of a page shows. Of a later page than the first it is looked at for a list only. A list is nil
// where there is none, or where the job has other walks.
type firstItem struct {
	// id is what of it a cursor can name.
	id suggest.First
	// hasList: it has a list of objects in it. holds: a list makes up most of it.
	hasList, holds bool
	// inner is the list in it that goes on, envelope the one that makes up most of it and goes on, and full the one that is as long
	// as was asked for.
	inner, envelope, full *evidence.Inner
	// mayDescribe: it may describe the second item, which is described if that is a list.
	mayDescribe bool
	described   *evidence.Inner
}

// firstItemCollector looks at the first item of a first page, and at a second one that the first may describe.
type firstItemCollector struct {
	first *firstItem
	// alone: the job has no other walk.
	alone bool
	asked *paginate.Request
}

func newFirstItem(a *ask, came *Fetched) Collector {
	first := &came.Items.first
	if a.number > 1 {
		if a.looksWithin {
			return holdingCollector{first}
		}
		return nil
	}
	isAlone := a.Child == nil && !a.Job.Windowed()
	return firstItemCollector{first, isAlone, a.request}
}

func (c firstItemCollector) Item(number int, text []byte) error {
	first := c.first
	if number == 2 && first.mayDescribe {
		first.described = evidence.Described(text)
	}
	if number > 1 {
		return nil
	}
	first.id = suggest.FirstOf(text)
	first.hasList = evidence.HasList(text)
	if c.alone {
		most := evidence.MostOf(text)
		first.holds = most != nil
		first.inner = evidence.InnerOf(text)
		first.envelope = evidence.InEnvelope(text, most)
		first.full = evidence.AsLongAsAsked(text, most, c.asked.Numbers())
		first.mayDescribe = evidence.MayDescribe(text)
	}
	return nil
}

// holdingCollector looks whether the first item of a later page still has a list in it.
type holdingCollector struct{ first *firstItem }

func (c holdingCollector) Item(number int, text []byte) error {
	if number == 1 {
		c.first.holds = evidence.MostOf(text) != nil
	}
	return nil
}
