package view

import "time"

// rateOver is over how many of the last seconds the rate is measured.
const rateOver = 5 * time.Second

// sample is how many items there were at a time.
type sample struct {
	at    time.Time
	items int64
}

// add counts items, and keeps a sample of each of the last seconds.
func (j *job) add(items int, at time.Time) {
	j.items += int64(items)
	now := sample{at, j.items}
	if n := len(j.samples); n > 1 && at.Sub(j.samples[n-2].at) < time.Second {
		j.samples[n-1] = now
		return
	}
	j.samples = append(j.samples, now)
	for len(j.samples) > 2 && at.Sub(j.samples[1].at) > rateOver {
		j.samples = j.samples[1:]
	}
}

// rate is the items per second in the last seconds. It falls while nothing comes.
func (j *job) rate(began, now time.Time) float64 {
	from := sample{at: began}
	for _, s := range j.samples {
		if now.Sub(s.at) < rateOver {
			break
		}
		from = s
	}
	if took := now.Sub(from.at).Seconds(); took > 0 {
		return float64(j.items-from.items) / took
	}
	return 0
}
