package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"sluice/pipeline"
)

func TestThePaceFollowsTheSizeOfPages(t *testing.T) {
	var changes []string
	p := &adaptivePace{
		collect: func(percent int) { changes = append(changes, fmt.Sprint("collect at ", percent)) },
		useOne:  func(one bool) { changes = append(changes, fmt.Sprint("one: ", one)) },
		live:    func() uint64 { return 2 * mostGarbage },
	}
	come := func(pages int, bytes int64) {
		for range pages {
			p.Observe(pipeline.PageJudged{Bytes: bytes})
			p.Observe(pipeline.Warned{})
		}
	}
	come(averaged-1, 100)
	if changes != nil {
		t.Errorf("before there is an average: %v", changes)
	}
	come(1, 100)
	// One large page among small ones is an exception.
	come(averaged-1, 100)
	come(1, averaged*smallPage/2)
	come(2*averaged, smallPage+1)
	want := []string{"one: true", "collect at 50", "one: false"}
	if !slices.Equal(changes, want) {
		t.Errorf("%v, want %v", changes, want)
	}
}

func TestMuchThatLivesDoesNotMeanMuchGarbage(t *testing.T) {
	var changes []int
	live := uint64(1 << 20)
	p := &adaptivePace{
		collect: func(percent int) { changes = append(changes, percent) },
		useOne:  func(bool) {},
		live:    func() uint64 { return live },
	}
	for _, live = range []uint64{1 << 20, 6 << 20, 6<<20 + 1<<16, 8 << 20, 1 << 30} {
		for range averaged {
			p.Observe(pipeline.PageJudged{Bytes: 100})
		}
	}
	for range averaged {
		p.Observe(pipeline.PageJudged{Bytes: smallPage + 1})
	}
	want := []int{mostSmallAt, 50, 37, leastSmallAt, leastAt}
	if !slices.Equal(changes, want) {
		t.Errorf("%v, want %v", changes, want)
	}
}

func TestManyRequestsAtATimeCollectLittle(t *testing.T) {
	var percents []int
	p := &adaptivePace{
		collect: func(percent int) { percents = append(percents, percent) },
		useOne:  func(bool) {},
		live:    func() uint64 { return 0 },
	}
	p.Begin(false)
	if want := []int{mostAt}; !slices.Equal(percents, want) {
		t.Errorf("garbage is collected at %v, want %v", percents, want)
	}
}

func TestFewLargePagesAreAnAverage(t *testing.T) {
	var changes []int
	p := &adaptivePace{
		collect: func(percent int) { changes = append(changes, percent) },
		useOne:  func(bool) {},
		live:    func() uint64 { return 2 * mostGarbage },
	}
	p.Observe(pipeline.PageJudged{Bytes: averagedBytes - 1})
	if changes != nil {
		t.Errorf("before there is an average: %v", changes)
	}
	p.Observe(pipeline.PageJudged{Bytes: 1})
	if want := []int{50}; !slices.Equal(changes, want) {
		t.Errorf("%v, want %v", changes, want)
	}
}

func TestOneRequestAtATimeUsesOneProcessor(t *testing.T) {
	one := false
	var percents []int
	p := &adaptivePace{
		collect: func(percent int) { percents = append(percents, percent) },
		useOne:  func(is bool) { one = is },
		live:    func() uint64 { return 0 },
	}
	p.Begin(true)
	for range averaged {
		p.Observe(pipeline.PageJudged{Bytes: 1})
	}
	for range averaged {
		p.Observe(pipeline.PageJudged{Bytes: smallPage + 1})
	}
	if !one {
		t.Error("large pages after small ones use all")
	}
	if want := []int{mostSmallAt, leastAt}; !slices.Equal(percents, want) {
		t.Errorf("garbage is collected at %v, want %v", percents, want)
	}
}

func TestWhatTheEnvironmentSaysOfTheRuntimeStays(t *testing.T) {
	const own = 70
	usual := debug.SetGCPercent(own)
	processors := runtime.GOMAXPROCS(0)
	p := newAdaptivePace(func(string) string { return "set" })
	p.collect(own + 1)
	p.useOne(true)
	if got := debug.SetGCPercent(usual); got != own {
		t.Errorf("garbage is collected at %d", got)
	}
	if got := runtime.GOMAXPROCS(0); got != processors {
		t.Errorf("%d processors are used, not %d", got, processors)
	}
}
