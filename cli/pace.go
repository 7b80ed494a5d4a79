package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"sluice/pipeline"
)

// How often garbage is collected, as GOGC has it. What lives is a few buffers, so collecting costs little; while pages
// are small it is most of what there is to do.
const (
	collectAt      = 40
	collectSmallAt = 100
)

// Where much lives, such as the values of the function last below many items, a percentage of that would be much
// garbage. While pages are small no more than mostGarbage comes between two collections, in bytes, but for what leastAt
// is of what lives.
const (
	mostGarbage = 3 << 20
	leastAt     = 20
)

// A page is small if on an average of so many no more than that many bytes come.
const (
	smallPage = 8 << 10
	averaged  = 256
)

// An adaptivePace is how the runtime does its work, by how large the pages are.
// Where one request is in flight and what it brings is written as it comes, nothing could be done at the same time, so that to hand each step to another thread is in vain. While pages are small
// it is, however many requests are in flight, and to collect as often as for large pages is, too: together a third of
// the CPU of such a run. One processor asks for more small pages in a second than an API answers.
type adaptivePace struct {
	// collect has garbage collected at a percentage of what lives, and useOne uses one processor, or all.
	collect func(percent int)
	useOne  func(bool)
	// live is how many bytes lived when garbage was collected last; nil: that is not known.
	live   func() uint64
	inTurn bool

	mu sync.Mutex
	// percent is where garbage is collected; 0: at collectAt, as at the beginning.
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
	p.collect(collectAt)
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
	if p.pages < averaged {
		return
	}
	isSmall := p.bytes <= averaged*smallPage
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
	percent := collectAt
	if p.small {
		percent = p.percentOfSmall()
	}
	before := cmp.Or(p.percent, collectAt)
	const reason = 5
	if max(percent-before, before-percent) < reason {
		return
	}
	p.percent = percent
	p.collect(percent)
}

// percentOfSmall is where garbage is collected while pages are small.
func (p *adaptivePace) percentOfSmall() int {
	if p.live == nil {
		return collectSmallAt
	}
	most := mostGarbage * 100 / max(p.live(), 1)
	return int(min(max(most, leastAt), collectSmallAt))
}

// liveBytes is how many bytes lived when garbage was collected last.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
