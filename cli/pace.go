package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"sluice/pipeline"
)

// How often garbage is collected, as GOGC has it: at leastAt where pages come one at a time and are not small, so that a
// run takes little memory. Else at mostAt, where little lives: each collection takes what buffers lie ready, and with many
// requests in flight these are made anew. While pages are small it is at mostSmallAt: a page that takes few microseconds would
// pay for a part of a collection. Where more lives, such as the values of the function last below many items, no
// more than mostGarbage comes between two collections, in bytes, but for what leastAt is of what lives, or leastSmallAt
// while pages are small.
const (
	mostAt       = 100
	mostSmallAt  = 200
	leastAt      = 40
	leastSmallAt = 20
	mostGarbage  = 3 << 20
)

// A page is small if on an average no more than that many bytes come: of so many pages, or of fewer that bring so many
// bytes.
const (
	smallPage     = 8 << 10
	averaged      = 256
	averagedBytes = 4 << 20
)

// An adaptivePace is how the runtime does its work, by how large the pages are.
// Where one request is in flight and what it brings is written as it comes, nothing could be done at the same time, so that to hand each step to another thread is in vain. While pages are small
// it is, however many requests are in flight, and to collect as often as for large pages is, too: together a third of
// the CPU of such a run. One processor asks for more small pages in a second than an API answers.
type adaptivePace struct {
	// collect has garbage collected at a percentage of what lives, and useOne uses one processor, or all.
	collect func(percent int)
	useOne  func(bool)
	// live is how many bytes lived when garbage was collected last.
	live   func() uint64
	inTurn bool

	mu sync.Mutex
	// percent is where garbage is collected; 0: at leastAt, as at the beginning.
	percent int
	// pages and bytes came since the last average.
	pages int
	bytes int64
	small bool
}

// newAdaptivePace is that of pages of which nothing is known. What a person has set in the environment stays so.
func newAdaptivePace(getenv func(string) string) *adaptivePace {
	p := &adaptivePace{collect: func(int) {}, useOne: func(bool) {}, live: liveBytes}
	if getenv("GOGC") == "" {
		p.collect = func(percent int) { debug.SetGCPercent(percent) }
	}
	if getenv("GOMAXPROCS") == "" {
		p.useOne = useOne
	}
	p.collect(leastAt)
	return p
}

// useOne uses one processor, or all.
func useOne(one bool) {
	if one {
		runtime.GOMAXPROCS(1)
	} else {
		runtime.SetDefaultGOMAXPROCS()
	}
}

// Begin implements [run.Pace].
func (p *adaptivePace) Begin(inTurn bool) {
	p.inTurn = inTurn
	if inTurn {
		p.useOne(true)
	}
	p.adjust()
}

// Observe implements [pipeline.Observer].
func (p *adaptivePace) Observe(e pipeline.Event) {
	judged, isPage := e.(pipeline.PageJudged)
	if !isPage {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pages++
	p.bytes += judged.Bytes
	if p.pages < averaged && p.bytes < averagedBytes {
		return
	}
	isSmall := p.bytes <= int64(p.pages)*smallPage
	p.pages, p.bytes = 0, 0
	if isSmall != p.small {
		p.small = isSmall
		p.useOne(isSmall || p.inTurn)
	}
	p.adjust()
}

// adjust has garbage collected as often as the pages of the last average want it. A little more or less is no reason to
// change that.
func (p *adaptivePace) adjust() {
	percent := p.wanted()
	before := cmp.Or(p.percent, leastAt)
	const reason = 5
	if max(percent-before, before-percent) < reason {
		return
	}
	p.percent = percent
	p.collect(percent)
}

// wanted is where garbage is to be collected.
func (p *adaptivePace) wanted() int {
	least, most := leastAt, mostAt
	switch {
	case p.small:
		least, most = leastSmallAt, mostSmallAt
	case p.inTurn:
		return leastAt
	}
	bounded := mostGarbage * 100 / max(p.live(), 1)
	return max(int(min(bounded, uint64(most))), least)
}

// liveBytes is how many bytes lived when garbage was collected last.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
