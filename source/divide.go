package source

import (
	"github.com/cespare/xxhash/v2"

	"sluice/pipeline/item"
)

// divide leaves to a root job the walks that this shard does, each with its place among
// the root walks of the run (docs/decisions.md, section 21). Windows that are enough for all
// shards are divided themselves, since the end of a stride costs each shard a request.
func (c *compiler) divide(j *job) {
	o := c.iteration.o
	if o.Shards > len(j.windows) && !j.whole() {
		j.paging = j.paging.Stride(o.Shard, o.Shards)
	}
	windows := j.windows
	j.windows = nil
	for _, w := range windows {
		if w.place = o.walks; j.whole() || j.paging.Every() > 1 || w.place%max(o.Shards, 1) == o.Shard {
			j.windows = append(j.windows, w)
		}
		o.walks++
	}
}

// whole tells whether every shard walks the walks of a root job.
func (j *job) whole() bool { return j.iteration.o.Shards > 1 && len(j.children) > 0 }

// enter enters an item of a root walk into what the shard tells of its page, and says whether the item is its own.
func (s *slot) enter(text []byte) bool {
	w := s.walk
	if !w.told.Whole {
		s.sum = 31*s.sum + xxhash.Sum64(text)
		return true
	}
	var key []byte
	look := item.Looker(text, len(w.job.keeps))
	for _, path := range w.job.keeps {
		key = append(append(key, w.look(look, path)...), 0)
	}
	sum, o := xxhash.Sum64(key), w.job.iteration.o
	s.sum += sum
	return sum%uint64(o.Shards) == uint64(o.Shard)
}
