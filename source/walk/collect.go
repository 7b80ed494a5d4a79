package walk

import (
	"bytes"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
	"sluice/source/evidence"
	"sluice/source/job"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/verdict"
)

// collectorsOf are those of a job, in the order in which they look: what counts only
// the items of this shard stands behind the one that says which these are.
func collectorsOf(j *job.Job) []newCollector {
	all := []newCollector{newFirstItem}
	if linesMayBeErrors(j) {
		all = append(all, newLoneErrors)
	}
	if paginate.NewRange(j.Paging.Needs) != nil {
		all = append(all, newNumbers)
	}
	if j.Paging.Overlaps() {
		all = append(all, newEach)
	} else if j.Paging.Keyed() {
		all = append(all, newKeys)
	}
	if j.Paging.Keyed() {
		all = append(all, newTexts)
	}
	if j.Paging.SeesNamed() {
		all = append(all, newHashes)
	}
	if len(j.Lasts) > 0 {
		all = append(all, newLasts)
	}
	if j.Paging.Until != nil {
		all = append(all, newFalling)
	}
	if j.Whole || j.Strided() {
		all = append(all, newShare)
	}
	if j.Paging.Until != nil && j.Paging.Until.Cut {
		all = append(all, newCut)
	}
	if j.Items.Where != nil {
		all = append(all, newWhere)
	}
	if len(j.Children) > 0 {
		all = append(all, newParents)
	}
	return all
}

// linesMayBeErrors tells whether lines that have nothing but an error are
// to be looked for.
func linesMayBeErrors(j *job.Job) bool {
	return j.Spec.Format.Lines() && j.Spec.Detect && !j.Conditions.FailOn
}

// loneErrors looks for lines that have nothing but an error.
type loneErrorCollector struct {
	*ask
	came *Fetched
	// common is what lines begin with that are no lone error; nil: nothing.
	common []byte
}

func newLoneErrors(a *ask, came *Fetched) Collector {
	return &loneErrorCollector{ask: a, came: came}
}

func (c *loneErrorCollector) Item(_ int, line []byte) error {
	if c.came.isComplaint() {
		return nil
	}
	if c.common != nil && bytes.HasPrefix(line, c.common) {
		return nil
	}
	c.came.complaint, c.common = c.options.loneError(line)
	return nil
}

// adding hands each item to what takes it, and refuses none.
type adding[T interface{ Add(text []byte) }] struct{ to T }

func (c adding[T]) Item(_ int, text []byte) error {
	c.to.Add(text)
	return nil
}

// newNumbers collects what paging needs to know of the items.
func newNumbers(a *ask, came *Fetched) Collector {
	came.Items.numbers = paginate.NewRange(a.Job.Paging.Needs)
	return adding[*paginate.Range]{came.Items.numbers}
}

// newKeys collects what tells the items apart.
func newKeys(a *ask, came *Fetched) Collector {
	paging := a.Job.Paging
	isFirst := a.number <= paging.Every()
	isRoot := a.Child == nil && !a.Job.Windowed()
	came.Items.finder = evidence.NewKeyFinder(paging.Unique, a.sought, isFirst, evidence.KnownOf(isRoot))
	return adding[*evidence.KeyFinder]{came.Items.finder}
}

// texts collects hashes of the texts of the items, for --proof.
type textCollector struct{ seen *Seen }

func newTexts(a *ask, came *Fetched) Collector {
	if !a.options.Proof {
		return nil
	}
	return textCollector{&came.Items}
}

func (c textCollector) Item(_ int, text []byte) error {
	c.seen.texts = append(c.seen.texts, xxhash.Sum64(text))
	return nil
}

// hashes collects those of the texts of the items, which a cursor may name again.
type hashCollector struct{ seen *Seen }

func newHashes(_ *ask, came *Fetched) Collector { return hashCollector{&came.Items} }

func (c hashCollector) Item(_ int, text []byte) error {
	c.seen.hashes = append(c.seen.hashes, evidence.Hash(text))
	return nil
}

// lasts collects the greatest values for the function last.
type lastCollector struct {
	all []job.Greatest
	// changes are the values that the first follows; nil: they are not wanted.
	changes *paginate.Changes
}

func newLasts(a *ask, came *Fetched) Collector {
	var all []job.Greatest
	for _, g := range a.Job.Lasts {
		all = append(all, job.Greatest{Path: g.Path, Steps: g.Steps})
	}
	came.Items.lasts = all
	c := lastCollector{all: all}
	if a.Job.Paging.Moves() {
		c.changes = &paginate.Changes{}
		came.Items.changes = c.changes
	}
	return c
}

func (c lastCollector) Item(_ int, text []byte) error {
	for i := range c.all {
		value := item.Find(text, c.all[i].Steps)
		if i == 0 && c.changes != nil {
			c.changes.Add(value)
		}
		if err := c.all[i].Add(value); err != nil {
			return err
		}
	}
	return nil
}

// share sums up the items of a root walk for the shard that asks for them.
type shareCollector struct {
	*ask
	seen *Seen
}

func newShare(a *ask, came *Fetched) Collector { return shareCollector{a, &came.Items} }

// Item returns [page.ErrLeftOut] for an item of another shard.
func (c shareCollector) Item(_ int, text []byte) error {
	if !c.Job.Whole {
		c.seen.sum = 31*c.seen.sum + xxhash.Sum64(text)
		return nil
	}
	var key []byte
	inItem := item.Looker(text, len(c.Job.Keeps))
	for _, path := range c.Job.Keeps {
		key = append(key, c.look(inItem, path)...)
		key = append(key, 0)
	}
	sum := xxhash.Sum64(key)
	c.seen.sum += sum
	if sum%uint64(c.options.Shards) != uint64(c.options.Shard) {
		return page.ErrLeftOut
	}
	return nil
}

// parents collects what the children of the items need.
type parentCollector struct {
	*ask
	seen *Seen
}

func newParents(a *ask, came *Fetched) Collector { return parentCollector{a, &came.Items} }

func (c parentCollector) Item(number int, text []byte) error {
	if c.seen.filtered.is(number) {
		return nil
	}
	c.seen.Parents = c.appendParent(c.seen.Parents, number, text)
	return nil
}

// loneError is the doubt of a line that has nothing but an error. Of others it is
// none, and common, if not nil, is what lines begin with whose first member shows
// that as well.
func (o *Options) loneError(line []byte) (said verdict.Raised, common []byte) {
	var all []item.Found
	for name, value := range item.Members(line) {
		if len(all) > 0 {
			return said, nil
		}
		if !evidence.Notable(name) {
			return said, slices.Clone(line[:len("{")+len(name)])
		}
		path := item.Path{item.Unquote(name)}
		all = append(all, item.Found{Path: path, Value: value})
	}
	if bad := evidence.Complaint(all); bad != nil {
		return verdict.ErrorBeside.Raise(o.quoted(bad)), nil
	}
	return said, nil
}

// newEach collects what tells each item apart.
func newEach(a *ask, came *Fetched) Collector {
	found := evidence.NewEachFinder(a.Job.Paging.Unique, a.sought, a.number == 1)
	came.Items.each, came.Items.finder = found, found.KeyFinder
	return adding[*evidence.EachFinder]{found}
}

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
