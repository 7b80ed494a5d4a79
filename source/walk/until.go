package walk

import (
	"sluice/source/page"
	"sluice/source/paginate"
)

// The member until of a job ends its walks at what is known (source/paginate/until.go). Here the items are looked at, and those
// that are known are left out.

// fallingCollector looks at the order of the items, each as the API sent it.
type fallingCollector struct{ *paginate.Falling }

func newFalling(a *ask, came *Fetched) Collector {
	came.Items.falling = a.Job.Paging.Until.Falling(a.Pages)
	return fallingCollector{came.Items.falling}
}

func (c fallingCollector) Item(_ int, text []byte) error { return c.Add(text) }

// cutCollector leaves out items that are older than the bound.
type cutCollector struct{ seen *Seen }

func newCut(_ *ask, came *Fetched) Collector { return cutCollector{&came.Items} }

// Item returns [page.ErrLeftOut] for an item that is older.
func (c cutCollector) Item(int, []byte) error {
	if !c.seen.falling.IsOlder() {
		return nil
	}
	c.seen.filtered.cut++
	return page.ErrLeftOut
}
