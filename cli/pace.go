package cli

import (
	"runtime"
	"runtime/debug"
	"sync"

	"sluice/pipeline"
)

// How often garbage is collected, as GOGC has it. What lives is a few buffers, so collecting costs little; while pages
// are small it is most of what there is to do.
const (
	collectAt      = 40
	collectSmallAt = 100
)

// A page is small if on an average of so many no more than that many bytes come.
const (
	smallPage = 8 << 10
	averaged  = 256
)

// A pace is how the runtime does its work. Where one request is in flight and what it brings is written as it comes,
// nothing could be done at the same time, so that to hand each step to another thread is in vain. While pages are small
// it is, however many requests are in flight, and to collect as often as for large pages is, too: together a third of
// the CPU of such a run. One processor asks for more small pages in a second than an API answers.
type pace struct {
	// collect has garbage collected at a percentage of what lives, and useOne uses one processor, or all.
	collect func(percent int)
	useOne  func(bool)
	inTurn  bool

	mu sync.Mutex
	// pages and bytes came since the last average.
	pages int
	bytes int64
	small bool
}

// newPace is that of pages of which nothing is known. What a person has set in the environment stays so.
func newPace(getenv func(string) string) *pace {
	p := &pace{collect: func(int) {}, useOne: func(bool) {}}
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
func (p *pace) Begin(inTurn bool) {
	p.inTurn = inTurn
	if inTurn {
		p.useOne(true)
	}
}

// Observe implements [pipeline.Observer].
func (p *pace) Observe(e pipeline.Event) {
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
	if isSmall == p.small {
		return
	}
	p.small = isSmall
	p.useOne(isSmall || p.inTurn)
	if isSmall {
		p.collect(collectSmallAt)
	} else {
		p.collect(collectAt)
	}
}
