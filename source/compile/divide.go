package compile

import "sluice/source/job"

// divide leaves to a root job the walks that this shard does, each with its place
// among the root walks of the run. Windows that are enough for all shards are
// divided themselves, since the end of a stride costs each shard a request.
func (c *compiler) divide(j *job.Job) {
	shard, shards := c.options.Shard, c.options.Shards
	j.Whole = shards > 1 && len(j.Children) > 0
	if shards > len(j.Windows) && !j.Whole {
		j.Paging = j.Paging.Stride(shard, shards)
	}
	windows := j.Windows
	j.Windows = nil
	everyShard := j.Whole || j.Strided()
	for _, w := range windows {
		w.Place = c.walks
		c.walks++
		if everyShard || w.Place%max(shards, 1) == shard {
			j.Windows = append(j.Windows, w)
		}
	}
}
