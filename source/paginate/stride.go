package paginate

import (
	"fmt"
	"slices"
)

// Stride returns the paging of walks of which one shard, from 0, asks for every n-th page; where pages are not known
// beforehand, or a person bounds how many are wanted, it is p. A walk counts the pages of others as if they were full:
// whether they were shows when the ends of all shards are compared ([pipeline.Merge]).
func (p *Paging) Stride(shard, shards int) *Paging {
	bounded := func(s stops) bool {
		return s.emptyStop || s.limitCount > 0 || s.forcePages > 0 || s.forceTime > 0 || s.forceVolume > 0
	}
	if m, ok := p.method.(*numbered); !ok || m.limit == 0 || m.advanceItems || slices.ContainsFunc(p.stops, bounded) {
		return p
	}
	own := *p
	own.shard, own.shards = shard, shards
	return &own
}

// Every is how far apart the pages are that are asked for.
func (p *Paging) Every() int { return max(p.shards, 1) }

// skip counts so many pages of other shards, and asks for the one after them.
func (p *Paging) skip(s *State, j *Job, pages int) error {
	m, n := p.method.(*numbered), int64(pages)
	limit, _ := effectiveLimit(j, m.limitParam, m.limit)
	if s.Asked = m.At(j, s, s.Pages+pages+1); s.Asked == nil {
		return fmt.Errorf("the %s %d pages after %d is out of range", m.param, pages, s.Number)
	}
	s.Number += n * m.step(limit, 0)
	s.Pages, s.OtherPages = s.Pages+pages, s.OtherPages+pages
	s.Items, s.OtherItems = s.Items+n*limit, s.OtherItems+n*limit
	return nil
}
