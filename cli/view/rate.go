package view

import "time"

// rateOver is over how many of the last seconds the rate is measured.
const rateOver = 5 * time.Second

// measure is called each time the view is drawn by the clock. The rate falls while
// nothing comes.
func (j *job) measure() {
	if len(j.history) > int(rateOver/drawEvery) {
		j.history = j.history[1:]
	}
	j.rate = float64(j.items-j.history[0]) / (time.Duration(len(j.history)) * drawEvery).Seconds()
	j.history = append(j.history, j.items)
}
