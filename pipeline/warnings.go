package pipeline

import "fmt"

// distinct is how many different warnings a report keeps for a job, so that its
// size does not grow with the run.
const distinct = 100

// warnings collects those of one job. The zero value is ready for use.
type warnings struct {
	texts  []string
	counts map[string]int // of those in texts
	more   int            // others
}

func (w *warnings) add(text string) {
	if w.counts == nil {
		w.counts = make(map[string]int)
	}
	switch {
	case w.counts[text] > 0:
		w.counts[text]++
	case len(w.texts) < distinct:
		w.texts = append(w.texts, text)
		w.counts[text] = 1
	default:
		w.more++
	}
}

// list returns each warning once, with how often it came, in the order of the
// first time. It is never nil.
func (w *warnings) list() []string {
	all := []string{}
	for _, text := range w.texts {
		if n := w.counts[text]; n > 1 {
			text = fmt.Sprintf("%s (%d times)", text, n)
		}
		all = append(all, text)
	}
	if w.more > 0 {
		all = append(all, fmt.Sprintf("… and %d more", w.more))
	}
	return all
}
