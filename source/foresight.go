package source

import (
	"fmt"
	"math"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/config"
)

// A foresight watches how many requests a job will need, and says once where the API does not allow so many in a day.
type foresight struct {
	pipeline.Observer

	// Those of all requests.
	rates []config.Rate

	mu sync.Mutex

	// By job.
	pages map[string]int
	told  map[string]bool
}

// foresee returns o, which is also told of what a day is too short for.
func foresee(o pipeline.Observer, docs []*config.Document) pipeline.Observer {
	f := &foresight{Observer: o, pages: map[string]int{}, told: map[string]bool{}}
	for _, d := range docs[:min(len(docs), 1)] {
		for _, r := range d.Rates {
			if r.For == "" {
				f.rates = append(f.rates, r)
			}
		}
	}
	if len(f.rates) == 0 {
		return o
	}
	return f
}

// Observe implements [pipeline.Observer].
func (f *foresight) Observe(e pipeline.Event) {
	f.Observer.Observe(e)
	judged, ok := e.(pipeline.PageJudged)
	if !ok || judged.Depth > 0 || judged.Kept {
		return
	}
	if text := f.judge(judged); text != "" {
		f.Observer.Observe(pipeline.Warned{Job: judged.Job, Text: text, Verdict: report.Complete, At: judged.At})
	}
}

// judge returns what is to be said of the job of a page; nothing if a day is long enough, or if that is not known.
func (f *foresight) judge(e pipeline.PageJudged) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages[e.Job]++
	if e.Share <= 0 || f.told[e.Job] {
		return ""
	}
	f.told[e.Job] = true
	needed := math.Ceil(float64(f.pages[e.Job]) / e.Share)
	days, slowest := 1.0, config.Rate{}
	for _, r := range f.rates {
		aDay := float64(r.Limit) / float64(r.Cost) * float64(24*time.Hour) / float64(r.Window)
		if needed/aDay > days {
			days, slowest = needed/aDay, r
		}
	}
	if days <= 1 {
		return ""
	}
	return fmt.Sprintf(
		"about %.0f requests are needed, beside those of its children: the rate %s allows that in %.1f days, not in one",
		needed, slowest.Text, days)
}
