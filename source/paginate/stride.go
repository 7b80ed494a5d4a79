package paginate

// Stride returns the paging of walks of which one shard, from 0, asks for every n-th
// page; where pages are not known beforehand, or a person bounds how many are
// wanted, it is p. A walk counts the pages of others as if they were full: whether
// they were shows when the ends of all shards are compared ([report.Merge]).
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

// Every is how far apart the pages are that are asked for.
func (p *Paging) Every() int { return max(p.shards, 1) }
